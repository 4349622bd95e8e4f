"""Keep or share: the link, the report with all figures whichever tab is open, and a name to find the scenario by."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar
from urllib.parse import urlencode, urlsplit, urlunsplit

import streamlit as st

from dashboard import cache, export
from dashboard.components.buttons import copy_button
from dashboard.compute.jobs import Job
from dashboard.export import FigureSpec, NoBrowserError, Report
from dashboard.pages import address
from dashboard.panels import classifiers, components, curves, draws
from dashboard.panels.epsilon_bars import scene_bars
from dashboard.panels.lab import odds_figures
from dashboard.panels.shared import Scene, file_button, settings
from dashboard.saving import session as saved
from dashboard.text.words import escape_markdown
from dpgep_core.evaluate.classify import CLASSIFIERS

Result = TypeVar("Result")
WAIT = 30.0  # seconds that a report waits for what is still computed; it says what was missing then
LOOK = 0.1  # seconds between two looks
PRINTED = "printed"  # in the session: the address that was last made a PDF of, and the PDF or why there is none
NO_PDF = "PDF needs Chromium or Chrome on the server, and there is none. Print the HTML report from your browser."


def report_figures(scene: Scene, live: FigureSpec | None, choices: Mapping[str, Any]) -> list[FigureSpec]:
    """Draw every figure of the page, with the user's ``choices`` of axis, components and classifiers.

    Figures that fill in the background are waited for, at most `WAIT` seconds in all; the caption of one that is not
    complete then says so.
    """
    ends = time.monotonic() + WAIT
    odds = [
        spec
        for item in scene.answers
        for spec in odds_figures(item.release.ledger.mu, scene.style, item.algorithm, settings(scene.scenario, [item]))
    ]
    parts = (
        [] if live is None else [live], [scene_bars(scene)], odds, _curves(scene, choices, ends),
        curves.iterations_figures(scene),
        _draws(scene, ends), components.projections_figures(scene, *_chosen_components(scene, choices)),
        _classifiers(scene, choices, ends), components.components_figures(scene, int(choices.get("component", 1))),
        components.spectra_figures(scene),
    )  # fmt: skip
    return [spec for part in parts for spec in part]


def _chosen_components(scene: Scene, choices: Mapping[str, Any]) -> tuple[int, int]:
    k = min(item.release.components.shape[1] for item in scene.answers)
    across, up = (min(int(choices.get(name, usual)), k) for name, usual in (("across", 1), ("up", 2)))
    return across - 1, up - 1


def _curves(scene: Scene, choices: Mapping[str, Any], ends: float) -> list[FigureSpec]:
    axis, metric = curves.chosen_axis(scene, choices), curves.shown_metric(scene, choices)
    drawn = curves.drawn_along(scene, axis)
    if not drawn:
        return []
    jobs = curves.curve_jobs(scene, drawn, axis)
    told, *found = waited_for(jobs, ends)
    return _as_far(curves.curve_figures(scene, drawn, found, told, axis, metric), jobs)


def _draws(scene: Scene, ends: float) -> list[FigureSpec]:
    drawn = draws.noisy(scene)
    if not drawn:
        return []
    jobs = draws.draws_jobs(scene, drawn)
    return _as_far(draws.draws_figures(scene, drawn, waited_for(jobs, ends)), jobs)


def _classifiers(scene: Scene, choices: Mapping[str, Any], ends: float) -> list[FigureSpec]:
    if not scene.data.n_classes or not scene.reference.scorable:
        return []
    names = [name for name in choices.get("classifiers", classifiers.USUAL) if name in CLASSIFIERS]
    jobs = {
        (name, place): cache.trained(scene.scenario, item.algorithm, name, scene.data)
        for name in names
        for place, item in enumerate(scene.answers)
    }
    found = waited_for(list(jobs.values()), ends)
    trained = {key: some[0] for key, some in zip(jobs, found, strict=True) if some}
    return _as_far(classifiers.classifiers_figures(scene, trained), list(jobs.values()))


def waited_for(jobs: Sequence[Job[Result]], ends: float) -> list[tuple[Result, ...]]:
    """Results of jobs when all are finished, or when the time is up."""
    found = [job.look() for job in jobs]
    while time.monotonic() < ends and not all(job.finished for job in jobs):
        time.sleep(LOOK)
        found = [job.look() for job in jobs]
    return found


def _as_far(specs: Sequence[FigureSpec], jobs: Sequence[Job[Any]]) -> list[FigureSpec]:
    """Figures that say so where their jobs were not finished."""
    if all(job.finished for job in jobs):
        return list(specs)
    share = 100 * sum(job.progress for job in jobs) / len(jobs)
    return [replace(spec, caption=f"Not complete: {share:.0f} % was computed. {spec.caption}") for spec in specs]


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
