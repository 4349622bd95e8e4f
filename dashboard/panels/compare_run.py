"""One sweep: how far it is, what went wrong, what it shows so far, and what may be taken along."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from dashboard import export
from dashboard.compute.sweeps import spec, views
from dashboard.compute.sweeps.example import example_sweep
from dashboard.compute.task_kinds import sweep_tasks
from dashboard.compute.titles import title_of
from dashboard.controls import distinct
from dashboard.export.csv import safe_frame
from dashboard.panels import compare_chart, compare_grid
from dashboard.panels.progress import watch_task
from dashboard.panels.shared import errors_on_page, file_button
from dashboard.sidebar.state import set_controls
from dashboard.text.words import escape_markdown
from dpgep_core.experiments.grid import Sweep, setting_columns
from dpgep_core.wording import plural

GROWTH = 1.3
EXPLORE = "app_pages/explore.py"
MOST_CHOICES = 2000


@errors_on_page()
def sweep_panel(name: str) -> None:
    """The sweep of that name; nothing of the page depends on how it was started."""
    kept = sweep_tasks()
    sweep = kept.asked(name)
    with st.spinner("Looking for its cells …"):
        plan = kept.plan(name)
    st.subheader("The sweep")
    st.caption(escape_markdown(describe_sweep(sweep)))

    def draw(table: pd.DataFrame, waiting: bool) -> None:
        if len(table):
            _failures(sweep, table, waiting=waiting)
            _results(sweep, table, name, waiting=waiting)

    watch_task(
        kept, name, lambda table: (len(table), len(plan.cells)), go_on=lambda: compare_grid.begin(sweep), draw=draw
    )


@errors_on_page()
def example_panel() -> None:
    """The sweep that comes with the lab: what a sweep shows, before one was started."""
    sweep, table = example_sweep()
    shown = views.offered_measures(table, sweep)
    compare_chart.chart_panel(table, sweep, shown, title="An example, computed beforehand")
    st.button("Put it into the form", on_click=compare_grid.fill, args=(sweep,), key="example_fill",
              help="Your own sweep takes the place of the example.")  # fmt: skip


def describe_sweep(sweep: Sweep) -> str:
    """A sweep in one line."""
    named = {"dataset": sweep.datasets, "model": sweep.models, "algorithm": sweep.algorithms}
    lists = [", ".join(title_of(setting, key) for key in keys) for setting, keys in named.items()]
    lists += [f"{views.label(name)}: {spec.text_of(values)}" for name, values in sweep.axes]
    return " · ".join([*lists, f"{plural(sweep.seeds, 'seed')}"])


def _failures(sweep: Sweep, table: pd.DataFrame, *, waiting: bool) -> None:
    failed = table[table["error"] != ""]
    if failed.empty:
        return
    with st.expander(f"{plural(len(failed), 'cell')} ended in an error", key="failures"):
        columns = [name for name in (*setting_columns(sweep), "error") if name in table]
        st.dataframe(safe_frame(failed[columns].head(500)), hide_index=True, width="stretch", placeholder="–")
        if not waiting and st.button("Compute them again", key="retry_run"):
            compare_grid.begin(sweep, retry=True)


def _results(sweep: Sweep, table: pd.DataFrame, name: str, *, waiting: bool) -> None:
    good = table[table["error"] == ""]
    shown = views.offered_measures(good, sweep) if len(good) else []
    if not shown:
        return
    measure, rows = compare_chart.chart_panel(_milestone(good, name) if waiting else good, sweep, shown)
    if waiting:
        st.caption("Tables, tests and downloads of the whole come when the sweep has ended.")
        return
    compare_chart.tables_panel(rows, sweep, measure)
    _take_along(sweep, table, name)


def _milestone(table: pd.DataFrame, name: str) -> pd.DataFrame:
    """The table as it was drawn last, until it has grown by a good part: each drawing costs the browser much."""
    seen: tuple[str, pd.DataFrame] | None = st.session_state.get("sweep_seen")
    if seen is None or seen[0] != name or not len(seen[1]) < len(table) <= GROWTH * len(seen[1]):
        st.session_state["sweep_seen"] = seen = (name, table)
    return seen[1]


def _take_along(sweep: Sweep, table: pd.DataFrame, name: str) -> None:
    st.subheader("Take it along")
    with st.container(horizontal=True):
        file_button("Parquet, every cell", lambda: parquet(table), f"sweep-{name}.parquet",
                    "application/vnd.apache.parquet", key="sweep_parquet")  # fmt: skip
        file_button("CSV, every cell", lambda: export.safe_csv(table), f"sweep-{name}.csv", "text/csv",
                    key="sweep_csv")  # fmt: skip
        st.download_button("TOML, what was asked", spec.toml(sweep).encode(), f"sweep-{name}.toml", "application/toml",
                           on_click="ignore", key="sweep_toml")  # fmt: skip
        st.button("Change the grid", on_click=compare_grid.fill, args=(sweep,), key="sweep_fill",
                  help="Put this sweep into the form below.")  # fmt: skip
    cells = sweep_tasks().plan(name).cells[:MOST_CHOICES]
    contents = [cell.content() for _, cell in cells]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        names = distinct({i: _cell_title(content, sweep) for i, content in enumerate(contents)})
        number = st.selectbox("A cell", range(len(contents)), key="sweep_cell", format_func=names.__getitem__)
        scenario = spec.scenario_of(contents[number or 0])
        if st.button("Open in Explore", on_click=set_controls, args=(scenario,), key="sweep_open"):
            st.switch_page(EXPLORE)
    if contents[number or 0].get("rows") is not None:
        st.caption("Explore takes all rows of the data set: a cell of its first n rows opens with all of them.")


def _cell_title(content: Mapping[str, Any], sweep: Sweep) -> str:
    names = [name for name in setting_columns(sweep) if content.get(name) is not None]
    return " · ".join(views.value_title(name, content[name]) for name in names)


def parquet(table: pd.DataFrame) -> bytes:
    """The table as a Parquet file."""
    return table.to_parquet(index=False)
