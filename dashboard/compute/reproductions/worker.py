"""The process that computes a reproduction beside the server."""

import sys
from pathlib import Path

from dashboard.compute.beside import work
from dashboard.compute.reproductions.spec import read
from dpgep_core.experiments.papers import reproduce


def main(spec: str, store: str) -> int:
    """Compute what is missing of it."""
    return work(
        lambda report, stop: reproduce(read(Path(spec).read_text("utf-8")), Path(store), report=report, stop=stop)
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
