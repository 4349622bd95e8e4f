"""Keep or share: the link, the report, a name to find it by."""

from collections.abc import Mapping, Sequence
from functools import partial
from urllib.parse import urlencode, urlsplit, urlunsplit

import streamlit as st

from dashboard import export
from dashboard.components.buttons import copy_button
from dashboard.export import FigureSpec, NoBrowserError, Report
from dashboard.pages import address
from dashboard.panels.report import report_figures
from dashboard.panels.shared import Scene, file_button
from dashboard.saving import session as saved
from dashboard.text.words import escape_markdown

PRINTED = "printed"  # in the session: the address that was last made a PDF of, and the PDF or why there is none
NO_PDF = "PDF needs Chromium or Chrome on the server, and there is none. Print the HTML report from your browser."


def toolbar(scene: Scene, live: FigureSpec | None) -> None:
    """Show one control at the top of the page; ``live`` is the page's picture, if there is one."""
    with st.popover("Share", type="tertiary", help="A link, a report, a saved scenario."):
        _inside(scene, live)


@st.fragment
def _inside(scene: Scene, live: FigureSpec | None) -> None:
    query = scene.scenario.to_query() | address("explore", st.session_state.to_dict())
    st.markdown("**Link to exactly this**")
    st.code(link(query), language=None, wrap_lines=True)
    copy_button("Copy link", link(query), "copy_link")
    st.caption("It holds the settings and no data. Opened on this server, it gives the same numbers.")
    st.markdown("**Report**: figures, numbers, settings, ledger, caveats, code")
    where, name = link(query), scene.scenario.stem
    drawn = partial(report_figures, scene, live, st.session_state.to_dict())
    file_button(
        "Report as HTML", lambda: export.report_html(_report(scene, drawn(), where)).encode(), f"{name}.html",
        "text/html", key="report_html", width="stretch",
    )  # fmt: skip
    if export.found_browser() is None:
        st.caption(NO_PDF)
    else:
        if st.button("Make the report as PDF", key="make_pdf", width="stretch"):
            _print(_report(scene, drawn(), where))
        _offer_pdf(where, f"{name}.pdf")
    st.markdown("**Save it here**")
    saved.form(query, scene.data)


def _print(report: Report) -> None:
    """Make the PDF and hold it: the page runs again whenever a curve is complete, and what came of it must stay."""
    st.session_state.pop(PRINTED, None)
    try:
        with st.spinner("Printing …"):
            st.session_state[PRINTED] = (report.link, export.report_pdf(report), "")
    except NoBrowserError as error:
        st.session_state[PRINTED] = (report.link, b"", escape_markdown(str(error)))


def _offer_pdf(where: str, name: str) -> None:
    """The PDF that was made of exactly this address, or why it could not be made, if one was asked for."""
    of, made, trouble = st.session_state.get(PRINTED, ("", b"", ""))
    if of != where:
        return
    if trouble:
        st.error(trouble)
    else:
        st.download_button(
            "Report as PDF", made, name, "application/pdf", key="report_pdf", on_click="ignore", width="stretch",
            type="primary",
        )  # fmt: skip


def _report(scene: Scene, specs: Sequence[FigureSpec], where: str) -> Report:
    return Report(
        scenario=scene.scenario,
        title=scene.data.title,
        answers=scene.answers,
        specs=tuple(specs),
        preprocessing=scene.reference.problem.preprocessing.sentence,
        learnt=scene.data.learnt,
        link=where,
    )


def link(query: Mapping[str, str], page: str = "") -> str:
    """The whole address of a scenario on this server."""
    here = urlsplit(st.context.url or "")
    return urlunsplit((here.scheme, here.netloc, page or here.path or "/", urlencode(query, safe=","), ""))
