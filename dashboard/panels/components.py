"""The components themselves."""

import numpy as np
import pandas as pd
import streamlit as st

from dashboard.figures import components
from dashboard.panels.shared import Scene, badges, caption, chart, table
from dpgep_core.numerics import unit_columns

SHOWN = 5


def show(scene: Scene) -> None:
    """Images where the rows are images, named loadings otherwise."""
    st.subheader("The components")
    badges()
    bases = [("exact", scene.answers[0].diagnostic.reference)]
    bases += [(item.algorithm, item.release.components) for item in scene.answers]
    names = scene.data.feature_names or tuple(f"column {i}" for i in range(scene.data.d))
    if scene.data.image_shape is not None:
        cosines = [np.ones(SHOWN), *(item.diagnostic.cosine_similarity for item in scene.answers)]
        figure = components.images(bases, scene.data.image_shape, SHOWN, cosines, scene.style)
        chart(figure, "components", "Components as images: exact first, then each algorithm")
        st.caption("Each image is scaled to its own largest entry. The sign of a component means nothing.")
    else:
        k = min(basis.shape[1] for _, basis in bases)
        component = st.selectbox("Component", range(1, k + 1), key="component") if k > 1 else 1
        figure = components.loadings(bases, names, component - 1, scene.style)
        chart(figure, "components", f"Largest loadings of component {component}")
    frame = pd.DataFrame({"feature": names})
    for name, basis in bases:
        unit = unit_columns(basis)
        frame = frame.assign(**{f"{name} {j + 1}": unit[:, j] for j in range(unit.shape[1])})
    table(frame)
    caption(scene)
