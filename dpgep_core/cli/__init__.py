"""The command line, ``dpgep``."""

import argparse
import sys
from collections.abc import Sequence
from typing import NoReturn

from dpgep_core.cli import asking, auditing, dashboard, listing, papers, solving, sweeping
from dpgep_core.cli.terminal import write_to_any_terminal
from dpgep_core.errors import DpgepError
from dpgep_core.release import VERSION

BAD_INPUT = 2


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise SystemExit(_complain(message))


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; bad input is one line on stderr and exit code 2."""
    write_to_any_terminal()
    arguments = _parser().parse_args(argv)
    try:
        return int(arguments.run(arguments) or 0)
    except DpgepError as error:
        return _complain(str(error))
    except BrokenPipeError:  # the reader of a pipe, such as head, has seen enough
        sys.stderr.close()
        return 0
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="dpgep", description="A laboratory for differentially private generalized eigenvalue problems."
    )
    parser.add_argument("--version", action="version", version=f"dpgep {VERSION}")
    dashboard.add_arguments(parser)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    listing.add_command(commands)
    solving.add_command(commands)
    auditing.add_command(commands)
    sweeping.add_command(commands)
    asking.add_command(commands)
    papers.add_command(commands)
    return parser


def _complain(message: str) -> int:
    print("dpgep: " + " ".join(message.split()), file=sys.stderr)
    return BAD_INPUT
