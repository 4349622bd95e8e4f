"""``dpgep edges``: edges of slices at private quantiles of a response, for the sidecar of the file."""

import argparse
from typing import Any

from dpgep_core.cli.shared import add_flags, read_flags
from dpgep_core.cli.terminal import print_json
from dpgep_core.datasets.silent import open_silently
from dpgep_core.knobs import whole_number
from dpgep_core.params import parameters
from dpgep_core.privacy.privacy_loss import accounted_text
from dpgep_core.release import Setting
from dpgep_core.slicing import MOST_SLICES, ReleasedEdges, release_edges

FLAGS = {name: parameters(Setting)[name] for name in ("epsilon", "delta", "seed")}
COUNT = whole_number(2, MOST_SLICES)


def add_command(commands: Any) -> None:
    """Put ``edges`` under the subcommands."""
    parser = commands.add_parser("edges", help="slices of a response at private quantiles")
    parser.add_argument("--dataset", required=True, metavar="D", help="a name, or a file with a response")
    parser.add_argument("--slices", default="10", metavar="N", help=f"parts of about equal size: {COUNT.allowed}")
    parser.add_argument("--low", required=True, type=float, metavar="X", help="least response there can be: public")
    parser.add_argument("--high", required=True, type=float, metavar="X", help="largest response there can be: public")
    add_flags(parser, FLAGS)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> None:
    given: dict[str, Any] = {"epsilon": 0.1, **read_flags({name: getattr(arguments, name) for name in FLAGS}, FLAGS)}
    slices = int(COUNT.parse("--slices", arguments.slices))
    found = release_edges(open_silently(arguments.dataset), slices, (arguments.low, arguments.high), **given)
    print_json(edges_report(found)) if arguments.json else print(edges_in_words(found))


def edges_report(found: ReleasedEdges) -> dict[str, Any]:
    """The edges and their price as one plain object."""
    return {"edges": list(found.edges), "edges_mu": found.mu,
            "accounted": {"epsilon": found.accounted.epsilon, "delta": found.accounted.delta}}  # fmt: skip


def edges_in_words(found: ReleasedEdges) -> str:
    """The lines for a sidecar, and what they have cost."""
    return (
        f"# accounted: {accounted_text(found.accounted, found.mu)}\n"
        "# for the sidecar, in its section [response], below the column; private runs count edges_mu in\n"
        f"edges = {list(found.edges)}\nedges_mu = {found.mu!r}"
    )
