"""The form of an upload: widgets in, choices out. Nothing is chosen silently that would be learnt from the rows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from dashboard.own_data.choices import BOUNDS, PURPOSES, Choices, Feature, features
from dashboard.words import literal
from dpgep_core.datasets.glance import EMPTY, TEXT, Glance
from dpgep_core.datasets.readers.options import DELIMITERS, DROP, ENCODINGS, MOST_CATEGORIES, REFUSE, Reading
from dpgep_core.datasets.upload import Upload
from dpgep_core.errors import DpgepError

KEY = "upc_"  # begins the key of every widget of the form
AUTO = ""
SAID = {AUTO: "found by itself", ",": "comma", ";": "semicolon", "\t": "tab", "|": "bar |", " ": "blanks"}
HEADER = {None: "found by itself", True: "names of the columns", False: "already a row"}
GAPS = {
    REFUSE: "refuse the table",
    "fill": "put a declared number in each: free",
    DROP: "leave such rows out: n then tells how many there were",
}
ROWS = {"unit": "each row to norm 1", "clip": "clip rows longer than a radius"}


def writing(upload: Upload) -> Reading:
    """How a table of text is written: all found by itself unless said."""
    if upload.ending not in (".csv", ".csv.gz"):
        return Reading()
    with st.expander("How the file is written"), st.container(horizontal=True):
        delimiter = _select("Fields are parted by", list(SAID), "delimiter", SAID.__getitem__)
        encoding = _select("Encoding", [AUTO, *ENCODINGS], "encoding", lambda name: name or SAID[AUTO])
        header = _select("The first line is", list(HEADER), "header", HEADER.__getitem__)
        decimal = _select("Decimal mark", [".", ","], "decimal", lambda mark: mark)
    assert set(SAID) == {AUTO, *DELIMITERS}
    return Reading(delimiter=delimiter, encoding=encoding, header=header, decimal=decimal)


def gaps(glance: Glance) -> str | float:
    """What is done about gaps, asked where there are any."""
    number = sum(column.gaps for column in glance.columns)
    if not number and glance.columns:
        return REFUSE
    what = _radio(f"{number:,} gaps" if number else "Gaps (NaN)", GAPS, "missing")
    if what != "fill":
        return what
    return float(st.number_input("The number in each gap", value=0.0, key=f"{KEY}fill", format="%g"))


def choices(upload: Upload, glance: Glance) -> Choices:
    """Label, columns, bounds, rows and views."""
    purpose = _radio("What the rows are for", PURPOSES, "purpose")
    label = _label(glance, purpose)
    classes, edges = _target(purpose)
    drop, read_off, categories = _columns(glance, label) if glance.columns else ((), (), {})
    found = Choices(
        purpose=purpose, label=label, classes=classes, edges=edges, drop=drop, read_off=read_off, categories=categories
    )  # fmt: skip
    made: tuple[Feature, ...] = ()
    try:
        made = features(upload.name, glance, found)
    except DpgepError as error:
        st.warning(literal(str(error)))
    plain = [each for each in made if not each.category]
    bounds, lower, upper = _bounds(glance, [each.name for each in plain])
    if glance.columns:
        log1p, first = _logs_and_views(glance, [each.origin for each in plain])
        found = replace(found, log1p=log1p, first_view=first)
    return replace(found, bounds=bounds, lower=lower, upper=upper, radius=_radius())


def _radius() -> float | None:
    if _radio("Rows", ROWS, "rows") == "unit":
        return None
    return float(st.number_input("Radius", value=1.0, key=f"{KEY}radius", format="%g", help="Public; above 0."))


def _label(glance: Glance, purpose: str) -> int | None:
    if purpose == "none" or not glance.columns:
        return None
    st.session_state.setdefault(f"{KEY}label", glance.label)
    return _column("Label column" if purpose == "classes" else "Response column", glance, "label")


def _target(purpose: str) -> tuple[str, str]:
    """Classes and edges as typed."""
    if purpose == "classes":
        text = st.text_area(
            "Classes, parted by commas", key=f"{KEY}classes", height=68,
            help="Declared, they are public and free. Left empty, they are read off the rows, which no ε covers.",
        )  # fmt: skip
        if not text.strip():
            st.caption("Empty: the class set is **learnt from the rows, not covered**.")
        return text, ""
    if purpose == "response":
        text = st.text_input(
            "Edges, increasing, parted by commas", key=f"{KEY}edges",
            help="Public cut points: the slices are the classes. Choose them without looking at the rows.",
        )  # fmt: skip
        return "", text
    return "", ""


def _columns(glance: Glance, label: int | None) -> tuple[tuple[int, ...], tuple[int, ...], dict[int, str]]:
    others = [column for column in glance.columns if column.position != label]
    words = [column.position for column in others if column.kind == TEXT]
    st.session_state.setdefault(f"{KEY}drop", [c.position for c in others if c.kind in (TEXT, EMPTY)])
    declared = _several("Words to zeros and ones, categories declared", glance, words, "declared") if words else ()
    categories = {
        j: st.text_input(f"Categories of {literal(glance.names[j])}, parted by commas", key=f"{KEY}categories_{j}")
        for j in declared
    }
    few = [j for j in words if j not in declared and glance.columns[j].distinct <= MOST_CATEGORIES]
    label_text = "Words to zeros and ones, categories read off the rows: learnt, not covered"
    read_off = _several(label_text, glance, few, "read_off") if few else ()
    rest = [column.position for column in others if column.position not in (*declared, *read_off)]
    return _several("Leave out", glance, rest, "drop"), read_off, categories


def _bounds(glance: Glance, names: Sequence[str]) -> tuple[str, str, str]:
    """What kind, and the two fields as typed."""
    options = {key: text for key, text in BOUNDS.items() if key != "learnt" or glance.columns}
    how = _radio("Bounds of the columns", options, "bounds")
    if how != "declared":
        return how, "", ""
    st.caption(
        f"One number for all, or one for each of the {len(names):,} columns in this order: "
        + literal(", ".join(names[:40]) + (" …" if len(names) > 40 else ""))
        + ". With a logarithm, bounds are those of its result."
    )
    left, right = st.columns(2)
    lower = left.text_input("Lower", key=f"{KEY}lower", placeholder="0")
    return how, lower, right.text_input("Upper", key=f"{KEY}upper", placeholder="100")


def _logs_and_views(glance: Glance, plain: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    log1p = _several("Signed logarithm first", glance, plain, "log1p")
    first = _several("First of two views, for canonical correlations (the rest is the second)", glance, plain, "views")
    return log1p, first


def _column(label: str, glance: Glance, name: str) -> int:
    options = [column.position for column in glance.columns]
    return _select(label, options, name, _shown(glance))


def _several(label: str, glance: Glance, options: Sequence[int], name: str) -> tuple[int, ...]:
    key = f"{KEY}{name}"
    st.session_state[key] = [j for j in st.session_state.get(key, []) if j in options]
    return tuple(st.multiselect(label, options, key=key, format_func=_shown(glance)))


def _shown(glance: Glance) -> Callable[[int], str]:
    """Names with their number where they repeat: the browser answers with the text."""

    def shown(position: int) -> str:
        name = glance.names[position]
        short = name if len(name) <= 60 else f"{name[:59]}…"
        alone = sum(each[:59] == name[:59] for each in glance.names) == 1 and name
        return short if alone else f"{short} (column {position})"

    return shown


def _select(label: str, options: Sequence[Any], name: str, shown: Callable[[Any], str]) -> Any:
    key = f"{KEY}{name}"
    if st.session_state.get(key, options[0]) not in options:
        del st.session_state[key]
    if key in st.session_state:
        st.session_state[key] = st.session_state[key]
    return st.selectbox(label, options, key=key, format_func=shown)


def _radio(label: str, options: Mapping[str, str], name: str) -> str:
    key = f"{KEY}{name}"
    if st.session_state.get(key) not in options:
        st.session_state[key] = next(iter(options))
    st.session_state[key] = st.session_state[key]
    return st.radio(label, list(options), key=key, format_func=lambda value: options[value])
