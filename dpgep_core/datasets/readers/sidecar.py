"""``NAME.toml``: what is public about a data file by declaration.

A declaration that a format cannot honour is refused, never dropped in silence.
"""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from math import prod
from pathlib import Path
from typing import Any

from dpgep_core.datasets.dataset import declared_rows
from dpgep_core.datasets.preprocessing import Preprocessing, Views, default_bound, log1p_of
from dpgep_core.datasets.readers.options import (
    COLUMN_ALLOWED,
    READING_KEYS,
    RESPONSE_KEYS,
    Column,
    DeclaredResponse,
    Reading,
    TextColumn,
    accept,
    is_column,
    is_count,
    is_list,
    read_columns,
    read_reading,
    read_response,
    read_text_columns,
    read_views,
)
from dpgep_core.datasets.readers.source import check_file, look_up
from dpgep_core.errors import DataError, ParameterError, declared_by, reason_of, show_value
from dpgep_core.knobs import WHOLE

KEYS = (
    *("title", "licence", "license", "source", "label", "classes", "class_names"),
    *("image_shape", "smooth", "feature_names", "views", "drop", "text", "declared_n", "declared_d"),
)
LARGEST_SIDECAR = 1 << 24  # bytes: 20,000 columns with names and bounds take a tenth of that
SECTIONS = ("columns", "rows", "response", "reading")
COLUMN_KEYS, ROW_KEYS = ("lower", "upper", "log1p", "learnt"), ("rows", "radius")


@dataclass(frozen=True, kw_only=True)
class Sidecar:
    """Declarations beside a file: what the file itself does not say.

    Parameters
    ----------
    title, licence, source : str
        What is said about the set on screen.
    label : str, int or None
        Name or position (from 0) of the label column or array. "" says that there are no labels; None leaves the
        choice to the format.
    classes : tuple of str
        Labels that may occur, in the order of the class codes; empty where they are read off the rows.
    class_names : tuple of str
        What to call them on screen; empty: as they are.
    image_shape : tuple of int or None
        (height, width) or (channels, height, width).
    smooth : int or None
        Side of the smaller images that the rows are brought to, by their lowest cosines.
    feature_names : tuple of str
        One per column, or empty.
    preprocessing : Preprocessing
        Public bounds of columns and rows.
    response : DeclaredResponse or None
        Says that the label column holds a real-valued response, and where to cut it.
    views : int, two tuples of int, or None
        Columns of the first view from the left, or the columns of both.
    reading : Reading
        How a table is written, and what is done about its gaps.
    drop : tuple of str or int
        Columns of the file to leave out, by name or position.
    text : tuple of TextColumn
        Columns of words, and their categories.
    declared_n : int or None
        Public number of rows, where records may be added or removed.
    declared_d : int or None
        Number of columns: for LIBSVM text, which leaves out columns that are zero in all rows. Others are held to it.
    learnt : bool
        Whether the column bounds were taken from the rows: the guarantee does not cover that.
    """

    title: str = ""
    licence: str = ""
    source: str = ""
    label: str | int | None = None
    classes: tuple[str, ...] = ()
    class_names: tuple[str, ...] = ()
    image_shape: tuple[int, ...] | None = None
    smooth: int | None = None
    feature_names: tuple[str, ...] = ()
    preprocessing: Preprocessing = field(default_factory=Preprocessing)
    response: DeclaredResponse | None = None
    views: int | Views | None = None
    reading: Reading = field(default_factory=Reading)
    drop: tuple[Column, ...] = ()
    text: tuple[TextColumn, ...] = ()
    declared_n: int | None = None
    declared_d: int | None = None
    learnt: bool = False

    @property
    def rough(self) -> bool:
        """Whether a table needs more than reading."""
        return self.reading != Reading() or bool(self.drop or self.text)

    @property
    def named_columns(self) -> frozenset[str]:
        """Names by which columns of the file are declared: one of its lines then must name them."""
        declared = (self.label, *self.drop, *(each.column for each in self.text))
        return frozenset(name for name in declared if isinstance(name, str) and name)

    @property
    def n_columns(self) -> int | None:
        """The number of columns that is declared, by itself or by what is declared for each column."""
        if self.declared_d is not None:
            return self.declared_d
        if self.image_shape:
            return prod(self.image_shape)
        per_column = (self.feature_names, self.preprocessing.lower, self.preprocessing.upper)
        return next((len(each) for each in per_column if isinstance(each, tuple) and each), None)


