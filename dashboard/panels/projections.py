"""Rows on two components, exact and private side by side: held out, or fitted where none are."""

from functools import partial

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st
from numpy.typing import NDArray

from dashboard.compute.results import layout
from dashboard.figures import projections
from dashboard.figures.style import Style
from dashboard.panels.shared import SQUARE, Scene, badges, caption, figure_of, show_figure
from dpgep_core.privacy.query import Array


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
            _one(scene, points, layouts[0].labels, own, (first, second), place, title, aligned)
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


def _one(
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
