"""Processes of their own for tests, forked from one that has the imports behind it: those take the longest."""

from collections.abc import Callable
from multiprocessing import get_all_start_methods, get_context
from typing import Any

CONTEXT = get_context("forkserver" if "forkserver" in get_all_start_methods() else "spawn")
CONTEXT.set_forkserver_preload(
    ["dpgep_core.cli", "dpgep_core.experiments.table", "dpgep_core.publishing.releasing", "sklearn.datasets",
     "dashboard.saving.store"]
)  # fmt: skip
PATIENCE = 60.0  # seconds


def apart(do: Callable[..., None], *given: object) -> Any:
    """A running process that calls a function of a module."""
    one = CONTEXT.Process(target=do, args=given)
    one.start()
    return one


def joined(process: Any) -> int | None:
    """The exit code: 0, the negative number of a signal, or None where it still runs."""
    process.join(PATIENCE)
    return process.exitcode