def read_sidecar(path: Path) -> Sidecar:
    """The sidecar at ``path``, or an empty one where there is none."""
    if look_up(path, follow=False) is None:
        return Sidecar()
    check_file(path)

    def read() -> bytes:
        with path.open("rb") as stored:
            return stored.read(LARGEST_SIDECAR + 1)  # counted as it is read: a file may grow after a look at its size

    return stored_sidecar(path.name, read)


def stored_sidecar(where: str, read: Callable[[], bytes | None]) -> Sidecar:
    """A sidecar from its bytes, wherever they are, or an empty one where ``read`` finds none."""
    try:
        text = read()
        if text is None:
            return Sidecar()
        if len(text) > LARGEST_SIDECAR:
            raise ValueError(f"more than {LARGEST_SIDECAR:,} bytes")
        table = tomllib.loads(text.decode("utf-8-sig").replace("\r\n", "\n"))
    except DataError:
        raise
    except (OSError, ValueError, RecursionError) as error:
        raise DataError(where, f"cannot be read ({reason_of(error)})", "TOML in UTF-8 is needed") from error
    return parse_sidecar(where, table)


def parse_sidecar(where: str, table: Mapping[str, Any]) -> Sidecar:
    """A sidecar from its TOML tables. Unknown top-level keys are taken for remarks unless they look like slips."""
    with declared_by(where):
        return _parse(where, table)


def _parse(where: str, table: Mapping[str, Any]) -> Sidecar:
    homes = {"columns": COLUMN_KEYS, "rows": ROW_KEYS, "response": RESPONSE_KEYS, "reading": READING_KEYS}
    for key in table:
        if home := next((name for name, keys in homes.items() if key in keys and key not in SECTIONS), ""):
            raise DataError(where, f"there is no key {show_value(key)} at the top", f"it belongs under [{home}]")
        near = get_close_matches(key, (*KEYS, *SECTIONS), n=1, cutoff=0.8)
        if near and near[0] != key:
            raise DataError(where, f"there is no key {show_value(key)}", f"did you mean {show_value(near[0])}?")
    classes, names = _texts(where, table, "classes"), _texts(where, table, "class_names")
    if len(set(classes)) != len(classes):
        raise DataError(where, f"classes = {show_value(list(classes))} repeats a class", "each class once")
    if names and classes and len(names) != len(classes):
        raise DataError(where, f"{len(names)} class_names", f"one for each of {len(classes)} classes")
    learnt = _section(where, table, "columns", COLUMN_KEYS).get("learnt", False)
    label, d = table.get("label"), table.get("declared_d")
    accept(where, "label", label, label is None or is_column(label), COLUMN_ALLOWED)
    response = read_response(where, _section(where, table, "response", RESPONSE_KEYS))
    if response is not None and ("label" in table or classes or names):
        raise DataError(where, "[response] beside label or classes", "a response, which is sliced, or labels")
    return Sidecar(
        title=_text(where, table, "title"),
        licence=_text(where, table, "licence") or _text(where, table, "license"),
        source=_text(where, table, "source"),
        label=response.column if response is not None else label,
        classes=classes,
        class_names=names,
        image_shape=_image_shape(where, table.get("image_shape")),
        smooth=_smooth(where, table.get("smooth")),
        feature_names=_texts(where, table, "feature_names"),
        preprocessing=_preprocessing(where, table),
        response=response,
        views=read_views(where, table.get("views")),
        reading=read_reading(where, _section(where, table, "reading", READING_KEYS)),
        drop=read_columns(where, "drop", table.get("drop", [])),
        text=read_text_columns(where, table.get("text", [])),
        declared_n=declared_rows(where, table.get("declared_n")),
        declared_d=accept(
            where, "declared_d", d, d is None or is_count(d, 1), "a whole number of at least 1 is needed"
        ),
        learnt=accept(where, "columns.learnt", learnt, isinstance(learnt, bool), "true or false is allowed"),
    )


