"""The ε for 95 % of the accuracy gain, which the page Methods shows: from the sweeps in docs/algorithms/gain.

    dpgep sweep docs/algorithms/gain/fda.toml --out fda.csv
    dpgep sweep docs/algorithms/gain/pca.toml --out pca.csv
    python benchmarks/gain.py fda.csv pca.csv

The columns that are needed go to docs/algorithms/gain, and what is read off them to dpgep_core/evaluate/gain.csv.
Without a file the kept results are read again.
"""

import csv
import sys
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HERE))  # the script is started by its path

from dpgep_core.evaluate.gain import GainEntry, as_rows, read_gains  # noqa: E402

KEPT = HERE / "docs" / "algorithms" / "gain"
TABLE = HERE / "dpgep_core" / "evaluate" / "gain.csv"
TEXTS = ("dataset", "model", "algorithm", "epsilon", "seed")
NUMBERS = ("lda_accuracy", "lda_accuracy_random", "accounted_epsilon")


def keep(path: Path) -> None:
    """Write the columns of a sweep that are needed, with six digits."""
    rows = _read(path)
    if failed := [row["error"] for row in rows if row["error"]]:
        raise SystemExit(f"{path}: {len(failed)} cells with an error, the first: {failed[0]}")
    numbers = ({name: row[name] and f"{float(row[name]):.6g}" for name in NUMBERS} for row in rows)
    kept = ({name: row[name] for name in TEXTS} | more for row, more in zip(rows, numbers, strict=True))
    _write(KEPT / path.name, (*TEXTS, *NUMBERS), kept)


def _read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _write(path: Path, columns: Iterable[str], rows: Iterable[Mapping[str, str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(columns), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main() -> None:
    for name in sys.argv[1:]:
        keep(Path(name))
    results = [row for path in sorted(KEPT.glob("*.csv")) for row in _read(path)]
    _write(TABLE, (field.name for field in fields(GainEntry)), as_rows(read_gains(results)))


if __name__ == "__main__":
    main()
