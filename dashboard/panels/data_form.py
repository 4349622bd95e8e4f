"""The form of an upload: widgets in, choices out. Nothing is chosen silently that would be learnt from the rows."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from dashboard.controls import hold_choice
from dashboard.own_data.choices import (
    BOUNDS,
    PURPOSES,
    Choices,
    Feature,
    columns_from_text,
    features,
    text_from_columns,
)
from dashboard.own_data.choices import words as words_in
from dashboard.text.words import escape_markdown
from dpgep_core.datasets.findings import Fix, left_out_at_first
from dpgep_core.datasets.glance import TEXT, Glance
from dpgep_core.datasets.readers.options import DELIMITERS, DROP, ENCODINGS, MOST_CATEGORIES, REFUSE, THOUSANDS, Reading
from dpgep_core.datasets.slices import MOST_EDGES_MU
from dpgep_core.datasets.upload import Upload
from dpgep_core.errors import DataError, DpgepError
from dpgep_core.wording import plural

KEY = "upc_"  # begins the key of every widget of the form
LEFT_OUT = f"{KEY}drop"
MOST_IN_A_MENU = 300  # columns: longer menus are sent and searched on every run
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
    """How a file of text is written: all found by itself unless said."""
    if upload.ending in (".libsvm", ".svm", ".libsvm.gz", ".svm.gz"):
        first = _select("Columns are counted", [1, 0], "zero_based", lambda index: f"from {index}")
        return Reading(zero_based=first == 0)
    if not upload.tabular:
        return Reading()
    text = upload.ending != ".parquet"
    plain = Reading()
    with st.expander("How the file is written"), st.container(horizontal=True):
        delimiter = _select("Fields are separated by", list(SAID), "delimiter", SAID.__getitem__) if text else ""
        encoding = _select("Encoding", [AUTO, *ENCODINGS], "encoding", lambda n: n or SAID[AUTO]) if text else ""
        header = _select("The first line is", list(HEADER), "header", HEADER.__getitem__) if text else plain.header
        decimal = _select("Decimal mark", [".", ","], "decimal", lambda mark: mark)
        marks = [AUTO, *(mark for mark in THOUSANDS if mark != decimal)]
        thousands = _select(
            "Thousands mark", marks, "thousands", lambda mark: {AUTO: "none", " ": "blank"}.get(mark) or mark
        )
        percent = st.checkbox("Numbers may end in %", key=f"{KEY}percent", help="12 % is read as 0.12.")
        words = st.text_input("More words for a gap", key=f"{KEY}gaps", help="Parted by commas, as: unknown, -999")
    assert set(SAID) == {AUTO, *DELIMITERS}
    return Reading(
        delimiter=delimiter, encoding=encoding, header=header, decimal=decimal, thousands=thousands,
        percent=percent, gaps=tuple(words_in(words)),
    )  # fmt: skip


def apply(fix: Fix) -> None:
    """Set the form as a fix says. Call it before the form is drawn."""
    for key, value in fix.reading.items():
        if key == "gaps":
            before = str(st.session_state.get(f"{KEY}gaps", ""))
            st.session_state[f"{KEY}gaps"] = ", ".join([*words_in(before), str(value)])
        else:
            st.session_state[f"{KEY}{key}"] = value
    if fix.purpose:
        st.session_state[f"{KEY}purpose"] = fix.purpose
    if fix.use or fix.leave_out:
        left = {*st.session_state.get(LEFT_OUT, []), *fix.leave_out} - {*fix.use}
        st.session_state[LEFT_OUT] = sorted(left)
        st.session_state[f"{KEY}drop_text"] = text_from_columns(sorted(left))


def gaps(glance: Glance) -> str | float:
    """Ask how to treat gaps, where a column that is not left out has any."""
    left = set(st.session_state.get(LEFT_OUT, left_out_at_first(glance)))
    number = sum(column.gaps for column in glance.columns if column.position not in left)
    if not number and glance.columns:
        return REFUSE
    label = plural(number, "gap") if number else "Gaps (NaN)"
    what = _radio(label, GAPS, "missing")
    if what != "fill":
        return what
    return float(st.number_input("The number in each gap", value=0.0, key=f"{KEY}fill", format="%g"))


def choices(upload: Upload, glance: Glance) -> Choices:
    """Label, columns, bounds, rows and views."""
    purpose = _radio("What the rows are for", PURPOSES, "purpose")
    label = _label(upload.name, glance, purpose)
    classes, edges, edges_mu = _target(purpose)
    drop, read_off, categories = _columns(upload.name, glance, label) if glance.columns else ((), (), {})
    found = Choices(
        purpose=purpose, label=label, classes=classes, edges=edges, edges_mu=edges_mu, drop=drop, read_off=read_off,
        categories=categories
    )  # fmt: skip
    made: tuple[Feature, ...] = ()
    try:
        made = features(upload.name, glance, found)
    except DpgepError as error:
        st.warning(escape_markdown(str(error)))
    plain = [each for each in made if not each.category]
    bounds, lower, upper = _bounds(glance, [each.name for each in plain])
    if glance.columns:
        log1p, first = _logs_and_views(upload.name, glance, [each.origin for each in plain])
        found = replace(found, log1p=log1p, first_view=first)
    return replace(found, bounds=bounds, lower=lower, upper=upper, radius=_radius())


def _radius() -> float | None:
    if _radio("Rows", ROWS, "rows") == "unit":
        return None
    return float(st.number_input("Radius", value=1.0, key=f"{KEY}radius", format="%g", help="Public; above 0."))


def _label(where: str, glance: Glance, purpose: str) -> int | None:
    if purpose == "none" or not glance.columns:
        return None
    said = "Label column" if purpose == "classes" else "Response column"
    if len(glance.columns) <= MOST_IN_A_MENU:
        st.session_state.setdefault(f"{KEY}label", glance.label)
        return _select(said, [column.position for column in glance.columns], "label", _column_titles(glance))
    key = f"{KEY}label_text"
    st.session_state.setdefault(key, str(glance.label))
    found = columns_from_text(where, glance, st.text_input(said, key=key, help="By name, or by number from 0."))
    if len(found) != 1:
        raise DataError(where, f"{len(found)} label columns", "one is needed")
    return found[0]


def _target(purpose: str) -> tuple[str, str, float]:
    """Classes and edges as typed, and what the edges have cost."""
    if purpose == "classes":
        text = st.text_area(
            "Classes, separated by commas", key=f"{KEY}classes", height=68,
            help="Declared, they are public and free. Left empty, they are read off the rows, which no ε covers.",
        )  # fmt: skip
        if not text.strip():
            st.caption("Empty: the class set is **learnt from the rows, not covered**.")
        return text, "", 0.0
    if purpose == "response":
        text = st.text_input(
            "Edges, increasing, separated by commas", key=f"{KEY}edges",
            help="Public cut points: the slices are the classes. Choose them without looking at the rows.",
        )  # fmt: skip
        mu = st.number_input(
            "μ that these edges have cost", 0.0, MOST_EDGES_MU, 0.0, format="%g", key=f"{KEY}edges_mu",
            help="0 for edges chosen without looking at the rows; for released ones the edges_mu of `dpgep edges`. "
            "Runs count it in.",
        )  # fmt: skip
        return "", text, mu
    return "", "", 0.0


def _columns(where: str, glance: Glance, label: int | None) -> tuple[tuple[int, ...], tuple[int, ...], dict[int, str]]:
    others = [column for column in glance.columns if column.position != label]
    words = [column.position for column in others if column.kind == TEXT]
    st.session_state.setdefault(LEFT_OUT, left_out_at_first(glance))
    declared = (
        _several(where, "Words to zeros and ones, categories declared", glance, words, "declared") if words else ()
    )
    categories = {
        j: st.text_input(
            f"Categories of {escape_markdown(glance.names[j])}, separated by commas", key=f"{KEY}categories_{j}"
        )
        for j in declared
    }
    few = [j for j in words if j not in categories and glance.columns[j].distinct <= MOST_CATEGORIES]
    label_text = "Words to zeros and ones, categories read off the rows: learnt, not covered"
    read_off = _several(where, label_text, glance, few, "read_off") if few else ()
    taken = {*declared, *read_off}
    rest = [column.position for column in others if column.position not in taken]
    return _several(where, "Leave out", glance, rest, "drop"), read_off, categories


def _bounds(glance: Glance, names: Sequence[str]) -> tuple[str, str, str]:
    """Kind of the bounds, and the two fields as typed."""
    options = {key: text for key, text in BOUNDS.items() if key != "learnt" or glance.columns}
    how = _radio("Bounds of the columns", options, "bounds")
    if how != "declared":
        return how, "", ""
    st.caption(
        f"One number for all, or one for each of the {len(names):,} columns in this order: "
        + escape_markdown(", ".join(names[:40]) + (" …" if len(names) > 40 else ""))
        + ". With a logarithm, bounds are those of its result."
    )
    left, right = st.columns(2)
    lower = left.text_input("Lower", key=f"{KEY}lower", placeholder="0")
    return how, lower, right.text_input("Upper", key=f"{KEY}upper", placeholder="100")


def _logs_and_views(where: str, glance: Glance, plain: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    log1p = _several(where, "Signed logarithm first", glance, plain, "log1p")
    views = "First of two views, for canonical correlations (the rest is the second)"
    return log1p, _several(where, views, glance, plain, "views")


def _several(where: str, label: str, glance: Glance, options: Sequence[int], name: str) -> tuple[int, ...]:
    """Several columns: from a menu, or where that would be endless, typed."""
    key, allowed = f"{KEY}{name}", set(options)
    chosen = [j for j in st.session_state.get(key, []) if j in allowed]
    if len(glance.columns) <= MOST_IN_A_MENU:
        st.session_state[key] = chosen
        return tuple(st.multiselect(label, options, key=key, format_func=_column_titles(glance)))
    st.session_state.setdefault(f"{key}_text", text_from_columns(chosen))
    said = "Names or numbers from 0, separated by commas; ranges as 5-9."
    typed = columns_from_text(where, glance, st.text_input(label, key=f"{key}_text", help=said))
    found = tuple(j for j in typed if j in allowed)
    st.session_state[key] = list(found)
    return found


def _column_titles(glance: Glance) -> Callable[[int], str]:
    """Names with their number where they repeat: the browser answers with the text."""
    alike = Counter(name[:59] for name in glance.names)

    def shown(position: int) -> str:
        name = glance.names[position]
        short = name if len(name) <= 60 else f"{name[:59]}…"
        return short if name and alike[name[:59]] == 1 else f"{short} (column {position})"

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
    hold_choice(key, options)
    return st.radio(label, list(options), key=key, format_func=lambda value: options[value])
