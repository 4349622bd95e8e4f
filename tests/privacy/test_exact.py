"""The exact mechanism: integer rows in the ball, sums without an order, discrete noise of the stated law."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from threadpoolctl import threadpool_limits

from dpgep_core import DataError, load_dataset
from dpgep_core.datasets import Preprocessing
from dpgep_core.models import integer_sums
from dpgep_core.models.problem import Problem
from dpgep_core.models.public import PublicFacts
from dpgep_core.models.queries import joint_gram, target
from dpgep_core.privacy import Curator, Grant, discrete
from dpgep_core.privacy.discrete import DISTANCE, draw_symmetric, stated_slack, total_variation
from dpgep_core.privacy.integers import STEPS, exact_sum, integer_rows
from dpgep_core.privacy.randomness import Independent, Isotropic, UpperTriangle, whole_normals
from dpgep_core.release import Setting
from dpgep_core.solve import plan, run

UNIT = Preprocessing(rows="unit")
LONGEST = int(STEPS**2)


def squares(whole: np.ndarray) -> list[int]:
    """|q|² of each row in Python's own whole numbers."""
    return [sum(int(entry) ** 2 for entry in row) for row in whole]


@settings(max_examples=300, deadline=None)
@given(arrays(np.float64, st.tuples(st.integers(1, 4), st.integers(1, 40)), elements=st.floats(-1e6, 1e6, width=32)))
def test_integer_rows_never_leave_the_ball(rows: np.ndarray) -> None:
    whole = integer_rows(UNIT.apply(rows))
    assert max(squares(whole)) <= 2**36
    assert np.array_equal(whole, np.rint(whole))


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 3000), st.integers(0, 2000), st.floats(0.4, 0.6))
def test_rows_whose_entries_all_round_up_stay_in_the_ball(d: int, base: int, part: float) -> None:
    row = np.full((1, d), (base + part) / STEPS)
    row /= max(1.0, float(np.linalg.norm(row)))
    whole = integer_rows(row)
    assert squares(whole)[0] <= 2**36
    assert np.abs(whole - row * STEPS).max() <= 2.0


def test_rounding_moves_sums_far_less_than_noise() -> None:
    rows = UNIT.apply(np.random.default_rng(0).normal(size=(5000, 60)))
    whole = integer_rows(rows) / STEPS
    assert np.linalg.norm(whole.T @ whole - rows.T @ rows) < 0.05
    assert np.linalg.norm(rows - whole, axis=1).max() < 60 / STEPS


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1.1])
def test_what_is_no_row_of_the_ball_is_refused_without_being_shown(bad: float) -> None:
    rows = np.zeros((12, 3))
    rows[7, 1] = bad
    with pytest.raises(DataError, match="finite rows in the unit ball") as caught:
        integer_rows(rows)
    assert not {"7", "12", "nan", "inf", "1.1"} & set(str(caught.value).split())


def test_sums_are_bitwise_equal_for_every_partition_order_and_number_of_threads() -> None:
    rng = np.random.default_rng(1)
    whole = integer_rows(UNIT.apply(rng.normal(size=(9000, 50))))
    truth = exact_sum([whole], LONGEST)
    for chunks in (1, 7, 50):
        assert np.array_equal(exact_sum(np.array_split(whole, chunks), LONGEST), truth)
        shuffled = whole[rng.permutation(len(whole))]
        assert np.array_equal(exact_sum(np.array_split(shuffled, chunks), LONGEST), truth)
    for threads in (1, 2):
        with threadpool_limits(threads):
            assert np.array_equal(exact_sum(np.array_split(whole, 3), LONGEST), truth)
    floats = whole / STEPS / 3  # the same sums of floating-point numbers do depend on the partition
    assert not np.array_equal(sum(p.T @ p for p in np.array_split(floats, 50)), floats.T @ floats)


