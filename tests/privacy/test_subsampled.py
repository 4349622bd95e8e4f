"""Accounting of answers about drawn rows."""

import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from dpgep_core.errors import BudgetExceededError
from dpgep_core.privacy import Curator, Entry, Grant, Ledger, known_draws, subsampled
from dpgep_core.privacy.accountant import delta_of, epsilon_of
from dpgep_core.privacy.query import RowSource, SampledQuery
from dpgep_core.privacy.randomness import draw_batch, stream

N = 60_000
DELTA = N**-1.1


def parts(z: float, rate: float = 1 / N, count: int = N) -> tuple[known_draws.Part, ...]:
    return ((z, rate, count),)


@pytest.mark.parametrize(
    ("z", "at_thousandth", "at_default"),
    [(0.9632, 0.0055, 0.0210), (0.6811, 0.0176, 0.0480), (0.4816, 0.0864, 0.582), (1.2247, 0.0025, 0.0135)],
)
def test_one_row_a_step_for_one_pass(z: float, at_thousandth: float, at_default: float) -> None:
    """n = T = 60,000, one uniform index a step, a row replaced; worked by an independent convolution."""
    assert subsampled.drawn_epsilon(0.0, parts(z), 1e-3) == pytest.approx(at_thousandth, rel=0.02)
    assert subsampled.drawn_epsilon(0.0, parts(z), DELTA) == pytest.approx(at_default, rel=0.02)


def test_one_step_is_the_hockey_stick_of_the_pair() -> None:
    """δ(ε) = ∫ max(P − e^ε Q, 0) with P = (1 − q)N(0, 1) + qN(1/z, 1), from above and by little."""
    z, rate = 0.8, 0.1
    x = np.linspace(-12, 14, 400_001)

    def normal(mean: float) -> Any:
        return np.exp(-((x - mean) ** 2) / 2) / math.sqrt(2 * math.pi)

    P, Q = (1 - rate) * normal(0) + rate * normal(1 / z), normal(0)
    for epsilon in (0.0, 0.05, 0.2, 0.5, 1.0):
        exact = float(np.trapezoid(np.maximum(P - math.exp(epsilon) * Q, 0), x))
        assert exact * (1 - 1e-6) <= subsampled.drawn_delta(0.0, parts(z, rate, 1), epsilon) <= exact * 1.01 + 1e-12


def test_with_every_row_drawn_it_is_the_gaussian_answer() -> None:
    near = subsampled.drawn_epsilon(0.0, parts(4.0, 1 - 1e-9, 3), 1e-5)
    assert near == pytest.approx(epsilon_of(math.sqrt(3) / 4, 1e-5), rel=0.02)


def test_gaussian_answers_and_drawn_rows_add_up() -> None:
    """Never less than either, and never less than Gaussian answers alone at the same δ."""
    alone, rows = epsilon_of(0.2, DELTA), subsampled.drawn_epsilon(0.0, parts(0.9), DELTA)
    both = subsampled.drawn_epsilon(0.2, parts(0.9), DELTA)
    assert max(alone, rows) < both < alone + rows + 0.1


@pytest.mark.parametrize("epsilon", [500.0, 900.0, 1000.0])
def test_a_large_budget_is_met_and_used(epsilon: float) -> None:
    """To a thousandth of the noise from below, also where e^(−loss) underflows."""
    delta = 1e-5
    z = subsampled.noise_multiplier(epsilon, delta, 0.01, 100)
    found = subsampled.drawn_epsilon(0.0, parts(z, 0.01, 100), delta)
    assert 0.997 * epsilon <= found <= epsilon
    assert subsampled.drawn_delta(0.0, parts(z, 0.01, 100), found) <= delta
    assert subsampled.drawn_delta(0.0, parts(z, 0.01, 100), found * (1 - 1e-3)) > delta


@pytest.mark.parametrize("z", [0.04, 0.01])
def test_draws_taken_as_known_are_an_upper_bound(z: float) -> None:
    """Just below and just above the switch the two ways agree within a tenth."""
    few = (z, 1 / 500, 500)
    chance = 1 - (1 - 1 / 500) ** 500
    epsilon = subsampled.drawn_epsilon(0.0, (few,), 1e-4)
    assert epsilon >= epsilon_of(1 / z, 1e-4 / chance) * 0.9  # drawn once or more
    assert epsilon <= epsilon_of(math.sqrt(500) / z, 1e-4)  # drawn every time
    assert subsampled.drawn_delta(0.0, (few,), epsilon) == pytest.approx(1e-4, rel=1e-6)


