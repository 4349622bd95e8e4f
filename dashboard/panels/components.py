"""The components themselves."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from dashboard.figures import components
from dashboard.panels.shared import Scene, badges, figure, settings
from dpgep_core.numerics import unit_columns
from dpgep_core.privacy.query import Array

SHOWN = 5


def components_panel(scene: Scene) -> None:
    """Images where the rows are images, named loadings otherwise."""
    st.subheader("The components")
    badges()
    bases = [("exact", scene.answers[0].diagnostic.reference)]
    bases += [(item.algorithm, item.release.components) for item in scene.answers]
    names = scene.data.feature_names or tuple(f"column {i}" for i in range(scene.data.d))
    shape = scene.data.image_shape
    if shape is not None:
        cosines = [np.ones(SHOWN), *(item.diagnostic.cosine_similarity for item in scene.answers)]
        figure(
            lambda style: components.images(bases, shape, SHOWN, cosines, style), scene.style, of=scene.scenario,
            key="components",
            title="The components", alt="Components as images: exact first, then each algorithm",
            caption=f"Each image is scaled to its own largest entry. The sign of a component means nothing. "
            f"{settings(scene)}",
            rows=_table(names, bases),
        )  # fmt: skip
        return
    k = min(basis.shape[1] for _, basis in bases)
    component = st.selectbox("Component", range(1, k + 1), key="component") if k > 1 else 1
    figure(
        lambda style: components.loadings(bases, names, component - 1, style), scene.style, of=scene.scenario,
        key="components",
        title=f"The largest loadings of component {component}", alt=f"Largest loadings of component {component}",
        caption=f"Exact beside private, turned alike: the sign of a component means nothing. {settings(scene)}",
        rows=_table(names, bases),
    )  # fmt: skip


def _table(names: Sequence[str], bases: Sequence[tuple[str, Array]]) -> pd.DataFrame:
    """Every entry of every component, of unit length."""
    columns: dict[str, Any] = {"feature": list(names)}
    for name, basis in bases:
        unit = unit_columns(basis)
        columns |= {f"{name} {j + 1}": unit[:, j] for j in range(unit.shape[1])}
    return pd.DataFrame(columns)
