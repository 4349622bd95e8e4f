"""Memory that large matrices take, said before any is formed."""

import os
from contextlib import suppress
from pathlib import Path

from dpgep_core.errors import DataError

MATRICES = 5  # of one size that exist at a time: sums, what is made of them, noise, and two that LAPACK works on
MEMORY_SHARE = 0.5  # of the machine's memory that they may take
LITTLE = 2.0**24  # bytes that any machine has which runs this: it is not asked, as sums of few columns are many
CONTAINER = Path("/sys/fs/cgroup/memory.max")


def machine_memory() -> float:
    """Bytes that this process may have: the machine's, or its container's; infinite where the system does not say."""
    found = float("inf")
    with suppress(AttributeError, OSError, ValueError):
        found = float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    with suppress(OSError, ValueError):
        found = min(found, float(CONTAINER.read_text("ascii")))
    return found


def check_memory(rows: int, columns: int) -> None:
    """Refuse matrices that the machine has no memory for.

    Raises
    ------
    DataError
        In one line, with what they would take.
    """
    needed = 8.0 * rows * columns * MATRICES
    if needed > LITTLE and needed > (most := MEMORY_SHARE * machine_memory()):
        raise DataError(
            f"{rows:,} columns",
            f"matrices of {rows:,} × {columns:,} take about {_gib(needed)} of memory; {_gib(most)} may be used here",
            "fewer columns are needed, or what goes by products: ssp with memory=products, dprf, dptrf or exact with "
            "model pca, fda or sir; analyze_gauss or ppi with pca",
        )


def _gib(size: float) -> str:
    return f"{size / 2**30:.3g} GiB"
