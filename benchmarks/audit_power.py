"""At how many runs would the audit catch a fault? Faults are planted in each algorithm and the audit is run on it.

    python benchmarks/audit_power.py [--trials N] [--algorithm KEY ...] [--out dpgep_core/audit/power.csv]

For each fault the attack's hits and false alarms are counted in N + N runs, at cutoffs learned in N + N others. Both
shares are then taken at the unfavourable end of a 95 % interval, and audits with 20 to 20,000 runs are simulated from
them: the first number of runs with which 95 % of the audits raise an alarm is the entry. So no entry rests on luck, and
a fault that is barely seen in N + N runs counts as not found.
"""

import argparse
import csv
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from dpgep_core import ALGORITHMS
from dpgep_core.audit import Attack, audit, resolve
from dpgep_core.audit.bounds import epsilon_bounds, mu_bounds, share_lower_bound, share_upper_bound
from dpgep_core.audit.result import CAUGHT, FAULTS, AuditResult, FaultPower
from dpgep_core.privacy import Curator
from dpgep_core.privacy.channel import RevealedMatrix

GRID = (20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000)
SIMULATED = 2000
DOUBT = 0.025  # of each share, one-sided
MEASURED = {"ssp": 5000, "ppi": 1000, **dict.fromkeys(("dprf", "dptrf", "dpsr_corrected"), 500)}
SLOW = ("dp_spca", "dp_vrpca")
ABOUT_A = ("A", "A·V", "∇J₂", "2xxᵀ", "2MṼ", "xxᵀ")
ABOUT_B = ("B", "B·V", "∇J₁", "Λ_B")
JOINT = "Σ zzᵀ"
Spoil = Callable[[str, Any, Any], Any]  # name of the question, exact answer, noisy answer → what is said


def shrunk(factor: float) -> Spoil:
    return lambda _, exact, said: exact + factor * (said - exact)


def exact_about(names: tuple[str, ...], joint: Callable[[int], list[Any]]) -> Spoil:
    """No noise on some questions; in a joint release on some blocks, given the number of columns."""

    def spoil(name: str, exact: Any, said: Any) -> Any:
        if name.startswith(JOINT):
            said = np.array(said)
            for place in joint(COLUMNS):
                said[place] = exact[place]
            return said
        word = name.split(" ")[0]
        return exact if any(word == start or (name.startswith(start) and len(start) > 2) for start in names) else said

    return spoil


def counts(d: int) -> list[Any]:
    return [(i, i) for i in range(d, d + 2)]


COLUMNS = 5
SPOILS: dict[str, Spoil] = {
    "sigma_half": shrunk(0.5),
    "sigma_0.8": shrunk(0.8),
    "no_noise_A": exact_about(ABOUT_A, lambda d: [np.s_[:d, d:], np.s_[d:, :d]]),  # A comes of the class sums
    "no_noise_B": exact_about(ABOUT_B, lambda d: [np.s_[:d, :d]]),  # B of the second moments
    "exact_counts": exact_about((), counts),
}


class FaultyCurator(Curator[Any]):
    """A curator whose ledger is right and whose answers are not."""

    def __init__(self, spoil: Spoil, *given: Any, **how: Any) -> None:
        super().__init__(*given, **how)
        self._spoil, self._noise = spoil, how.get("noise", True)

    def say(self, query: Any, ask: Callable[[Any], Any]) -> Any:
        exact: list[Any] = []

        def evaluate(secret: Any) -> Any:
            exact[:] = [query.evaluate(secret)]
            return exact[0]

        said = ask(replace(query, evaluate=evaluate))
        return self._spoil(query.name, exact[0], said) if self._noise else said

    def ask(self, query: Any, **how: Any) -> Any:
        return self.say(query, lambda watched: super(FaultyCurator, self).ask(watched, **how))

    def reserve(self, name: str, **paid: Any) -> Any:
        return Faulty(self, super().reserve(name, **paid))

    def reserve_sampled(self, name: str, source: Any, **paid: Any) -> Any:
        return Faulty(self, super().reserve_sampled(name, source, **paid))

    def reveal(self, query: Any, *, sigma: float) -> RevealedMatrix:
        raise NotImplementedError(query.name)


