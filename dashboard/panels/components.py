"""The components themselves."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from dashboard.export import FigureSpec
from dashboard.figures import components
from dashboard.panels.shared import Scene, badges, figure_of, show_figure
from dpgep_core.numerics import unit_columns
from dpgep_core.privacy.query import Array

SHOWN = 5


def components_panel(scene: Scene) -> None:
    """Images where the rows are images, named loadings otherwise."""
    st.subheader("The components")
    badges()
    k = min(basis.shape[1] for _, basis in _bases(scene))
    asks = scene.data.image_shape is None and k > 1
    component = st.selectbox("Component", range(1, k + 1), key="component") if asks else 1
    for spec in components_figures(scene, component):
        show_figure(spec)


def components_figures(scene: Scene, component: int = 1) -> list[FigureSpec]:
    """The components as images, or the largest loadings of one of them, counted from 1: exact beside private."""
    bases = _bases(scene)
    names = scene.data.feature_names or tuple(f"column {i}" for i in range(scene.data.d))
    shape = scene.data.image_shape
    if shape is None:
        title = f"The largest loadings of component {component}"
        alt, said = title.removeprefix("The ").capitalize(), "Exact beside private, turned alike: the"
        draw = partial(components.loadings, bases, names, component - 1)
    else:
        cosines = [np.ones(SHOWN), *(item.diagnostic.cosine_similarity for item in scene.answers)]
        title, alt = "The components", "Components as images: exact first, then each algorithm"
        said = "Each image is scaled to its own largest entry. The"
        draw = partial(components.images, bases, shape, SHOWN, cosines)
    caption = f"{said} sign of a component means nothing. "
    return [figure_of(scene, draw, key="components", title=title, alt=alt, caption=caption, rows=_table(names, bases))]


def _bases(scene: Scene) -> list[tuple[str, Array]]:
    exact = ("exact", scene.answers[0].diagnostic.reference)
    return [exact, *((item.algorithm, item.release.components) for item in scene.answers)]


def _table(names: Sequence[str], bases: Sequence[tuple[str, Array]]) -> pd.DataFrame:
    """Every entry of every component, of unit length."""
    columns: dict[str, Any] = {"feature": list(names)}
    for name, basis in bases:
        unit = unit_columns(basis)
        columns |= {f"{name} {j + 1}": unit[:, j] for j in range(unit.shape[1])}
    return pd.DataFrame(columns)