def test_sums_are_those_of_whole_numbers() -> None:
    whole = integer_rows(UNIT.apply(np.random.default_rng(2).normal(size=(40, 5))))
    slow = [[sum(int(row[i]) * int(row[j]) for row in whole) for j in range(5)] for i in range(5)]
    assert exact_sum([whole[:13], whole[13:]], LONGEST).tolist() == slow


def test_sums_that_could_leave_64_bits_are_refused() -> None:
    with pytest.raises(DataError, match="64 bits"):
        exact_sum([np.ones((5, 2))], 2**60)


@pytest.mark.parametrize("relation", ["replace_one", "add_remove"])
def test_one_record_changes_the_sums_by_no_more_than_is_stated(relation: str) -> None:
    rng = np.random.default_rng(3)
    omega = math.floor(math.sqrt(0.5) * STEPS)
    longest = LONGEST + omega**2
    bound = (math.sqrt(2) if relation == "replace_one" else 1.0) * (1 + 0.5) * STEPS**2
    largest = 0.0
    for _ in range(300):
        pair = integer_rows(UNIT.apply(rng.normal(size=(2, 4)) ** 3))
        z = np.hstack([pair, omega * np.eye(3)[rng.integers(3, size=2)]])
        one, other = exact_sum([z[:1]], longest), exact_sum([z[1:]], longest)
        change = (one - other if relation == "replace_one" else one).astype(float)
        largest = max(largest, float(np.linalg.norm(change)))
    assert 0.9 * bound < largest <= bound


def test_the_law_on_and_off_the_diagonal() -> None:
    scale = 1000.0
    noise = np.array([draw_symmetric(Isotropic(), 6, scale) for _ in range(3000)], dtype=float)
    assert np.array_equal(noise, np.swapaxes(noise, 1, 2))
    flat = noise[:, *np.triu_indices(6)]
    covariance = flat.T @ flat / len(flat)
    diagonal = np.equal(*np.triu_indices(6))
    expected = np.diag(np.where(diagonal, scale**2, scale**2 / 2))
    assert np.abs(covariance - expected).max() < 6 * scale**2 * math.sqrt(2 / len(flat))
    kurtosis = (flat**4).mean(axis=0) / (flat**2).mean(axis=0) ** 2
    assert np.abs(kurtosis - 3).max() < 6 * math.sqrt(24 / len(flat))


def test_noise_is_on_whole_numbers_at_the_discrete_law() -> None:
    drawn = whole_normals(20_000, 1.5)
    support = np.arange(-9, 10)
    weights = np.exp(-(support**2) / (2 * 1.5**2))
    share = np.array([(drawn == k).mean() for k in support])
    assert np.abs(share - weights / weights.sum()).max() < 5 * math.sqrt(0.27 / len(drawn))


@pytest.mark.parametrize("sigma", [8.0, 16.0, 50.0])
def test_the_distance_to_rounded_noise_is_bounded_as_stated(sigma: float) -> None:
    support = np.arange(-round(12 * sigma), round(12 * sigma) + 1)
    discrete_law = np.exp(-(support**2) / (2 * sigma**2))
    discrete_law /= discrete_law.sum()
    phi = np.array([math.erf(edge / (sigma * math.sqrt(2))) for edge in np.append(support - 0.5, support[-1] + 0.5)])
    rounded = np.diff(phi) / 2
    distance = np.abs(discrete_law - rounded).sum() / 2
    assert 0.018 / sigma**2 < distance < DISTANCE / sigma**2


def test_the_slack_is_stated_as_a_power_of_two() -> None:
    distance = total_variation(794, 8 * STEPS**2)
    assert stated_slack(distance, 1.0) == 2.0**-60
    slack = stated_slack(distance, 8.0)
    assert (1 + math.exp(8)) * distance <= slack < 2 * (1 + math.exp(8)) * distance
    assert math.log2(slack) == round(math.log2(slack))