@pytest.mark.parametrize(("rate", "count"), [(1 / N, N), (0.3, 50), (1.0, 7), (1e-9, 3)])
def test_only_draws_that_happen_are_summed_over(rate: float, count: int) -> None:
    most = known_draws.most_draws(count, rate)
    assert binom.sf(most, count, rate) <= known_draws.NEGLIGIBLE
    assert most == 0 or binom.sf(most - 1, count, rate) > known_draws.NEGLIGIBLE
    assert most <= count


RARE_LOSSES = (0.069, 1 / 32561, 65122)  # DP-VRPCA at the setting of its paper's table: z, q, answers


def test_where_rare_losses_leave_no_epsilon_the_draws_are_taken_as_known() -> None:
    """A loop of bounded answers under Gaussian noise has a finite ε at every δ: the bound for known draws says so."""
    assert math.isinf(subsampled._epsilon_at(subsampled._losses(0.0, (RARE_LOSSES,), subsampled.MANY), 1e-3))
    found = subsampled.drawn_epsilon(0.0, (RARE_LOSSES,), 1e-3)
    assert 700 < found < 900
    # More draws than these are rarer than a tenth of δ: so many answers in full are worth what they are for the rest.
    z, rate, count = RARE_LOSSES
    draws = int(binom.isf(1e-4, count, rate))
    assert found <= epsilon_of(math.sqrt(draws) / z, 9e-4)
    assert found >= subsampled.sampled_epsilon(z, rate, count, 1e-3)
    assert subsampled.drawn_epsilon(0.5, (RARE_LOSSES,), 1e-3) > found  # with answers about all rows


@pytest.mark.parametrize("part", [(0.3, 1e-3, 1000), (0.5, 0.01, 500), (1.0, 0.05, 200), (2.0, 0.2, 40)])
@pytest.mark.parametrize("delta", [1e-3, 1e-6])
def test_known_draws_are_worth_no_less_than_secret_ones(part: known_draws.Part, delta: float) -> None:
    known = known_draws.epsilon_of(0.0, (part,), delta)
    assert known >= subsampled._epsilon_at(subsampled._losses(0.0, (part,), subsampled.MANY), delta)


def test_too_many_numbers_of_draws_are_not_told_apart() -> None:
    """Two loops of which a row may be in half are a million pairs of numbers: no answer within seconds, so none."""
    many = (0.06, 0.5, 4_000)
    assert math.isinf(subsampled.drawn_epsilon(0.0, (many, (0.061, 0.5, 4_000)), 1e-15))


def test_two_loops_whose_draws_are_plain_are_worth_at_least_the_louder_one() -> None:
    """A table of all pairs of counts of draws, with 60,001 counts each, would fill 29 GB."""
    one, other = (0.02, 1 / N, N), (0.03, 1 / N, N)
    assert len(known_draws._chances(0.0, (one, other))[1]) < 1000
    both = subsampled.drawn_epsilon(0.0, (one, other), 1e-5)
    assert subsampled.drawn_epsilon(0.0, (one,), 1e-5) < both < epsilon_of(math.hypot(1 / 0.02, 1 / 0.03) * 5, 1e-5)


def test_no_jump_at_the_switch() -> None:
    below, above = (subsampled.drawn_epsilon(0.0, parts(z, 1 / 500, 500), 1e-4) for z in (0.0499, 0.0501))
    assert below == pytest.approx(above, rel=0.1)


@pytest.mark.parametrize(("epsilon", "rate", "count"), [(0.1, 1 / 500, 500), (1.0, 1 / 500, 500), (1.0, 0.1, 20)])
def test_a_solved_multiplier_keeps_to_the_grant_and_wastes_little(epsilon: float, rate: float, count: int) -> None:
    z = subsampled.noise_multiplier(epsilon, 1e-4, rate, count)
    assert subsampled.drawn_epsilon(0.0, parts(z, rate, count), 1e-4) <= epsilon
    assert subsampled.drawn_epsilon(0.0, parts(0.97 * z, rate, count), 1e-4) > epsilon


@pytest.mark.parametrize("epsilon", [50.0, 1e6])
def test_a_huge_epsilon_has_a_multiplier(epsilon: float) -> None:
    z = subsampled.noise_multiplier(epsilon, 1e-4, 1 / 500, 500)
    assert 0 < z < 0.25
    assert delta_of(1 / z, epsilon) < 1e-3


