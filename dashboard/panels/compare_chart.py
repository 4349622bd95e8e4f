"""A sweep as a chart, as numbers by setting, and as tests of which differences its seeds tell apart."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from dashboard.compute.axes import AXES
from dashboard.compute.sweeps import tables, views
from dashboard.compute.sweeps.views import MOST_LINES, MOST_PANELS, NO_FACET, RATES, Panel, View, place_on, power
from dashboard.compute.titles import title_of
from dashboard.controls import choose, distinct, follow_default
from dashboard.export import FigureSpec, safe_csv
from dashboard.export.csv import safe_frame
from dashboard.figures.sweep import Look, Slope, centre, sweep
from dashboard.pages import BANDS
from dashboard.panels.shared import file_button, show_figure, style
from dashboard.text.sweep_notes import notes
from dashboard.text.sweep_settings import sweep_caption
from dashboard.text.words import escape_markdown
from dpgep_core.evaluate.compare import least_p
from dpgep_core.evaluate.measures import SWEEP_MEASURES, Measure
from dpgep_core.experiments.grid import Sweep
from dpgep_core.wording import number_text, plural

EVERY = "a line each"
ALONE = "Cosine alone misleads: components swap where eigenvalues are close. Look at the principal angle too."


def chart_panel(
    table: pd.DataFrame, asked: Sweep, shown: Sequence[str], *, title: str = "What moves with what"
) -> tuple[Measure, pd.DataFrame]:
    """The chart with its choices; the measure and its rows, for the tables."""
    st.subheader(title)
    with st.container(horizontal=True):
        measure = SWEEP_MEASURES[choose("Show", "shown", {key: SWEEP_MEASURES[key].label for key in shown})]
        rows = views.long_table(table, asked, measure)
        axis = choose("Against", "along", {name: views.label(name) for name in views.axes(rows, asked)})
        others = [name for name in views.varying(rows, asked) if name != axis]
        facet = _choose_facet(others)
        band = choose("Bands", "band", BANDS)
    fixed = _choose_held(rows, asked, [name for name in others if name not in (facet, "algorithm")])
    view = View(axis, facet, fixed)
    panels = views.panels(rows, asked, measure, view)
    numeric = views.numeric(axis)
    places = (at for panel in panels for line in panel.lines if not line.level for at in line.points)
    with st.container(horizontal=True):
        log_x = numeric and _switch("log_x", "Logarithmic axis", usual=True) and all(at > 0 for at in places)
        log_y = _switch("log_y", "Logarithmic values", usual=bool(measure.rate))
    slopes: list[Slope] = []
    if numeric and measure.rate:
        least_delta = float(pd.to_numeric(table["delta_used"], errors="coerce").min())  # at which slopes count μ
        slopes = _slopes(panels, measure, axis, least_delta, mean=band == "mean")
    if measure.key in ("cosine", "first_cosine"):
        st.caption(ALONE)
    said = " ".join(notes(table, asked))
    cells = views.held_rows(table, view)
    _draw(_limit_panels(panels), cells, asked, measure, view, band, said, log_x=log_x, log_y=log_y, slopes=slopes)
    st.caption(escape_markdown(said))
    return measure, views.held_rows(rows, view)


def _choose_facet(others: Sequence[str]) -> str:
    """Setting of the panels. Data sets have a panel each until somebody chooses: their levels are not the same."""
    usual = "dataset" if "dataset" in others else NO_FACET
    follow_default("facet", usual)
    return choose("Panels by", "facet", {NO_FACET: NO_FACET, **{n: views.label(n) for n in others}}, usual=usual)


def _switch(key: str, label: str, *, usual: bool) -> bool:
    return st.toggle(label, value=usual, key=f"sweep_{key}_{usual}")


def _choose_held(rows: pd.DataFrame, asked: Sweep, others: Sequence[str]) -> tuple[tuple[str, Any], ...]:
    """Choice for each further setting: a line for each value, or one value for all."""
    found: list[tuple[str, Any]] = []
    if others:
        with st.container(horizontal=True):
            for name in others:
                options = [EVERY, *dict.fromkeys(rows[name].dropna())]
                several = views.varying(rows, asked) != [name] and len(others) > 1
                value = st.selectbox(
                    views.label(name), options, index=1 if several else 0, key=f"held_{name}",
                    format_func=lambda v, n=name: v if v == EVERY else views.value_title(n, v),
                )  # fmt: skip
                if value != EVERY:
                    found.append((name, value))
    return tuple(found)


def _limit_panels(panels: Sequence[Panel]) -> list[Panel]:
    """Keep as many panels as can be told apart, and say how many are left out."""
    if len(panels) > MOST_PANELS:
        st.caption(f"The first {MOST_PANELS} of {len(panels)} panels are drawn.")
    if any(len(panel.lines) > MOST_LINES for panel in panels):
        st.caption(f"The first {MOST_LINES} lines of each panel are drawn; hold a setting at one value to see others.")
    return [Panel(panel.title, panel.lines[:MOST_LINES], panel.levels) for panel in panels[:MOST_PANELS]]


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
                          format_func=lambda i: views.value_title(axis, places[i]))  # fmt: skip
    x = places[at or 0]
    y = centre(lines[line or 0].points[x], mean=mean)
    for name in wanted:
        st.caption(escape_markdown(RATES[name].said))
    scale = place_on(axis, delta)
    return [Slope(name, power(name, axis) * measure.rate, float(x), y, scale) for name in wanted if y > 0]


def _draw(
    panels: Sequence[Panel], cells: pd.DataFrame, asked: Sweep, measure: Measure, view: View, band: str, said: str, *,
    log_x: bool, log_y: bool, slopes: Sequence[Slope],
) -> None:  # fmt: skip
    """The figure. Its files end with the notes, ``said``, which the page shows below it."""
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
    classifiers = tuple(str(value) for name, value in view.fixed if name == "classifier") or asked.classifiers
    caption = sweep_caption(
        cells, replace(asked, classifiers=classifiers), band=band, seeds=seeds, by_classifier=measure.by_classifier,
        level=any(words in panel.levels for panel in panels for _, words in measure.ceiling),
    )  # fmt: skip
    show_figure(FigureSpec(
        draw=partial(sweep, panels, look, slopes=slopes), style=style(), key="sweep", title=title,
        alt=f"{title} for {', '.join(title_of('algorithm', key) for key in asked.algorithms)}",
        caption=f"{caption} {said}", rows=pd.DataFrame(rows), settings=said,
    ))  # fmt: skip


MOST_ROWS = 60
BOLD = "Bold: the best among methods with noise. Whether it is better or lucky, the tests below say."
TESTED = (
    "Wilcoxon's signed-rank test on pairs of the same seed, two-sided; r is the matched-pairs rank-biserial "
    "correlation, from −1 (the second method is larger with every seed) to 1 (the first is); Holm's correction covers "
    "all rows of this table, not the tables you looked at before. Seeds draw noise, starts and splits, never new rows: "
    "a difference is one on these rows, and says nothing of other data."
)


def tables_panel(rows: pd.DataFrame, sweep: Sweep, measure: Measure) -> None:
    """Middles and spreads; then the tests, folded."""
    st.subheader("By setting")
    mean = st.session_state.get("band") == "mean"
    table = tables.summary(rows, sweep, measure, mean=mean)
    shown = table.head(MOST_ROWS).map(_escape_cell)
    shown.columns = [escape_markdown(str(name)) for name in shown.columns]
    st.table(shown, hide_index=True)
    how = "mean ± standard deviation" if mean else "median [quartiles]"
    more = f" The first {MOST_ROWS} of {len(table):,} settings." if len(table) > MOST_ROWS else ""
    st.caption(f"{escape_markdown(measure.axis)}, {how} over {plural(rows['seed'].nunique(), 'seed')}. {BOLD}{more}")
    file_button("CSV of this table", lambda: safe_csv(table), "sweep-by-setting.csv", "text/csv", key="sweep_summary")
    if rows["algorithm"].nunique() > 1:
        with st.expander("Are these differences, or luck?", key="sweep_tests"):
            _tests(rows, sweep)


def _escape_cell(cell: str) -> str:
    """A cell of ours keeps its bold; names from files are shown as they are."""
    if cell[:2] != "**":
        return escape_markdown(cell)
    return f"**{escape_markdown(cell.strip('*').split('**')[0])}**{cell[2:].partition('**')[2]}"


def _tests(rows: pd.DataFrame, sweep: Sweep) -> None:
    found = tables.comparisons(rows, sweep)
    if not found:
        st.caption("No two methods share a seed at the same setting.")
        return
    table = pd.DataFrame([
        {"setting": ", ".join(filter(None, map(str, group))), "first": title_of("algorithm", one),
         "second": title_of("algorithm", other), "seeds": r.pairs, "equal": r.ties,
         "median difference": round(r.difference, 5), "r": round(r.r, 3), "p": float(f"{r.p:.3g}"),
         "p, Holm": float(f"{r.p_holm:.3g}")}
        for group, one, other, r in found
    ])  # fmt: skip
    st.dataframe(safe_frame(table), hide_index=True, width="stretch", placeholder="–")
    st.caption(TESTED)
    pairs = max(r.pairs for *_, r in found)
    st.caption(seeds_caution(pairs, len(found)))


def seeds_caution(pairs: int, tests: int) -> str:
    """The most that so many seeds can show."""
    least = least_p(pairs)
    held = min(1.0, least * tests)
    return (
        f"With {plural(pairs, 'seed')} the smallest possible p is {number_text(least)}, and "
        f"{number_text(held)} after correction for {plural(tests, 'comparison')}: "
        + ("so few seeds can hardly tell anything apart here." if held > 0.05 else "more seeds would make it smaller.")
    )
