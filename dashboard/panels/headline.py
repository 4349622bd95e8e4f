"""The line of headline numbers, what the ε beside them is worth, and the ledger that it follows from."""

from collections.abc import Sequence
from html import escape

import streamlit as st

from dashboard.compute.results import Answer
from dashboard.export import python_code, summary
from dashboard.panels.epsilon_bars import scene_bars
from dashboard.panels.lab import odds_panel
from dashboard.panels.shared import Scene, settings, show_figure
from dashboard.scenario import command_line
from dashboard.text import words
from dashboard.text.glossary import linked
from dashboard.text.headline import Cell, cells

LOOK = """<style>
.dpgep-frame { container-type: inline-size; }
.dpgep-table { width: 100%; border-collapse: collapse; font-size: .95rem; }
.dpgep-table th, .dpgep-table td { text-align: left; padding: .2rem .6rem .2rem 0; border: none; font-weight: 400; }
.dpgep-table td, .dpgep-table th { white-space: nowrap; }
.dpgep-table thead th { font-size: .8rem; }
.dpgep-table thead span { text-decoration: underline dotted; text-underline-offset: .2em; cursor: help; }
.dpgep-table tbody tr { border-top: 1px solid rgba(128, 128, 128, .25); }
.dpgep-table tbody th { white-space: normal; min-width: 8rem; line-height: 1.2; }
.dpgep-table tbody th i { display: inline-block; width: .8rem; height: .8rem; margin-right: .45rem; }
.dpgep-numbers .steps { white-space: nowrap; margin-left: .45rem; opacity: .85; }
.dpgep-numbers.waiting td { opacity: .45; filter: grayscale(1); }
.dpgep-numbers .value { font-weight: 600; font-variant-numeric: tabular-nums; }
.dpgep-numbers .note { font-size: .85rem; margin-left: .3rem; }
.dpgep-numbers [data-tone]:not([data-tone=""]) .note { padding: .05rem .5rem; border-radius: 1rem; border: 1px solid; }
.dpgep-numbers [data-tone=good] .note { color: var(--good); }
.dpgep-numbers [data-tone=bad] .note { color: var(--bad); }
.dpgep-numbers .bar { display: inline-block; width: 4.5rem; height: .55rem; margin-right: .5rem; position: relative; }
.dpgep-numbers .bar { background: rgba(128, 128, 128, .25); }
.dpgep-numbers .bar > i { position: absolute; inset: 0 auto 0 0; }
@container (max-width: 960px) { /* the name of a method and its steps in one line */
  .dpgep-numbers .bar { width: 3rem; }
  .dpgep-table th, .dpgep-table td { padding-right: .35rem; }
}
@container (max-width: 860px) { /* of its place: beside words it is narrow on a wide screen too */
  .dpgep-table thead { display: none; }
  .dpgep-table tr { display: grid; grid-template-columns: 4fr 2fr 3fr 3fr 3fr; padding: .4rem 0; }
  .dpgep-table tbody th { grid-column: 1 / -1; }
  .dpgep-table td::before { content: attr(data-label); display: block; font-size: .75rem; }
}
@container (max-width: 640px) {
  .dpgep-table tr { grid-template-columns: 1fr 1fr; }
  .dpgep-table td:first-of-type { grid-column: 1 / -1; }
}
</style>"""


def headline_panel(scene: Scene) -> None:
    """One row per algorithm, then the privacy statement of each, folded."""
    numbers(scene)
    warnings(scene)
    _why_boxes(scene, opened=False)


def numbers(scene: Scene) -> None:
    """A table of one line per algorithm; the live panel changes it in place while something is dragged."""
    rows = [cells(item) for item in scene.answers]
    heads = "".join(f'<th scope="col"><span title="{escape(c.help)}">{escape(c.label)}</span></th>' for c in rows[0])
    lines = "".join(
        _line(item.title, item.steps_text, scene.style.algorithm(place), found)
        for place, (item, found) in enumerate(zip(scene.answers, rows, strict=True))
    )
    tones = f"--good: {scene.style.good}; --bad: {scene.style.bad}"
    st.html(
        f'{LOOK}<div class="dpgep-frame"><table class="dpgep-table" style="{tones}">'
        f'<thead><tr><th scope="col">Method</th>{heads}</tr></thead>'
        f"<tbody>{lines}</tbody></table></div>"
    )


def _line(title: str, steps: str, colour: str, found: Sequence[Cell]) -> str:
    told = "".join(
        f'<td data-label="{escape(cell.label)}" data-tone="{cell.tone}">{_bar(cell, colour)}'
        f'<span class="value">{escape(cell.value)}</span><span class="note">{escape(cell.note)}</span></td>'
        for cell in found
    )
    made = f'<small class="steps">{escape(steps)}</small>' if steps else ""
    named = f'<th scope="row"><i style="background:{colour}"></i>{escape(title)}{made}</th>'
    return f'<tr class="dpgep-numbers">{named}{told}</tr>'


def _bar(cell: Cell, colour: str) -> str:
    if cell.share is None:
        return ""
    return f'<span class="bar"><i style="background:{colour};width:{100 * cell.share:.1f}%"></i></span>'


def warnings(scene: Scene) -> None:
    """Warnings about the results on the page."""
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


def meaning(scene: Scene) -> None:
    """One picture of all claims, then sentences and pictures that say what the ε of each algorithm is worth."""
    show_figure(scene_bars(scene), brief=True)
    _why_boxes(scene, opened=len(scene.answers) == 1)


def _why_boxes(scene: Scene, *, opened: bool) -> None:
    for item in scene.answers:
        box = st.expander(f"Why: {item.title}", expanded=opened, on_change="rerun", key=f"privacy_{item.algorithm}")
        if box.open:
            with box:
                _show_meaning(scene, item)


def _show_meaning(scene: Scene, item: Answer) -> None:
    left, right = st.columns((3, 2), gap="large")
    with left:
        st.markdown("  \n".join(words.standing(item, attacked=True)))
        for sentence in words.meaning_sentences(item):
            st.markdown(linked(sentence))
        how = words.preprocessing_words(scene.data.learnt)
        st.caption(f"{how}: {scene.reference.problem.preprocessing.sentence}.")
    with right:
        odds_panel(item.release.ledger.mu, scene.style, item.algorithm, settings(scene.scenario, [item]))


def ledger_panel(scene: Scene) -> None:
    """The ledger of each algorithm."""
    st.caption(linked(words.LEDGER))
    table = summary.ledger(scene.answers)
    first = ["answer", "protected"] if len(scene.answers) == 1 else ["algorithm", "answer", "protected"]
    others = [name for name in table if name not in ("algorithm", *first)]  # on a phone the first columns are seen
    st.dataframe(table[[*first, *others]], hide_index=True, width="stretch", placeholder="–")
    with st.expander("All numbers"):
        st.dataframe(summary.headline(scene.answers), hide_index=True, width="stretch", placeholder="–")
    with st.expander("The same from the command line"):
        for item in scene.answers:
            st.code(command_line(scene.scenario, item.algorithm), language="bash", wrap_lines=True)
    with st.expander("The same from Python"):
        for item in scene.answers:
            st.code(
                python_code(scene.scenario, item.algorithm, item.release.learnt), language="python", wrap_lines=True
            )
