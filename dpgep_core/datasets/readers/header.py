"""Whether the first line of a table of text names its columns: declared by the sidecar, or else read off the rows."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from dpgep_core.datasets.readers.table import LABEL_NAMES, is_number

HEADER_LEARNT = "whether the first line names the columns (declare it: header)"


@dataclass(frozen=True)
class Header:
    """The names of the columns, if any, and where they stand.

    Parameters
    ----------
    names : tuple of str
        Of the columns; empty where nothing names them.
    in_table : bool
        Whether they are the first line of the table, and not a comment above it.
    learnt : bool
        Whether the first line decided so, which may be the row of a person.
    """

    names: tuple[str, ...] = ()
    in_table: bool = False
    learnt: bool = False


def find_header(
    declared: bool | None, wanted: Collection[str], rows: Sequence[Sequence[str]], above: tuple[str, ...]
) -> Header:
    """The names of the columns.

    A declaration decides, or else a column that the sidecar calls by its name. Where the first line alone decides, one
    person's gap or word could make a row a header, so that is learnt.

    Parameters
    ----------
    declared : bool or None
        Whether the sidecar says that the first line names the columns.
    wanted : collection of str
        Names by which the sidecar calls columns.
    rows : sequence of rows of str
        The first lines of the table.
    above : tuple of str
        One word for each column from a comment above the table; empty where there is none.
    """
    top = tuple(map(name_on_one_line, rows[0]))
    if declared is not None:
        return Header(top, True) if declared else Header()
    if not set(wanted).isdisjoint(top):
        return Header(top, True)
    if not set(wanted).isdisjoint(above):
        return Header(above)
    if looks_like_names(rows[0], rows[1] if len(rows) > 1 else []):
        return Header(top, True, learnt=True)
    return Header(above, learnt=True)


def looks_like_names(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether a first line looks like names: by a usual one, or by words above numbers only."""
    if any(field.strip().lower() in LABEL_NAMES for field in first) or not any(map(is_number, first)):
        return True
    return any(not is_number(above) and is_number(below) for above, below in zip(first, second, strict=False))


def name_on_one_line(name: str) -> str:
    """A column name as one line."""
    return " ".join(part.strip() for part in name.splitlines()).strip()
