"""CSV tables of results, read and written alike by all scripts that keep them."""

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path


def read_table(path: Path) -> list[dict[str, str]]:
    """The rows of a table, by column."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write_table(path: Path, columns: Iterable[str], rows: Iterable[Mapping[str, str]]) -> None:
    """Write rows with these columns; the same on every system."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(columns), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
