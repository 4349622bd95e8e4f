"""The line of headline numbers, what the ε beside them is worth, and the ledger that it follows from."""

import math
from html import escape

import streamlit as st

from dashboard.compute.results import Answer
from dashboard.export import python_code, summary
from dashboard.panels.lab import odds_panel
from dashboard.panels.shared import Scene, badges, settings
from dashboard.scenario import command_line
from dashboard.text import words
from dashboard.text.glossary import linked
from dashboard.text.headline import cells

LOOK = (
    "<style>.dpgep-numbers { border-left: .35rem solid; padding-left: .8rem; margin-bottom: .6rem; }"
    ".dpgep-numbers h2 { font-size: 1rem; margin: 0; padding: 0; }"
    ".dpgep-numbers dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(7.2rem, 1fr)); gap: .3rem .8rem;"
    " margin: .3rem 0 0; padding: 0; } .dpgep-numbers dd { margin: 0; padding: 0; }"
    ".dpgep-numbers dt { font-size: .8rem; opacity: .85; text-decoration: underline dotted; cursor: help;"
    " text-underline-offset: .2em; } .dpgep-numbers.waiting { opacity: .45; filter: grayscale(1); }"
    " .dpgep-numbers .note { font-size: .78rem; opacity: .8; }"
    ".dpgep-numbers .value { font-size: 1.4rem; line-height: 1.3; font-variant-numeric: tabular-nums; }</style>"
)


def headline_panel(scene: Scene) -> None:
    """One row per algorithm, then the privacy statement of each."""
    badges()
    numbers(scene)
    meaning(scene)


def numbers(scene: Scene) -> None:
    """One row of numbers per algorithm; the live panel changes them in place while something is dragged."""
    st.html(LOOK + "".join(_numbers_html(item, scene.style.algorithm(i)) for i, item in enumerate(scene.answers)))


def _numbers_html(item: Answer, colour: str) -> str:
    rows = "".join(
        f'<div><dt title="{escape(cell.help)}">{escape(cell.label)}</dt><dd class="value">{escape(cell.value)}</dd>'
        f'<dd class="note">{escape(cell.note)}</dd></div>'
        for cell in cells(item)
    )
    return (
        f'<section class="dpgep-numbers" style="border-color:{colour}"><h2>{escape(item.title)}</h2><dl>{rows}</dl>'
        "</section>"
    )


def meaning(scene: Scene) -> None:
    """Warnings, and what the ε of each algorithm is worth."""
    warned: dict[str, list[str]] = {}
    for item in scene.answers:
        for warning in item.warnings:
            warned.setdefault(warning, []).append(item.title)
    for warning, titles in warned.items():
        said = words.escape_markdown(warning)
        st.warning(said if len(titles) == len(scene.answers) else f"{', '.join(titles)}: {said}")
    for item in scene.answers:
        if item.release.status != "ok":
            st.warning(f"{item.title}: the iteration left the range of numbers; its last finite basis is shown.")
    for item in scene.answers:
        box = st.expander(
            f"Is that ε true? {item.title}", expanded=len(scene.answers) == 1, on_change="rerun",
            key=f"privacy_{item.algorithm}",
        )  # fmt: skip
        if box.open:
            with box:
                _show_meaning(scene, item)


def _show_meaning(scene: Scene, item: Answer) -> None:
    mu = item.release.ledger.mu
    left, right = st.columns((3, 2), gap="large")
    with left:
        st.markdown("  \n".join(words.standing(item).lines(attacked=True)))
        for sentence in words.meaning_sentences(item):
            st.markdown(linked(sentence))
        how = words.preprocessing_words(scene.data.learnt)
        st.caption(f"{how}: {scene.reference.problem.preprocessing.sentence}.")
    with right:
        if 0 < mu < math.inf:
            odds_panel(mu, scene.style, item.algorithm, settings(scene, [item]))
            st.caption(words.DOTS)


def ledger_panel(scene: Scene) -> None:
    """The ledger of each algorithm."""
    st.subheader("Ledger")
    st.caption(linked(words.LEDGER))
    st.dataframe(summary.ledger(scene.answers), hide_index=True, width="stretch")
    with st.expander("The same from the command line"):
        for item in scene.answers:
            st.code(command_line(scene.scenario, item.algorithm), language="bash", wrap_lines=True)
    with st.expander("The same from Python"):
        for item in scene.answers:
            st.code(
                python_code(scene.scenario, item.algorithm, item.release.learnt), language="python", wrap_lines=True
            )
