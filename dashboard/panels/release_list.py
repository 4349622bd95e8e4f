"""Releases that were made: the file, its privacy statement, the code that loads it, and its score on public rows."""

from decimal import Decimal
from itertools import islice
from pathlib import Path

import pandas as pd
import streamlit as st

from dashboard import export
from dashboard.compute import releases
from dashboard.export.chromium import pdf
from dashboard.own_data import uploads
from dashboard.panels.shared import errors_on_page, file_button
from dashboard.text.words import escape_markdown
from dpgep_core.datasets import dataset_names, dataset_title
from dpgep_core.evaluate.private_rules import PRIVATE_RULES
from dpgep_core.models import MODELS
from dpgep_core.publishing import LoadedRelease, load_release
from dpgep_core.publishing.scoring import ALL_PRIVATE, majority_share, private_scores, public_rows
from dpgep_core.publishing.statement import loading_code, privacy_statement
from dpgep_core.wording import decimal_text

MOST_SHOWN = 20
WORD = "The labelled rows of this data set are public"


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


@errors_on_page()
def _show_release(one: releases.Earlier) -> None:
    if one.path is None:
        st.markdown(
            "Its file is not in the folder of releases: it was moved, or making it ended before it was written. It "
            "counts on the budget all the same."
        )
        return
    path = one.path
    release = load_release(path)
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
    _score_panel(release)


def _statement(path: Path, sha256: str) -> str:
    return privacy_statement(load_release(path).header, path.name, sha256)


def _score_panel(release: LoadedRelease) -> None:
    """Choice of public rows, the user's word for them, and a table of accuracies; nothing before the word is given."""
    if len(release.header.classes) != release.header.columns:
        return
    own = {key: kept.data for key, kept in uploads.session_uploads().items()}
    names = [*dataset_names(), *own]
    key = release.header.release
    st.markdown("**How good is it?** Only labelled rows that are public may say so.")
    left, right = st.columns(2, vertical_alignment="bottom")
    start = names.index(release.header.dataset) if release.header.dataset in names else 0
    name = left.selectbox(
        "Public rows", names, start, key=f"public_{key}",
        format_func=lambda each: own[each].title if each in own else dataset_title(each),
        help="The published test split, where there is one; otherwise all rows of another data set.",
    )  # fmt: skip
    if not right.toggle(WORD, key=f"word_{key}"):
        return
    rows = public_rows(release, uploads.find_dataset(name))
    scores = dict(private_scores(release, rows))
    lines = [
        (PRIVATE_RULES[kind].title, f"{one.accuracy:.4f}", f"{one.low:.4f} to {one.high:.4f}")
        for kind, one in scores.items()
    ]
    lines.append(("The commonest class of these rows", f"{majority_share(rows):.4f}", ""))
    st.table(pd.DataFrame(lines, columns=["Classifier", "Accuracy", "95 % interval"]).set_index("Classifier"))
    st.caption(f"{ALL_PRIVATE[0].upper()}{ALL_PRIVATE[1:]}. Choosing between releases by these numbers is free.")
