"""One table or figure of the papers: the verdict, the picture, and how to run it again."""

from collections.abc import Callable
from functools import lru_cache

import streamlit as st

from dashboard.compute.sweeps import spec as sweep_spec
from dashboard.compute.task_kinds import MOST_SEEDS, reproduction_tasks
from dashboard.controls import distinct
from dashboard.panels import papers_picks, papers_results
from dashboard.panels.progress import watch_task
from dashboard.panels.shared import errors_on_page, what_if
from dashboard.sidebar.state import set_controls
from dashboard.text.exhibits import title
from dashboard.text.gallery import opened
from dashboard.text.words import escape_markdown
from dpgep_core.errors import DpgepError
from dpgep_core.experiments.grid import Cell
from dpgep_core.experiments.papers import Reproduction, ReproductionRequest
from dpgep_core.experiments.papers.bundled_results import bundled_reproduction
from dpgep_core.experiments.papers.cell_seconds import foretell
from dpgep_core.experiments.papers.data import SOURCES, absent, available
from dpgep_core.experiments.papers.exhibit import Exhibit, Scope

EXPLORE = "app_pages/explore.py"
QUICKLY = "Quickly"
KEPT = ""  # the task that stands for the results that come with the lab
PART = (
    "Some data sets, classifiers or a number of seeds, instead of the exhibit's own. What was computed before for any "
    "exhibit is not computed again."
)


def exhibit_panel(exhibit: Exhibit) -> None:
    """The whole page of an exhibit."""
    st.button("← All tables and figures", type="tertiary", on_click=st.session_state.update, args=(opened(),))
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.title(escape_markdown(title(exhibit)))
        what_if()
    st.caption(escape_markdown(exhibit.paper))
    papers_picks.say_unknown_picks(exhibit)
    name = _looked_at(exhibit)
    if name == KEPT:
        found = bundled_reproduction(exhibit)
        if found is None:
            st.info("No results of this one come with the lab. " + (
                "Run it here." if available(exhibit.data) else "None of its data sets is here."))  # fmt: skip
            if exhibit.left:
                st.caption(escape_markdown(f"Why: {exhibit.left}."))
        else:
            papers_results.results_panel(found, remark="These results come with the lab.")
    else:
        _task(name)
    st.subheader("Run it again")
    _asking(exhibit)
    _show_data(exhibit)
    with st.expander("How it is done, and where it departs from the paper"):
        for note in exhibit.notes:
            st.markdown(f"- {escape_markdown(note)}")


def _show_data(exhibit: Exhibit) -> None:
    here = available(exhibit.data)
    remarks = [f"{name} ({SOURCES[name].remark})" if SOURCES[name].remark else name for name in here]
    st.markdown(escape_markdown(f"Data here: {', '.join(remarks) or 'none'}."))
    for name, why in absent(exhibit.data).items():
        st.caption(escape_markdown(f"{name} left out: {why}."))


def _asking(exhibit: Exhibit) -> None:
    """Quick or in full, whole or in part."""
    if not available(exhibit.data):
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        quick = st.button("Run it quickly", type="primary", key="paper_quick",
                          help="Fewer seeds, budgets and data sets.")  # fmt: skip
        full = st.button("Run it in full", key="paper_full", help="All of it.")
        with st.popover("Only a part"):
            part = _part(exhibit)
        with st.popover("As a command"):
            for one in (part(True), part(False)):
                st.code(f"{one.command} --store {reproduction_tasks().store}", language="shell", wrap_lines=True)
            st.caption("The command uses the same store: what is computed here is not computed again there.")
        _explore(exhibit)
    names = tuple(available(exhibit.data))
    times = [f"{way}: {_foretold(part(way == QUICKLY), names)}" for way in (QUICKLY, "in full")]
    st.caption(f"{'; '.join(times)}, on one processor, with the data sets that are here.")
    if quick or full:
        _begin(part(quick))


@lru_cache(64)
def _foretold(asked: ReproductionRequest, _data: tuple[str, ...]) -> str:
    """How long a request takes, with the data sets that are here."""
    return foretell(asked).words


def _part(exhibit: Exhibit) -> Callable[[bool], ReproductionRequest]:
    """Ask for the part of the exhibit to compute; gives the request, once it is known whether quickly."""
    st.caption(PART)
    here = tuple(available(exhibit.data))
    data = st.multiselect("Data sets", here, key=f"paper_data_{exhibit.key}", placeholder="all")
    known = exhibit.classifiers
    trained = st.multiselect("Classifiers", known, key=f"paper_trained_{exhibit.key}", placeholder="all",
                             disabled=not known)  # fmt: skip
    seeds = st.number_input("Seeds", 1, MOST_SEEDS, None, key=f"paper_seeds_{exhibit.key}", placeholder="its own")
    return lambda quick: ReproductionRequest(
        exhibit=exhibit, quick=quick, data=tuple(data), classifiers=tuple(trained), seeds=seeds
    )


@errors_on_page()
def _begin(asked: ReproductionRequest) -> None:
    with st.spinner("Counting what is there already …"):
        name = reproduction_tasks().start(asked)
    if st.session_state.get("task") != name:  # one that goes on is looked at already, by a choice on the page
        st.session_state["task"] = name
    st.rerun()


def _looked_at(exhibit: Exhibit) -> str:
    """Choose the results: those that come with the lab, or a task of this server."""
    names = [KEPT, *(name for name in reproduction_tasks().known() if _belongs(name, exhibit))]
    task = str(st.session_state.get("task") or KEPT)
    if task not in names:
        said = f"task must be a reproduction of {exhibit.key} that was started on this server; got {task}."
        st.error(escape_markdown(said))
        st.session_state["task"] = task = KEPT
    if len(names) == 1:
        return KEPT
    return st.selectbox(
        "Results", names, key="task", format_func=distinct({name: _task_title(name) for name in names}).__getitem__
    )


def _belongs(name: str, exhibit: Exhibit) -> bool:
    try:
        return reproduction_tasks().asked(name).exhibit.key == exhibit.key
    except DpgepError:
        return False


def _task_title(name: str) -> str:
    if name == KEPT:
        return "that come with the lab"
    running = "running: " if name in reproduction_tasks().busy() else ""
    return f"{running}computed here, {reproduction_tasks().asked(name).mode}"


def _task(name: str) -> None:
    tasks = reproduction_tasks()

    def draw(found: Reproduction, waiting: bool) -> None:
        if found.lines:
            papers_results.results_panel(found, waiting=waiting)

    watch_task(tasks, name, lambda found: (found.done, found.total), go_on=lambda: _begin(tasks.asked(name)), draw=draw)


def _explore(exhibit: Exhibit) -> None:
    """Link to the exhibit's first setting in Explore, where that setting is one of the product's own."""
    data = {name: ours for name, ours in available(exhibit.data).items() if ours in ("mnist", "adult")}
    cells = [task.cell for task in exhibit.tasks(Scope(quick=True, data=data, chosen=True))]
    cell = next((cell for cell in cells if isinstance(cell, Cell)), None)
    if cell is not None and st.button("Try it in Explore", key="paper_explore", on_click=set_controls,
                                      args=(sweep_spec.scenario_of(cell.content()),)):  # fmt: skip
        st.switch_page(EXPLORE)
