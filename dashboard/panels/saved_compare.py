"""Two scenarios side by side: settings that differ, headline numbers, projections."""

from collections.abc import Mapping, Sequence
from functools import partial

import pandas as pd
import streamlit as st

from dashboard.compute.results import layout
from dashboard.controls import choose, distinct
from dashboard.export import summary
from dashboard.figures import projections
from dashboard.figures.style import escape_plotly
from dashboard.own_data import uploads
from dashboard.pages import shared_parameters
from dashboard.panels.shared import SQUARE, Scene, figure_of, labels, scene_at, show_figure, style
from dashboard.saving.store import Saved
from dashboard.scenario import Scenario, from_query
from dashboard.text.words import READS, SEED_KNOWN, escape_markdown
from dpgep_core.errors import DpgepError

NOW = "now"


def comparison_panel(items: Sequence[Saved], current: Scenario | None) -> None:
    """Choose two, look."""
    st.subheader("Two side by side")
    sides = {item.id: (item.name, item.query) for item in items}
    if current is not None:
        sides[NOW] = ("The present setting", current.to_query())
    names = distinct({key: name for key, (name, _) in sides.items()})
    chosen: list[str] = []
    ends = (next(iter(names)), next(reversed(names)))
    for number, (column, word, end) in enumerate(zip(st.columns(2), ("Left", "Right"), ends, strict=True)):
        with column:
            chosen.append(choose(word, f"compare_{number}", names, usual=end))
    if not st.toggle("Compare them", key="compare_on", help="Solves both."):
        return
    if chosen[0] == chosen[1]:
        st.info("Both are the same: choose another one on one side.")
        return
    pair = [sides[key] for key in chosen]
    _settings_table(pair)
    scenes = [scene for name, query in pair if (scene := _solve_scene(name, query)) is not None]
    if len(scenes) == 2:
        _headline_tables(scenes)
        _pictures([name for name, _ in pair], scenes)


def _settings_table(pair: Sequence[tuple[str, Mapping[str, str]]]) -> None:
    sides = [summary.settings(_scenario(query)[0]) for _, query in pair]
    rows: list[dict[str, str]] = []
    for name in dict.fromkeys([*sides[0], *sides[1]]):
        one, other = (side.get(name, summary.DEFAULT) for side in sides)
        differs = one != other
        rows.append(
            {
                "": "**differs**" if differs else "",
                "setting": summary.label(name),
                f"Left: {escape_markdown(pair[0][0])}": _highlight(one, differs),
                f"Right: {escape_markdown(pair[1][0])}": _highlight(other, differs),
            }
        )
    rows.sort(key=lambda row: not row[""])
    st.table(pd.DataFrame(rows), hide_index=True, border="horizontal")


def _highlight(text: str, differs: bool) -> str:
    return f":orange-background[**{escape_markdown(text)}**]" if differs else escape_markdown(text)


def _scenario(query: Mapping[str, str]) -> tuple[Scenario, tuple[str, ...]]:
    return from_query(shared_parameters(query), uploads.session_uploads())


def _solve_scene(name: str, query: Mapping[str, str]) -> Scene | None:
    """Everything about one of them; None, and the reason on the page, where it cannot be solved here."""
    scenario, problems = _scenario(query)
    if problems:
        st.warning(f"{escape_markdown(name)}: " + " ".join(map(escape_markdown, problems)))
    try:
        with st.spinner(f"Solving {escape_markdown(name)} …"):
            return scene_at(scenario, uploads.find_dataset(scenario.dataset), style())
    except DpgepError as error:
        st.error(f"{escape_markdown(name)}: {escape_markdown(str(error))}")
        return None


def _headline_tables(scenes: Sequence[Scene]) -> None:
    st.markdown("#### Headline numbers")
    labels(READS, SEED_KNOWN)
    tables = [summary.headline(scene.answers) for scene in scenes]
    whole = tables[0][[""]].rename(columns={"": "number"})
    for side, table in zip(("Left", "Right"), tables, strict=True):
        for column in table.columns[1:]:
            whole[f"{side}: {column}"] = table[column]
    st.dataframe(whole, hide_index=True, width="stretch", placeholder="–", height="content")
    for side, scene in zip(("Left", "Right"), scenes, strict=True):
        for warning in dict.fromkeys(said for item in scene.answers for said in item.warnings):
            st.warning(f"{side}: {escape_markdown(warning)}")


def _pictures(names: Sequence[str], scenes: Sequence[Scene]) -> None:
    st.markdown("#### Held-out rows on the first two components")
    st.caption("Each is aligned to its own exact picture, which flatters noise.")
    for number, (column, name, scene) in enumerate(zip(st.columns(2), names, scenes, strict=True)):
        with column:
            _show_projection(name, scene, f"compared_{number}")


def _show_projection(name: str, scene: Scene, key: str) -> None:
    item = scene.answers[0]
    shown, title = layout(item, scene.reference, 0, 1, aligned=True), f"{name}: {item.title}"
    span = projections.span_of(shown.exact, shown.private)
    alt = f"{len(shown.private)} {scene.reference.drawn} rows: {title}"

    points, said = (shown.private, shown.labels, scene.data.classes, span), escape_plotly(title)
    show_figure(figure_of(
        scene, partial(projections.scatter, *points, said), key=key, title=title, alt=alt, width=SQUARE,
        caption="Components 1 across, 2 up, aligned to the exact picture. ",
        rows=pd.DataFrame({"x": shown.private[:, 0], "y": shown.private[:, 1]}),
    ))  # fmt: skip
