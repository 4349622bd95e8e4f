"""Eigenvalues of a released scatter by rank: as released, as used, and exact, with the noise edge and the ridge."""

import math

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dashboard.compute.spectra import ScatterSpectra
from dashboard.figures.style import Style, texts
from dashboard.figures.sweep import round_ticks
from dpgep_core.privacy.query import Array
from dpgep_core.wording import number_text

BELOW = 1e-3  # of the noise edge, or of the ridge: what is smaller decides nothing
LEAST = 1e-300


def spectra_table(found: ScatterSpectra) -> pd.DataFrame:
    """Eigenvalues by rank."""
    ranks = range(1, found.exact.size + 1)
    return pd.DataFrame({"rank": ranks, "exact": found.exact, "released": found.released, "used": found.used})


def spectra(found: ScatterSpectra, number: int, style: Style) -> go.Figure:
    """Lines by rank on logarithmic scales; what is negative or far below the noise is left out."""
    builder = style.builder(height=360)
    floor = max(BELOW * max(min(found.edge, found.ridge), found.exact.max(initial=0.0) * 1e-6), LEAST)
    lines: tuple[tuple[str, Array, str, str], ...] = (
        ("exact", found.exact, style.quiet, "solid"),
        ("released", found.released, style.algorithm(number), "dot"),
        ("cleaned" if found.cleaned else "released, cut at 0", found.used, style.algorithm(number), "solid"),
    )
    for name, values, colour, dash in lines:
        shown = values > floor
        builder.add_scatter(
            x=np.flatnonzero(shown) + 1, y=values[shown], name=name, mode="lines",
            line={"color": colour, "dash": dash, "width": 2}, customdata=texts(values[shown]),
            hovertemplate=f"{name}, rank %{{x}}: %{{customdata}}<extra></extra>",
        )  # fmt: skip
    for name, height in (("noise edge", found.edge), ("ridge", found.ridge)):
        if height > floor:
            builder.add_hline(height, style.level)
            side = {"x": 0, "xanchor": "left"} if name == "ridge" else {}  # curves fall from left to right
            builder.add_label(
                f"{name} {number_text(height)}", style.quiet, y=math.log10(height), bgcolor=style.behind, **side
            )
    top = max(float(found.released.max(initial=0.0)), float(found.exact.max(initial=0.0)), found.edge, LEAST)
    decades = [10.0**power for power in range(math.floor(math.log10(floor)), math.ceil(math.log10(top)) + 1)]
    builder.update_yaxes(type="log", title={"text": "Eigenvalue of the scatter"}, tickvals=decades,
                         ticktext=texts(decades))  # fmt: skip
    ticks = round_ticks(1.0, max(2.0, float(found.exact.size)), wide=True)
    builder.update_xaxes(type="log", title={"text": "Rank"}, **ticks)
    return builder.figure()