@pytest.mark.parametrize("scale", [discrete.SMALLEST_SCALE / 2, discrete.LARGEST_SCALE * 2, math.inf, math.nan])
def test_noise_that_the_integers_do_not_hold_is_not_drawn(scale: float) -> None:
    with pytest.raises(ValueError, match="steps; from 8 to"):
        draw_symmetric(Isotropic(), 3, scale)
    with pytest.raises(ValueError, match="steps; from 8 to"):
        discrete.draw_entries((2, 2), scale)


def test_the_largest_noise_stays_far_inside_64_bits() -> None:
    """OpenDP cuts at 2^63; what lies there would be a known number, and a sum added to it is told exactly."""
    drawn = [np.abs(draw_symmetric(Isotropic(), 40, discrete.LARGEST_SCALE)).max() for _ in range(3)]
    assert 2.0**58 < max(drawn) < 2.0**61
    assert math.erfc(2.0**62 / discrete.LARGEST_SCALE / math.sqrt(2)) < 1e-50


@pytest.mark.parametrize("law", [Independent(), UpperTriangle()])
def test_other_laws_are_not_drawn_on_whole_numbers(law: Independent | UpperTriangle) -> None:
    with pytest.raises(TypeError, match="not drawn on whole numbers"):
        draw_symmetric(law, 3, 100.0)


def exact_curator() -> tuple[Curator[Problem], PublicFacts]:
    made = plan(load_dataset("wine"), Setting(seed=None, test_size=0.0))
    return Curator(made.problem, Grant(), seed=None, exact=True), made.public


def test_a_curator_that_draws_exactly_answers_nothing_else() -> None:
    curator, public = exact_curator()
    assert curator.ask(joint_gram(0.5, public), sigma=10.0, law=Isotropic()).shape == (16, 16)
    spent = len(curator.ledger)
    with pytest.raises(PermissionError, match="no exact noise covers"):
        curator.ask(target(public), sigma=10.0, law=Isotropic())
    with pytest.raises(PermissionError, match="no exact noise covers"):
        curator.peek(target(public))
    assert len(curator.ledger) == spent
    with pytest.raises(ValueError, match="no seed"):
        Curator(object(), Grant(), seed=3, exact=True)


@pytest.mark.parametrize("model", ["pca", "fda", "cca", "sir"])
def test_an_exact_run_is_the_ordinary_run_but_for_its_noise(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discrete, "draw_symmetric", lambda _, size, __: np.zeros((size, size), dtype=np.int64))
    data = load_dataset("synthetic_cca" if model == "cca" else "wine")
    once = (("steps", 1),)  # two steps clean what they release by the law of the noise, also where none is drawn
    setting = Setting(model=model, epsilon=20.0, seed=None, test_size=0.0, delta=1e-6, params=once)
    drawn = run(plan(data, setting), exact=True)
    plain = run(plan(data, Setting(
        model=model, seed=0, test_size=0.0, delta=1e-6, noise=False, params=(*once, ("floor", False))
    )))  # fmt: skip
    assert drawn.moments is not None
    assert plain.moments is not None
    assert np.abs(drawn.moments.gram - plain.moments.gram).max() < 0.01
    assert np.abs(drawn.moments.sums - plain.moments.sums).max() < 0.01
    assert drawn.ledger.mu == pytest.approx(Grant(epsilon=20.0, delta=1e-6).mu)


def test_an_exact_run_is_not_repeated() -> None:
    made = plan(load_dataset("wine"), Setting(seed=None, test_size=0.0))
    first, second = (run(made, exact=True).components for _ in range(2))
    assert not np.array_equal(first, second)


def test_a_weight_beyond_the_integers_is_refused() -> None:
    answer = integer_sums.integer_joint_gram(1e9, 3, 2)
    with pytest.raises(ValueError, match="weight must be"):
        answer.evaluate(plan(load_dataset("wine"), Setting()).problem)
