"""Accuracy of a release on rows that the user declares public: the classifiers are made from the release alone."""

import pandas as pd
import streamlit as st

from dashboard.own_data import uploads
from dashboard.text.words import escape_markdown
from dpgep_core.datasets import dataset_names, dataset_title, load_dataset
from dpgep_core.errors import DpgepError
from dpgep_core.evaluate.private_rules import PRIVATE_RULES
from dpgep_core.publishing import LoadedRelease
from dpgep_core.publishing.scoring import ALL_PRIVATE, majority_share, private_scores, public_rows

WORD = "The labelled rows of this data set are public"


def score_panel(release: LoadedRelease) -> None:
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
    try:
        rows = public_rows(release, own[name] if name in own else load_dataset(name))
        scores = dict(private_scores(release, rows))
    except DpgepError as error:
        st.error(escape_markdown(str(error)))
        return
    lines = [
        (PRIVATE_RULES[kind].title, f"{one.accuracy:.4f}", f"{one.low:.4f} to {one.high:.4f}")
        for kind, one in scores.items()
    ]
    lines.append(("The commonest class of these rows", f"{majority_share(rows):.4f}", ""))
    st.table(pd.DataFrame(lines, columns=["Classifier", "Accuracy", "95 % interval"]).set_index("Classifier"))
    st.caption(f"{ALL_PRIVATE[0].upper()}{ALL_PRIVATE[1:]}. Choosing between releases by these numbers is free.")
