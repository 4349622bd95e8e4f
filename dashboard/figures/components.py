"""Components as images where the rows are images, else as named loadings; rows as images."""

from collections.abc import Mapping, Sequence
from functools import cache
from math import ceil
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from dashboard.figures.style import FigureBuilder, Style, escape_plotly
from dpgep_core.numerics import unit_columns
from dpgep_core.privacy.query import Array

MOST_LOADINGS = 16
NEARLY = (0.995, 0.9995)  # cosines that two decimals round to 1, and three do not
FEW = 3  # pictures side by side that a page shows larger
PHONE, TITLES = 358, 44  # pixels across a figure on a phone, and of height for the titles of a row and of its pictures
ACROSS, HEIGHT = 10, 104  # rows as images: so many side by side, and pixels of one line of them with their titles
GAP = 0.25  # free above such an image for its title, as a share of its height
SCALES = {False: ("#FFFFFF", "#1F2430"), True: ("#1B1F27", "#F2F4F8")}
SPARSE = 0.5  # of the entries: a picture with no more of them than this was cut, and is not only empty at its edges


def images(
    bases: Sequence[tuple[str, Array]], shape: tuple[int, ...], shown: int, cosines: Sequence[Array], style: Style
) -> go.Figure:
    """One row of pictures per basis, blue for negative and orange for positive; each scaled to its own largest entry.

    Where sparsity cut entries to zero, those that were kept carry a ring: a small entry and none look alike otherwise.
    """
    columns = min(shown, bases[0][1].shape[1])
    titles = [
        f"{j + 1}" if i == 0 else f"cos {_cosine_text(cosines[i][j])}"
        for i in range(len(bases))
        for j in range(columns)
    ]
    builder = _panels(len(bases), columns, [*titles, *(_broken(name) for name, _ in bases)], style)
    for i, (_, basis) in enumerate(bases):
        pictures = same_sign(unit_columns(basis), bases[0][1])
        for j in range(columns):
            image = picture(pictures[:, j], shape)
            number = _number(i * columns + j)
            axes = {"xaxis": f"x{number}", "yaxis": f"y{number}"}
            builder.add_heatmap(
                z=image / (float(np.abs(image).max()) or 1.0), zmin=-1, zmax=1, colorscale=style.diverging,
                showscale=False, hoverinfo="skip", **axes,
            )  # fmt: skip
            _mark_support(builder, image, axes, style)
    return builder.figure()


def _broken(title: str) -> str:
    """A title in two lines, where it names its authors: it stands beside a picture of 150 pixels."""
    return escape_plotly(title).replace(" (", "<br>(")


def _cosine_text(cosine: float) -> str:
    """Two decimals, and three where two would say 1.00 and three do not."""
    return f"{cosine:.3f}" if NEARLY[0] <= cosine < NEARLY[1] else f"{cosine:.2f}"


def _mark_support(builder: FigureBuilder, image: Array, axes: Mapping[str, str], style: Style) -> None:
    down, across = np.nonzero(image)
    if down.size > SPARSE * image.size:
        return
    builder.add_scatter(
        x=across, y=down, mode="markers", showlegend=False, hoverinfo="skip", name="kept", **axes,
        marker={"symbol": "circle-open", "size": 4, "color": style.ink, "line": {"width": 1}},
    )  # fmt: skip


def same_sign(columns: Array, reference: Array) -> Array:
    """Columns with the signs of the reference: a flipped sign looks like a mistake and means nothing."""
    k = min(columns.shape[1], reference.shape[1])
    agree = np.einsum("ij,ij->j", columns[:, :k], reference[:, :k]) < 0
    return columns * np.where(np.pad(agree, (0, columns.shape[1] - k)), -1.0, 1.0)


def picture(vector: Array, shape: tuple[int, ...]) -> Array:
    """A component as an image (height, width)."""
    if len(shape) == 3:  # channels first: the mean over channels keeps the sign
        return vector.reshape(shape).mean(axis=0)
    return vector.reshape(shape)


def _panels(rows: int, columns: int, titles: Sequence[str], style: Style) -> FigureBuilder:
    """Square panels without axes, with a title over each panel and one beside each row, or above it if narrow."""
    if style.narrow:
        return _stacked(rows, columns, titles, style)
    high = 150 if columns > FEW else 180 if rows > 1 else 230
    builder = style.builder(height=60 + high * rows, margin={"l": 8, "r": 44, "t": 34, "b": 8}, **_grid(rows, columns))
    for title, place in zip(titles, _places(rows, columns), strict=True):
        builder.add_annotation(**place, text=title, font={"size": 12, "color": style.ink})
    return _bare(builder, rows * columns)


def _stacked(rows: int, columns: int, titles: Sequence[str], style: Style) -> FigureBuilder:
    """Panels for a phone or a column of a paper: each row is as high as its pictures are there, its title above it.

    Beside them it would stand at the middle of a row that is higher than they are.
    """
    own = TITLES + (PHONE - 16) // columns
    builder = style.builder(height=16 + own * rows, margin=dict.fromkeys("lrtb", 8), **_grid(rows, columns))
    places, font = _places(rows, columns), {"size": 12, "color": style.ink}
    for row in range(rows):
        top, under = 1 - row / rows, 1 - (row + TITLES / own) / rows
        builder.add_label(titles[rows * columns + row].replace("<br>", " "), style.ink, x=0, xanchor="left", y=top,
                          yref="paper", yanchor="top")  # fmt: skip
        for panel in range(row * columns, (row + 1) * columns):
            builder.add_annotation(**places[panel] | {"y": under}, text=titles[panel], font=font)
            builder.update_layout(**{f"yaxis{_number(panel)}": {"domain": (1 - (row + 1) / rows, under)}})
    return _bare(builder, rows * columns)


