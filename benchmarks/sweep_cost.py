"""Processor seconds and largest resident set of ``dpgep sweep``, in a process of its own."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
RUN = """
import json, resource, subprocess, sys
status = subprocess.run([sys.executable, "-c", *sys.argv[1:]], stdout=subprocess.DEVNULL).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps({"status": status, "seconds": used.ru_utime + used.ru_stime, "megabytes": used.ru_maxrss / 1e3}))
"""
SWEEP = "import sys; from dpgep_core.cli import main; sys.exit(main(sys.argv[1:]))"


def sweep_cost(text: str) -> dict[str, float]:
    """``seconds`` and ``megabytes`` of a sweep that is given as TOML."""
    with tempfile.TemporaryDirectory() as scratch:
        spec = Path(scratch) / "sweep.toml"
        spec.write_text(text, "utf-8")
        files = ["--out", f"{scratch}/out.csv", "--store", f"{scratch}/cells.sqlite", "--quiet"]
        command = [sys.executable, "-c", RUN, SWEEP, "sweep", str(spec), *files]
        found = json.loads(subprocess.run(command, cwd=HERE, check=True, capture_output=True, text=True).stdout)
    if found["status"]:
        raise SystemExit(f"the sweep ended with {found['status']}:\n{text}")
    return found
