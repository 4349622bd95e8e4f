"""``dpgep solve``: one release, compared with the exact answer."""

import argparse
import math
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from dpgep_core.cli.passing import add_dask, reported_passes
from dpgep_core.cli.shared import add_flags, add_set, fields_of, parameters_of_both, read_flags, read_set
from dpgep_core.cli.terminal import print_json
from dpgep_core.datasets import open_dataset
from dpgep_core.datasets.remarks import remarks
from dpgep_core.evaluate import Diagnostic, evaluate
from dpgep_core.evaluate.diagnostic import ACCURACY_LABELS
from dpgep_core.params import parameter_values, parameters
from dpgep_core.privacy.privacy_loss import at_most
from dpgep_core.release import Release, Setting
from dpgep_core.solve import plan, run
from dpgep_core.verdict import judge
from dpgep_core.wording import number_text

SOLVE_FLAGS = {name: parameters(Setting)[name] for name in ("epsilon", "delta", "n_components", "seed", "test_size")}
BY_SET = {name: parameter for name, parameter in parameters(Setting).items() if name not in SOLVE_FLAGS}

SHORT = {
    "private": "projection private",
    "non_private": "exact projection",
    "random": "random projection",
    "all_private": "from the release alone",
}


def add_command(commands: Any) -> None:
    """Put ``solve`` under the subcommands."""
    parser = commands.add_parser("solve", help="solve once, and compare with the exact answer")
    add_setting(parser)
    parser.add_argument("--classifiers", default="lda,linear_svm", metavar="LIST", help="comma-separated; empty: none")
    parser.add_argument("--all-rows", action="store_true", help="train slow classifiers on every row")
    add_dask(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=_run)


def add_setting(parser: argparse.ArgumentParser) -> None:
    """The arguments that name a data set and a setting."""
    parser.add_argument("--dataset", required=True, metavar="D")
    parser.add_argument("--model", default="fda", metavar="M")
    parser.add_argument("--algorithm", default="ssp", metavar="A")
    add_flags(parser, SOLVE_FLAGS)
    add_set(parser, f", or one of {', '.join(BY_SET)}")


def asked_setting(arguments: argparse.Namespace) -> Setting:
    """The setting that `add_setting`'s arguments name."""
    flags = {name: getattr(arguments, name) for name in SOLVE_FLAGS}
    return setting_from_text(arguments.model, arguments.algorithm, flags, arguments.set)


def setting_from_text(model: str, algorithm: str, flags: dict[str, str | None], pairs: Iterable[str]) -> Setting:
    """A setting from the texts of a command line, every value checked under the name the user typed."""
    found = read_set(pairs, {**parameters_of_both(model, algorithm), **BY_SET})
    common = {name: found.pop(name) for name in BY_SET if name in found}
    params = tuple(sorted(found.items()))
    return Setting(model=model, algorithm=algorithm, params=params, **read_flags(flags, SOLVE_FLAGS), **common)


def _run(arguments: argparse.Namespace) -> None:
    setting = asked_setting(arguments)
    names = [name for name in arguments.classifiers.split(",") if name]
    with reported_passes(arguments.dask):
        dataset = open_dataset(arguments.dataset)
        release = run(plan(dataset, setting))
        diagnostic = evaluate(release, dataset, classifiers=names, most_rows=None if arguments.all_rows else -1)
    report = {**solve_report(release, diagnostic), "remarks": list(remarks(dataset))}
    print_json(report) if arguments.json else print(_in_words(report))


def solve_report(release: Release, diagnostic: Diagnostic) -> dict[str, Any]:
    """A release and its diagnostic as one plain object."""
    setting, public = release.setting, release.public
    claimed, accounted, judgement = release.claimed, release.accounted, judge(release)
    return {
        "dataset": release.dataset,
        **fields_of(setting, "model algorithm"),
        **fields_of(public, "n d k"),
        "seed": setting.seed,
        "version": release.version,
        **fields_of(setting, "relation test_size"),
        "parameters": parameter_values(release.method),
        "claimed": None if claimed is None else fields_of(claimed, "epsilon delta"),
        "accounted": {
            **fields_of(accounted, "epsilon delta"),
            "mu": release.ledger.mu,
            "reason": accounted.reason or None,
        },
        "unprotected": list(release.ledger.unprotected),
        "verdict": str(judgement.verdict),
        "verdict_reason": judgement.reason,
        "claim": judgement.claim,
        "claimed_by_authors": judgement.by_authors,
        "epsilon_needed": judgement.needed,
        "known_seed": setting.seed is not None,
        "metrics": fields_of(
            diagnostic,
            "cosine_similarity mean_cosine_similarity principal_angles subspace_distance shang_distance explained "
            "chance_cosine label",
        ),
        "accuracy": _accuracy(diagnostic),
        "accuracy_label": ACCURACY_LABELS,
        "accuracy_note": diagnostic.accuracy_note or None,
        "majority": diagnostic.majority,
        "ledger": [
            fields_of(entry, "query sensitivity sigma count sampling_rate mu protected") for entry in release.ledger
        ],
        "facts": dict(release.facts),
        "status": release.status,
        "learnt": list(release.learnt),
        "warnings": [*release.warnings, *diagnostic.warnings],
        "seconds": release.seconds,
    }


def _accuracy(diagnostic: Diagnostic) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, scores in diagnostic.accuracy.items():
        kinds = {kind: one for kind, one in vars(scores).items() if one is not None}
        found[name] = {kind: one.accuracy for kind, one in kinds.items()}
        found[name]["details"] = {kind: asdict(one) for kind, one in kinds.items()}
    return found


def _in_words(report: dict[str, Any]) -> str:
    accounted, metrics = report["accounted"], report["metrics"]
    single = math.isfinite(accounted["mu"])
    mu = f"μ = {number_text(accounted['mu'], 4)}" if single else "of drawn rows, which no single μ describes"
    proof = accounted["reason"] or f"ε ≤ {at_most(accounted['epsilon'])} ({mu}), if the noise were secret"
    lines = [
        f"{report['dataset']} · {report['model']} · {report['algorithm']}"
        f"   n = {report['n']:,}, d = {report['d']:,}, k = {report['k']}, seed {report['seed']}",
        f"claimed by the authors: {report['claim']}",
        f"accounted by us:        {proof}",
        f"verdict:                {report['verdict']}. {report['verdict_reason']}",
        f"mean cosine {metrics['mean_cosine_similarity']:.3f} (chance {metrics['chance_cosine']:.3f}), "
        f"explained {metrics['explained']:.3f}, subspace distance {metrics['subspace_distance']:.3f}"
        f"   [{metrics['label']}]",
    ]
    for name, row in report["accuracy"].items():
        numbers = ", ".join(f"{SHORT[kind]} {value:.4f}" for kind, value in row.items() if kind != "details")
        lines.append(f"accuracy, {name}: {numbers}, majority class {report['majority']:.4f}")
    if report["accuracy"]:
        lines.append(f"projection private: {ACCURACY_LABELS['private']}")
    if report["accuracy_note"]:
        lines.append(f"accuracy: {report['accuracy_note']}")
    lines += [f"note: {warning}" for warning in (*report["warnings"], *report.get("remarks", ()))]
    if report["known_seed"]:
        lines.append("The seed is known, so this is not a private release.")
    return "\n".join(lines)
