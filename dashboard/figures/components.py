"""The components themselves: as images where the rows are images, as named loadings otherwise."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from dashboard.figures.style import Style, literal
from dpgep_core.numerics import unit_columns
from dpgep_core.privacy.query import Array

MOST_LOADINGS = 16
SPARSE = 0.5  # of the entries: a picture with no more of them than this was cut, and is not only empty at its edges


def images(
    bases: Sequence[tuple[str, Array]], shape: tuple[int, ...], shown: int, cosines: Sequence[Array], style: Style
) -> go.Figure:
    """One row of pictures per basis, blue for negative and orange for positive; each scaled to its own largest entry.

    Where sparsity cut entries to zero, those that were kept carry a ring: a small entry and none look alike otherwise.
    """
    columns = min(shown, bases[0][1].shape[1])
    titles = [f"{j + 1}" if i == 0 else f"cos {cosines[i][j]:.2f}" for i in range(len(bases)) for j in range(columns)]
    figure = make_subplots(
        rows=len(bases), cols=columns, subplot_titles=titles, row_titles=[name for name, _ in bases],
        horizontal_spacing=0.01, vertical_spacing=0.09,
    )  # fmt: skip
    for i, (_, basis) in enumerate(bases, start=1):
        pictures = _same_sign(unit_columns(basis), bases[0][1])
        for j in range(columns):
            picture = _picture(pictures[:, j], shape)
            largest = float(np.abs(picture).max()) or 1.0
            figure.add_heatmap(
                z=picture / largest, row=i, col=j + 1, zmin=-1, zmax=1, colorscale=style.diverging, showscale=False,
                hoverinfo="skip",
            )  # fmt: skip
            _mark_support(figure, picture, (i, j + 1), style)
    return _dress(figure, style, height=60 + 150 * len(bases))


def _mark_support(figure: go.Figure, picture: Array, place: tuple[int, int], style: Style) -> None:
    down, across = np.nonzero(picture)
    if down.size > SPARSE * picture.size:
        return
    figure.add_scatter(
        x=across, y=down, mode="markers", row=place[0], col=place[1], showlegend=False, hoverinfo="skip", name="kept",
        marker={"symbol": "circle-open", "size": 4, "color": style.ink, "line": {"width": 1}},
    )  # fmt: skip


def _same_sign(columns: Array, reference: Array) -> Array:
    """Columns turned to point the way of the reference: a flipped sign looks like a mistake and means nothing."""
    k = min(columns.shape[1], reference.shape[1])
    agree = np.einsum("ij,ij->j", columns[:, :k], reference[:, :k]) < 0
    return columns * np.where(np.pad(agree, (0, columns.shape[1] - k)), -1.0, 1.0)


def _picture(vector: Array, shape: tuple[int, ...]) -> Array:
    if len(shape) == 3:  # channels first: the mean over channels keeps the sign
        return vector.reshape(shape).mean(axis=0)
    return vector.reshape(shape)


def _dress(figure: go.Figure, style: Style, height: int) -> go.Figure:
    base = style.figure(height=height)
    figure.update_layout(template=None, height=height, paper_bgcolor="rgba(0,0,0,0)", plot_bgcolor="rgba(0,0,0,0)")
    figure.update_layout(font=base.layout.font, margin={"l": 8, "r": 30, "t": 34, "b": 8})
    figure.update_annotations(font={"size": 12, "color": style.ink})
    figure.update_xaxes(visible=False)
    figure.update_yaxes(visible=False, autorange="reversed", scaleanchor=None)
    for number, axis in enumerate(figure.select_yaxes(), start=1):
        axis.update(scaleanchor=f"x{number if number > 1 else ''}", constrain="domain")
    figure.update_xaxes(constrain="domain")
    return figure


def loadings(bases: Sequence[tuple[str, Array]], names: Sequence[str], component: int, style: Style) -> go.Figure:
    """The largest loadings of one component, exact beside private; entries that sparsity set to zero say so."""
    columns = [unit_columns(basis)[:, min(component, basis.shape[1] - 1)] for _, basis in bases]
    reference = columns[0]
    columns = [column * (np.sign(column @ reference) or 1.0) for column in columns]
    order = np.argsort(-np.max(np.abs(np.column_stack(columns)), axis=1), kind="stable")[:MOST_LOADINGS][::-1]
    places, shown = list(range(len(order))), [literal(names[int(i)]) for i in order]  # names may repeat, or be numbers
    figure = style.figure(height=90 + 26 * len(order), barmode="group", bargap=0.3)
    for number, ((name, _), column) in enumerate(zip(bases, columns, strict=True)):
        colour = style.quiet if number == 0 else style.algorithm(number - 1)
        kept = int(np.count_nonzero(column))
        support = "" if kept == column.size else f" ({kept} of {column.size} kept)"
        figure.add_bar(
            y=places, x=column[order], orientation="h", name=name + support, marker={"color": colour},
            text=["cut" if kept < column.size and column[i] == 0 else "" for i in order], textposition="outside",
            customdata=shown, hovertemplate="%{customdata}: %{x:.3f}<extra>" + name + "</extra>",
        )  # fmt: skip
    figure.update_xaxes(title={"text": f"Loading on component {component + 1}"}, zeroline=True)
    figure.update_yaxes(ticks="", automargin=True, tickmode="array", tickvals=places, ticktext=shown)
    return figure
