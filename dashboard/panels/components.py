"""The components themselves, the rows on two of them, and the eigenvalues under the noise: exact beside private."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from dashboard import cache
from dashboard.compute.results import Answer, layout
from dashboard.compute.spectra import ScatterSpectra
from dashboard.export import FigureSpec
from dashboard.figures import components, projections, spectra
from dashboard.panels.shared import SQUARE, Scene, figure_of, settings, show_figure, show_figures
from dashboard.text.words import escape_markdown
from dpgep_core.numerics import unit_columns
from dpgep_core.privacy.query import Array
from dpgep_core.wording import number_text

SHOWN = 5


def components_panel(scene: Scene) -> None:
    """Images where the rows are images, named loadings otherwise."""
    k = min(basis.shape[1] for _, basis in _bases(scene))
    asks = scene.data.image_shape is None and k > 1
    component = st.selectbox("Component", range(1, k + 1), key="component") if asks else 1
    show_figures(components_figures(scene, component))


def components_figures(scene: Scene, component: int = 1, *, only_exact: bool = False) -> list[FigureSpec]:
    """The components as images, or the largest loadings of one of them, counted from 1: exact beside private.

    ``only_exact`` leaves out the private ones.
    """
    bases = _bases(scene)[: 1 if only_exact else None]
    titles = ["Exact, no privacy", *(item.title for item in scene.answers)]
    drawn = [(title, basis) for title, (_, basis) in zip(titles, bases, strict=False)]
    names = scene.data.feature_names or tuple(f"column {i}" for i in range(scene.data.d))
    shape = scene.data.image_shape
    if shape is None:
        title = f"The largest loadings of component {component}"
        alt = title.removeprefix("The ").capitalize()
        said = "Exact, no privacy. The" if only_exact else "Exact beside private, turned alike: the"
        draw = partial(components.loadings, drawn, names, component - 1)
    else:
        cosines = [np.ones(SHOWN), *(item.diagnostic.cosine_similarity for item in scene.answers)]
        title = "The components"
        alt = f"Components as images: {'exact' if only_exact else 'exact first, then each algorithm'}"
        said = "Each image is scaled to its own largest entry. The"
        draw = partial(components.images, drawn, shape, SHOWN, cosines)
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
    k = min(item.release.components.shape[1] for item in scene.answers)
    first, second, aligned = _choices(k)
    specs = projections_figures(scene, first, second, aligned=aligned)
    columns = [column for _ in range(0, len(specs), 2) for column in st.columns(2)]
    for place, spec in enumerate(specs):
        with columns[place]:
            drawn = spec.draw(spec.style)
            drawn.update_layout(showlegend=place == 0)  # the others are coloured alike
            show_figure(spec, brief=True, drawn=drawn)
    if first == second:
        st.caption("One component: it runs across. The height only spreads the rows and means nothing.")
    if aligned:
        st.caption(f"{_shared_sentence(scene, first, second)}")
    st.caption(escape_markdown(settings(scene.scenario, scene.answers)))


def _shared_sentence(scene: Scene, first: int, second: int) -> str:
    layouts = [layout(item, scene.reference, first, second, aligned=True) for item in scene.answers]
    shares = ", ".join(
        f"{item.title} {100 * lay.shared:.0f} %" for item, lay in zip(scene.answers, layouts, strict=True)
    )
    return (
        f"Aligned to the exact picture by Procrustes (turned, mirrored, scaled), which flatters noise. Layout shared "
        f"with the exact picture: {shares}; a random projection, so aligned, {100 * layouts[0].shared_random:.0f} %."
    )


def projections_figures(scene: Scene, first: int = 0, second: int = 1, *, aligned: bool = True) -> list[FigureSpec]:
    """The rows on two components (counted from 0): exact, then each algorithm, in squares of one size if aligned."""
    layouts = [layout(item, scene.reference, first, second, aligned=aligned) for item in scene.answers]
    pictures = [("Exact, no privacy", layouts[0].exact)]
    pictures += [(item.title, lay.private) for item, lay in zip(scene.answers, layouts, strict=True)]
    common = projections.span_of(*(points for _, points in pictures)) if aligned else None
    return [
        _projection(scene, points, layouts[0].labels, common, (first, second), place, title)
        for place, (title, points) in enumerate(pictures)
    ]


def _projection(
    scene: Scene, points: Array, labels: NDArray[np.intp] | None, common: float | None, shown: tuple[int, int],
    place: int, title: str,
) -> FigureSpec:  # fmt: skip
    classes, which = scene.data.classes, scene.reference.drawn
    rows = pd.DataFrame({"x": points[:, 0], "y": points[:, 1]})
    if labels is not None:
        rows["class"] = [classes[code] for code in labels]
    turned = "" if common is None or not place else ", aligned to the exact picture, which flatters noise"
    span = projections.span_of(points) if common is None else common
    return figure_of(
        scene, partial(projections.scatter, points, labels, classes, span, title),
        key=f"projection_{place}", title=f"{which.capitalize()} rows on two components: {title}", rows=rows,
        alt=f"{len(points)} {which} rows on two components: {title}", width=SQUARE,
        caption=f"Component {shown[0] + 1} across, {shown[1] + 1} up{turned}. ",
    )  # fmt: skip


def _choices(k: int) -> tuple[int, int, bool]:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        first = st.selectbox("Across", range(1, k + 1), key="across", help="Component across.")
        second = st.selectbox("Up", range(1, k + 1), index=min(1, k - 1), key="up", help="Component upwards.")
        aligned = st.toggle("Align to exact", value=True, key="aligned", help="Off shows the private picture as it is.")
    return first - 1, second - 1, aligned


def spectra_figures(scene: Scene) -> list[FigureSpec]:
    """Eigenvalues as released, as used and exact."""
    found = [(place, item, cache.released_spectra(scene.scenario, item.algorithm, scene.data))
             for place, item in enumerate(scene.answers)]  # fmt: skip
    return [_spectra_figure(scene, place, item, one) for place, item, one in found if one is not None]


def without_sums(scene: Scene) -> str:
    """Why no figure is drawn; empty where one is."""
    return "" if spectra_figures(scene) else "No method here releases sums: choose *Sufficient statistics*."


def _spectra_figure(scene: Scene, place: int, item: Answer, found: ScatterSpectra) -> FigureSpec:
    negative = int((found.released < 0).sum())
    made = "cleaned" if found.cleaned else "cut at 0"
    return figure_of(
        scene, partial(spectra.spectra, found, place), key=f"spectra_{item.algorithm}",
        title=f"Eigenvalues under the noise: {item.title}",
        alt=f"Eigenvalues of the scatter by rank: exact, released and {made}; noise edge {number_text(found.edge)}, "
        f"ridge {number_text(found.ridge)}",
        caption=f"Noise spreads the eigenvalues: {negative} of {found.exact.size} released ones are negative. "
        f"{'Cleaning pulls them back' if found.cleaned else 'They are cut at 0'}; the ridge is added to all. ",
        rows=spectra.spectra_table(found), items=[item],
    )  # fmt: skip
