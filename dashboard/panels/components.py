"""The components themselves, and the rows on two of them, exact and private side by side."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st
from numpy.typing import NDArray

from dashboard.compute.results import layout
from dashboard.export import FigureSpec
from dashboard.figures import components, projections
from dashboard.figures.style import Style
from dashboard.panels.shared import SQUARE, Scene, badges, caption, figure_of, show_figure
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


def projections_panel(scene: Scene) -> None:
    """The exact projection and one for each algorithm, coloured alike."""
    st.subheader("The rows on two components")
    badges()
    k = min(item.release.components.shape[1] for item in scene.answers)
    first, second, aligned = _choices(k)
    layouts = [layout(item, scene.reference, first, second, aligned=aligned) for item in scene.answers]
    span = projections.span_of(layouts[0].exact, *((lay.private for lay in layouts) if aligned else ()))
    titles = ["Exact, no privacy", *(item.title for item in scene.answers)]
    columns = [column for _ in range(0, len(titles), 2) for column in st.columns(2)]
    for place, title in enumerate(titles):
        points = layouts[0].exact if place == 0 else layouts[place - 1].private
        own = span if aligned or place == 0 else projections.span_of(points)
        with columns[place]:
            _show_projection(scene, points, layouts[0].labels, own, (first, second), place, title, aligned)
    if first == second:
        st.caption("One component: it runs across. The height only spreads the rows and means nothing.")
    if aligned:
        shares = ", ".join(f"{t} {100 * lay.shared:.0f} %" for t, lay in zip(titles[1:], layouts, strict=True))
        st.caption(
            f"Aligned to the exact picture by Procrustes (turned, mirrored, scaled), which flatters noise. Layout "
            f"shared with the exact picture: {shares}; a random projection, so aligned, "
            f"{100 * layouts[0].shared_random:.0f} %."
        )
    caption(scene)


def _show_projection(
    scene: Scene, points: Array, labels: NDArray[np.intp] | None, span: float, shown: tuple[int, int], place: int,
    title: str, aligned: bool,
) -> None:  # fmt: skip
    classes = scene.data.classes
    rows = pd.DataFrame({"x": points[:, 0], "y": points[:, 1]})
    if labels is not None:
        rows["class"] = [classes[code] for code in labels]
    which = scene.reference.drawn
    turned = ", aligned to the exact picture, which flatters noise" if aligned and place else ""

    def draw(style: Style, *, legend: bool) -> go.Figure:
        return projections.scatter(points, labels, classes, span, title, style, legend=legend)

    spec = figure_of(
        scene, partial(draw, legend=True), key=f"projection_{place}",
        title=f"{which.capitalize()} rows on two components: {title}", rows=rows,
        alt=f"{len(points)} {which} rows on two components: {title}", width=SQUARE,
        caption=f"Component {shown[0] + 1} across, {shown[1] + 1} up{turned}. ",
    )  # fmt: skip
    show_figure(spec, brief=True, drawn=draw(scene.style, legend=place == 0))


def _choices(k: int) -> tuple[int, int, bool]:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        first = st.selectbox("Across", range(1, k + 1), key="across", help="Component across.")
        second = st.selectbox("Up", range(1, k + 1), index=min(1, k - 1), key="up", help="Component upwards.")
        aligned = st.toggle("Align to exact", value=True, key="aligned", help="Off shows the private picture as it is.")
    return first - 1, second - 1, aligned
