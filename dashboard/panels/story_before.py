"""The picture that a story's question is about, without its answer. It stands at the question's own scene."""

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from dashboard.compute.axes import AXES
from dashboard.compute.noise_plans import stated_noise
from dashboard.compute.publishing import first_budget, second_budget
from dashboard.compute.results import Answer
from dashboard.export import FigureSpec
from dashboard.panels import story_sketch
from dashboard.panels.components import components_figures, projections_figures
from dashboard.panels.curves import curve_figures, iterations_figures
from dashboard.panels.lab import Bench
from dashboard.panels.lab_noise import noise_figures
from dashboard.panels.methods import flow_figure
from dashboard.panels.shared import Scene, errors_on_page, scene_at, show_figures, style
from dashboard.panels.story_panels import LOOKS, PUBLIC, Options, energy_figures
from dashboard.panels.story_release import budget_figure, seed_figures
from dashboard.scenario import from_query
from dashboard.stories import Before, Query, Step
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.datasets import load_dataset
from dpgep_core.evaluate.measures import CURVE_MEASURES

FORMULAS = (*PUBLIC, "flow", "first release", "two releases")  # drawn from formulas alone: no row is read


@errors_on_page()
def before_panel(step: Step) -> None:
    """Draw the picture beside a question; data that cannot be loaded say so in its place."""
    before, options = step.before, dict(step.before.options)
    with st.spinner("Solving …"):
        scenario = from_query(scene_before(step))[0]
        scene = scene_at(scenario, load_dataset(scenario.dataset), style())
        by_hand = before.by_hand is not None
        specs = BEFORE[before.panel](scene, options) if before.panel in BEFORE and not by_hand else None
    if by_hand:
        story_sketch.sketch_panel(step, scene)
    elif specs is None:
        LOOKS[before.panel](scene, options)
    else:
        show_figures(specs, brief=True, table=False)


def scene_before(step: Step) -> Query:
    """Scene of the picture beside a question."""
    return step.scene if step.before.scene is None else step.before.scene


def reads_rows(before: Before) -> bool:
    """Whether the picture beside a question is made from the rows."""
    return before.panel not in FORMULAS


def _axes(scene: Scene, options: Options, drawn: Sequence[Answer] = ()) -> list[FigureSpec]:
    """A curve's axes with their floors and ceilings and where the answers stand, for the curve to be imagined."""
    over, metric = AXES[options["over"]], CURVE_MEASURES[options["metric"]]
    said = (
        "The dot is one draw of noise; the texts give the median of many." if drawn else "The answer draws the curve."
    )
    return curve_figures(scene, drawn, [()] * len(drawn), (), over, metric, said=said)


def _noise(scene: Scene, options: Options) -> list[FigureSpec]:
    bench = Bench.under(scene)
    return noise_figures(bench, bench.grant, bench.n, int(options["answers"]), options["rule"])


def _flow(scene: Scene, _: Options) -> list[FigureSpec]:
    """Diagrams of all that leaves the data, one for each method, from their noise plans."""
    return [
        flow_figure(ALGORITHMS[key], scene.scenario, stated_noise(scene.scenario, key, scene.data), scene.style)
        for key in scene.scenario.algorithms
    ]


BEFORE: Mapping[str, Callable[[Scene, Options], list[FigureSpec]]] = {
    "exact components": lambda scene, _: components_figures(scene, only_exact=True),
    "exact projection": lambda scene, _: projections_figures(scene, aligned=False)[:1],
    "axes": _axes,
    "point": lambda scene, options: _axes(scene, options, [item for item in scene.answers if item.private]),
    "iterations": lambda scene, _: iterations_figures(scene),
    "energy": lambda scene, _: energy_figures(scene),
    "noise": _noise,
    "flow": _flow,
    "seeded sums": lambda scene, _: seed_figures(scene, answered=False),
    "first release": lambda scene, _: [budget_figure(scene, first_budget(scene.scenario, scene.data))],
    "two releases": lambda scene, _: [budget_figure(scene, second_budget(scene.scenario, scene.data)[0])],
}
