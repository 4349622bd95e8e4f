"""`dpgep solve` on a streamed folder, in processes forked from one that has the imports behind it."""

import os
import sys
from itertools import count
from pathlib import Path
from typing import Any

from apart import apart

from dpgep_core.cli import main
from dpgep_core.datasets import kept_sums

PATIENCE = 300.0  # seconds
NUMBERS = count()


class Solving:
    """A command that runs, with what it has said once it has ended."""

    def __init__(self, said: Path, process: Any) -> None:
        self._said, self.process = said, process

    @property
    def runs(self) -> bool:
        """Whether it has not ended yet."""
        return self.process.is_alive()

    def ended(self) -> tuple[int | None, str, str]:
        """Wait for its end: exit code, output and errors."""
        self.process.join(PATIENCE)
        return self.process.exitcode, *(self._said.with_suffix(f".{n}").read_text() for n in (1, 2))

    def kill(self) -> None:
        """Kill -9."""
        self.process.kill()
        self.process.join(PATIENCE)


def solving(folder: Path, passes: Path, *more: str) -> Solving:
    """The command on one folder, which keeps the sums of its passes in another after every file."""
    said = passes.parent / f"said-{next(NUMBERS)}"
    return Solving(said, apart(_solve, folder, passes, said, more))


def _solve(folder: Path, passes: Path, said: Path, more: tuple[str, ...]) -> None:
    os.environ |= {"DPGEP_STREAM_BYTES": "1000", "DPGEP_PASSES_DIR": str(passes)}
    kept_sums.SECONDS_BETWEEN = 0
    for stream in (1, 2):
        os.dup2(os.open(said.with_suffix(f".{stream}"), os.O_WRONLY | os.O_CREAT, 0o600), stream)
    sys.exit(main(["solve", "--dataset", str(folder), "--classifiers", "", "--set", "steps=2", "--json", *more]))
