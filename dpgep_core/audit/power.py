"""What an attack that found nothing could have found: runs after which planted faults are caught, as measured.

The numbers are in ``power.csv``, made by ``python benchmarks/audit_power.py``.
"""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

FAULTS = {
    "sigma_half": "noise of half the size",
    "sigma_0.8": "noise of 0.8 of the size",
    "no_noise_A": "no noise on A",
    "no_noise_B": "no noise on B",
    "exact_counts": "exact class counts",
}
CAUGHT = 0.95  # of the audits


@dataclass(frozen=True, slots=True)
class Power:
    """One fault planted in one algorithm.

    Parameters
    ----------
    runs : int or None
        Runs on each side with which 95 % of the audits catch it; None where ``most`` are not enough.
    measured : int
        Runs on each side that this was computed from.
    """

    algorithm: str
    model: str
    epsilon: float
    rows: int
    pair: str
    distinguisher: str
    fault: str
    runs: int | None
    most: int
    measured: int


@cache
def power_table() -> tuple[Power, ...]:
    """Every fault that was planted, in the order of the registry."""
    text = files("dpgep_core.audit").joinpath("power.csv").read_text(encoding="utf-8")
    return tuple(
        Power(
            algorithm=row["algorithm"],
            model=row["model"],
            epsilon=float(row["epsilon"]),
            rows=int(row["rows"]),
            pair=row["pair"],
            distinguisher=row["distinguisher"],
            fault=row["fault"],
            runs=int(row["runs"]) if row["runs"] else None,
            most=int(row["most"]),
            measured=int(row["measured"]),
        )
        for row in csv.DictReader(text.splitlines())
    )


def power_of(algorithm: str, model: str, pair: str, distinguisher: str) -> tuple[Power, ...]:
    """The rows of one attack; none where it was not measured."""
    asked = (algorithm, model, pair, distinguisher)
    return tuple(p for p in power_table() if (p.algorithm, p.model, p.pair, p.distinguisher) == asked)


def found_by(powers: Sequence[Power], trials: int) -> str:
    """The faults that ``trials`` runs on each side find in 95 % of the audits, in a few words."""
    seen = [FAULTS[p.fault] for p in powers if p.runs is not None and p.runs <= trials]
    return ", ".join(seen) or ("none of the faults that were planted" if powers else "not measured for this attack")


def power_in_words(powers: Sequence[Power], trials: int) -> str:
    """What ``trials`` runs on each side would have found, and what they would not."""
    if not powers:
        return "What so many runs of this attack could have found was not measured."
    later = [f"{FAULTS[p.fault]} ({p.runs:,} runs)" for p in powers if p.runs is not None and p.runs > trials]
    never = [FAULTS[p.fault] for p in powers if p.runs is None]
    parts = [
        f"{trials:,} + {trials:,} runs of this attack find in {100 * CAUGHT:g} % of the audits: "
        f"{found_by(powers, trials)}."
    ]
    if later:
        parts.append(f"More runs are needed for: {', '.join(later)}.")
    if never:
        parts.append(f"Not found with {powers[0].most:,} + {powers[0].most:,} runs: {', '.join(never)}.")
    return " ".join([*parts, f"Measured at ε = {powers[0].epsilon:g} and default settings."])
