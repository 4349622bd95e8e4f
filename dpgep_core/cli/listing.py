"""``dpgep list``: what there is."""

import argparse
from dataclasses import asdict
from typing import Any

from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.cli.shared import fields_of
from dpgep_core.cli.terminal import print_json
from dpgep_core.datasets import dataset_names, dataset_problems
from dpgep_core.errors import one_line
from dpgep_core.method import MethodEntry
from dpgep_core.models import MODELS
from dpgep_core.params import Choice, Knob, defaults, parameters
from dpgep_core.plugins import plugins


def add_command(commands: Any) -> None:
    """Put ``list`` under the subcommands."""
    parser = commands.add_parser("list", help="data sets, models and algorithms")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=print_list)


def print_list(arguments: argparse.Namespace) -> None:
    """Print the registries."""
    everything = catalogue()
    if arguments.json:
        print_json(everything)
        return
    for heading in ("datasets", "models"):
        print(f"{heading}: {', '.join(map(one_line, everything[heading]))}")
    for name, problem in everything["unusable"].items():
        print(f"  {one_line(name)} cannot be used: {problem}")
    for plugin in everything["plugins"]:
        print(plugin["problem"] or f"plug-in {one_line(plugin['name'])}: {', '.join(plugin['algorithms'])}")
    for algorithm in everything["algorithms"]:
        print(f"\n{algorithm['key']}: {algorithm['title']} [{', '.join(algorithm['models'])}]")
        if algorithm["origin"]:
            print(f"  from outside the package: {algorithm['origin']}")
        print(f"  source: {algorithm['source']['title']}, {algorithm['source']['where']}")
        guarantee = algorithm["guarantee"]
        print(f"  claim: {guarantee['claim']}; in general: {guarantee['verdict']}. {guarantee['reason']}")
        for parameter in algorithm["parameters"]:
            print(f"  --set {parameter['name']}={parameter['default']}  ({parameter['allowed']})")


def catalogue() -> dict[str, Any]:
    """Data sets, models and algorithms with parameters, sources and guarantees."""
    return {
        "datasets": dataset_names(),
        "unusable": dataset_problems(),
        "plugins": [fields_of(one, "name algorithms problem") for one in plugins()],
        "models": list(MODELS),
        "algorithms": [_describe(entry) for entry in ALGORITHMS.values()],
    }


def _describe(entry: MethodEntry) -> dict[str, Any]:
    return {
        "key": entry.key,
        "title": entry.title,
        "source": asdict(entry.source),
        "guarantee": fields_of(entry.guarantee, "claim verdict reason"),
        "models": [key for key in entry.models if key in MODELS],
        "private": entry.private,
        "origin": entry.origin,
        "parameters": _parameters(entry.make),
    }


def _parameters(cls: type) -> list[dict[str, Any]]:
    default = defaults(cls)
    found: list[dict[str, Any]] = []
    for name, parameter in parameters(cls).items():
        row: dict[str, Any] = {"name": name, **fields_of(parameter, "label symbol doc")}
        row |= {"default": default[name], "allowed": parameter.allowed}
        if isinstance(parameter, Knob):
            row |= fields_of(parameter, "low high soft scale")
        if isinstance(parameter, Choice):
            row["options"] = dict(parameter.options)
        found.append(row)
    return found
