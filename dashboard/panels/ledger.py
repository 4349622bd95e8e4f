"""Every answer that left the curator, and the commands that repeat it."""

import math
from typing import Any

import pandas as pd
import streamlit as st

from dashboard.panels.shared import Scene
from dashboard.scenario import command_line
from dashboard.services import Answer


def show(scene: Scene) -> None:
    """The ledger of each algorithm."""
    st.subheader("Ledger")
    st.caption(
        "Every read of private rows by the algorithm, in order. μ² adds up; an unprotected read has no finite μ."
    )
    rows = [row for item in scene.answers for row in rows_of(item)]
    st.dataframe(pd.DataFrame(rows), hide_index=True, width="stretch")
    with st.expander("The same from the command line"):
        for item in scene.answers:
            st.code(command_line(scene.scenario, item.algorithm), language="bash")


def rows_of(item: Answer) -> list[dict[str, Any]]:
    """The entries of one ledger as table rows."""
    return [
        {
            "algorithm": item.title,
            "answer": entry.query,
            "count": entry.count,
            "sensitivity Δ": _number(entry.sensitivity),
            "noise σ": _number(entry.sigma) if entry.protected else "none",
            "μ": _number(entry.mu),
            "protected": "yes" if entry.protected else "NO",
        }
        for entry in item.release.ledger
    ]


def _number(value: float) -> str:
    if math.isnan(value):  # sub-sampled answers have no μ of their own
        return "–"
    return "∞" if math.isinf(value) else f"{value:.4g}"
