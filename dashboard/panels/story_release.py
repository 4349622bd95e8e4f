"""Panels of the story that ends with a release: a seed subtracted, a budget, a crash, and the page that is signed."""

from collections.abc import Sequence
from functools import partial

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from dashboard.compute.publishing import (
    HERE,
    OTHERWISE,
    Crash,
    SubtractedSeed,
    crashes,
    second_budget,
    statement_header,
    subtracted_seed,
)
from dashboard.export import Block, FigureSpec, Note, Paper
from dashboard.figures.budget import budget_alt, budget_bars
from dashboard.figures.components import image_grid
from dashboard.figures.style import Style
from dashboard.panels.shared import Scene, figure_of, labels, show_figure
from dashboard.text.words import escape_markdown
from dpgep_core.publishing.budget import Budget
from dpgep_core.publishing.statement import statement_text
from dpgep_core.wording import decimal_text, number_text

LEFT, NOISE, DIFFERENCE, EXACT = "what left", "same seed", "difference", "exact"
EXAMPLE = "An example: no ledger holds it, and nothing is read, drawn or spent for it."
HIGH, ALONE = 190, 300  # pixels of a row of images, and of one image
PAPER = """<style>.dpgep-paper{background:#fff;color:#1a1a1a;padding:1rem 1.4rem;border:1px solid #bbb;font-size:.85rem}
.dpgep-paper h1{font-size:1.15rem;padding:0;margin:0;color:#1a1a1a}.dpgep-paper h2{font-size:.95rem;padding:0;
margin:.8rem 0 .2rem;color:#1a1a1a}.dpgep-paper pre{font-size:.75rem;overflow-x:auto;background:#f4f4f4;color:#1a1a1a}
.dpgep-paper th{text-align:left;vertical-align:top;padding-right:1rem}.dpgep-paper .sign td{padding:2rem 3rem 0 0}
</style>"""


def seed_figures(scene: Scene, *, answered: bool = True) -> list[FigureSpec]:
    """Sums that left under a known seed, as an image; once it is answered also what the seed gives away."""
    found = subtracted_seed(scene.scenario, scene.data)
    shown = {LEFT: found.left}
    if answered:
        shown |= {NOISE: found.noise, DIFFERENCE: found.difference, EXACT: found.exact}
    shape = scene.data.image_shape or (1, scene.data.d)

    def draw(style: Style) -> go.Figure:
        return image_grid(list(shown.values()), shape, list(shown), style, height=HIGH if answered else ALONE)

    return [
        figure_of(
            scene, draw, key="same_seed", title="The same seed draws the same noise",
            alt=_seed_alt(found) if answered else "Noisy sums of squares of each pixel as an image",
            caption="The sum of squares of each column over all rows. " + (_seed_said(found) if answered else ""),
            rows=pd.DataFrame({"column": scene.data.feature_names or range(scene.data.d), **shown}),
        )
    ]  # fmt: skip


def _seed_alt(found: SubtractedSeed) -> str:
    close = number_text(found.error, 1)
    return f"Four images: noisy sums, noise, their difference and the exact sums, equal to within {close}"


def _seed_said(found: SubtractedSeed) -> str:
    return (
        "“Same seed” is the same setting run on rows of zeros, which anyone can do. "
        f"The difference is off by {number_text(found.error, 1)} of the largest sum. "
    )


def budget_blocks(scene: Scene) -> list[Block]:
    """The budget after a second release at the ε of the scene, or the refusal; and what a crash leaves."""
    budget, refusal = second_budget(scene.scenario, scene.data)
    said: list[Block] = [Note(escape_markdown(refusal))] if refusal else []
    return [*said, budget_figure(scene, budget), crash_rows()]


def budget_figure(scene: Scene, budget: Budget) -> FigureSpec:
    """A kept budget as bars."""
    return FigureSpec(
        key="kept_budget", title="A kept budget",
        alt=budget_alt(budget),
        caption=f"Releases from {scene.data.title} at δ = {decimal_text(budget.limit.delta)}. {EXAMPLE}",
        draw=partial(budget_bars, budget), style=scene.style,
        rows=pd.DataFrame(
            {"release": number, "ε": decimal_text(charge.asked.epsilon), "μ": charge.mu}
            for number, charge in enumerate(budget.charges, start=1)
        ),
    )  # fmt: skip


def crash_rows() -> pd.DataFrame:
    """Three moments of a power cut, and what the ledger says after each, in both orders of price and noise."""
    moments = ("before both", "between the two", "before the end")
    return pd.DataFrame(
        {"the power fails": moment, "price first": _told(here), "noise first": _told(other)}
        for moment, here, other in zip(moments, crashes(HERE), crashes(OTHERWISE), strict=True)
    )


def _told(crash: Crash) -> str:
    drawn = "noise was drawn" if crash.drawn else "no noise was drawn"
    verdict = "" if crash.honest else ": nobody knows of it"
    return f"{drawn}, {'counted' if crash.counted else 'not counted'}{verdict}"


def statement_paper(scene: Scene) -> Paper:
    """The page that an officer signs, for the release that the scene asks for."""
    header = statement_header(scene.scenario, scene.data)
    text = statement_text(header, "release.npz", "of the file, once there is one")
    return Paper(f'{PAPER}<div class="dpgep-paper">{text}</div>')


def show_blocks(blocks: Sequence[Block], *reads: str) -> None:
    """Show on the page what the offline copy holds, under labels of what it ``reads``."""
    if reads:
        labels(*reads)
    for block in blocks:
        match block:
            case FigureSpec():
                show_figure(block)
            case Note():
                st.error(block.text)
            case Paper():
                st.html(block.html)
            case pd.DataFrame():
                st.table(block, hide_index=True, border="horizontal")
            case _:
                raise TypeError(type(block).__name__)
