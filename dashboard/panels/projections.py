"""Held-out rows on two components, exact and private side by side."""

import pandas as pd
import streamlit as st

from dashboard.figures import projections
from dashboard.panels.shared import Scene, badges, caption, chart, table
from dashboard.services import layout


def show(scene: Scene) -> None:
    """The exact projection and one for each algorithm, coloured alike."""
    st.subheader("The rows on two components")
    badges()
    k = min(item.release.components.shape[1] for item in scene.answers)
    first, second, aligned = _choices(k)
    layouts = [layout(item, scene.laboratory, first, second, aligned=aligned) for item in scene.answers]
    span = projections.span_of(layouts[0].exact, *((lay.private for lay in layouts) if aligned else ()))
    titles = ["Exact, no privacy", *(item.title for item in scene.answers)]
    frames: list[pd.DataFrame] = []
    columns = [column for _ in range(0, len(titles), 2) for column in st.columns(2)]
    for place, title in enumerate(titles):
        points = layouts[0].exact if place == 0 else layouts[place - 1].private
        own = span if aligned or place == 0 else projections.span_of(points)
        figure = projections.scatter(
            points, layouts[0].labels, scene.data.classes, own, title, scene.style, legend=place == 0
        )
        with columns[place]:
            chart(figure, f"projection_{place}", f"{len(points)} held-out rows on two components: {title}")
        frames.append(pd.DataFrame({"basis": title, "x": points[:, 0], "y": points[:, 1]}))
    if first == second:
        st.caption("One component: it runs across. The height only spreads the rows and means nothing.")
    if aligned:
        shares = ", ".join(f"{t} {100 * lay.shared:.0f} %" for t, lay in zip(titles[1:], layouts, strict=True))
        st.caption(
            f"Aligned to the exact picture by Procrustes (turned, mirrored, scaled), which flatters noise. Layout "
            f"shared with the exact picture: {shares}; a random projection, so aligned, "
            f"{100 * layouts[0].shared_random:.0f} %."
        )
    table(pd.concat(frames))
    caption(scene)


def _choices(k: int) -> tuple[int, int, bool]:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        first = st.selectbox("Across", range(1, k + 1), key="across", help="Component across.")
        second = st.selectbox("Up", range(1, k + 1), index=min(1, k - 1), key="up", help="Component upwards.")
        aligned = st.toggle("Align to exact", value=True, key="aligned", help="Off shows the private picture as it is.")
    return first - 1, second - 1, aligned
