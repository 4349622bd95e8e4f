"""Parts that several commands share: settings as flags, one line of progress, and an orderly end after Ctrl-C."""

import argparse
import signal
import sys
import threading
import time
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from typing import Any

from dpgep_core.errors import ParameterError, UnknownNameError
from dpgep_core.experiments.runner import SweepProgress
from dpgep_core.knobs import Parameter, whole_number
from dpgep_core.method import method_entry
from dpgep_core.models import model_entry
from dpgep_core.params import parameters
from dpgep_core.wording import time_text

STOPPED = 130  # what a shell expects after Ctrl-C
COUNT = whole_number(1, 1024)  # processes, repetitions
REPORT_EVERY = 1.0  # seconds between lines of progress


def add_flags(parser: argparse.ArgumentParser, flags: Mapping[str, Parameter]) -> None:
    """A flag for each parameter."""
    for name, knob in flags.items():
        parser.add_argument("--" + name.replace("_", "-"), dest=name, metavar="X", help=f"{knob.label}: {knob.allowed}")


def add_set(parser: argparse.ArgumentParser, more: str = "") -> None:
    """The flag ``--set``, for parameters without a flag of their own."""
    what = f"a parameter of the model or algorithm{more}"
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help=what)


def read_flags(texts: Mapping[str, str | None], flags: Mapping[str, Parameter]) -> dict[str, Any]:
    """Values of the flags that were given, each checked under the name the user typed."""
    return {name: flags[name].parse(name, text) for name, text in texts.items() if text is not None}


def read_set(pairs: Iterable[str], known: Mapping[str, Parameter]) -> dict[str, Any]:
    """Values of ``--set``, each checked under the name the user typed."""
    found: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals:
            raise ParameterError("--set", pair, "NAME=VALUE")
        if name not in known:
            raise UnknownNameError("--set", name, known)
        found[name] = known[name].parse(name, text)
    return found


def parameters_of_both(model: str, algorithm: str) -> dict[str, Parameter]:
    """Parameters of an algorithm and a model, by name; a name that does not exist is refused."""
    return {**parameters(method_entry(algorithm).make), **parameters(model_entry(model).make)}


def fields_of(value: object, names: str) -> dict[str, Any]:
    """Some attributes of an object by name, for a report."""
    return {name: getattr(value, name) for name in names.split()}


@contextmanager
def stopped_by_ctrl_c() -> Generator[threading.Event]:
    """An event that Ctrl-C sets, so that what is running is finished and kept."""
    stop = threading.Event()

    def ask(*_: object) -> None:
        if stop.is_set():  # asked twice: at once, as the cells that are finished are kept
            raise KeyboardInterrupt
        stop.set()
        print("\nstopping after the cells that are running; once more stops at once", file=sys.stderr)

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


class StatusLine:
    """A line on stderr that says how far something is: in place on a terminal, now and then elsewhere."""

    def __init__(self, *, quiet: bool = False, width: int = 70, wait: float = 0.0) -> None:
        self._quiet, self._width, self._terminal = quiet, width, sys.stderr.isatty()
        self._next = time.monotonic() + wait
        self.open = False  # whether the line is still to be left

    def show(self, text: str, *, ended: bool = False) -> None:
        """Show a text where the last one is long enough ago, or where it is the end."""
        if self._quiet or (time.monotonic() < self._next and not ended):
            return
        self._next = time.monotonic() + (REPORT_EVERY if self._terminal else 20 * REPORT_EVERY)
        self.open = self._terminal and not ended
        line = f"\r{text:<{self._width}}" if self._terminal else text
        print(line, end="" if self.open else "\n", file=sys.stderr, flush=True)


class ProgressLine(StatusLine):
    """Progress of a sweep."""

    def say(self, progress: SweepProgress) -> None:
        """Report how far a sweep is."""
        ended = progress.done == progress.total
        left = "" if progress.left is None or ended else f", about {time_text(progress.left)} left"
        failed = f", {progress.errors} with an error" if progress.errors else ""
        self.show(f"{progress.done} of {progress.total} cells{failed}{left}", ended=ended)
