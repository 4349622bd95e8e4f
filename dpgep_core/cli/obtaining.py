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
from dpgep_core.paths import path_of


def add_command(commands: Any) -> None:
    """Put ``data`` under the subcommands."""
    parser = commands.add_parser("data", help="the papers' data sets: listed, or brought into the data folder")
    parser.add_argument("name", nargs="?", metavar="NAME", help="such as fashion; none lists them")
    parser.add_argument("--from", dest="given", metavar="FILE", help="what was downloaded by hand: a file or a folder")
    parser.add_argument("--into", metavar="DIR", help=f"by default what {FOLDER_VARIABLE} names, or your own folder")
    parser.add_argument("--json", action="store_true", help="print the list as JSON")
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> None:
    usual = data_folder()
    folder = usual if arguments.into is None else path_of("--into", arguments.into)
    if arguments.name is None:
        _list(folder, arguments)
        return
    wanted = public_set(arguments.name)
    given = None if arguments.given is None else path_of("--from", arguments.given)
    if given is None and not wanted.bundled and is_here(wanted, folder):
        print(f"{wanted.key} is in {folder} already")
        return
    found = bring(wanted, folder, given)
    checked = (
        "the values have the known digest" if found.confirmed else f"no digest is known, this copy has {found.digest}"
    )
    print(f"{wanted.title}: {wanted.size}, rows and columns as in the papers; {checked}")
    print(f"licence: {wanted.licence}\n{found.path} and {found.path.with_suffix('.toml').name}")
    if folder != usual:
        print(f"to use it: {FOLDER_VARIABLE}={arguments.into}")


def _list(folder: Path, arguments: argparse.Namespace) -> None:
    if arguments.given is not None:
        raise ParameterError("--from", arguments.given, "given together with the NAME of a data set")
    names = dataset_names()
    here = {key: key in names or is_here(found, folder) for key, found in CATALOGUE.items()}
    if arguments.json:
        sets = [{**asdict(found), "way": found.way, "here": here[key]} for key, found in CATALOGUE.items()]
        print_json({"folder": str(folder), "sets": sets})
        return
    for key, found in CATALOGUE.items():
        print(f"{key}: {found.title}. {found.papers}")
        print(f"  {found.size}, {found.licence}, {found.page}")
        print(f"  {_state(found, here=here[key])}")
    print(f"\nfolder: {folder}")


def _state(found: PublicSet, *, here: bool) -> str:
    if found.bundled or found.obstacle:
        return found.way
    return "here" if here else f"{found.way} (fetches {found.download})"
