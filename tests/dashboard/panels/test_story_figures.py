"""The offline story shows the figures that the page shows: title, alt text, caption and table."""

from functools import cache

import pytest

from dashboard.compute import evidence
from dashboard.compute.axes import AXES
from dashboard.compute.evidence import attack_of, growing_attack, outside, shares
from dashboard.compute.results import Draw
from dashboard.export import FigureSpec
from dashboard.figures.live_frames import measured
from dashboard.panels.classifiers import classifiers_figures
from dashboard.panels.components import components_figures, spectra_figures
from dashboard.panels.curves import curve_figures, iterations_figures
from dashboard.panels.lab import Bench
from dashboard.panels.lab_attack import attack_figures
from dashboard.panels.lab_noise import budget_figures, noise_figures
from dashboard.panels.story_before import BEFORE, scene_before
from dashboard.panels.story_file import DRAWN, scene_of
from dashboard.panels.story_panels import LOOKS, energy_figures, membership_figures, swaps_figures
from dashboard.scenario import Scenario
from dashboard.stories import STORIES
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.audit import audit, resolve
from dpgep_core.datasets import load_dataset
from dpgep_core.evaluate.measures import CURVE_MEASURES
from dpgep_core.privacy.ledger import ledger_of
from dpgep_core.solve import plan, run

WINE = {"dataset": "wine", "algorithms": "ssp,dpsr"}
OF_SCENE = {
    "iterations": iterations_figures,
    "swaps": swaps_figures,
    "energy": energy_figures,
    "membership": membership_figures,
    "components": components_figures,
    "classifiers": classifiers_figures,
    "spectra": spectra_figures,
}


def bench_of(scene):
    return Bench.of(scene.scenario, scene.data, scene.style)


def file_figures(panel, scene, options):
    return [block for block in DRAWN[panel](scene, options) if isinstance(block, FigureSpec)]


def assert_alike(page, file, *, seed=True):
    for shown, kept in zip(page, file, strict=True):
        assert (kept.key, kept.title, kept.alt, kept.caption) == (shown.key, shown.title, shown.alt, shown.caption)
        assert kept.rows.equals(shown.rows)
        assert ("seed known: not private" in kept.caption) is seed
        assert kept.draw(kept.style).to_plotly_json() == shown.draw(shown.style).to_plotly_json()


@pytest.mark.parametrize("panel", OF_SCENE)
def test_page_and_file_show_one_list(panel):
    scene = scene_of(WINE)
    page = OF_SCENE[panel](scene)
    assert len(page) == (2 if panel == "membership" else 1)
    assert_alike(page, file_figures(panel, scene, {}))


def test_components_of_images_are_images_on_page_and_in_the_file():
    scene = scene_of({"dataset": "digits"})
    (page,) = components_figures(scene)
    assert page.alt.startswith("Components as images")
    assert_alike([page], file_figures("components", scene, {}))


@pytest.mark.parametrize("dataset", ["digits", "wine"])
def test_exact_components_and_rows_tell_nothing_private(dataset):
    scene = scene_of({"dataset": dataset, "algorithms": "ssp"})
    (components,) = BEFORE["exact components"](scene, {})
    assert [name for name in components.rows if name.startswith("exact")]
    assert not [name for name in components.rows if name.startswith("ssp")]
    (rows,) = BEFORE["exact projection"](scene, {})
    assert "Exact, no privacy" in rows.title


def test_axes_before_a_curve_show_the_answer_of_now_alone():
    scene = scene_of(WINE)
    options = {"over": "epsilon", "metric": "accuracy"}
    (empty,) = BEFORE["axes"](scene, options)
    (point,) = BEFORE["point"](scene, options)
    assert empty.rows.empty
    assert point.rows.empty
    assert not [trace for trace in empty.draw(empty.style).data if trace.x]
    dots = [trace for trace in point.draw(point.style).data if trace.x]
    assert [dot.y for dot in dots] == [
        (measured(item, CURVE_MEASURES["accuracy"], scene.reference),) for item in scene.answers
    ]


