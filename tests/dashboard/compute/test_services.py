"""What stands behind the figures: one payment however free knobs move, one set of rows and common noise for draws."""

import threading
import time
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from lab import PATIENCE, until

from dashboard import cache, controls
from dashboard.compute import results
from dashboard.compute.axes import AXES
from dashboard.compute.jobs import FIRST, LATER, Job
from dashboard.compute.turns import HOLD, TURNS
from dashboard.figures import live_frames
from dashboard.scenario import COMMON_PARAMETERS, Scenario
from dpgep_core import reuse
from dpgep_core.datasets import Dataset, load_dataset
from dpgep_core.errors import ParameterError
from dpgep_core.evaluate import Reference
from dpgep_core.evaluate.diagnostic import reference_parameters
from dpgep_core.evaluate.metrics import cosine_similarity
from dpgep_core.experiments.cell_runner import CellRunner
from dpgep_core.experiments.grid import Cell
from dpgep_core.numerics import unit_columns
from dpgep_core.reuse import release_of
from dpgep_core.solve import plan, run

WINE = Scenario(dataset="wine", epsilon=2.0)


class Memory:
    """A caller that remembers releases by setting."""

    def __init__(self):
        self.kept = {}

    def __call__(self, setting, solve):
        if setting not in self.kept:
            self.kept[setting] = solve()
        return self.kept[setting]


@pytest.fixture
def runs(monkeypatch):
    """Every run of a plan, which is where a curator is made and privacy is spent."""
    seen, here = [], threading.get_ident()

    def counting(bound):
        if threading.get_ident() == here:  # jobs of pages that earlier tests opened may still be at work beside
            seen.append(bound)
        return run(bound)

    monkeypatch.setattr(reuse, "run", counting)
    return seen


@pytest.fixture(scope="module")
def wine():
    return load_dataset("wine")


@pytest.fixture(scope="module")
def reference(wine):
    return Reference.of(wine, WINE.setting("exact"))


def with_params(scenario=WINE, **params):
    return replace(scenario, params=tuple(sorted(params.items())))


FREE = [
    {},
    {"xi": 0.3},
    {"xi": 1e-4, "floor": False},
    {"sparsity": 4},
    {"xi": 2.0, "sparsity": 3, "floor": False},
]


def test_free_knobs_spend_once_and_give_what_a_fresh_solve_gives(wine, runs):
    memory = Memory()
    for params in FREE:
        for k in (None, 1, 2, 5, 13):
            setting = replace(with_params(**params), n_components=k).setting("ssp")
            ours, fresh = release_of(wine, setting, memory), run(plan(wine, setting))
            assert ours.components.tobytes() == fresh.components.tobytes()
            assert ours.components.shape == (13, 2 if k is None else k)
            for name in ("setting", "method", "warnings"):
                assert getattr(ours, name) == getattr(fresh, name)
            assert repr(ours.public) == repr(fresh.public)
            assert list(ours.ledger) == list(fresh.ledger)
            assert (dict(ours.facts), ours.accounted) == (dict(fresh.facts), fresh.accounted)
    assert len(runs) == 1


@pytest.mark.parametrize(
    "change",
    [
        {"epsilon": 1.0},
        {"delta": 1e-5},
        {"seed": 1},
        {"relation": "add_remove"},
        {"as_if": 3.0},
        {"noise": False},
        {"params": (("weight", 0.2),)},
    ],
)
def test_what_costs_is_paid_again(wine, runs, change):
    memory = Memory()
    release_of(wine, WINE.setting("ssp"), memory)
    release_of(wine, replace(WINE, **change).setting("ssp"), memory)
    assert len(runs) == 2


def test_methods_that_do_not_release_moments_run_for_each_setting(wine, runs):
    memory = Memory()
    for xi in (0.01, 0.02, 0.01):
        release_of(wine, with_params(xi=xi).setting("dprf"), memory)
    assert len(runs) == 2


