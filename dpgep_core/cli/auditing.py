"""``dpgep audit``: a lower bound on ε by attack, beside what is claimed and what is accounted."""

import argparse
import sys
from typing import Any

from dpgep_core.audit import DISTINGUISHERS, PAIRS, Attack, AuditFinding, AuditResult, audit, power_in_words, resolve
from dpgep_core.audit.choices import Confidence, Trials
from dpgep_core.cli.terminal import print_json
from dpgep_core.errors import ParameterError, UnknownNameError
from dpgep_core.learnt import learnt_sentence
from dpgep_core.method import method_entry
from dpgep_core.models import model_entry
from dpgep_core.params import Components, Delta, Epsilon, Seed, definition, parameters, whole_number
from dpgep_core.privacy.privacy_loss import accounted_text

AUDIT_FLAGS: dict[str, Any] = {
    "trials": Trials,
    "epsilon": Epsilon,
    "delta": Delta,
    "n_components": Components,
    "confidence": Confidence,
    "seed": Seed,
}
JOBS = whole_number(1, 256)
PROVES_NOTHING = "An attack that finds nothing proves nothing: a better one may exist."


def add_command(commands: Any) -> None:
    """Put ``audit`` under the subcommands."""
    parser = commands.add_parser("audit", help="an empirical lower bound on ε by attack")
    parser.add_argument("--algorithm", required=True, metavar="A")
    parser.add_argument("--model", metavar="M", help="by default fda, or what the algorithm is for")
    for name, annotated in AUDIT_FLAGS.items():
        knob = definition(annotated)
        parser.add_argument("--" + name.replace("_", "-"), dest=name, metavar="X", help=f"{knob.label}: {knob.allowed}")
    parser.add_argument("--pair", metavar="P", help="neighbouring data sets: " + ", ".join(PAIRS))
    parser.add_argument("--distinguisher", metavar="T", help="how they are told apart: " + ", ".join(DISTINGUISHERS))
    parser.add_argument("--jobs", metavar="N", help="processes; by default as many as cores, where it pays")
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="a parameter of the model or algorithm"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=_run)


def attack_from_text(arguments: argparse.Namespace) -> Attack:
    """An attack from the texts of a command line, every value checked under the name the user typed."""
    given: dict[str, Any] = {
        name: definition(annotated).parse(name, text)
        for name, annotated in AUDIT_FLAGS.items()
        if (text := getattr(arguments, name)) is not None
    }
    named: dict[str, Any] = {name: getattr(arguments, name) for name in ("algorithm", "model", "pair", "distinguisher")}
    attack = resolve(Attack(**named, **given))
    known = {**parameters(method_entry(attack.algorithm).make), **parameters(model_entry(attack.model).make)}
    params: dict[str, Any] = {}
    for pair in arguments.set:
        name, equals, text = pair.partition("=")
        if not equals:
            raise ParameterError("--set", pair, "NAME=VALUE")
        if name not in known:
            raise UnknownNameError("--set", name, known)
        params[name] = known[name].parse(name, text)
    return Attack(**named, **given, params=tuple(sorted(params.items())))


def _run(arguments: argparse.Namespace) -> None:
    attack = attack_from_text(arguments)
    jobs = None if arguments.jobs is None else int(JOBS.parse("--jobs", arguments.jobs))
    shown = _Progress() if sys.stderr.isatty() else None
    result = audit(attack, jobs=jobs, progress=shown)
    if shown is not None:
        shown.clear()
    print_json(audit_report(result)) if arguments.json else print(in_words(result))


def audit_report(result: AuditResult) -> dict[str, Any]:
    """A result as one plain object."""
    claimed, accounted = result.claimed, result.accounted
    return {
        "algorithm": result.algorithm,
        "model": result.model,
        "pair": result.pair,
        "distinguisher": result.distinguisher,
        "n": result.n,
        "d": result.d,
        "k": result.k,
        "seed": result.seed,
        "version": result.version,
        "parameters": result.parameters,
        "trials": result.trials,
        "training_trials": result.training,
        "claimed": None if claimed is None else {"epsilon": claimed.epsilon, "delta": claimed.delta},
        "claim": result.claim,
        "accounted": {
            "epsilon": accounted.epsilon,
            "delta": accounted.delta,
            "mu": result.mu,
            "reason": accounted.reason or None,
        },
        "unprotected": result.unprotected,
        "delta": result.delta,
        "confidence": result.confidence,
        "epsilon_lower_bound": result.epsilon_lower_bound,
        "mu_lower_bound": result.mu_lower_bound,
        "ceiling": result.ceiling,
        "tpr": result.tpr,
        "fpr": result.fpr,
        "auc": result.auc,
        "right_guesses": result.guesses,
        "verdict": result.finding,
        "evidence": result.evidence,
        "learnt": list(result.learnt),
        "power": [
            {"fault": one.fault, "runs": one.runs, "most": one.most, "epsilon": one.epsilon} for one in result.power
        ],
        "seconds": result.seconds,
    }


def in_words(result: AuditResult) -> str:
    """The three rows, and what the attack was."""
    proof = accounted_text(result.accounted, result.mu)
    lines = [
        f"{result.algorithm} · {result.model}   n = {result.n}, d = {result.d}, k = {result.k}, seed {result.seed}",
        f"claimed by the authors: {result.claim}",
        f"accounted by us:        {proof}",
        f"attacked:               {result.sentence}",
        f"pair: {PAIRS[result.pair].sentence}",
        f"attack: {DISTINGUISHERS[result.distinguisher].sentence}",
        f"right in {result.guesses:,} of {2 * result.trials:,} guesses; at the cutoff of the bound, hits "
        f"{result.tpr:.4f} and false alarms {result.fpr:.4f}; AUC {result.auc:.3f}; μ ≥ {result.mu_lower_bound:.3g}",
    ]
    if result.finding is AuditFinding.NOTHING:
        lines.append(power_in_words(result.power, result.trials))
    if result.learnt:
        lines.append(f"note: {learnt_sentence(result.learnt)}")
    lines.append(f"why: {result.evidence}." if result.evidence else PROVES_NOTHING)
    return "\n".join(lines)


class _Progress:
    """One line on a terminal's stderr, rewritten."""

    def __call__(self, done: int, total: int) -> None:
        print(f"\r{done:,} of {total:,} runs", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Take the line away."""
        print("\r" + " " * 40 + "\r", end="", file=sys.stderr, flush=True)
