"""The two curves: a metric along an axis with bands, and cosine by iteration."""

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from dashboard import cache, controls
from dashboard.compute.axes import AXES, Axis, offered_axes
from dashboard.compute.jobs import Job
from dashboard.compute.results import Answer, Draw, Found, answer_in, by_iteration
from dashboard.export import FigureSpec
from dashboard.figures import curves
from dashboard.figures.curves import Curve, Sketch
from dashboard.figures.levels import Level, is_within
from dashboard.figures.live_frames import measured
from dashboard.panels.progress import fill
from dashboard.panels.shared import Scene, figure_of, show_figures
from dashboard.text.sentences import keeps_sentence
from dashboard.text.words import escape_markdown
from dpgep_core.evaluate.measures import CURVE_MEASURES, Measure
from dpgep_core.evaluate.threshold import Threshold
from dpgep_core.protocols import has_floor, start_of
from dpgep_core.wording import plural

POLL = 3.0  # seconds between looks at curves that are still filling
BANDS = "Line: median of the noise draws on the same rows. Bands: 50 % and 90 % of them. Dot: the present setting."
GROWTH = 1.4  # a curve is drawn again when it has this many times the draws: each drawing costs the browser much


def curves_panel(
    scene: Scene, *, over: str | None = None, metric: str | None = None, only_exact: bool | None = None,
    sketch: Sketch | None = None,
) -> None:  # fmt: skip
    """A metric along an axis, filling while one looks. An axis that is not given is chosen with a widget."""
    shown = CURVE_MEASURES[metric] if metric is not None else shown_metric(scene)
    axis = AXES[over] if over is not None else _choose_axis(scene)
    drawn = drawn_along(scene, axis)
    if only_exact is None:
        only_exact = bool(st.session_state.get("only_exact"))
    if not drawn:
        st.info("Pick an algorithm with a privacy budget to see its curve.")
        return
    exact, *jobs = curve_jobs(scene, [] if only_exact else drawn, axis)

    def draw(found: list[tuple[Draw, ...]]) -> None:
        told, *curves_found = found
        ready = [_milestone(some, job.finished) for some, job in zip(curves_found, jobs, strict=True)]
        show_figures(curve_figures(scene, [] if only_exact else drawn, ready, told, axis, shown, sketch=sketch))

    waiting = fill(
        (exact, *jobs), draw, every=POLL,
        said=lambda: f"Drawing noise: {plural(sum(len(job.look()) for job in jobs), 'result')} so far, yours first",
        stopped=("The curve without privacy stopped.", *(f"{item.title}: the curve stopped." for item in drawn)),
    )  # fmt: skip
    if axis.key == "epsilon" and shown.key == "accuracy" and jobs:
        if not waiting:
            for job, item in zip(jobs, drawn, strict=True):
                cache.share_scores(scene.scenario, item.algorithm, scene.data, job.look())
        _show_search(scene, drawn, ready=not waiting)


def drawn_along(scene: Scene, axis: Axis) -> list[Answer]:
    """The answers that a curve along an axis shows."""
    return [item for item in scene.answers if item.private or axis.belongs(scene.scenario, item.algorithm)]


def curve_jobs(scene: Scene, drawn: Sequence[Answer], axis: Axis) -> list[Job[Draw]]:
    """The curve without privacy, and the draws of each answer along an axis."""
    k = max(item.release.components.shape[1] for item in scene.answers)
    exact = cache.exact_curve(scene.scenario, scene.data, axis, k)
    return [exact, *(cache.curve(scene.scenario, item.algorithm, scene.data, axis) for item in drawn)]


def chosen_axis(scene: Scene, choices: Mapping[Any, Any]) -> Axis:
    """The axis that the page's curve runs along, without a widget."""
    keys = offered_axes(scene.scenario) or ["epsilon"]
    over = choices.get("over")
    return AXES[over if over in keys else keys[0]]


def _milestone(found: tuple[Draw, ...], finished: bool) -> tuple[Draw, ...]:
    """Number of draws of the last milestone: between two milestones the figure stays what it is."""
    if finished or len(found) < 3:
        return found
    return found[: int(GROWTH ** math.floor(math.log(len(found), GROWTH)))]


def _choose_axis(scene: Scene) -> Axis:
    keys = offered_axes(scene.scenario)
    if not keys:
        return AXES["epsilon"]
    said = "What the curve runs along. ξ and s are free where a method answers once; the others are paid for anew."
    return AXES[controls.choose("Against", "over", {key: AXES[key].knob.label for key in keys}, help_text=said)]


