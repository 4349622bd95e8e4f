"""The ε for 95 % of the accuracy gain, which the page Methods shows: from the sweeps in docs/algorithms/gain.

    dpgep sweep docs/algorithms/gain/fda.toml --out fda.csv
    dpgep sweep docs/algorithms/gain/pca.toml --out pca.csv
    python benchmarks/gain.py fda.csv pca.csv

The columns that are needed go to docs/algorithms/gain, and what is read off them to dpgep_core/evaluate/gain.csv.
Without a file the kept results are read again.
"""

import sys
from dataclasses import fields
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HERE))  # the script is started by its path

from benchmarks.tables import read_table, write_table  # noqa: E402
from dpgep_core.evaluate.gain import GainEntry, read_gains  # noqa: E402
from dpgep_core.kept_table import kept_rows  # noqa: E402

KEPT = HERE / "docs" / "algorithms" / "gain"
TABLE = HERE / "dpgep_core" / "evaluate" / "gain.csv"
TEXTS = ("dataset", "model", "algorithm", "epsilon", "seed")
NUMBERS = ("lda_accuracy", "lda_accuracy_random", "accounted_epsilon")


def keep(path: Path) -> None:
    """Write the columns of a sweep that are needed, with six digits."""
    rows = read_table(path)
    if failed := [row["error"] for row in rows if row["error"]]:
        raise SystemExit(f"{path}: {len(failed)} cells with an error, the first: {failed[0]}")
    numbers = ({name: row[name] and f"{float(row[name]):.6g}" for name in NUMBERS} for row in rows)
    kept = ({name: row[name] for name in TEXTS} | more for row, more in zip(rows, numbers, strict=True))
    write_table(KEPT / path.name, (*TEXTS, *NUMBERS), kept)


def main() -> None:
    for name in sys.argv[1:]:
        keep(Path(name))
    results = [row for path in sorted(KEPT.glob("*.csv")) for row in read_table(path)]
    write_table(TABLE, (field.name for field in fields(GainEntry)), kept_rows(read_gains(results)))


if __name__ == "__main__":
    main()
