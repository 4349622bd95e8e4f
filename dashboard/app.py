"""Entry script: page config, shared controls, navigation."""

from importlib.resources import files
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dashboard import display
from dashboard.components.window import listen
from dashboard.compute.turns import TURNS
from dashboard.login import require_login
from dashboard.pages import (
    LAB,
    OWNER,
    PAGE_PARAMETERS,
    PAGES,
    PageEntry,
    address,
    document_title,
    own_parameters,
    story_moves,
)
from dashboard.scenario import Scenario
from dashboard.sidebar.draw import sidebar
from dashboard.sidebar.state import first_visit, turn_to
from dashboard.text import words
from dpgep_core.datasets import Dataset
from dpgep_core.datasets.silent import silent_error
from dpgep_core.errors import DataError, DpgepError
from dpgep_core.models import MODELS
from dpgep_core.plugins import problems as plugin_problems

HERE = files("dashboard")
RETURN = "return_to"  # in the session, while it is put back to an address: the page and its parameters
st.set_page_config(
    page_title=LAB,
    page_icon=str(HERE / "static" / "icon.png"),
    layout="wide",
    initial_sidebar_state="auto" if st.query_params.get(display.PARAMETER, "page") == "page" else "collapsed",
)


def main() -> None:
    """Draw the page that the navigation chose, under the shared controls."""
    require_login()
    pages = {
        key: st.Page(str(HERE / "app_pages" / f"{key}.py"), title=entry.title, default=key == "explore")
        for key, entry in PAGES.items()
    }
    chosen = st.navigation(list(pages.values()), position="top")
    entry = next(entry for key, entry in PAGES.items() if pages[key] == chosen)
    problems = _arrive(entry)
    values = st.session_state.to_dict()
    display.dress(controls=entry.controls(values), shown=entry.shown(values))
    drawn = _controls(entry)
    for problem in plugin_problems():
        st.warning(words.escape_markdown(problem))
    _say(problems, None if drawn is None else drawn[0])
    st.session_state["scenario"], st.session_state["data"] = drawn or (None, None)
    if drawn is not None:
        own = address(entry.key, st.session_state.to_dict())
        query = {OWNER: entry.key} | drawn[0].to_query() | own | display.address()
        if dict(st.query_params.items()) != query:
            st.query_params.from_dict(query)
    shown = "" if drawn is None else f"{drawn[1].title}, {MODELS[drawn[0].model].title}"
    st.set_page_config(page_title=document_title(entry.key, st.session_state.to_dict(), shown))
    chosen.run()
    listen()
    display.leave()


def _arrive(entry: PageEntry) -> tuple[str, ...]:
    """Fill the session from the address once, and each page's own part whenever it is opened by one."""
    query: dict[str, Any] = dict(st.query_params.items())
    query.pop(OWNER, None)
    if (returned := _return(entry, query)) is not None:
        query = dict(returned)
        for name in (display.PARAMETER, "page", *entry.names):
            st.session_state.pop(name, None)
    unknown = display.arrive(query)
    query.pop(display.PARAMETER, None)
    shared = {name: text for name, text in query.items() if name not in entry.names}
    if returned is not None:
        turn_to(shared)
    if "visited" not in st.session_state:
        st.session_state["first_look"] = not query
    problems = first_visit(
        shared if {"dataset", "model", "algorithms"} & shared.keys() else {**entry.scene(query), **shared}
    )
    for name in PAGE_PARAMETERS & st.session_state.keys():  # kept while their widgets are not on the page
        st.session_state[name] = st.session_state[name]
    if st.session_state.get("page") == entry.key:
        return (*unknown, *problems)
    found, more = own_parameters(entry.key, query)
    st.session_state.update(found)
    st.session_state["page"] = entry.key  # last: a run that is stopped before has not arrived
    st.session_state.pop(RETURN, None)
    return (*unknown, *problems, *more)


def _return(entry: PageEntry, query: dict[str, Any]) -> dict[str, Any] | None:
    """Address to which the session is to be put back, None where the browser went neither back nor forward.

    Each access to the session may end the run in favour of a later one, which is told nothing of the step back and may
    bring another address. What is to be put back therefore waits in the session until it is whole. An address that
    holds nothing is that of a page which was left before its answer: it has nothing to put back.
    """
    if query and getattr(get_script_run_ctx(), "is_history_navigation", False) and "visited" in st.session_state:
        st.session_state[RETURN] = (entry.key, query)
    page, wanted = st.session_state.get(RETURN) or ("", None)
    return wanted if page == entry.key else None


def _controls(entry: PageEntry) -> tuple[Scenario, Dataset] | None:
    """The sidebar. Where the data cannot be loaded, the reason is on the page, which ends there if it needs them."""
    moved = story_moves(st.session_state.to_dict()) if entry.key == "learn" else frozenset[str]()
    try:
        return sidebar(dragged=entry.key == "explore", moved=moved)
    except DpgepError as error:  # a folder of data that is not there, a setting that does not fit
        st.error(words.escape_markdown(_reason(entry, error)))
    if entry.needs_data:
        st.stop()
    return None


def _reason(entry: PageEntry, error: DpgepError) -> str:
    """Reason why data cannot be loaded; a page that tells of no rows says nothing of these."""
    if isinstance(error, DataError) and not entry.tells_of_rows:
        return str(silent_error(error.where))
    return str(error)


def _say(problems: tuple[str, ...], scenario: Scenario | None) -> None:
    """Say what in the address or in the last change could not be used, for as long as nothing else changes."""
    found = (*problems, *st.session_state.pop("adjusted", ()))
    if found or st.session_state.get("said_of") != scenario:
        st.session_state["said"], st.session_state["said_of"] = found, scenario
    if said := st.session_state.get("said"):
        st.warning(
            "What could not be used as asked was replaced:\n\n- " + "\n- ".join(map(words.escape_markdown, said))
        )


with TURNS.drawing():
    main()
