"""Words for a release that ends after its price was paid: what the budget counts, and what is written."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from dpgep_core.errors import DataError, DpgepError, reason_of
from dpgep_core.publishing.budget_ledger import BudgetLedger, Reservation


@contextmanager
def price_noted(out: Path, counts: str = "counts", *, but: type[DpgepError] | tuple[()] = ()) -> Generator[None]:
    """Note on whatever ends a release, such as Ctrl-C, that the budget counts it, and whether its file is written.

    Parameters
    ----------
    out : Path
        File of the release, which gets its name once it is whole.
    counts : str
        "counts", or "may count" while it is being paid for.
    but : type of error, optional
        Errors that are no news of the price, or tell it themselves.
    """
    try:
        yield
    except but:
        raise
    except BaseException as error:
        written = f"{out} is whole" if os.path.lexists(out) else "no file was written"
        error.add_note(f"The budget {counts} this release, and {written}; `dpgep budget` lists what it counts.")
        raise


def record_written(ledger: Path, reservation: Reservation, digest: str, out: Path) -> None:
    """Note the file in the ledger. The release is counted and whole already, and a failure says so.

    Raises
    ------
    DataError
    """
    try:
        with price_noted(out):
            BudgetLedger(ledger).record_file(reservation.release, digest, out.name)
    except Exception as error:  # whatever it is, it costs the release nothing
        allowed = "the release is whole, and counted; only the name of its file is missing in the ledger"
        raise DataError(str(out), f"the ledger could not note it ({reason_of(error)})", allowed) from error
