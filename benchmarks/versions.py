"""The same figures of another checkout, each measured just before ours, in a process of its own.

    dpgep bench --before PATH --write

The benchmark is this one for both; only the package differs.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.paired import Measured
from dpgep_core.errors import ParameterError

ROOT = Path(__file__).parents[1]
CHILD = (
    "import json, sys; sys.path[:0] = sys.argv[1:3]; from benchmarks import bench; "
    "print(json.dumps(bench.as_json(bench.run(quick=True, quality=sys.argv[4] == 'True', only=sys.argv[3]))))"
)


def pairs(before: str, names: list[str], *, quality: bool) -> Iterator[tuple[Measured, Measured]]:
    """Each figure of the other checkout and of this one."""
    if not (Path(before) / "dpgep_core" / "solve.py").exists():
        raise ParameterError("--before", before, "the folder of another checkout of this project")
    for name in names:
        yield _measured(Path(before).resolve(), name), _measured(ROOT, name, quality=quality)


def _measured(package: Path, name: str, *, quality: bool = False) -> Measured:
    arguments = [sys.executable, "-c", CHILD, str(package), str(ROOT), name, str(quality)]
    free = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(arguments, env=free, cwd=package, capture_output=True, text=True, check=False)
    if done.returncode:
        why = (done.stderr.strip().splitlines() or ["it was killed"])[-1]
        raise ParameterError("--before", str(package), f"a checkout with which today's benchmark runs ({why})")
    (found,) = json.loads(done.stdout.splitlines()[-1])
    rest: dict[str, Any] = found
    return Measured(**rest)