@pytest.mark.parametrize("change", [{"n_components": 3}, {"params": (("memory", "products"), ("xi", 0.3))}])
def test_a_release_by_products_is_made_anew_where_k_or_xi_moves(change):
    """A release by products keeps no moments to rework. The page and a sweep give the numbers that solving gives."""
    data = load_dataset("synthetic_pca")
    scenario = replace(Scenario(dataset=data.name, model="pca", params=(("memory", "products"),)), **change)
    alone = run(plan(data, scenario.setting("ssp")))
    assert alone.moments is None
    item = results.answer(scenario, "ssp", data, Reference.of(data, scenario.setting("exact")), Memory())
    assert item.release.components.tobytes() == alone.components.tobytes()
    row = CellRunner().run(Cell(dataset=data.name, setting=scenario.setting("ssp"), n=None, classifiers=()))
    assert row["k"] == alone.components.shape[1]
    assert row["mean_cosine_similarity"] == item.diagnostic.mean_cosine_similarity


def test_a_wrong_free_parameter_spends_nothing(wine, runs):
    with pytest.raises(ValueError, match="n_components"):
        release_of(wine, replace(WINE, n_components=14).setting("ssp"), Memory())
    assert runs == []


def test_an_answer_keeps_no_large_matrix(wine, reference):
    item = results.answer(WINE, "ssp", wine, reference, Memory())
    assert item.release.moments is None
    assert item.release.pencil is None
    assert item.private
    assert item.diagnostic.accuracy["lda"].all_private is not None


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(results, "SEARCH_DRAWS", 3)
    monkeypatch.setitem(AXES, "epsilon", replace(AXES["epsilon"], points=(0.1, 1.0, 10.0)))
    monkeypatch.setitem(AXES, "xi", replace(AXES["xi"], points=(0.001, 0.01, 1.0)))


def test_own_seed_first_then_others_on_the_same_rows(wine, reference, runs, few):
    scenario = replace(WINE, seed=5)
    found = list(results.draws(scenario, "ssp", wine, reference, AXES["epsilon"]))
    assert [(d.seed, d.at) for d in found] == [(seed, e) for seed in (5, 6, 7) for e in (0.1, 1.0, 10.0)]
    assert len({id(bound.problem.sample) for bound in runs}) == 1
    assert {bound.setting.split_seed for bound in runs} == {5}
    assert len({d.cosine for d in found}) == 9


def test_the_draw_at_the_current_setting_is_the_answer_on_screen(wine, few):
    scenario = replace(WINE, seed=5, epsilon=1.0)
    own = Reference.of(wine, scenario.setting("exact"))
    for algorithm in ("ssp", "dprf", "sr_dp"):
        item = results.answer(scenario, algorithm, wine, own, Memory())
        drawn = next(d for d in results.draws(scenario, algorithm, wine, own, AXES["epsilon"]) if d.at == 1.0)
        assert drawn.accuracy == item.diagnostic.accuracy["lda"].private.accuracy
        assert drawn.cosine == item.diagnostic.mean_cosine_similarity
        assert drawn.angle == item.diagnostic.principal_angles.mean()


def test_one_level_draw_of_what_has_no_budget(wine, reference, few):
    found = list(results.draws(WINE, "exact", wine, reference, AXES["epsilon"]))
    assert [d.at for d in found] == [0.1, 10.0]
    assert [d.cosine for d in found] == pytest.approx([1.0, 1.0])


def test_a_free_axis_is_paid_once_a_draw_and_gives_what_solving_anew_gives(wine, reference, runs, few):
    """ξ is post-processing of what `ssp` released: by the noise and three places, one release in each draw."""
    found = list(results.draws(WINE, "ssp", wine, reference, AXES["xi"]))
    assert [(d.seed, d.at) for d in found] == [(seed, xi) for seed in (0, 1, 2) for xi in (0.0, 0.001, 0.01, 1.0)]
    assert len(runs) == 3
    for one in found[:4]:
        alone = run(plan(wine, AXES["xi"].at(WINE, one.at).setting("ssp")))
        best = reference.exact(2, reference_parameters(alone)[0])
        assert float(cosine_similarity(alone.components, best).mean()) == pytest.approx(one.cosine)