def test_every_question_has_a_picture_on_the_page_and_in_the_file():
    for story in STORIES.values():
        for step in story.steps:
            panel, options = step.before.panel, dict(step.before.options)
            assert panel in BEFORE or (panel in DRAWN and panel in LOOKS)
            shown = any((look.panel, look.options) == (panel, step.before.options) for look in step.look)
            assert not shown or scene_before(step) != step.scene, "gives the answer away"
            assert {"over", "metric"} <= options.keys() or panel not in ("axes", "point", "curve", "exact curve")


def test_an_axis_fits_a_small_fall_and_the_caption_names_the_levels_left_out():
    scene = scene_of({"dataset": "wine", "algorithms": "ssp"})
    (kept,) = file_figures("exact curve", scene, {"over": "xi", "metric": "accuracy"})
    seen = kept.rows["accuracy"]
    low, high = kept.draw(kept.style).layout.yaxis.range
    assert low < seen.min() <= seen.max() < high
    assert high - low < 0.02 + 1.5 * (seen.max() - seen.min())
    assert "Outside the axis: random projection" in kept.caption
    edge = [note for note in kept.draw(kept.style).layout.annotations if note.text.startswith("↓ random projection")]
    assert [(note.yref, note.y) for note in edge] == [("paper", 0)]


def test_the_noise_of_the_lab_and_of_the_file():
    bench = bench_of(scene_of(WINE))
    page = noise_figures(bench, bench.grant, bench.n, 15, "exact")
    assert_alike(page, file_figures("noise", scene_of(WINE), {"answers": "15", "rule": "exact"}), seed=False)


def test_the_budget_of_the_lab_and_of_the_file():
    scene = scene_of(WINE)
    page = [spec for item in scene.answers for spec in budget_figures(bench_of(scene), item)]
    assert [spec.key for spec in page] == ["budget_ssp", "budget_dpsr"]
    assert_alike(page, file_figures("budget", scene, {}))


def test_the_attack_of_the_lab_and_of_the_file(monkeypatch):
    monkeypatch.setattr(evidence, "audit", cache(audit))  # which depends on the attack alone: page and file ask for one
    scene = scene_of(WINE)
    results = tuple(growing_attack(resolve(attack_of(scene.scenario, "ssp", 100))))
    page = attack_figures(bench_of(scene), results, 100)
    assert [spec.key for spec in page] == ["attack_scores", "attack_roc", "attack_growth"]
    assert_alike(page, file_figures("attack", scene, {"algorithm": "ssp"}))


def test_a_curve_without_privacy_alone_is_alone_in_the_file_too():
    """The first step of the story about ξ shows what happens with no noise at all, and nothing else."""
    scene = scene_of({"dataset": "wine", "algorithms": "ssp"})
    (kept,) = file_figures("exact curve", scene, {"over": "xi", "metric": "accuracy"})
    assert set(kept.rows["algorithm"]) == {"exact"}
    (both,) = file_figures("curve", scene, {"over": "xi", "metric": "accuracy"})
    assert set(both.rows["algorithm"]) == {"exact", "ssp"}
    (page,) = curve_figures(scene, [], [], _exact(both), AXES["xi"], CURVE_MEASURES["accuracy"])
    assert_alike([page], [kept])


def _exact(spec):
    rows = spec.rows[spec.rows["algorithm"] == "exact"]
    names = [
        "xi",
        "seed",
        "mean_cosine",
        "first_cosine",
        "mean_angle",
        "subspace_cosine",
        "cosine_to_truth",
        "accuracy",
    ]
    return tuple(Draw(*values) for values in rows[names].itertuples(index=False, name=None))


@pytest.mark.parametrize("key", [key for key, entry in ALGORITHMS.items() if entry.private])
def test_the_waterfall_shows_what_the_noise_plan_states(key):
    """Before anything is run: the same answers, in the same order, with the same shares."""
    setting = Scenario(dataset="wine", model=ALGORITHMS[key].models[0], algorithms=(key,)).setting(key)
    planned = plan(load_dataset("wine"), setting)
    spent = run(planned).ledger
    assert shares(ledger_of(planned.noise)) == shares(spent)
    assert outside(ledger_of(planned.noise)) == outside(spent)
    assert shares(spent) or outside(spent)
