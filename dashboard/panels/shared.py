"""What the panels of a page share."""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from dashboard.figures.style import Style
from dashboard.scenario import Scenario
from dashboard.services import Answer, settings_text
from dashboard.words import READS, SEED_KNOWN, literal
from dpgep_core.datasets import Dataset
from dpgep_core.evaluate import Laboratory

PLOT = {"displaylogo": False, "toImageButtonOptions": {"format": "svg", "scale": 2}}


@dataclass(frozen=True, eq=False)
class Scene:
    """Everything a panel draws from."""

    scenario: Scenario
    data: Dataset
    laboratory: Laboratory
    answers: tuple[Answer, ...]
    style: Style


def style() -> Style:
    """Light or dark, as the browser shows the page."""
    return Style(dark=st.context.theme.type == "dark")


def chart(figure: go.Figure, key: str, alt: str) -> None:
    """A figure with alt text, free of Streamlit's own template."""
    st.plotly_chart(figure, key=f"chart_{key}", theme=None, width="stretch", config=PLOT, alt=alt)


def badges(*, private_only: bool = False) -> None:
    """The labels that no figure of a what-if page may lack."""
    words = [SEED_KNOWN] if private_only else [READS, SEED_KNOWN]
    st.markdown(" ".join(f":gray-badge[{word}]" for word in words))


def table(frame: pd.DataFrame, title: str = "The numbers behind it") -> None:
    """The data behind a figure; its toolbar downloads CSV."""
    with st.expander(title):
        st.dataframe(frame, hide_index=True, width="stretch")


def caption(scene: Scene, items: Sequence[Answer] | None = None) -> None:
    """The settings behind a figure."""
    st.caption(literal(settings_text(scene.scenario, scene.answers if items is None else items)))