def test_an_axis_that_changes_the_problem_has_a_ceiling_of_its_own(wine, reference, few):
    found = list(results.exact_along(WINE, wine, reference, AXES["xi"], 2))
    assert [d.at for d in found] == [0.001, 0.01, 1.0]
    for one in found:
        assert one.accuracy == reference.exact_score(2, one.at, 0, "lda").accuracy
    assert list(results.exact_along(WINE, wine, reference, AXES["epsilon"], 2)) == []


def test_along_sparsity_the_last_point_keeps_everything(wine, reference, few):
    """d entries of d are all of them: the dense answer, at once."""
    assert AXES["sparsity"].grid(13) == (1.0, 2.0, 5.0, 10.0, 13.0)
    dense = run(plan(wine, WINE.setting("ssp")))
    all_kept = run(plan(wine, AXES["sparsity"].at(WINE, 13).setting("ssp")))
    np.testing.assert_array_equal(all_kept.components, dense.components)
    assert AXES["sparsity"].value(WINE, "ssp", 13) == 13


def test_data_without_labels_have_no_accuracy(few):
    data = load_dataset("synthetic_pca")
    scenario = Scenario(dataset="synthetic_pca", model="pca")
    own = Reference.of(data, scenario.setting("exact"))
    found = list(results.draws(scenario, "ssp", data, own, AXES["epsilon"]))
    assert np.isnan([d.accuracy for d in found]).all()
    assert np.isfinite([d.cosine for d in found]).all()


def test_the_same_seed_gives_the_same_noise_scaled_with_sigma(wine):
    one = replace(WINE, params=(("steps", 1),))
    exact = run(plan(wine, replace(one, noise=False).setting("ssp"))).moments.gram
    noises = []
    for epsilon in (0.05, 0.5, 5.0):
        release = run(plan(wine, one.setting("ssp", epsilon=epsilon)))
        noises.append((release.moments.gram - exact) / release.facts["sigma"])
    for one, other in pairwise(noises):
        np.testing.assert_allclose(one, other, atol=1e-9)
    assert np.abs(noises[0]).max() > 0.5


def test_a_small_step_of_epsilon_moves_an_answer_little(wine, reference):
    angles = [
        results.draw(run(plan(wine, WINE.setting("ssp", epsilon=e))), reference, e, 0).angle
        for e in np.geomspace(8, 10, 60)
    ]
    steps = np.abs(np.diff(angles))
    assert steps.max() < 1.0  # degrees; independent draws at these ε differ by several
    others = [
        results.draw(run(plan(wine, WINE.setting("ssp", epsilon=9.0, seed=s))), reference, 9.0, s).angle
        for s in range(8)
    ]
    assert np.std(others) > 3 * steps.mean()


def test_alignment_can_be_left_off(wine, reference):
    item = results.answer(replace(WINE, epsilon=0.3), "ssp", wine, reference, Memory())
    rows = reference.test_rows[: results.POINTS]
    plain = rows @ unit_columns(item.release.components)
    off, on = (results.layout(item, reference, 0, 1, aligned=aligned) for aligned in (False, True))
    np.testing.assert_allclose(off.private, plain - plain.mean(axis=0), atol=1e-5)
    np.testing.assert_array_equal(off.exact, on.exact)
    assert ((on.private - on.exact) ** 2).sum() < ((off.private - off.exact) ** 2).sum()
    assert off.shared == on.shared
    turned, *_ = np.linalg.lstsq(off.private, on.private, rcond=None)
    np.testing.assert_allclose(turned.T @ turned, np.eye(2) * (turned[:, 0] ** 2).sum(), atol=1e-4)
    assert 0 <= on.shared_random <= 1


def test_the_layout_of_the_exact_answer_is_itself(wine, reference):
    item = results.answer(WINE, "exact", wine, reference, Memory())
    layout = results.layout(item, reference, 0, 1, aligned=True)
    assert layout.shared == pytest.approx(1)
    np.testing.assert_allclose(layout.private, layout.exact, atol=1e-5)


