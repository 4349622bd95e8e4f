"""Rows of a data set as images, many in one picture."""

from collections.abc import Sequence
from math import ceil

import numpy as np
import plotly.graph_objects as go

from dashboard.figures.components import picture
from dashboard.figures.style import Style, escape_plotly
from dpgep_core.privacy.query import Array

ACROSS = 10
HEIGHT = 104  # pixels of one row of images with their titles
GAP = 0.25  # free above an image for its title, as a share of its height
SCALES = {False: ("#FFFFFF", "#1F2430"), True: ("#1B1F27", "#F2F4F8")}


def image_grid(
    rows: Array | Sequence[Array], shape: tuple[int, ...], titles: Sequence[str], style: Style, height: int = HEIGHT
) -> go.Figure:
    """Draw each row as an image under its title, at most `ACROSS` side by side.

    Parameters
    ----------
    rows : array (m, d)
        Every image is scaled to its own smallest and largest entry.
    shape : tuple of int
        Of one image: (height, width), or (channels, height, width), of which the mean is drawn.
    titles : sequence of str
        One for each row.
    style : Style
    height : int
        Pixels of one row of images.
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
