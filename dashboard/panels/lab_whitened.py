"""The change of the whitened matrix Ã against n and ξ: the figures of Chen et al.'s supplement."""

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from dashboard import cache
from dashboard.compute import spectral
from dashboard.export import FigureSpec
from dashboard.figures import neighbours as figures
from dashboard.panels.lab import Bench, described, labels
from dashboard.panels.progress import fill
from dashboard.panels.shared import show_figure
from dashboard.text import words
from dashboard.text.glossary import linked
from dpgep_core.models import MODELS, Fda
from dpgep_core.models.neighbours import NeighbourPair, whitened_change
from dpgep_core.models.neighbours.whitened import published_bound
from dpgep_core.wording import number_text


def ridge(bench: Bench) -> float:
    """ξ of the sidebar, or the usual one where no chosen algorithm has it."""
    return float(dict(bench.scenario.params).get("xi", 0.01)) or 0.01


def of_pair(bench: Bench, pair: NeighbourPair, n: int) -> None:
    """‖Ã − Ã′‖₂ of the pair on screen."""
    xi = ridge(bench)
    one, other = (Fda().pencil(rows.moments(n)) for rows in (pair.one, pair.other))
    change, bound = whitened_change(one, other, np.eye(2), xi), published_bound(n, xi)
    word = "passed" if change > bound else "not passed"
    st.markdown(
        f"**Whitened Ã = ΦᵀAΦ** of FDA at ξ = {number_text(xi, 6)}, with Λ_B exact: ‖Ã − Ã′‖₂ = "
        f"**{number_text(change)}**. Chen et al., Theorem 11, need at most 8/(nξ) = {number_text(bound)}: "
        f"**{word} by this pair**."
    )


def whitened_panel(bench: Bench) -> None:
    """Worst pair, bound, and on request real neighbours."""
    st.subheader("The whitened matrix, against n and ξ")
    st.markdown(linked(words.WHITENED))
    possible = not MODELS[bench.scenario.model].make().identity_constraint
    real = possible and st.toggle(
        "Also exchange real rows", key="lab_real",
        help="Neighbours made of rows of the data set: reads the private data, and takes a while for wide ones.",
    )  # fmt: skip
    labels(*((words.READS, words.SEED_KNOWN) if real else (words.MADE_UP,)))
    if not possible:
        st.caption("For PCA B is the identity: nothing to whiten, so there are no real neighbours to draw.")
    jobs = [cache.spectral_points(bench.scenario, bench.data)] if real else []
    fill(jobs, lambda found: _draw(bench, found[0] if found else (), real), "Exchanging rows")


def _draw(bench: Bench, found: tuple[Any, ...], real: bool) -> None:
    xi = ridge(bench)
    left, right = st.columns(2, gap="large")
    by_rows = spectral.lines_by_rows(found, xi, real)
    by_ridge = spectral.lines_by_ridge(found, bench.n, real)
    nearest = spectral.nearest_ridge(xi)
    n = found[-1][0].n if found else bench.n
    with left:
        _one(bench, by_rows, "whitened_rows", "number of rows", f"Rows n, at ξ = {nearest:g}", real)
    with right:
        _one(bench, by_ridge, "whitened_ridge", "ridge", f"Ridge ξ, at n = {n:,}", real)


def _one(bench: Bench, lines: list[spectral.WhitenedCurve], key: str, against: str, axis: str, real: bool) -> None:
    reads = (words.READS, words.SEED_KNOWN) if real else (words.MADE_UP,)
    spec = FigureSpec(
        draw=partial(figures.whitened, lines, axis), style=bench.style, key=key,
        title=f"Change of the whitened matrix against the {against}",
        alt=f"Change of the whitened matrix against the {against}",
        caption=f"{axis}. " + (f"{bench.data.name}, " if real else "") + described(bench, *reads),
        rows=pd.DataFrame({"curve": line.name, against: x, "change": y}
                          for line in lines for x, y in zip(line.x, line.y, strict=True)),
    )  # fmt: skip
    show_figure(spec)