def shown_metric(scene: Scene, choices: Mapping[Any, Any] | None = None) -> Measure:
    """The metric that all curves of the page show: the chosen one, or the first that the data set has."""
    chosen = st.session_state.to_dict() if choices is None else choices
    return CURVE_MEASURES[_fitting_metric(scene, chosen)[1]]


def _fitting_metric(scene: Scene, choices: Mapping[Any, Any]) -> tuple[list[str], str]:
    missing = {"accuracy": not scene.reference.scorable, "truth": scene.data.truth is None}
    keys = [key for key in CURVE_MEASURES if not missing.get(key)]
    chosen = choices.get("metric")
    return keys, chosen if chosen in keys else keys[0]


def choose_metric(scene: Scene) -> Measure:
    """Let the user choose the metric that all curves of the page show."""
    keys, st.session_state["metric"] = _fitting_metric(scene, st.session_state.to_dict())
    key = st.selectbox(
        "Show", keys, key="metric", format_func=lambda k: CURVE_MEASURES[k].label, label_visibility="collapsed",
        width=190,
        help="Accuracy and angles lead: cosine misleads where components swap, and rises as ξ makes the target easier.",
    )  # fmt: skip
    return CURVE_MEASURES[key]


def curve_figures(
    scene: Scene, drawn: Sequence[Answer], found: Sequence[tuple[Draw, ...]], exact: tuple[Draw, ...], axis: Axis,
    metric: Measure, *, said: str | None = None, sketch: Sketch | None = None,
) -> list[FigureSpec]:  # fmt: skip
    """A measure along an axis: the draws ``found`` of each answer, and what no privacy gives.

    The axis is no longer than the curves and the ``sketch`` are high, where the measure has no limits of its own. The
    caption names the levels that it leaves out, and begins with what is ``said``, or with what a curve of draws shows.
    """
    d, said = scene.data.d, (BANDS if drawn else "") if said is None else said
    lines = [
        Curve(
            item.title,
            draws,
            scene.scenario.seed,
            axis.value(scene.scenario, item.algorithm, d) if axis.belongs(scene.scenario, item.algorithm) else math.nan,
            measured(item, metric, scene.reference),
            start_of(item.release.method) == "oracle",
        )
        for item, draws in zip(drawn, found, strict=True)
    ]
    told = () if metric.key in ("cosine", "first_cosine", "angle", "subspace") else exact
    named, floors = f"{metric.axis} against {axis.knob.label}", levels(scene, metric, along=bool(told))
    dead = _dead(drawn) if axis.key == "xi" else None
    limits = curves.limits_around(lines, metric, told, sketch) if metric.limits is None else None
    beyond = ", ".join(level.label for level in floors if not is_within(level, limits))
    rows = [_row(item.algorithm, axis, one) for item, draws in zip(drawn, found, strict=True) for one in draws]
    return [
        figure_of(
            scene, partial(curves.against, lines, metric, floors, axis, axis.grid(d), exact=told, dead_below=dead,
                           limits=limits, sketch=sketch),
            key="against", title=named, alt=f"{named} for {', '.join(item.title for item in drawn) or 'no privacy'}",
            caption=f"{said} " * bool(said) + "The dotted line was drawn by hand, before. " * (sketch is not None)
            + f"Outside the axis: {beyond}. " * bool(beyond), items=drawn or None,
            rows=pd.DataFrame(rows + [_row("exact", axis, one) for one in told]),
        )
    ]  # fmt: skip


def _show_search(scene: Scene, drawn: Sequence[Answer], *, ready: bool) -> None:
    """The smallest ε that keeps a share of the accuracy, by the search of ``dpgep ask``, once the curve is there."""
    scores = drawn[0].diagnostic.accuracy["lda"]
    if not scores.non_private.accuracy:
        st.caption("Without privacy no held-out row is told right: there is no accuracy to keep.")
        return
    st.session_state["kept_percent"] = st.session_state.get("kept_percent", 95)
    polls = ready and not all(job.finished for job in _searches(scene, drawn, st.session_state["kept_percent"]))

    @st.fragment(run_every=POLL if polls else None)
    def keeping() -> None:
        percent = st.slider(
            "Keep this much of the non-private accuracy (%)", 50, 100, key="kept_percent",
            help="The smallest ε at which the median draw keeps it, with the luckiest and the unluckiest tenth of the "
            "draws.",
        )  # fmt: skip
        jobs = _searches(scene, drawn, percent) if ready else []
        for job, item in zip(jobs, drawn, strict=False):
            st.markdown(_search_text(job, item.title, percent))
        if not ready:
            st.caption("The smallest ε that keeps it is searched for once all draws of the curve are there.")
        if jobs and polls == all(job.finished for job in jobs):
            st.rerun()  # the whole page: it decides whether this part looks again

    keeping()
    st.caption(
        f"A random projection keeps {100 * scores.random.accuracy / scores.non_private.accuracy:.0f} % without looking "
        "at a row. Choosing ε by this looks at the data, and no ε covers that."
    )


