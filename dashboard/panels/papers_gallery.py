"""Gallery of all tables and figures of the papers: a picture, a title and the verdicts of each."""

from collections.abc import Sequence
from functools import cache, partial

import pandas as pd
import streamlit as st

from dashboard.controls import choose
from dashboard.export import FigureSpec
from dashboard.figures.claims import claim_html, claim_matrix
from dashboard.panels.shared import card as card_box
from dashboard.panels.shared import card_grid, figure_tools, style
from dashboard.text import gallery
from dashboard.text.exhibits import place, short_place
from dashboard.text.gallery import CHIP_WORDS, EVERY, Card, gallery_summary
from dashboard.text.words import escape_markdown
from dpgep_core.experiments.papers import EXHIBITS
from dpgep_core.experiments.papers.bundled_results import bundled_reproduction
from dpgep_core.experiments.papers.data import SOURCES, absent, available
from dpgep_core.experiments.papers.drawing import thumbnail_svg
from dpgep_core.wording import in_a_sentence

WIDE = 230  # pixels of a card
ALL = {EVERY: "all"}
ABOUT = (
    "Each table and figure of three papers, computed again: under the constants that a paper proves, under constants "
    "of 1, and under exact accounting. Verdicts are made from the numbers. The papers leave settings open, so that a "
    "different outcome here need not be a fault there."
)


def gallery_panel() -> None:
    """All exhibits, of which three choices show some."""
    cards = [Card(exhibit, bundled_reproduction(exhibit)) for exhibit in EXHIBITS.values()]
    st.markdown(f"**{escape_markdown(gallery_summary(cards))}**")
    spec = matrix_figure(cards)
    st.html(claim_html(spec.rows, spec.style, spec.alt))
    figure_tools(spec)
    shown = _pick_cards(cards)
    with card_grid("exhibits", WIDE):
        for card in shown:
            _draw_card(card)
    if not shown:
        st.info("No exhibit fits these choices.")
    with st.expander("How they are computed"):
        st.markdown(ABOUT)
    with st.expander("Data sets that are not here"):
        for name, why in absent(tuple(SOURCES)).items():
            st.markdown(f"- **{escape_markdown(name)}**: {escape_markdown(why)}.")


def matrix_figure(cards: Sequence[Card]) -> FigureSpec:
    """Verdicts on all claims: a column for each exhibit, a mark for each claim."""
    rows = pd.DataFrame(
        {"paper": card.source, "exhibit": place(card.exhibit), "short": short_place(card.exhibit), "claim": subject,
         "verdict": word}
        for card in cards
        for subject, word in card.claims
    )  # fmt: skip
    return FigureSpec(
        key="claims", title="Verdicts on all claims", alt=gallery_summary(cards),
        caption=f"A column for each exhibit, a mark for each claim. S: supplement, T: table. {gallery_summary(cards)}",
        draw=partial(claim_matrix, rows), style=style(), rows=rows, stem="papers",
    )  # fmt: skip


def _pick_cards(cards: list[Card]) -> list[Card]:
    verdicts = {slug: CHIP_WORDS[word] for slug, word in gallery.VERDICT_SLUGS.items()}
    with st.container(horizontal=True):
        paper = choose("Paper", "paper", ALL | gallery.PAPER_SLUGS)
        data = choose("Data", "on", ALL | {name: name for name in gallery.GALLERY_DATA})
        verdict = choose("Verdict", "verdict", ALL | verdicts)
    return [card for card in cards if card.fits(paper=paper, data=data, verdict=verdict)]


def _draw_card(card: Card) -> None:
    exhibit = card.exhibit
    with card_box(exhibit.key):
        if picture := exhibit_thumbnail(exhibit.key):
            st.image(picture, width="stretch", alt=f"Our values of {place(exhibit)}, small and without axes")
        st.markdown(f"**{place(exhibit)}** · {card.source}  \n{escape_markdown(exhibit.title)}")
        st.markdown(card.chips)
        if card.found is None and not available(exhibit.data):
            st.caption("None of its data sets is here.")
        elif card.found is not None and card.partial:
            st.caption("Run in part.")
        label = f"Open {in_a_sentence(place(exhibit))}"
        st.button(
            label, key=f"open_{exhibit.key}", on_click=st.session_state.update, args=(gallery.opened(exhibit.key),)
        )


@cache
def exhibit_thumbnail(key: str) -> str:
    """Small picture of an exhibit's kept results; empty where none come with the lab."""
    found = bundled_reproduction(EXHIBITS[key])
    return "" if found is None else thumbnail_svg(found.lines, EXHIBITS[key].picture)
