"""What a process that computes beside the server does: it tells how far it is, and ends when it is told, or left."""

import json
import os
import signal
import threading
from collections.abc import Callable
from dataclasses import asdict

from dpgep_core.errors import DpgepError
from dpgep_core.experiments.runner import SweepProgress


def work(compute: Callable[[Callable[[SweepProgress], None], threading.Event], object]) -> int:
    """Compute, given whom to tell and what says stop. Lines on stdout say how far; the end of stdin, also that of a
    killed server, stops. What goes wrong is the last line, and the exit code."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server, which gets it too, closes our stdin
    stop = threading.Event()
    threading.Thread(target=_wait_for_end, args=(stop,), daemon=True).start()
    try:
        compute(_tell, stop)
    except DpgepError as error:
        print(json.dumps({"failed": str(error)}), flush=True)
        return 1
    return 0


def _wait_for_end(stop: threading.Event) -> None:
    while os.read(0, 1):
        pass
    stop.set()


def _tell(progress: SweepProgress) -> None:
    try:
        print(json.dumps(asdict(progress)), flush=True)
    except OSError:  # nobody listens any more: the cells are kept all the same
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