class TestLedger:
    entry = Entry("rows", 2.0, 2.0, 500, sampling_rate=1 / 500)

    def test_no_single_mu(self) -> None:
        assert math.isnan(self.entry.mu)
        assert math.isnan(Ledger((Entry("A", 1.0, 10.0), self.entry)).mu)

    def test_unprotected_wins(self) -> None:
        ledger = Ledger((self.entry, Entry("peeked", 1.0, 0.0, protected=False)))
        assert ledger.mu == math.inf
        assert ledger.accounted(1e-4).epsilon is None

    def test_epsilon_is_that_of_the_drawn_rows(self) -> None:
        assert Ledger((self.entry,)).epsilon(1e-4) == subsampled.drawn_epsilon(0.0, parts(1.0, 1 / 500, 500), 1e-4)


class TestCurator:
    rows: RowSource[list[float]] = RowSource(
        lambda secret: len(secret), lambda secret, positions: np.array(secret)[positions][:, None]
    )

    def keeper(self, epsilon: float = 1.0, noise: bool = True, seed: int = 3) -> Curator[list[float]]:
        secret = [float(i) for i in range(500)]
        return Curator(secret, Grant(epsilon=epsilon, delta=1e-4), seed=seed, noise=noise)

    def reserve(self, keeper: Curator[list[float]], **changes: Any) -> Any:
        settings = {"sensitivity": 1.0, "sigma": 2.0, "count": 500, "batch": 1, "n": 500, **changes}
        return keeper.reserve_sampled("rows", self.rows, **settings)

    def test_a_loop_too_dear_is_refused_before_a_row_is_drawn(self) -> None:
        keeper = self.keeper(epsilon=0.01)
        with pytest.raises(BudgetExceededError):
            self.reserve(keeper, sigma=0.5)
        assert len(keeper.ledger) == 0

    def test_rows_are_those_of_the_seed_with_noise_or_without(self) -> None:
        query = SampledQuery("row", lambda rows: rows, 1.0)
        quiet, loud = (self.reserve(self.keeper(noise=noise), sigma=s) for noise, s in ((False, 2.0), (True, 2.0)))
        exact = [quiet.ask(query)[0, 0] for _ in range(500)]
        noise = np.array([loud.ask(query)[0, 0] for _ in range(500)]) - exact
        assert set(exact) <= {float(i) for i in range(500)}
        assert len(set(exact)) > 250
        assert 1.6 < noise.std() < 2.4
        assert abs(noise.mean()) < 0.5

    def test_rows_and_noise_come_from_streams_of_their_own(self) -> None:
        """Noise that is drawn from the numbers which chose the rows would tell of the rows."""
        query = SampledQuery("row", lambda rows: rows, 1.0)
        channel = self.reserve(self.keeper(noise=False, seed=3))
        drawn = [channel.ask(query)[0, 0] for _ in range(500)]
        noise = stream(3, "noise")
        assert drawn != [float(draw_batch(noise, 500, 1)[0]) for _ in range(500)]
        rows = stream(3, "noise", "sampled rows")
        assert drawn == [float(draw_batch(rows, 500, 1)[0]) for _ in range(500)]

    def test_batches_have_their_size(self) -> None:
        channel = self.reserve(self.keeper(), batch=7, count=3, sigma=50.0)
        sizes: list[int] = []
        query = SampledQuery("rows", lambda rows: np.array([float(sizes.append(len(rows)) or 0)]), 1.0)
        for _ in range(3):
            channel.ask(query)
        assert sizes == [7, 7, 7]
        with pytest.raises(PermissionError):
            channel.ask(query)

    def test_a_more_sensitive_question_is_refused(self) -> None:
        with pytest.raises(PermissionError):
            self.reserve(self.keeper()).ask(SampledQuery("rows", lambda rows: rows, 1.1))

    @pytest.mark.parametrize("changes", [{"batch": 0}, {"batch": 501}, {"n": 501}, {"sigma": 0.0}, {"count": 0}])
    def test_impossible_loops(self, changes: dict[str, Any]) -> None:
        with pytest.raises(ValueError, match="rows"):
            self.reserve(self.keeper(), **changes)

    def test_nothing_tells_which_rows(self) -> None:
        channel = self.reserve(self.keeper())
        channel.ask(SampledQuery("row", lambda rows: rows, 1.0))
        assert {name for name in dir(channel) if not name.startswith("_")} == {"ask", "left"}
