"""Panels of an exhibit that are shown: one value of each label, or all. The address holds what was picked."""

from collections.abc import Mapping, Sequence

import streamlit as st

from dashboard.controls import distinct
from dashboard.text import exhibits
from dashboard.text.gallery import PANEL
from dashboard.text.words import escape_markdown
from dpgep_core.errors import UnknownNameError
from dpgep_core.experiments.papers.bundled_results import bundled_reproduction
from dpgep_core.experiments.papers.exhibit import Exhibit, ResultLine

MOST_PANELS = 6
ALL = "all"


def usual_picks(
    lines: Sequence[ResultLine], labels: Sequence[str], first: Sequence[tuple[str, str]] = ()
) -> dict[str, object]:
    """Values that are picked at first, by label. All of the leading labels are shown, as long as panels can be told
    apart, and of each other one the value with the most panels: data sets have their own numbers of rows."""
    panels = list(dict.fromkeys(tuple(line.labels.get(label) for label in labels) for line in lines))
    picks, wanted = dict[str, object](), dict(first)
    for shown in range(len(labels), -1, -1):
        picks, left = {}, panels
        for place in range(shown, len(labels)):
            by_value: dict[object, list[tuple[object, ...]]] = {}
            for panel in left:
                by_value.setdefault(panel[place], []).append(panel)
            picks[labels[place]], left = max(
                by_value.items(),
                key=lambda one: (one[0] == wanted.get(labels[place]), len(one[1])),
            )
        if len(left) <= MOST_PANELS:
            break
    return picks


def pick_lines(
    lines: Sequence[ResultLine], labels: Sequence[str], usual: Mapping[str, object] | None = None
) -> list[ResultLine]:
    """Lines with one value of each label. With ``usual``, all values can be picked too, and are where it has none."""
    several = [label for label in labels if len(exhibits.label_values(lines, label)) > 1]
    left = list(lines)
    if several:
        with st.container(horizontal=True):
            for label in several:
                value = _pick_value(label, exhibits.label_values(left, label), usual)
                left = left if value == ALL else exhibits.pick_lines(left, {label: value})
    return left


def _pick_value(label: str, values: Sequence[object], usual: Mapping[str, object] | None) -> object:
    """One value of a label among those that the picks before it leave, or all."""
    options = [*([] if usual is None else [ALL]), *values]
    first = values[0] if usual is None else usual.get(label, ALL)
    if first not in options:  # a data set has its own numbers of rows
        first = values[0]
    named, key = {str(value): value for value in options}, f"paper_{label}"
    st.session_state[key] = named.get(_picks().get(label, ""), first)
    shown = distinct({value: exhibits.word(value) for value in options})
    return st.selectbox(
        exhibits.word(label).capitalize(), options, key=key, format_func=shown.__getitem__,
        on_change=_note_pick, args=(label, first),
    )  # fmt: skip


def _note_pick(label: str, first: object) -> None:
    """Write a pick into the address; one that is there by itself needs no place in it."""
    value = st.session_state[f"paper_{label}"]
    picks = {name: text for name, text in _picks().items() if name != label}
    if value != first:
        picks[label] = str(value)
    st.session_state[PANEL] = ";".join(f"{name}:{text}" for name, text in picks.items())


def _picks() -> dict[str, str]:
    """Values that the address names, as texts, by label."""
    pairs = str(st.session_state.get(PANEL) or "").split(";")
    return {name: text for name, _, text in (pair.partition(":") for pair in pairs if pair)}


def say_unknown_picks(exhibit: Exhibit) -> None:
    """Say which picks of the address the results of an exhibit do not have."""
    found = bundled_reproduction(exhibit)
    lines = () if found is None else found.lines
    known = {label: [str(one) for one in exhibits.label_values(lines, label)] for label in exhibit.picked}
    for label, text in _picks().items():
        if label not in known:
            st.warning(escape_markdown(str(UnknownNameError(PANEL, label, known))))
        elif text not in (ALL, *known[label]):
            st.warning(escape_markdown(str(UnknownNameError(f"{PANEL} {label}", text, known[label]))))
