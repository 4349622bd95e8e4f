"""``dpgep solve``: one release, compared with the exact answer."""

import argparse
import math
from collections.abc import Iterable
from typing import Any

from dpgep_core.cli.terminal import print_json
from dpgep_core.datasets import load_dataset
from dpgep_core.datasets.glance import remarks
from dpgep_core.errors import ParameterError, UnknownNameError
from dpgep_core.evaluate import Diagnostic, evaluate
from dpgep_core.evaluate.diagnostic import ACCURACY_LABELS
from dpgep_core.method import method_entry
from dpgep_core.models import model_entry
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
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=_run)


def add_setting(parser: argparse.ArgumentParser) -> None:
    """The arguments that name a data set and a setting."""
    parser.add_argument("--dataset", required=True, metavar="D")
    parser.add_argument("--model", default="fda", metavar="M")
    parser.add_argument("--algorithm", default="ssp", metavar="A")
    for name, knob in SOLVE_FLAGS.items():
        parser.add_argument("--" + name.replace("_", "-"), dest=name, metavar="X", help=f"{knob.label}: {knob.allowed}")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a parameter of the model or algorithm, or one of " + ", ".join(BY_SET),
    )


def asked_setting(arguments: argparse.Namespace) -> Setting:
    """The setting that `add_setting`'s arguments name."""
    flags = {name: getattr(arguments, name) for name in SOLVE_FLAGS}
    return setting_from_text(arguments.model, arguments.algorithm, flags, arguments.set)


def setting_from_text(model: str, algorithm: str, flags: dict[str, str | None], pairs: Iterable[str]) -> Setting:
    """A setting from the texts of a command line, every value checked under the name the user typed."""
    known = {**parameters(method_entry(algorithm).make), **parameters(model_entry(model).make)}
    common: dict[str, Any] = {}
    params: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals:
            raise ParameterError("--set", pair, "NAME=VALUE")
        if name in BY_SET:
            common[name] = BY_SET[name].parse(name, text)
        elif name in known:
            params[name] = known[name].parse(name, text)
        else:
            raise UnknownNameError("--set", name, [*known, *BY_SET])
    given = {name: SOLVE_FLAGS[name].parse(name, text) for name, text in flags.items() if text is not None}
    return Setting(model=model, algorithm=algorithm, params=tuple(sorted(params.items())), **given, **common)


def _run(arguments: argparse.Namespace) -> None:
    setting = asked_setting(arguments)
    dataset = load_dataset(arguments.dataset)
    release = run(plan(dataset, setting))
    names = [name for name in arguments.classifiers.split(",") if name]
    diagnostic = evaluate(release, dataset, classifiers=names, most_rows=None if arguments.all_rows else -1)
    report = {**solve_report(release, diagnostic), "remarks": list(remarks(dataset))}
    print_json(report) if arguments.json else print(_in_words(report))


def solve_report(release: Release, diagnostic: Diagnostic) -> dict[str, Any]:
    """A release and its diagnostic as one plain object."""
    setting, public = release.setting, release.public
    claimed, accounted, judgement = release.claimed, release.accounted, judge(release)
    return {
        "dataset": release.dataset,
        "model": setting.model,
        "algorithm": setting.algorithm,
        "n": public.n,
        "d": public.d,
        "k": public.k,
        "seed": setting.seed,
        "version": release.version,
        "relation": setting.relation,
        "test_size": setting.test_size,
        "parameters": parameter_values(release.method),
        "claimed": None if claimed is None else {"epsilon": claimed.epsilon, "delta": claimed.delta},
        "accounted": {
            "epsilon": accounted.epsilon,
            "delta": accounted.delta,
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
        "metrics": _metrics(diagnostic),
        "accuracy": _accuracy(diagnostic),
        "accuracy_label": ACCURACY_LABELS,
        "accuracy_note": f"not measured, because {diagnostic.unscored}" if diagnostic.unscored else None,
        "majority": diagnostic.majority,
        "ledger": [
            {
                "query": entry.query,
                "sensitivity": entry.sensitivity,
                "sigma": entry.sigma,
                "count": entry.count,
                "sampling_rate": entry.sampling_rate,
                "mu": entry.mu,
                "protected": entry.protected,
            }
            for entry in release.ledger
        ],
        "facts": dict(release.facts),
        "status": release.status,
        "learnt": list(release.learnt),
        "warnings": [*release.warnings, *diagnostic.warnings],
        "seconds": release.seconds,
    }


def _metrics(diagnostic: Diagnostic) -> dict[str, Any]:
    return {
        "cosine_similarity": diagnostic.cosine_similarity,
        "mean_cosine_similarity": diagnostic.mean_cosine_similarity,
        "principal_angles": diagnostic.principal_angles,
        "subspace_distance": diagnostic.subspace_distance,
        "shang_distance": diagnostic.shang_distance,
        "explained": diagnostic.explained,
        "chance_cosine": diagnostic.chance_cosine,
        "label": diagnostic.label,
    }


def _accuracy(diagnostic: Diagnostic) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, scores in diagnostic.accuracy.items():
        kinds = {"private": scores.private, "non_private": scores.non_private, "random": scores.random}
        if scores.all_private is not None:
            kinds["all_private"] = scores.all_private
        found[name] = {kind: one.accuracy for kind, one in kinds.items()}
        found[name]["details"] = {kind: {f: getattr(one, f) for f in one.__slots__} for kind, one in kinds.items()}
    return found


def _in_words(report: dict[str, Any]) -> str:
    accounted, metrics = report["accounted"], report["metrics"]
    single = math.isfinite(accounted["mu"])
    mu = f"μ = {number_text(accounted['mu'], 4)}" if single else "of drawn rows, which no single μ describes"
    proof = accounted["reason"] or f"ε ≤ {at_most(accounted['epsilon'], 4)} ({mu}), if the noise were secret"
    lines = [
        f"{report['dataset']} · {report['model']} · {report['algorithm']}"
        f"   n = {report['n']}, d = {report['d']}, k = {report['k']}, seed {report['seed']}",
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