def test_one_component_and_one_column_can_be_drawn(reference, wine):
    item = results.answer(replace(WINE, n_components=1), "ssp", wine, reference, Memory())
    laid = results.layout(item, reference, 0, 1, aligned=True)
    assert laid.private.shape[1] == 2
    np.testing.assert_allclose(np.ptp(laid.exact[:, 1]), np.abs(laid.exact[:, 0]).max(), rtol=0.1)  # not a diagonal
    assert abs(np.corrcoef(laid.exact.T)[0, 1]) < 0.5
    rows = np.linspace(0, 1, 40)[:, None]
    data = Dataset(name="line", title="line", X=rows, y=(rows[:, 0] > 0.5).astype(int), classes=("low", "high"))
    scenario = Scenario(dataset="line", n_components=1)
    own = Reference.of(data, scenario.setting("exact"))
    item = results.answer(scenario, "ssp", data, own, Memory())
    assert np.isfinite(results.layout(item, own, 0, 0, aligned=True).private).all()


def test_captions_carry_every_setting(wine, reference):
    scenario = with_params(replace(WINE, as_if=10.0, seed=4, relation="add_remove", delta=1e-6), xi=0.25)
    own = Reference.of(wine, scenario.setting("exact"))
    items = [results.answer(scenario, key, wine, own, Memory()) for key in ("ssp", "dpsr")]
    text = results.settings_text(scenario, items)
    for part in ("wine", "fda", "as if ×10", "μ held", "d=13", "k=2", "ε=2", "δ=1e-6", "add-remove", "seed 4"):
        assert part in text
    assert "ssp (xi=0.25); dpsr (xi=0.25)" in text
    assert items[0].release.version in text


def test_iterations_are_compared_one_by_one(wine, reference):
    item = results.answer(with_params(n_iterations=6), "dprf", wine, reference, Memory())
    steps = results.by_iteration(item)
    assert steps.shape == (6,)
    assert steps[-1] == pytest.approx(item.diagnostic.mean_cosine_similarity)


def wait_for(job):
    until(lambda: job.look() is not None and job.finished)
    return job.look()


def test_a_job_collects_in_order_and_ends():
    job = Job(iter(range(5)), 5)
    assert wait_for(job) == (0, 1, 2, 3, 4)
    assert job.progress == 1.0
    assert job.error is None


def test_a_job_keeps_what_it_found_when_it_fails():
    def failing():
        yield 1
        raise ValueError("ridge")

    job = Job(failing(), 5)
    assert wait_for(job) == (1,)
    assert str(job.error) == "ridge"


def test_a_job_that_nobody_looks_at_waits(monkeypatch):
    monkeypatch.setattr(Job, "patience", 0.05)

    def endless():
        number = 0
        while True:
            time.sleep(0.002)
            yield (number := number + 1)

    job = Job(endless(), 10**6)
    job.look()
    until(lambda: not job._running)
    seen = len(job._found)
    time.sleep(0.1)
    assert len(job._found) == seen
    until(lambda: len(job.look()) > seen)  # looked at again and again: its patience is shorter than a busy machine's


def test_a_file_read_anew_is_another_data_set_to_the_caches():
    def fresh():
        return Dataset(name="same", title="same", X=np.eye(3))

    numbers = set()
    for _ in range(200):
        numbers.add(cache.identity(fresh()))  # freed at once: the next one may get its address
    assert len(numbers) == 200
    kept = fresh()
    assert cache.identity(kept) == cache.identity(kept)


