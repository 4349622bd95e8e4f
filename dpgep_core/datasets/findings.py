"""Findings about a table: what is used, what is not and why, and what can be done, computed from a glance alone."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from dpgep_core.datasets.glance import EMPTY, NUMBER, TEXT, ColumnGlance, Glance
from dpgep_core.datasets.readers.table import first_names, show_value

CLASSES, RESPONSE, NO_LABEL = "classes", "response", "none"
_MARKS = {"decimal": "decimal mark", "thousands": "thousands mark"}


@dataclass(frozen=True, kw_only=True)
class Fix:
    """One change of the form that mends a finding.

    Parameters
    ----------
    label : str
        What a button says.
    reading : mapping
        Keys of how the file is written, with their new values; ``gaps`` holds one more word.
    use, leave_out : tuple of int
        Columns to use as features, and not to.
    purpose : str
        What the rows are for; "" leaves it.
    """

    label: str
    reading: Mapping[str, str | bool] = field(default_factory=dict[str, str | bool])
    use: tuple[int, ...] = ()
    leave_out: tuple[int, ...] = ()
    purpose: str = ""


@dataclass(frozen=True)
class ColumnFinding:
    """One sentence about some columns, and what can be done."""

    said: str
    fixes: tuple[Fix, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """Choices so far: purpose, label column, columns left out, columns of words that become numbers."""

    purpose: str = CLASSES
    label: int | None = None
    left_out: Collection[int] = ()
    words: Collection[int] = ()


def left_out_at_first(glance: Glance) -> list[int]:
    """Columns that are no features unless someone says so: words, nothing, and row names."""
    hollow = [c.position for c in glance.columns if c.kind in (TEXT, EMPTY) or c.row_names]
    return [position for position in hollow if position != glance.label]


def used_columns(glance: Glance, chosen: Chosen) -> list[ColumnGlance]:
    """The columns that become features."""
    out = {*chosen.left_out, *([] if chosen.label is None else [chosen.label])}
    return [c for c in glance.columns if c.position not in out and (c.kind == NUMBER or c.position in chosen.words)]


def columns_in_use(glance: Glance, chosen: Chosen) -> str:
    """How many columns of how many are used, and which is the label."""
    used, of = len(used_columns(glance, chosen)), len(glance.columns)
    if chosen.label is None:
        return f"{used:,} of {of:,} columns are used, and no label."
    noun = "response" if chosen.purpose == RESPONSE else "label"
    return f"{used:,} of {of:,} columns are used, and {show_value(glance.names[chosen.label])} as {noun}."


def findings(glance: Glance, chosen: Chosen) -> tuple[ColumnFinding, ...]:
    """Possible faults of the choices, the costliest first."""
    return tuple(
        finding
        for kind in (_written_otherwise, _odd_words, _label, _numbers_of_rows, _left_out)
        for finding in kind(glance, chosen)
    )


def _written_otherwise(glance: Glance, chosen: Chosen) -> Iterator[ColumnFinding]:
    """Numbers with another decimal mark, with a mark of thousands, or with a sign of per cent."""
    groups: dict[str, list[ColumnGlance]] = {}
    for column in glance.columns:
        if column.readings and column.position not in chosen.words:
            groups.setdefault(str(column.readings[0]), []).append(column)
    for columns in groups.values():
        features = tuple(c.position for c in columns if c.position != chosen.label)
        common = [changes for changes in columns[0].readings if all(changes in c.readings for c in columns)]
        fixes = tuple(Fix(label=_change(changes), reading=changes, use=features) for changes in common[:2])
        holds = _one_or_many(columns, "holds numbers", "hold numbers")
        yield ColumnFinding(f"{holds} written as {show_value(columns[0].example)}{_no_feature(features)}.", fixes)


def _change(changes: Mapping[str, str | bool]) -> str:
    if "percent" in changes:
        return "Read 12 % as .12"
    return "Read " + " and ".join(f"“{mark}” as {_MARKS[key]}" for key, mark in changes.items())


def _odd_words(glance: Glance, chosen: Chosen) -> Iterator[ColumnFinding]:
    """Columns of numbers with a few words among them."""
    groups: dict[tuple[str, ...], list[ColumnGlance]] = {}
    words = {chosen.label, *chosen.words}
    for column in glance.columns:
        if column.odd and not column.readings and column.position not in words:
            groups.setdefault(column.odd, []).append(column)
    for odd, columns in groups.items():
        use = tuple(column.position for column in columns)
        fixes = tuple(Fix(label=f"Read {show_value(word)} as a gap", reading={"gaps": word}, use=use) for word in odd)
        holds = _one_or_many(columns, "holds numbers", "hold numbers")
        yield ColumnFinding(f"{holds} beside {first_names(odd)}{_no_feature(use)}.", fixes)


def _no_feature(features: Collection[int]) -> str:
    return "" if not features else ", so it is no feature" if len(features) == 1 else ", so they are no features"


def _label(glance: Glance, chosen: Chosen) -> Iterator[ColumnFinding]:
    if chosen.label is None:
        return
    column = glance.columns[chosen.label]
    out = () if column.kind == NUMBER else (column.position,)
    none = Fix(label="There is no label", purpose=NO_LABEL, leave_out=out)
    if chosen.purpose == CLASSES and column.kind == NUMBER and not column.whole:
        response = Fix(label="It is a real-valued response", purpose=RESPONSE)
        yield ColumnFinding(
            f"The label {show_value(column.name)} holds fractions, which are no classes.", (response, none)
        )
    elif column.kind == EMPTY:
        yield ColumnFinding(f"The label {show_value(column.name)} is empty.", (none,))
    elif chosen.purpose == CLASSES and column.distinct == 1:
        what = f"The label {show_value(column.name)} has one class: only models that need no classes are offered."
        yield ColumnFinding(what, (none,))
    if column.position == glance.label and not glance.label_named:
        yield ColumnFinding(
            f"The label is guessed: {show_value(column.name)} is the last column. Choose another under “Label column”.",
            (none,),
        )


def _numbers_of_rows(glance: Glance, chosen: Chosen) -> Iterator[ColumnFinding]:
    used = [column for column in used_columns(glance, chosen) if column.kind == NUMBER]
    counters = [column for column in used if column.counts]
    others = [column for column in used if column.identifies and not column.counts]
    if counters:
        what = _one_or_many(counters, "numbers the rows one by one", "number the rows one by one")
        yield ColumnFinding(f"{what}: in a file sorted by class, that is the class.", (_leave_out(counters),))
    if others and len(others) < len(used):
        what = _one_or_many(others, "has another whole number", "have another whole number")
        yield ColumnFinding(f"{what} in every row: a number of the person?", (_leave_out(others),))


def _leave_out(columns: Sequence[ColumnGlance]) -> Fix:
    return Fix(label=f"Leave out {_short(columns)}", leave_out=tuple(c.position for c in columns))


def _left_out(glance: Glance, chosen: Chosen) -> Iterator[ColumnFinding]:
    """Other columns that are no features, by reason."""
    out = set(chosen.left_out) - {chosen.label}
    columns = [c for c in glance.columns if c.position in out]
    named = [c for c in columns if c.row_names]
    rest = [c for c in columns if not c.row_names]
    out_of = "is left out", "are left out"
    if named:
        yield ColumnFinding(f"{_one_or_many(named, *out_of)}: {named[0].row_names}.")
    if empty := [c for c in rest if c.kind == EMPTY]:
        yield ColumnFinding(f"{_one_or_many(empty, *out_of)}: no row has a value there.")
    if words := [c for c in rest if c.kind == TEXT and not c.readings and not c.odd]:
        how = "to use words, declare categories under “Words to zeros and ones”"
        yield ColumnFinding(f"{_one_or_many(words, *out_of)}, with words; {how}.")
    if numbers := [c for c in rest if c.kind == NUMBER]:
        use = Fix(label=f"Use {_short(numbers)}", use=tuple(c.position for c in numbers))
        yield ColumnFinding(f"{_one_or_many(numbers, *out_of)}, with numbers.", (use,))


def _one_or_many(columns: Sequence[ColumnGlance], one: str, many: str) -> str:
    """The columns and a verb that agrees with them."""
    names = first_names([c.name or f"number {c.position}" for c in columns], 6)
    return f"Column {names} {one}" if len(columns) == 1 else f"Columns {names} {many}"


def _short(columns: Sequence[ColumnGlance]) -> str:
    return show_value(columns[0].name) if len(columns) == 1 else f"these {len(columns):,} columns"
