"""Tables of measured numbers that come with the package: a row of text for each record."""

import csv
from collections.abc import Iterable, Iterator
from dataclasses import fields
from importlib.resources import files
from typing import Any, TypeVar, get_args

Record = TypeVar("Record")


def kept_records(kind: type[Record], path: str) -> tuple[Record, ...]:
    """Records of a dataclass, whose fields are text, int or float, or may be None, from a CSV file of this package."""
    text = files("dpgep_core").joinpath(path).read_text(encoding="utf-8")
    kinds: dict[str, Any] = {field.name: field.type for field in fields(kind)}  # type: ignore[arg-type]
    return tuple(
        kind(**{name: _value(kinds[name], told) for name, told in row.items()})
        for row in csv.DictReader(text.splitlines())
    )


def _value(kind: Any, told: str) -> Any:
    """One value; no text is None where the field may be None."""
    first, *others = get_args(kind) or (kind,)
    return None if others and not told else first(told)


def kept_rows(records: Iterable[Any]) -> Iterator[dict[str, str]]:
    """The rows of such a file, numbers with four digits."""
    for record in records:
        values = {field.name: getattr(record, field.name) for field in fields(record)}
        yield {name: f"{value:.4g}" if isinstance(value, float) else str(value) for name, value in values.items()}