def _searches(scene: Scene, drawn: Sequence[Answer], percent: int) -> list[Job[Found]]:
    targets = [percent / 100 * item.diagnostic.accuracy["lda"].non_private.accuracy for item in drawn]
    return [
        cache.search_for(scene.scenario, item.algorithm, scene.data, "epsilon", target, "accuracy")
        for item, target in zip(drawn, targets, strict=True)
    ]


def _search_text(job: Job[Found], title: str, percent: int) -> str:
    found = answer_in(job)
    if job.error is not None:
        return f"{title}: the search stopped. {escape_markdown(str(job.error))}"
    return keeps_sentence(title, found, percent) if isinstance(found, Threshold) else f"{title}: searching …"


COLUMNS = {  # of a table of draws, where a measure's key alone would not say what it is
    "cosine": "mean_cosine", "angle": "mean_angle", "subspace": "subspace_cosine", "truth": "cosine_to_truth",
}  # fmt: skip


def _row(algorithm: str, axis: Axis, one: Draw) -> dict[str, str | float]:
    told = {COLUMNS.get(key, key): getattr(one, key) for key in CURVE_MEASURES}
    return {"algorithm": algorithm, axis.key: one.at, "seed": one.seed, **told}


def _dead(drawn: Sequence[Answer]) -> float | None:
    """Where the noise stops ξ, for methods that raise it there."""
    edges = [
        item.release.facts["xi_least"]
        for item in drawn
        if "xi_least" in item.release.facts
        and has_floor(item.release.method)
        and not item.release.public.identity_constraint
    ]
    return min(edges) if edges else None


def levels(scene: Scene, metric: Measure, *, along: bool = False) -> list[Level]:
    """Floors and ceilings of a metric; ``along`` where the ceiling is drawn as a curve."""
    diagnostic = scene.answers[0].diagnostic
    if metric.key == "accuracy":
        scores = diagnostic.accuracy["lda"]
        named = f"{ceiling_name(scene.answers[0])}: {scores.non_private.accuracy:.3f}"
        ceiling = Level(scores.non_private.accuracy, named, ceiling=True)
        return [
            *(() if along else (ceiling,)),
            Level(scores.random.accuracy, f"random projection: {scores.random.accuracy:.3f}"),
            Level(diagnostic.majority or 0.0, f"majority class: {diagnostic.majority or 0.0:.3f}"),
        ]
    if metric.key == "angle":
        return [Level(0.0, "exact: 0°"), Level(90.0, "nothing shared: 90°")]
    return [
        Level(diagnostic.chance_cosine, f"a random direction: {diagnostic.chance_cosine:.2f}"),
        Level(1.0, "exact: 1", ceiling=True),
    ]


def ceiling_name(item: Answer) -> str:
    """The name of the accuracy without privacy that an answer is compared with."""
    return "non-private, same ridge" if item.follows_noise else "non-private"


def iterations_panel(scene: Scene) -> None:
    """Mean cosine after each step."""
    st.markdown("By iteration")
    show_figures(iterations_figures(scene))


def iterations_figures(scene: Scene) -> list[FigureSpec]:
    """Mean cosine to the exact components after each step."""
    histories = {item.title: by_iteration(item) for item in scene.answers}
    chance = scene.answers[0].diagnostic.chance_cosine
    rows = [
        {"algorithm": item.algorithm, "iteration": number, "mean_cosine": value}
        for item in scene.answers
        for number, value in enumerate(histories[item.title], start=1)
    ]
    oracle = [item.title for item in scene.answers if start_of(item.release.method) == "oracle"]
    starts = f"{', '.join(oracle)} starts at the answer, which is read without noise. " if oracle else ""
    return [
        figure_of(
            scene, partial(curves.by_iteration, histories, chance), key="by_iteration",
            title="Mean cosine by iteration", alt=f"Mean cosine by iteration for {', '.join(histories)}",
            caption=starts, rows=pd.DataFrame(rows),
        )
    ]  # fmt: skip
