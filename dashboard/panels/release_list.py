"""Releases that were made: the file, its privacy statement and the code that loads it, again at no cost."""

from decimal import Decimal
from itertools import islice
from pathlib import Path

import streamlit as st

from dashboard import export
from dashboard.compute import releases
from dashboard.export.chromium import pdf
from dashboard.panels.release_score import score_panel
from dashboard.panels.shared import file_button
from dashboard.text.words import escape_markdown
from dpgep_core.errors import DpgepError
from dpgep_core.models import MODELS
from dpgep_core.publishing import load_release
from dpgep_core.publishing.statement import loading_code, privacy_statement
from dpgep_core.wording import decimal_text

MOST_SHOWN = 20


def releases_panel(name: str) -> None:
    """One box for each release of a data set, the newest first and open."""
    found = list(islice(releases.earlier_releases(name), MOST_SHOWN))
    if found:
        st.subheader("Released")
    else:
        st.caption("Nothing was released from this data set yet.")
    for place, one in enumerate(found):
        title = MODELS[one.model].title if one.model in MODELS else one.model
        label = (
            f"{one.at[:16].replace('T', ' ')} UTC · {title} · ε = {_written(one.epsilon)}, δ = {_written(one.delta)}"
        )
        with st.expander(escape_markdown(label), expanded=place == 0):
            _show_release(one)


def _written(amount: str) -> str:
    return decimal_text(Decimal(amount))


def _show_release(one: releases.Earlier) -> None:
    if one.path is None:
        st.markdown(
            "Its file is not in the folder of releases: it was moved, or making it ended before it was written. It "
            "counts on the budget all the same."
        )
        return
    path = one.path
    try:
        release = load_release(path)
    except DpgepError as error:
        st.error(escape_markdown(str(error)))
        return
    with st.container(horizontal=True):
        file_button(
            "The release", lambda: releases.content_of(one), path.name, "application/octet-stream",
            key=f"npz_{one.release}", type="primary",
        )  # fmt: skip
        file_button(
            "Privacy statement (HTML)", lambda: _statement(path, one.sha256).encode(), f"{path.stem}.html",
            "text/html", key=f"html_{one.release}",
        )  # fmt: skip
        missing = export.found_browser() is None
        file_button(
            "Privacy statement (PDF)", lambda: pdf(_statement(path, one.sha256)), f"{path.stem}.pdf",
            "application/pdf", key=f"pdf_{one.release}", disabled=missing,
            help="PDF needs Chromium on the server, and none was found." if missing else None,
        )  # fmt: skip
    st.code(loading_code(path.name), language="python")
    st.caption(f"SHA-256 {one.sha256}")
    score_panel(release)


def _statement(path: Path, sha256: str) -> str:
    return privacy_statement(load_release(path).header, path.name, sha256)
