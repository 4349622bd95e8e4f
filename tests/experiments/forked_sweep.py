"""A sweep that is killed again and again, in processes forked from one that has the imports behind it."""

import os
import sys
from pathlib import Path
from typing import Any

from apart import apart

from dpgep_core.cli import main


def forked(folder: Path, *more: str) -> Any:
    """The command of the specification in a folder, in a process of its own that says nothing."""
    return apart(_sweep, folder, more)


def _sweep(folder: Path, more: tuple[str, ...]) -> None:
    os.chdir(folder)
    nothing = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nothing, stream)
    sys.exit(main(["sweep", "spec.toml", "--out", "out.parquet", *more]))
