"""The process that computes a sweep beside the server: it tells how far it is, and ends when it is told, or left."""

import json
import os
import signal
import sys
import threading
from dataclasses import asdict
from pathlib import Path

from dpgep_core.errors import DpgepError
from dpgep_core.experiments.grid import read_sweep
from dpgep_core.experiments.runner import Progress, planned, run_sweep


def main(spec: str, store: str) -> int:
    """Compute what is missing. Lines on stdout say how far; the end of stdin, also that of a killed server, stops."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server, which gets it too, closes our stdin
    stop = threading.Event()
    threading.Thread(target=_wait_for_end, args=(stop,), daemon=True).start()
    try:
        run_sweep(planned(read_sweep(Path(spec))), Path(store), report=_tell, stop=stop)
    except DpgepError as error:
        print(json.dumps({"failed": str(error)}), flush=True)
        return 1
    return 0


def _wait_for_end(stop: threading.Event) -> None:
    while os.read(0, 1):
        pass
    stop.set()


def _tell(progress: Progress) -> None:
    try:
        print(json.dumps(asdict(progress)), flush=True)
    except OSError:  # nobody listens any more: the cells are kept all the same
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
