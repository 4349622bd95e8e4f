"""The table of a sweep: one row a cell, in the order of the grid, the same however it was computed."""

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING

from dpgep_core.experiments.grid import setting_columns
from dpgep_core.experiments.runner import SweepPlan
from dpgep_core.experiments.store import cell_store
from dpgep_core.sqlitefile import StoreError

if TYPE_CHECKING:
    import pandas as pd

FORMATS: Mapping[str, Callable[["pd.DataFrame", Path], None]] = {
    ".parquet": lambda table, path: table.to_parquet(path, index=False),
    ".csv": lambda table, path: table.to_csv(path, index=False),
}
TEXTS = (
    *("dataset", "model", "algorithm", "relation", "unprotected", "unbounded", "status"),
    *("accuracy_note", "learnt", "warnings", "label", "error"),
)


def sweep_table(plan: SweepPlan, path: Path) -> "pd.DataFrame":
    """The finished cells of a plan: the settings it runs over, then the numbers, then what went wrong."""
    import pandas as pd  # here, as most commands make no table, and it takes long to import

    with cell_store(path) as store:
        found = store.results(plan.keys)
    rows = pd.DataFrame([{**cell.content(), **found[key]} for key, cell in plan.cells if key in found])
    first = [name for name in setting_columns(plan.sweep) if name in rows]
    settings = {name for _, cell in plan.cells for name in cell.content()}
    numbers = [name for name in rows if name not in settings and name not in ("error", *first)]
    table = rows.reindex(columns=[*first, *numbers, "error"])
    for name in numbers:
        if name not in TEXTS:
            table[name] = pd.to_numeric(table[name])
    return with_texts(table)


def with_texts(table: "pd.DataFrame") -> "pd.DataFrame":
    """The table with texts as texts: one that is missing is empty, as in a file."""
    texts = table.columns.intersection(TEXTS)
    return table.assign(
        **{name: table[name].astype(object).where(table[name].notna(), "").astype(str) for name in texts}
    )


def write_table(plan: SweepPlan, store: Path, out: Path) -> None:
    """Write the table of a plan in the format that the file's ending tells."""
    table = sweep_table(plan, store)
    write_whole(out, lambda path: FORMATS[out.suffix](table, path))


def write_whole(out: Path, write: Callable[[Path], object]) -> None:
    """Write a file, whole or not at all; who may read it is for the user's umask to say."""
    fresh = out.with_name(f".{token_hex(8)}{out.suffix}")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        write(fresh)
        os.replace(fresh, out)
    except OSError as error:
        raise StoreError(f"{out} cannot be written: {error.strerror or error}.") from error
    finally:
        with suppress(OSError):  # where it was put in place, or never came to be
            fresh.unlink()
