"""The command line, ``dpgep``."""

import argparse
import re
import sys
from collections.abc import Sequence
from typing import NoReturn

from dpgep_core.cli import (
    asking,
    auditing,
    benching,
    dashboard,
    listing,
    obtaining,
    papers,
    releasing,
    slicing,
    solving,
    sweeping,
)
from dpgep_core.cli.shared import STOPPED
from dpgep_core.cli.terminal import write_to_any_terminal
from dpgep_core.errors import LONGEST_VALUE, DpgepError, one_line, with_notes
from dpgep_core.plugins import VARIABLE, load_flagged, problems
from dpgep_core.release import VERSION

# In the order of the help.
COMMANDS = (listing, obtaining, solving, slicing, auditing, sweeping, asking, papers, releasing, benching)
BAD_INPUT = 2
LONG_WORD = re.compile(rf"\S{{{2 * LONGEST_VALUE},}}")  # argparse repeats what was typed


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise SystemExit(_complain(LONG_WORD.sub(lambda found: one_line(found[0], LONGEST_VALUE), message)))


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; bad input is one line on stderr and exit code 2."""
    write_to_any_terminal()
    arguments = _parser().parse_args(argv)
    try:
        _load_plugins(arguments)
        return int(arguments.run(arguments) or 0)
    except DpgepError as error:
        return _complain(with_notes(error))
    except BrokenPipeError:  # the reader of a pipe, such as head, has seen enough
        sys.stderr.close()
        return 0
    except KeyboardInterrupt as error:
        if said := with_notes(error):  # what was paid for by then
            _complain(said)
        return STOPPED


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="dpgep", description="A laboratory for differentially private generalized eigenvalue problems."
    )
    parser.add_argument("--version", action="version", version=f"dpgep {VERSION}")
    dashboard.add_arguments(parser)
    _add_plugin(parser, "plugins")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for module in COMMANDS:
        module.add_command(commands)
    for command in commands.choices.values():
        _add_plugin(command, "more_plugins")
    return parser


def _add_plugin(parser: argparse.ArgumentParser, into: str) -> None:
    parser.add_argument(
        "--plugin",
        action="append",
        default=[],
        dest=into,
        metavar="MODULE",
        help=f"a module or file.py with algorithms of your own (as {VARIABLE}); may be given several times",
    )


def _load_plugins(arguments: argparse.Namespace) -> None:
    """Load what was asked for. The dashboard starts without a plug-in that is broken, and says so on its pages."""
    named = [*arguments.plugins, *getattr(arguments, "more_plugins", ())]
    strict = arguments.run is not dashboard.start_dashboard
    load_flagged(named, strict=strict)
    for problem in problems(asked=False if strict else None):
        print("dpgep: " + problem, file=sys.stderr)


def _complain(message: str) -> int:
    print("dpgep: " + one_line(message), file=sys.stderr)
    return BAD_INPUT