class Faulty:
    """A paid loop of such answers."""

    def __init__(self, curator: FaultyCurator, channel: Any) -> None:
        self._curator, self._channel = curator, channel

    def ask(self, query: Any, **how: Any) -> Any:
        return self._curator.say(query, lambda watched: self._channel.ask(watched, **how))


@contextmanager
def planted(spoil: Spoil) -> Iterator[None]:
    """While this lasts, every run has the fault."""
    driver: Any = import_module("dpgep_core.solve")
    before = driver.Curator
    driver.Curator = lambda *given, **how: FaultyCurator(spoil, *given, **how)
    try:
        yield
    finally:
        driver.Curator = before


def fits(fault: str, algorithm: str, model: str) -> bool:
    """Whether the algorithm has what the fault takes the noise from."""
    if fault == "exact_counts":
        return ALGORITHMS[algorithm].spends_once and model in ("fda", "sir")
    return fault != "no_noise_B" or model != "pca"


def alarms(found: AuditResult, trials: int) -> float:
    """Share of audits with so many runs that would raise an alarm, with the shares of hits at their worst."""
    mu_right, mu_wrong = found.mu_shares
    chance = 0.0
    pairs = ((found.tpr, found.fpr, epsilon_bounds, found.accounted.epsilon), (mu_right, mu_wrong, mu_bounds, found.mu))
    for hit, alarm, bound, proved in pairs:
        low = share_lower_bound(round(hit * found.trials), found.trials, DOUBT)
        high = share_upper_bound(round(alarm * found.trials), found.trials, DOUBT)
        rng = np.random.default_rng(0)
        right, wrong = rng.binomial(trials, low, SIMULATED), rng.binomial(trials, high, SIMULATED)
        if proved is not None and np.isfinite(proved):
            chance = max(chance, float(np.mean(bound(right, wrong, trials, found.level) > proved)))
    return chance


def measure(algorithm: str, fault: str, trials: int) -> FaultPower:
    """One entry of the table."""
    attack = resolve(Attack(algorithm=algorithm, trials=trials, rows=rows_of(algorithm)))
    with planted(SPOILS[fault]):
        found = audit(attack)
    runs = next((n for n in GRID if alarms(found, n) >= CAUGHT), None)
    return FaultPower(
        algorithm=algorithm,
        model=found.model,
        epsilon=attack.epsilon,
        rows=found.n,
        pair=found.pair,
        distinguisher=found.distinguisher,
        fault=fault,
        runs=runs,
        most=GRID[-1],
        measured=trials,
    )


def rows_of(algorithm: str) -> int:
    """Few rows where each is asked about."""
    return 60 if algorithm in SLOW else 1000


def runs_of(algorithm: str) -> int:
    """Runs on each side to measure from: as many as a few minutes allow."""
    return 100 if algorithm in SLOW else MEASURED.get(algorithm, 1500)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, help="N; by default what a few minutes allow")
    parser.add_argument("--algorithm", action="append", choices=[k for k, e in ALGORITHMS.items() if e.private])
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    rows: list[dict[str, Any]] = []
    for key in given.algorithm or [key for key, entry in ALGORITHMS.items() if entry.private]:
        clean = audit(resolve(Attack(algorithm=key, trials=20, rows=rows_of(key))))
        if clean.accounted.epsilon is None:
            print(f"{key}: without a fault there is no guarantee", file=sys.stderr)
            continue
        for fault in (fault for fault in FAULTS if fits(fault, key, clean.model)):
            rows.append(asdict(measure(key, fault, given.trials or runs_of(key))))
            print(*rows[-1].values(), file=sys.stderr, flush=True)
    with given.out.open("w", encoding="utf-8", newline="") if given.out else sys.stdout as out:
        writer = csv.DictWriter(out, list(FaultPower.__dataclass_fields__), lineterminator="\n")
        writer.writeheader()
        writer.writerows({name: "" if value is None else value for name, value in row.items()} for row in rows)


if __name__ == "__main__":
    main()
