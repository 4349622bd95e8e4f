"""The numbers of a sweep by setting, and which differences its seeds tell apart."""

import pandas as pd
import streamlit as st

from dashboard.compute.sweeps import tables
from dashboard.export import safe_csv
from dashboard.export.csv import safe_frame
from dashboard.panels.files import file_button
from dashboard.text.words import escape_markdown
from dpgep_core.evaluate.compare import least_p
from dpgep_core.evaluate.measures import Measure
from dpgep_core.experiments.grid import Sweep
from dpgep_core.wording import number_text, plural

MOST_ROWS = 60
BOLD = "Bold: the best middle among methods with noise. A better middle is not yet a difference: see the tests below."
TESTED = (
    "Wilcoxon's signed-rank test on pairs of the same seed, two-sided; r is the matched-pairs rank-biserial "
    "correlation, from −1 (the second method is larger with every seed) to 1 (the first is); Holm's correction covers "
    "all rows of this table, not the tables you looked at before. Seeds draw noise, starts and splits, never new rows: "
    "what is told apart is told apart on these rows, and says nothing of other data."
)


def tables_panel(rows: pd.DataFrame, sweep: Sweep, measure: Measure) -> None:
    """Middles and spreads; then the tests, folded."""
    st.subheader("By setting")
    mean = st.session_state.get("band") == "mean"
    table = tables.summary(rows, sweep, measure, mean=mean)
    shown = table.head(MOST_ROWS).map(_marked)
    shown.columns = [escape_markdown(str(name)) for name in shown.columns]
    st.table(shown, hide_index=True)
    how = "mean ± standard deviation" if mean else "median [quartiles]"
    more = f" The first {MOST_ROWS} of {len(table):,} settings." if len(table) > MOST_ROWS else ""
    st.caption(f"{escape_markdown(measure.axis)}, {how} over {plural(rows['seed'].nunique(), 'seed')}. {BOLD}{more}")
    file_button("CSV of this table", lambda: safe_csv(table), "sweep-by-setting.csv", "text/csv", key="sweep_summary")
    if rows["algorithm"].nunique() > 1:
        with st.expander("Are they told apart?", key="sweep_tests"):
            _tests(rows, sweep)


def _marked(cell: str) -> str:
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
        {"setting": ", ".join(filter(None, map(str, group))), "first": one, "second": other, "seeds": r.pairs,
         "equal": r.ties, "median difference": round(r.difference, 5), "r": round(r.r, 3), "p": float(f"{r.p:.3g}"),
         "p, Holm": float(f"{r.p_holm:.3g}")}
        for group, one, other, r in found
    ])  # fmt: skip
    st.dataframe(safe_frame(table), hide_index=True, width="stretch")
    st.caption(TESTED)
    pairs = max(r.pairs for *_, r in found)
    st.caption(few(pairs, len(found)))


def few(pairs: int, tests: int) -> str:
    """What so many seeds can show at most."""
    least = least_p(pairs)
    held = min(1.0, least * tests)
    return (
        f"With {plural(pairs, 'seed')} the smallest possible p is {number_text(least)}, and "
        f"{number_text(held)} after correction for {plural(tests, 'comparison')}: "
        + ("so few seeds can hardly tell anything apart here." if held > 0.05 else "more seeds would make it smaller.")
    )
