"""Any measure of a sweep against any of its settings."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from dashboard.compute.axes import AXES
from dashboard.compute.sweeps import views
from dashboard.compute.sweeps.theory import RATES, place_on, power
from dashboard.compute.sweeps.views import MOST_LINES, MOST_PANELS, NO_FACET, Panel, View
from dashboard.controls import distinct
from dashboard.export import FigureSpec
from dashboard.figures.sweep import Look, Slope, centre, sweep
from dashboard.pages import BANDS
from dashboard.panels.shared import badges, show_figure, style
from dashboard.text.sentences import notes
from dashboard.text.words import READS, SEED_KNOWN, escape_markdown
from dpgep_core.evaluate.measures import SWEEP_MEASURES, Measure
from dpgep_core.experiments.grid import Sweep
from dpgep_core.wording import plural

EVERY = "a line each"
SEEDS = "Seeds draw noise, starts, and the split where none is published; the rows are the same."
SAID = {
    "quantiles": "Median over seeds, with soft 50 % and 90 % bands from 5 seeds on.",
    "mean": "Mean over seeds with Student's 95 % interval of the mean, which is not a band of single results.",
}
ALONE = "Cosine alone misleads: components swap where eigenvalues are close. Look at the principal angle too."
COSINES = "Cosines and angles are to the exact solution at the same ξ and sparsity."


def chart_panel(table: pd.DataFrame, asked: Sweep, shown: Sequence[str]) -> tuple[Measure, pd.DataFrame]:
    """The chart with its choices; the measure and its rows, for the tables."""
    st.subheader("What moves with what")
    badges()
    st.caption(escape_markdown(" ".join(notes(table, asked))))
    with st.container(horizontal=True):
        measure = SWEEP_MEASURES[_choose("shown", "Show", shown, lambda key: SWEEP_MEASURES[key].label)]
        rows = views.long(table, asked, measure)
        axis = _choose("along", "Against", views.axes(rows, asked), views.label)
        others = [name for name in views.varying(rows, asked) if name != axis]
        facet = _choose("facet", "Panels by", [NO_FACET, *others], lambda n: n if n == NO_FACET else views.label(n))
        band = _choose("band", "Bands", list(BANDS), BANDS.__getitem__)
    fixed = _held(rows, asked, [name for name in others if name not in (facet, "algorithm")])
    view = View(axis, facet, fixed)
    panels = views.panels(rows, asked, measure, view)
    numeric = views.numeric(axis)
    with st.container(horizontal=True):
        log_x = numeric and _switch("log_x", "Logarithmic axis", usual=True) and _positive(panels)
        log_y = _switch("log_y", "Logarithmic values", usual=bool(measure.rate))
    bounded = numeric and measure.rate
    slopes = _slopes(panels, measure, axis, _delta(table), mean=band == "mean") if bounded else []
    if measure.key in ("cosine", "first_cosine"):
        st.caption(ALONE)
    _draw(_few(panels), asked, measure, view, band, log_x=log_x, log_y=log_y, slopes=slopes)
    return measure, views.held(rows, view)


def _choose(key: str, label: str, options: Sequence[str], words: Any) -> str:
    if st.session_state.get(key) not in options:
        st.session_state[key] = options[0]
    return st.selectbox(label, options, key=key, format_func=words)


def _switch(key: str, label: str, *, usual: bool) -> bool:
    return st.toggle(label, value=usual, key=f"sweep_{key}_{usual}")


def _held(rows: pd.DataFrame, asked: Sweep, others: Sequence[str]) -> tuple[tuple[str, Any], ...]:
    """Choice for each further setting: a line for each value, or one value for all."""
    found: list[tuple[str, Any]] = []
    if others:
        with st.container(horizontal=True):
            for name in others:
                options = [EVERY, *dict.fromkeys(rows[name].dropna())]
                several = views.varying(rows, asked) != [name] and len(others) > 1
                value = st.selectbox(
                    views.label(name), options, index=1 if several else 0, key=f"held_{name}",
                    format_func=lambda v, n=name: v if v == EVERY else views.titled(n, v),
                )  # fmt: skip
                if value != EVERY:
                    found.append((name, value))
    return tuple(found)


def _positive(panels: Sequence[Panel]) -> bool:
    return all(at > 0 for panel in panels for line in panel.lines if not line.level for at in line.points)


def _few(panels: Sequence[Panel]) -> list[Panel]:
    """Keep as many panels as can be told apart, and say how many are left out."""
    if len(panels) > MOST_PANELS:
        st.caption(f"The first {MOST_PANELS} of {len(panels)} panels are drawn.")
    if any(len(panel.lines) > MOST_LINES for panel in panels):
        st.caption(f"The first {MOST_LINES} lines of each panel are drawn; hold a setting at one value to see others.")
    return [Panel(panel.title, panel.lines[:MOST_LINES], panel.levels) for panel in panels[:MOST_PANELS]]


def _delta(table: pd.DataFrame) -> float:
    """The δ at which slopes count μ: the least of the sweep's."""
    return float(pd.to_numeric(table["delta_used"], errors="coerce").min())