def _preprocessing(where: str, table: Mapping[str, Any]) -> Preprocessing:
    columns, rows = _section(where, table, "columns", COLUMN_KEYS), _section(where, table, "rows", ROW_KEYS)
    try:
        return Preprocessing(
            lower=default_bound(columns.get("lower"), "columns.lower"),
            upper=default_bound(columns.get("upper"), "columns.upper"),
            log1p=log1p_of(columns.get("log1p", False), "columns.log1p"),
            rows=rows.get("rows", "clip" if "radius" in rows else "unit"),
            radius=rows.get("radius", 1.0),
        )
    except ParameterError as error:
        raise DataError(where, f"{error.name} = {show_value(error.value)}", f"{error.allowed} is allowed") from error


def _section(where: str, table: Mapping[str, Any], name: str, allowed: tuple[str, ...]) -> dict[str, Any]:
    section = table.get(name, {})
    accept(where, name, section, isinstance(section, dict), f"a table [{name}] is needed")
    for key in section:
        if key not in allowed:
            raise DataError(where, f"there is no key {name}.{key}", f"{', '.join(allowed)} are allowed")
    return section


def _text(where: str, table: Mapping[str, Any], key: str) -> str:
    value = table.get(key, "")
    return accept(where, key, value, isinstance(value, str), "a text is needed")


def _texts(where: str, table: Mapping[str, Any], key: str) -> tuple[str, ...]:
    values = table.get(key, [])
    accept(where, key, values, is_list(values, _is_word), "a list of texts or numbers is needed")
    return tuple(map(str, values))


def _is_word(value: object) -> bool:
    """Whether a value can name a class or a column."""
    number = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < WHOLE
    return isinstance(value, str) or number


def _image_shape(where: str, value: Any) -> tuple[int, ...] | None:
    if value is None:
        return None
    sides = is_list(value, lambda side: is_count(side, 1)) and len(value) in (2, 3) and is_count(prod(value), 1)
    return tuple(accept(where, "image_shape", value, sides, "[height, width] or [channels, height, width] is needed"))


def _smooth(where: str, value: Any) -> int | None:
    fits = value is None or is_count(value, 2)
    return accept(where, "smooth", value, fits, "a whole number >= 2, pixels each way, is needed")


def refuse_table_keys(where: str, sidecar: Sidecar, kind: str, honoured: tuple[str, ...] = ()) -> None:
    """Refuse keys that only a table with columns can honour; ``honoured`` and ``missing`` are keys of [reading]."""
    for key, value in (("drop", sidecar.drop), ("text", sidecar.text)):
        if value:
            allowed = "it is for tables (CSV and Parquet): leave those columns out of the file"
            raise DataError(where, f"{key} is declared, which {kind} cannot honour", allowed)
    refuse_reading(where, sidecar, kind, tuple(key for key in READING_KEYS if key not in ("missing", *honoured)))


def refuse_text_keys(where: str, sidecar: Sidecar) -> None:
    """Refuse keys that only text can honour, and Parquet cannot."""
    refuse_reading(where, sidecar, "Parquet", ("delimiter", "encoding", "header", "zero_based"))


def check_only_label(where: str, sidecar: Sidecar, why: str) -> None:
    """Refuse any label but ``y`` where a format has one place for labels, without a name."""
    if sidecar.label not in (None, "", "y"):
        raise DataError(
            where, f"there is no label {show_value(sidecar.label)}: {why}", 'no label, "y" or "" is allowed'
        )


def refuse_reading(where: str, sidecar: Sidecar, kind: str, keys: tuple[str, ...]) -> None:
    """Refuse keys of [reading] that a kind of file cannot honour."""
    for key in keys:
        if getattr(sidecar.reading, key) != getattr(Reading(), key):
            what = f"reading.{key} is declared, which {kind} cannot honour"
            raise DataError(where, what, "leave it out of the sidecar")
