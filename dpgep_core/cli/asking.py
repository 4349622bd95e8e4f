"""``dpgep ask``: the smallest ε or n that reaches a target, and the best ξ."""

import argparse
from dataclasses import asdict, replace
from typing import Any

from dpgep_core.cli.solving import add_setting, asked_setting
from dpgep_core.cli.terminal import print_json
from dpgep_core.datasets import open_dataset
from dpgep_core.errors import ParameterError
from dpgep_core.evaluate.diagnostic import ACCURACY_LABELS, WHAT_IF
from dpgep_core.evaluate.measures import TARGETS
from dpgep_core.evaluate.threshold import Threshold, epsilon_for_target, rows_needed
from dpgep_core.experiments.answers import BestRidge, best_ridge
from dpgep_core.knobs import whole_number
from dpgep_core.learnt import learnt_facts, learnt_sentence
from dpgep_core.solve import plan
from dpgep_core.wording import number_text, plural

DEFAULT_DRAWS = whole_number(1, 1000)
QUESTION_FLAGS = {
    "epsilon": "the smallest ε that reaches --target",
    "n": "how many rows reach --target at --epsilon",
    "xi": "the ξ that is best at --epsilon, where it is free",
}


def add_command(commands: Any) -> None:
    """Put ``ask`` under the subcommands."""
    parser = commands.add_parser(
        "ask", help="what ε, how many rows, which ξ: it reads the rows, no ε covers the answer"
    )
    parser.add_argument(
        "question", choices=tuple(QUESTION_FLAGS), help="; ".join(f"{k}: {v}" for k, v in QUESTION_FLAGS.items())
    )
    add_setting(parser)
    parser.add_argument("--target", metavar="T", help="what is to be reached: a number > 0 and <= 1")
    parser.add_argument("--measure", default="accuracy", metavar="M", help=", ".join(TARGETS))
    parser.add_argument("--draws", metavar="N", help="noise draws")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> None:
    setting = asked_setting(arguments)
    more: dict[str, Any] = {"measure": arguments.measure}
    if arguments.draws is not None:
        more["draws"] = int(DEFAULT_DRAWS.parse("--draws", arguments.draws))
    data = open_dataset(arguments.dataset)
    if arguments.question == "xi":
        found: Threshold | BestRidge = best_ridge(data, setting, **more)
    else:
        ask = epsilon_for_target if arguments.question == "epsilon" else rows_needed
        found = ask(data, setting, _target(arguments.target), **more)
    report = {"question": arguments.question, "dataset": data.name, "model": setting.model,
              "algorithm": setting.algorithm, "measure": arguments.measure, **asdict(found), "label": WHAT_IF,
              "measure_label": ACCURACY_LABELS["private"] if arguments.measure == "accuracy" else None,
              "learnt": learnt_facts(data, setting)}  # fmt: skip
    if arguments.question == "n" and isinstance(found, Threshold):
        rows = plan(data, replace(setting, as_if=1.0)).public.n
        report["rows"] = None if found.value is None else round(found.value * rows)
    print_json(report) if arguments.json else print(_in_words(report))


def _target(text: str | None) -> float:
    try:
        return float(text or "")
    except ValueError:
        raise ParameterError("--target", text, "a number > 0 and <= 1") from None


def _in_words(report: dict[str, Any]) -> str:
    where = f"{report['dataset']} · {report['model']} · {report['algorithm']}, {report['measure']}"
    if report["measure_label"]:
        where += f" ({report['measure_label']})"
    if report["question"] == "xi":
        first = (
            f"best ξ: {number_text(report['value'])} (median {report['median']:.4f} of "
            f"{plural(report['draws'], 'draw')})"
        )
        second = f"not told apart from it: {number_text(report['low'])} to {number_text(report['high'])}"
    else:
        name = "ε" if report["question"] == "epsilon" else "× the rows"
        rows = f" = {report['rows']:,} rows" if report.get("rows") else ""
        reached = f"median {report['reached']:.4f}, without privacy {report['ceiling']:.4f}"
        if report["value"] is None:
            first = (
                f"{number_text(report['target'], 6)} is not reached in the range that was searched "
                f"({reached} at its end)"
            )
        else:
            first = (
                f"{name} = {number_text(report['value'])}{rows} reaches {number_text(report['target'], 6)} ({reached})"
            )
        ends = [number_text(end) if end is not None else "outside the range" for end in (report["low"], report["high"])]
        second = f"80 % of {report['draws']} draws: {ends[0]} to {ends[1]}; {report['evaluations']} releases compared"
    last = "It reads the private rows under known seeds: no ε covers choosing by it."
    return "\n".join(filter(None, (where, first, second, learnt_sentence(report["learnt"]), last)))