def _slopes(panels: Sequence[Panel], measure: Measure, axis: str, delta: float, *, mean: bool) -> list[Slope]:
    """Slopes of the theory through a point of the first line, which the user chooses."""
    names = [name for name in RATES if power(name, axis)]
    lines = [line for panel in panels[:1] for line in panel.lines if not line.level]
    if not names or not lines:
        return []
    with st.container(horizontal=True, vertical_alignment="bottom"):
        wanted = st.multiselect("Slopes of the theory", names, key="sweep_slopes", help=(
            "Bounds of Hu et al. and Chen et al. up to logarithms, against ε by the μ that it stands for. Their "
            "constants are unknown: a line says how steep, never how high."))  # fmt: skip
        if not wanted:
            return []
        titles = distinct({i: line.title for i, line in enumerate(lines)})
        line = st.selectbox("Through", range(len(lines)), key="sweep_line", format_func=titles.__getitem__)
        places = list(lines[line or 0].points)
        at = st.selectbox("at", range(len(places)), index=len(places) - 1, key="sweep_anchor",
                          format_func=lambda i: views.titled(axis, places[i]))  # fmt: skip
    x = places[at or 0]
    y = centre(lines[line or 0].points[x], mean=mean)
    for name in wanted:
        st.caption(escape_markdown(RATES[name].said))
    scale = place_on(axis, delta)
    return [Slope(name, power(name, axis) * measure.rate, float(x), y, scale) for name in wanted if y > 0]


def _draw(
    panels: Sequence[Panel], asked: Sweep, measure: Measure, view: View, band: str, *, log_x: bool, log_y: bool,
    slopes: Sequence[Slope],
) -> None:  # fmt: skip
    known = AXES.get(view.axis)
    look = Look(
        measure=measure.axis, axis=views.label(view.axis), numeric=views.numeric(view.axis), mean=band == "mean",
        ends=(known.low, known.high) if known is not None else ("", ""), log_x=log_x, log_y=log_y,
        limits=measure.limits,
    )  # fmt: skip
    rows = [
        {"panel": panel.title, "line": line.title, views.label(view.axis): at, measure.label: value}
        for panel in panels for line in panel.lines for at, values in line.points.items() for value in values
    ]  # fmt: skip
    title = f"{measure.axis} against {views.label(view.axis)}"
    seeds = max((line.seeds for panel in panels for line in panel.lines), default=0)
    held = ", ".join(views.titled(name, value) for name, value in view.fixed)
    spec = FigureSpec(
        draw=partial(sweep, panels, look, slopes=slopes), style=style(), key="sweep", title=title,
        alt=f"{title} for {', '.join(asked.algorithms)}",
        caption=f"{SAID[band]} {SEEDS} {COSINES} {', '.join(asked.datasets)}; {', '.join(asked.models)}; "
        f"{plural(seeds, 'seed')}{'; ' + held if held else ''}. {READS.capitalize()}; {SEED_KNOWN}.",
        rows=pd.DataFrame(rows),
    )  # fmt: skip
    show_figure(spec)
