"""Frozen results that the Privacy lab shows: noise by rule, verdicts, attacks, reconstructions, shares of a ledger.

Plain functions; iterators are for work that goes on beside the page.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from dashboard.scenario import Scenario, fitting_algorithms
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.audit import Attack, AuditResult, audit
from dpgep_core.audit.case import Case, observe
from dpgep_core.audit.pairs import pair_kind
from dpgep_core.audit.reconstruction import outputs_needed, reconstruct_constraint, reconstruct_row
from dpgep_core.datasets import Dataset
from dpgep_core.errors import DpgepError
from dpgep_core.privacy import Claim, Grant, Ledger
from dpgep_core.privacy.privacy_loss import PrivacyLoss
from dpgep_core.privacy.query import Array
from dpgep_core.privacy.rules import RULES, Rule
from dpgep_core.release import Setting
from dpgep_core.solve import plan, run
from dpgep_core.verdict import Judgement, judge

ROWS, COLUMNS = 1000, 5  # of the made-up pair that is attacked
SLOW = ("dp_spca", "dp_vrpca")  # a step for every row: attacked on fewer rows
SLOW_ROWS = 60
QUICK_TRIALS = 100  # for the table of every algorithm
FEWEST = 20  # runs that an attack may have
STEPS = 4  # looks at one attack, each at four times the runs of the one before


@dataclass(frozen=True, slots=True)
class RuleRow:
    """One rule at one setting."""

    rule: Rule
    sigma: float
    inflation: float
    loss: PrivacyLoss
    caution: str


def rule_rows(grant: Grant, answers: int, sensitivity: float = 1.0) -> tuple[RuleRow, ...]:
    """Noise of each answer under every rule, with what it is really worth."""
    exact = RULES["exact"].sigma(sensitivity, grant, answers)
    return tuple(
        RuleRow(
            rule,
            sigma := rule.sigma(sensitivity, grant, answers),
            sigma / exact,
            rule.privacy_loss(grant, answers),
            rule.caution(grant, answers),
        )
        for rule in RULES.values()
    )


@dataclass(frozen=True, slots=True)
class VerdictRow:
    """One algorithm at the scenario; ``problem`` says why it could not be run there."""

    algorithm: str
    judgement: Judgement | None = None
    accounted: Claim | None = None
    mu: float = math.inf
    problem: str = ""


def audited_keys(model: str) -> list[str]:
    """Algorithms of a model that claim some privacy, the slow ones last."""
    keys = [key for key in fitting_algorithms(model) if ALGORITHMS[key].private]
    return sorted(keys, key=lambda key: key in SLOW)


def verdict_rows(scenario: Scenario, data: Dataset) -> Iterator[VerdictRow]:
    """Run every algorithm at the scenario, and compare what it claims with what its ledger proves."""
    for key in audited_keys(scenario.model):
        try:
            release = run(plan(data, scenario.setting(key)))
        except DpgepError as error:
            yield VerdictRow(key, problem=str(error))
        else:
            yield VerdictRow(key, judge(release), release.accounted, release.ledger.mu)


def attack_of(scenario: Scenario, algorithm: str, trials: int) -> Attack:
    """The strongest known attack on an algorithm, at the ε and parameters of the scenario and a made-up pair."""
    own = {name for name, _ in scenario.params_of(algorithm)} - {"sparsity", "view_columns"}
    return Attack(
        algorithm=algorithm,
        model=scenario.model,
        trials=trials,
        epsilon=scenario.epsilon,
        delta=scenario.delta,
        seed=scenario.seed,
        rows=SLOW_ROWS if algorithm in SLOW else ROWS,
        columns=COLUMNS,
        params=tuple((name, value) for name, value in scenario.params if name in own),
    )


def attacks(scenario: Scenario) -> Iterator[AuditResult | VerdictRow]:
    """One quick attack on each algorithm; a row with a problem where none fits."""
    for key in audited_keys(scenario.model):
        try:
            yield audit(attack_of(scenario, key, QUICK_TRIALS))
        except DpgepError as error:
            yield VerdictRow(key, problem=str(error))


def growing_attack(attack: Attack) -> Iterator[AuditResult]:
    """One attack with more and more runs; the first ones are among the later ones."""
    for number in range(STEPS):
        yield audit(replace(attack, trials=max(FEWEST, attack.trials // 4 ** (STEPS - 1 - number))))


@dataclass(frozen=True, slots=True)
class Reconstruction:
    """Secrets that outputs give away beyond one bit: B from ``needed`` of them, the last row from two."""

    algorithm: str
    needed: int
    ranks: tuple[tuple[int, int, float | None], ...]
    row: Array = field(repr=False)
    candidates: Array = field(repr=False)
    row_error: float


def reconstruction(algorithm: str, epsilon: float, xi: float, seed: int) -> Reconstruction:
    """Run an algorithm with square outputs on a made-up data set, and solve for B and for one row."""
    pair = pair_kind("generic").build(ROWS, COLUMNS, seed)
    needed = outputs_needed(COLUMNS)
    setting = Setting(
        model="fda", algorithm=algorithm, epsilon=epsilon, n_components=COLUMNS, seed=seed, params=(("xi", xi),)
    )
    bound = plan(pair.one, setting)
    outputs = list(observe(Case(bound, bound), 0, "components", list(range(seed, seed + needed))))
    true = bound.problem.pencil.constraint_matrix
    ranks = tuple(_matrix(outputs[:count], xi, true) for count in range(1, needed + 1))
    last = bound.problem.preprocessing.apply(pair.one.X[:1])[0]
    others = replace(pair.one, X=pair.one.X[1:], y=None if pair.one.y is None else pair.one.y[1:])
    label = 0 if pair.one.y is None else int(pair.one.y[0])
    found = reconstruct_row(outputs[:2], xi, others, ROWS, label)
    error = float(np.linalg.norm(found.candidates - last, axis=1).min())
    return Reconstruction(algorithm, needed, ranks, last, found.candidates, error)


def _matrix(outputs: Sequence[Array], xi: float, true: Array) -> tuple[int, int, float | None]:
    """(rank, unknowns, relative error of B or None where it is not determined)."""
    found = reconstruct_constraint(outputs, xi)
    size = float(np.linalg.norm(true)) or 1.0  # rows of zeros
    error = float(np.linalg.norm(found.matrix - true)) / size if found.complete else None
    return found.rank, found.unknowns, error


@dataclass(frozen=True, slots=True)
class Share:
    """Part of μ² that one answer, or loop of answers, takes."""

    name: str
    count: int
    squared: float


def shares(ledger: Ledger) -> tuple[Share, ...]:
    """Where μ² goes, in the order of asking; what has no finite μ is left out, see `outside`."""
    return tuple(Share(e.query, e.count, e.mu * e.mu) for e in ledger if math.isfinite(e.mu * e.mu))


def outside(ledger: Ledger) -> tuple[str, ...]:
    """Answers that have no place in a sum of μ²: unprotected ones, and sub-sampled ones."""
    sampled = tuple(dict.fromkeys(f"{e.query} (sub-sampled)" for e in ledger if math.isnan(e.mu)))
    return tuple(f"{name} (unprotected)" for name in ledger.unprotected) + sampled
