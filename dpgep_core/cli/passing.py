"""Passes over folders that are streamed: their progress on stderr, an orderly end after Ctrl-C, and Dask workers."""

import argparse
import sys
from collections.abc import Generator
from contextlib import ExitStack, contextmanager

from dpgep_core.cli.shared import REPORT_EVERY, StatusLine
from dpgep_core.datasets.passes import PassProgress, passes
from dpgep_core.experiments.runner import cluster
from dpgep_core.wording import plural, time_text

KEPT = "The sums of the files that were read are kept: the same command goes on from there."


def add_dask(parser: argparse.ArgumentParser) -> None:
    """The flag ``--dask``."""
    parser.add_argument("--dask", metavar="ADDRESS", help="a Dask scheduler whose workers sum the files of a folder")


@contextmanager
def reported_passes(dask: str | None = None, *, quiet: bool = False) -> Generator[None]:
    """Progress of every pass inside, on the workers of a Dask cluster where an address is given."""
    line = PassLine(quiet=quiet)
    with ExitStack() as stack:
        executor, workers = (None, 1) if dask is None else stack.enter_context(cluster(dask))
        stack.enter_context(passes(report=line.say, executor=executor, workers=workers))
        try:
            yield
        except KeyboardInterrupt:
            if line.files:
                print(f"\nStopped after {plural(line.files, 'file')}. {KEPT}", file=sys.stderr)
            raise
        finally:
            line.end()


class PassLine(StatusLine):
    """Progress of a pass. Short passes say nothing."""

    def __init__(self, *, quiet: bool = False) -> None:
        super().__init__(quiet=quiet, width=90, wait=REPORT_EVERY)
        self.files = 0

    def say(self, progress: PassProgress) -> None:
        """Report how far a pass is."""
        self.files = progress.files
        left = "" if progress.left is None else f", about {time_text(progress.left)} left"
        read = f"{progress.rows:,} of {progress.total:,} rows, {plural(progress.files, 'file')}"
        self.show(f"{progress.what}: {read}{left}")

    def end(self) -> None:
        """Leave the line."""
        if self.open:
            print(file=sys.stderr)
            self.open = False