def test_what_one_drags_is_made_before_what_fills_in(monkeypatch):
    """Two jobs at once: from the moment the first rank is at work, the last one waits for its end."""
    monkeypatch.setattr(Job, "patience", PATIENCE)
    order = []

    def items(name, count):
        for number in range(count):
            if (name, number) == ("later", 1):  # the other job comes while this one is at work
                until(lambda: TURNS._jobs[FIRST] > 0)
            if (name, number) == ("first", 0):  # and what is under way is not overtaken
                until(lambda: order.count("later") >= 2)
            order.append(name)
            yield number

    later, first = Job(items("later", 30), 30, LATER), Job(items("first", 10), 10, FIRST)
    until(later.look)
    until(lambda: first.look() and first.finished and later.finished)
    done = len(order) - order[::-1].index("first")
    assert order[:done].count("later") == 2  # what was under way when the first rank came
    assert order[done:] == ["later"] * 28


def test_jobs_wait_a_moment_when_asked_to():
    TURNS.hold()
    job = Job(iter(range(3)), 3)
    began = time.monotonic()
    assert wait_for(job) == (0, 1, 2)
    assert time.monotonic() - began >= 0.9 * HOLD


@pytest.mark.parametrize(
    ("text", "value"),
    [("0.05", 0.05), (" 1e-3 ", 1e-3), ("0,25", 0.25), ("1/32", 1 / 32), ("3 / 4", 0.75), ("20", 20.0)],
)
def test_a_number_is_taken_as_people_type_it(text, value):
    assert controls.typed_value("epsilon", COMMON_PARAMETERS["epsilon"], text) == value


@pytest.mark.parametrize("text", ["", "-1", "abc", "1/0", "1/2/3", "0", "nan", "1,000,000", "9" * 400])
def test_what_is_no_allowed_number_is_refused_as_it_was_typed(text):
    with pytest.raises(ParameterError, match=r"epsilon must be a finite number > 0") as found:
        controls.typed_value("epsilon", COMMON_PARAMETERS["epsilon"], text)
    assert found.value.value == text
    assert controls.typed_value("sparsity", AXES["sparsity"].knob, "12") == 12
    with pytest.raises(ParameterError, match="sparsity must be a whole number"):
        controls.typed_value("sparsity", AXES["sparsity"].knob, "1/3")


def test_a_few_places_over_the_whole_axis_come_first():
    """The nearest ones once came first, and the far end of ε a minute later."""
    grid = tuple(float(place) for place in range(1, 26))
    order = live_frames.coarse_first(grid, 19.0)
    assert sorted(order) == list(grid)
    assert order[:7] == [19.0, 1.0, 25.0, 10.0, 14.0, 5.0, 22.0]
    widest = [max(high - low for low, high in pairwise(sorted(order[:many]))) for many in (3, 5, 7, 9, 13)]
    assert widest == [18, 9, 5, 4, 3]
    assert live_frames.coarse_first((2.0, 3.0), 2.0) == [2.0, 3.0]
    assert live_frames.coarse_first((2.0, 3.0), 0.0) == [2.0, 3.0]  # where no place is known
    assert live_frames.coarse_first((2.0,), 2.0) == [2.0]
    assert set(order[: live_frames.FIRST_PLACES]) == {1.0, 19.0, 25.0}


def test_these_places_of_a_method_go_before_all_others_of_any():
    data = load_dataset("wine")
    job = cache.frames(Scenario(dataset="wine"), "ssp", data, AXES["epsilon"], (0.5, 1.0, 2.0), (0, 1))
    assert job._claim() == (0, 0.0)
    job._begun = live_frames.FIRST_PLACES
    assert job._claim() == (1, 0.0)


def test_a_frame_stands_under_its_own_place_alone():
    """One of another place once went to the first one of the grid."""

    def at(place):
        return live_frames.Frame(place, {"accuracy": place}, "", "", "", "", ())

    def told(found, *, constant=False):
        made = live_frames.track("t", "#000000", "solid", found, (0.1, 1.0, 10.0), constant=constant)
        return {place: values["accuracy"] for place, values in made["frames"].items()}

    assert told([at(10.0), at(0.1)]) == {"2": 10.0, "0": 0.1}
    assert told([at(0.5), at(1.0)]) == {"1": 1.0}
    assert told([at(0.5)]) == {}
    assert told([at(1.0), at(0.0)], constant=True) == {"0": 0.0}
