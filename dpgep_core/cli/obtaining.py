"""``dpgep data``: the papers' data sets, listed, or brought into the data folder."""

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import Any

from dpgep_core.cli.terminal import print_json
from dpgep_core.datasets import dataset_names
from dpgep_core.datasets.obtain import CATALOGUE, PublicSet, bring, is_here, public_set
from dpgep_core.datasets.registry import FOLDER_VARIABLE, data_folder
from dpgep_core.errors import ParameterError


def add_command(commands: Any) -> None:
    """Put ``data`` under the subcommands."""
    parser = commands.add_parser("data", help="the papers' data sets: listed, or brought into the data folder")
    parser.add_argument("name", nargs="?", metavar="NAME", help="such as fashion; none lists them")
    parser.add_argument("--from", dest="given", metavar="FILE", help="what was downloaded by hand: a file or a folder")
    parser.add_argument("--into", metavar="DIR", help=f"by default what {FOLDER_VARIABLE} names, or your own folder")
    parser.add_argument("--json", action="store_true", help="print the list as JSON")
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> None:
    if arguments.name is None:
        _list(data_folder() if arguments.into is None else Path(arguments.into), arguments)
        return
    wanted = public_set(arguments.name)
    folder = data_folder() if arguments.into is None else Path(arguments.into)
    given = None if arguments.given is None else Path(arguments.given)
    if given is None and not wanted.bundled and is_here(wanted, folder):
        print(f"{wanted.key} is in {folder} already")
        return
    found = bring(wanted, folder, given)
    checked = (
        "the values have the known digest" if found.confirmed else f"no digest is known, this copy has {found.digest}"
    )
    print(f"{wanted.title}: {wanted.size}, rows and columns as in the papers; {checked}")
    print(f"licence: {wanted.licence}\n{found.path} and {found.path.with_suffix('.toml').name}")
    if arguments.into is not None and Path(arguments.into) != data_folder():
        print(f"to use it: {FOLDER_VARIABLE}={arguments.into}")


def _list(folder: Path, arguments: argparse.Namespace) -> None:
    if arguments.given is not None:
        raise ParameterError("--from", arguments.given, "given together with the NAME of a data set")
    here = dataset_names()
    rows = [{**_facts(found), "here": found.key in here or is_here(found, folder)} for found in CATALOGUE.values()]
    if arguments.json:
        print_json({"folder": str(folder), "sets": rows})
        return
    for found, row in zip(CATALOGUE.values(), rows, strict=True):
        print(f"{found.key}: {found.title}. {found.papers}")
        print(f"  {found.size}, {found.licence}, {found.page}")
        print(f"  {_state(found, here=row['here'])}")
    print(f"\nfolder: {folder}")


def _state(found: PublicSet, *, here: bool) -> str:
    if found.bundled or found.obstacle:
        return found.way
    return "here" if here else f"{found.way} (fetches {found.download})"


def _facts(found: PublicSet) -> dict[str, Any]:
    return {**asdict(found), "way": found.way}
