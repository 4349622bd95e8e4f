"""``dpgep audit``: a lower bound on ε by attack, beside what is claimed and what is accounted."""

import argparse
import sys
from typing import Any

from dpgep_core.audit import Attack, AuditFinding, AuditResult, audit, resolve
from dpgep_core.audit.distinguishers import DISTINGUISHERS
from dpgep_core.audit.pairs import PAIRS
from dpgep_core.audit.result import power_in_words
from dpgep_core.cli.shared import add_flags, add_set, fields_of, parameters_of_both, read_flags, read_set
from dpgep_core.cli.terminal import print_json
from dpgep_core.knobs import whole_number
from dpgep_core.learnt import learnt_sentence
from dpgep_core.params import parameters
from dpgep_core.privacy.privacy_loss import accounted_text

AUDIT_FLAGS = {
    name: parameters(Attack)[name]
    for name in ("trials", "epsilon", "delta", "n_components", "confidence", "seed")
}  # fmt: skip
JOBS = whole_number(1, 256)
PROVES_NOTHING = "An attack that finds nothing proves nothing: a better one may exist."


def add_command(commands: Any) -> None:
    """Put ``audit`` under the subcommands."""
    parser = commands.add_parser("audit", help="an empirical lower bound on ε by attack")
    parser.add_argument("--algorithm", required=True, metavar="A")
    parser.add_argument("--model", metavar="M", help="by default fda, or what the algorithm is for")
    add_flags(parser, AUDIT_FLAGS)
    parser.add_argument("--pair", metavar="P", help="neighbouring data sets: " + ", ".join(PAIRS))
    parser.add_argument("--distinguisher", metavar="T", help="how they are told apart: " + ", ".join(DISTINGUISHERS))
    parser.add_argument("--jobs", metavar="N", help="processes; by default as many as cores, where it pays")
    add_set(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=_run)


def attack_from_text(arguments: argparse.Namespace) -> Attack:
    """An attack from the texts of a command line, every value checked under the name the user typed."""
    given = read_flags({name: getattr(arguments, name) for name in AUDIT_FLAGS}, AUDIT_FLAGS)
    named: dict[str, Any] = {name: getattr(arguments, name) for name in ("algorithm", "model", "pair", "distinguisher")}
    attack = resolve(Attack(**named, **given))
    params = read_set(arguments.set, parameters_of_both(str(attack.model), attack.algorithm))
    return Attack(**named, **given, params=tuple(sorted(params.items())))


def _run(arguments: argparse.Namespace) -> None:
    attack = attack_from_text(arguments)
    jobs = None if arguments.jobs is None else int(JOBS.parse("--jobs", arguments.jobs))
    in_place = sys.stderr.isatty()
    result = audit(attack, jobs=jobs, progress=_say_runs if in_place else None)
    if in_place:
        print("\r" + " " * 40 + "\r", end="", file=sys.stderr, flush=True)
    print_json(audit_report(result)) if arguments.json else print(audit_in_words(result))


def audit_report(result: AuditResult) -> dict[str, Any]:
    """A result as one plain object."""
    claimed, accounted = result.claimed, result.accounted
    return {
        **fields_of(result, "algorithm model pair distinguisher n d k seed version parameters trials"),
        "training_trials": result.training,
        "claimed": None if claimed is None else fields_of(claimed, "epsilon delta"),
        "claim": result.claim,
        "accounted": {**fields_of(accounted, "epsilon delta"), "mu": result.mu, "reason": accounted.reason or None},
        **fields_of(result, "unprotected delta confidence epsilon_lower_bound mu_lower_bound ceiling tpr fpr auc"),
        "right_guesses": result.guesses,
        "verdict": result.finding,
        "evidence": result.evidence,
        "learnt": list(result.learnt),
        "power": [fields_of(one, "fault runs most epsilon") for one in result.power],
        "seconds": result.seconds,
    }


def audit_in_words(result: AuditResult) -> str:
    """The three rows, and what the attack was."""
    proof = accounted_text(result.accounted, result.mu)
    lines = [
        f"{result.algorithm} · {result.model}   n = {result.n:,}, d = {result.d:,}, k = {result.k}, seed {result.seed}",
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


def _say_runs(done: int, total: int) -> None:
    """Rewrite a line on a terminal's stderr."""
    print(f"\r{done:,} of {total:,} runs", end="", file=sys.stderr, flush=True)
