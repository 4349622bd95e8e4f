"""Tables of the panels that only stories show. Pure functions."""

from typing import Any

import numpy as np
import pandas as pd

from dashboard.compute.exchanges import Membership, Swaps, energy
from dashboard.compute.results import Answer
from dashboard.scenario import Scenario
from dpgep_core.datasets import Dataset
from dpgep_core.evaluate import Reference
from dpgep_core.models.neighbours import COUNTEREXAMPLES
from dpgep_core.protocols import ridge_of
from dpgep_core.release import Release
from dpgep_core.wording import number_text

REDUCTIONS = ("dpsr", "dpsrs", "dpsr_corrected")  # W = V(Λ_B + ξ)^-½V′
SIZES = (100, 1_000, 10_000)


def leak_of(release: Release) -> tuple[Any, Any]:
    """(numbers, directions): 1/S² − ξ and U of W = U S Vᵀ."""
    directions, lengths, _ = np.linalg.svd(release.components, full_matrices=False)
    return 1 / lengths**2 - (ridge_of(release.method) or 0.0), directions


def leak_truth(release: Release, constraint: Any) -> Any:
    """uᵀBu for the directions of `leak_of`: read without noise."""
    directions = leak_of(release)[1]
    return np.einsum("ij,ik,kj->j", directions, constraint, directions)


def leak_rows(item: Answer, reference: Reference) -> list[dict[str, Any]]:
    """Rows with 1/S² − ξ beside uᵀBu; no rows for a method whose output is not a rotated whitener."""
    release = item.release
    if item.algorithm not in REDUCTIONS or release.components.shape[1] > release.components.shape[0]:
        return []
    numbers, _ = leak_of(release)
    truth = leak_truth(release, reference.problem.pencil.constraint_matrix)
    return [
        {"direction": place, "from W: 1/S² − ξ": f"{number:.15f}", "uᵀBu": f"{true:.15f}",
         "difference": number_text(abs(number - true), 2)}
        for place, (number, true) in enumerate(zip(numbers, truth, strict=True), start=1)
    ]  # fmt: skip


def swap_rows(found: Swaps) -> pd.DataFrame:
    """Quantiles of the changes between real rows, with the largest made-up change and the proved bound."""
    shares = (0.05, 0.25, 0.5, 0.75, 0.95, 1.0)
    names = [f"{100 * share:.0f} % of the exchanges change less" for share in shares]
    values = [*np.quantile(found.changes, shares), found.made_up, found.proved]
    return pd.DataFrame({"what": [*names, "with a made-up row", "what the proof allows"], "n × change of B": values})


def energy_rows(scenario: Scenario, data: Dataset) -> pd.DataFrame:
    """Columns with their share, largest first."""
    shares = energy(scenario, data)
    names = data.feature_names or tuple(f"column {i}" for i in range(data.d))
    order = np.argsort(-shares)
    return pd.DataFrame({"column": [names[i] for i in order], "share of the energy": shares[order]})


def pair_rows(key: str) -> pd.DataFrame:
    """Change by a pair of neighbours at growing n, beside the constant that was stated."""
    example = COUNTEREXAMPLES[key]
    return pd.DataFrame(
        {"rows n": f"{n:,}", "change": f"{example.found(n) / n:.3f}", "n × change": number_text(example.found(n), 4),
         "stated for n × change": number_text(example.stated(n), 4)}
        for n in SIZES
    )  # fmt: skip


def member_rows(found: Membership) -> pd.DataFrame:
    """Right guesses of the three guessers."""
    return pd.DataFrame(
        {"guess": ["from the forest", "the most that ε allows", "blind"], "right": [found.right, found.allowed, 0.5]}
    )