def _bare(builder: FigureBuilder, count: int) -> FigureBuilder:
    """Panels without axes, square, under their titles on a phone, too."""
    hidden = {"visible": False, "constrain": "domain"}
    builder.update_xaxes(**hidden)
    builder.update_yaxes(**hidden, autorange="reversed", constraintoward="top")  # under its title on a phone, too
    builder.update_layout(**{f"yaxis{n}": {"scaleanchor": f"x{n}"} for n in map(_number, range(count))})
    return builder


@cache
def _laid_out(rows: int, columns: int) -> dict[str, Any]:
    """Where Plotly puts them: it takes as long as everything else here."""
    panels = [str(number) for number in range(rows * columns)]
    figure = make_subplots(
        rows=rows, cols=columns, subplot_titles=panels, row_titles=[f"row {i}" for i in range(rows)],
        horizontal_spacing=0.01, vertical_spacing=0.09,
    )  # fmt: skip
    return figure.to_plotly_json()["layout"]


def _grid(rows: int, columns: int) -> dict[str, Any]:
    return {name: part for name, part in _laid_out(rows, columns).items() if name[1:5] == "axis"}


def _places(rows: int, columns: int) -> list[dict[str, Any]]:
    """Places of the titles, without their text."""
    own = ("text", "font")
    return [{k: v for k, v in note.items() if k not in own} for note in _laid_out(rows, columns)["annotations"]]


def _number(panel: int) -> str:
    """Number of the panel's axes as Plotly counts them: the first axis has none."""
    return str(panel + 1) if panel else ""


def loadings(bases: Sequence[tuple[str, Array]], names: Sequence[str], component: int, style: Style) -> go.Figure:
    """The largest loadings of one component, exact beside private; entries that sparsity set to zero say so."""
    columns = [unit_columns(basis)[:, min(component, basis.shape[1] - 1)] for _, basis in bases]
    reference = columns[0]
    columns = [column * (np.sign(column @ reference) or 1.0) for column in columns]
    order = np.argsort(-np.max(np.abs(np.column_stack(columns)), axis=1), kind="stable")[:MOST_LOADINGS][::-1]
    places = list(range(len(order)))  # names may repeat, or be numbers
    shown = [escape_plotly(names[int(i)]) for i in order]
    builder = style.builder(height=90 + 26 * len(order), barmode="group", bargap=0.3)
    for number, ((name, _), column) in enumerate(zip(bases, columns, strict=True)):
        colour = style.quiet if number == 0 else style.algorithm(number - 1)
        kept = int(np.count_nonzero(column))
        support = "" if kept == column.size else f" ({kept} of {column.size} kept)"
        builder.add_bar(
            y=places, x=column[order], orientation="h", name=name + support, marker={"color": colour},
            text=["cut" if kept < column.size and column[i] == 0 else "" for i in order], textposition="outside",
            customdata=shown, hovertemplate="%{customdata}: %{x:.3f}<extra>" + name + "</extra>",
        )  # fmt: skip
    builder.update_xaxes(title={"text": f"Loading on component {component + 1}"}, zeroline=True)
    builder.update_yaxes(ticks="", automargin=True, tickmode="array", tickvals=places, ticktext=shown)
    return builder.figure()


def image_grid(
    rows: Array | Sequence[Array], shape: tuple[int, ...], titles: Sequence[str], style: Style, height: int = HEIGHT
) -> go.Figure:
    """Draw each row of (m, d) as an image under its title, at most `ACROSS` side by side on ``height`` pixels.

    Every image is scaled to its own smallest and largest entry. Its ``shape`` is (height, width), or (channels, height,
    width), of which the mean is drawn.
    """
    images = [_scaled(picture(row, shape)) for row in rows]
    high, wide = images[0].shape
    room, side = ceil(GAP * high), max(1, wide // 14)
    across, down = min(ACROSS, len(images)), ceil(len(images) / ACROSS)
    canvas = np.full((down * (high + room), across * (wide + side)), np.nan)
    builder = style.builder(height=height * down + 8, margin={"l": 0, "r": 0, "t": 4, "b": 4})
    for number, (image, title) in enumerate(zip(images, titles, strict=True)):
        top, left = (number // ACROSS) * (high + room), (number % ACROSS) * (wide + side)
        canvas[top + room : top + room + high, left : left + wide] = image
        builder.add_annotation(
            x=left + (wide - 1) / 2, y=top + (room - 1) / 2, text=escape_plotly(title, 12), showarrow=False,
            font={"size": 12, "color": style.quiet},
        )  # fmt: skip
    low, top_colour = SCALES[style.dark]
    builder.add_heatmap(z=canvas, zmin=0, zmax=1, colorscale=[[0, low], [1, top_colour]], showscale=False,
                        hoverinfo="skip")  # fmt: skip
    hidden = {"visible": False, "fixedrange": True, "constrain": "domain"}
    builder.update_xaxes(**hidden)
    builder.update_yaxes(autorange="reversed", scaleanchor="x", **hidden)
    return builder.figure()


def _scaled(image: Array) -> Array:
    low, high = float(image.min()), float(image.max())
    return (image - low) / ((high - low) or 1.0)
