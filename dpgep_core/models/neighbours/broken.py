"""Published constants that fail, each with neighbours that show it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from dpgep_core.datasets.slices import quantile_edges, slice_codes
from dpgep_core.models.fda import Fda
from dpgep_core.models.neighbours.extremal import extremal_pairs
from dpgep_core.models.neighbours.rows import BallRows
from dpgep_core.models.neighbours.statistics import statistic_of
from dpgep_core.models.neighbours.whitened import published_bound, worst_whitened
from dpgep_core.models.pca import Pca
from dpgep_core.models.sir import Sir
from dpgep_core.privacy.query import Array

SLICES = 10
RIDGE = 0.01


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A stated bound and a pair that passes it.

    ``found`` and ``stated`` give, at n rows, n times the change of the pair and n times the stated bound.
    """

    key: str
    title: str
    pair: str
    why: str
    found: Callable[[int], float]
    stated: Callable[[int], float]
    least: int


def quantile_change(n: int, slices: int = SLICES, *, fixed: bool = False) -> float:
    """n‖ΔA‖_F of SIR when the record with the smallest response gets the largest, and the opposite row.

    Rows stand at e₁ and −e₁ by turns from slice to slice. With edges ``fixed`` in advance nothing but the record moves.
    """
    response = np.arange(n, dtype=float)
    edges = quantile_edges(response, slices)
    X = np.where(slice_codes(response, edges) % 2 == 0, 1.0, -1.0)[:, None] * np.eye(2)[0]
    moved, Y = response.copy(), X.copy()
    moved[0], Y[0] = n + 1.0, -X[0]

    def target(rows: Array, values: Array) -> Array:
        y = slice_codes(values, edges if fixed else quantile_edges(values, slices))
        return Sir().pencil(BallRows(rows, y, slices).moments()).target

    return n * float(np.linalg.norm(target(X, response) - target(Y, moved)))


def largest_norm_change(n: int) -> float:
    """n‖ΔM‖_F when rows are divided by the largest norm among them: all at 0.1 e₁, one at e₁ that goes to 0.1 e₁."""
    X = np.tile([0.1, 0.0], (n, 1))
    X[0] = (1.0, 0.0)
    other = np.tile([0.1, 0.0], (n, 1))
    one, two = (rows / np.linalg.norm(rows, axis=1).max() for rows in (X, other))
    labels = np.zeros(n, np.intp)
    model = Pca(centred=False)
    moments = [model.pencil(BallRows(rows, labels, 1).moments()).target for rows in (one, two)]
    return n * float(np.linalg.norm(moments[0] - moments[1]))


def label_change(n: int) -> float:
    """n‖ΔG‖_F of the pair of `within`: classes at e₂ and e₁, the record −e₂ of the second becomes −e₁ of the first."""
    return statistic_of("about_zero").change(extremal_pairs(n, 2)["within"])


def within_change(n: int) -> float:
    """n‖ΔW‖_F of the same pair."""
    return n * extremal_pairs(n, 2)["within"].changes(Fda())[1]


COUNTEREXAMPLES: Mapping[str, Counterexample] = {
    example.key: example
    for example in (
        Counterexample(
            "label_change", "Hu et al.: 4 for the between scatter about zero",
            "Two classes at e₂ and e₁; the record −e₂ of one becomes −e₁ of the other.",
            "True while a record keeps its label, and for a row more or less; a replaced record may bring another "
            "label, and then 3√2 = 4.243 is the truth.",
            label_change, lambda _n: 4.0, 46,
        ),
        Counterexample(
            "swapped", "Hu et al., equation (5) read literally: 4 for the within scatter",
            "The same pair.",
            "Equation (5) calls the within scatter A and Theorem 1 gives A the constant 4, meant for the between "
            "scatter. The within scatter moves by up to 4√2 = 5.657.",
            within_change, lambda _n: 4.0, 6,
        ),
        Counterexample(
            "quantiles", "Hu et al.: 13 for SIR, with slices cut at quantiles of the rows",
            f"{SLICES} slices of equal size; the record with the smallest response gets the largest.",
            "Every edge moves by one row, so one record takes a row across each of them. With public edges 8 is "
            "enough.",
            quantile_change, lambda _n: 13.0, 100,
        ),
        Counterexample(
            "largest_norm", "Hu et al.: rows divided by the largest norm among them, √2 for the second moment",
            "All rows at 0.1 e₁ and one at e₁, which goes to 0.1 e₁.",
            "That one row scales all the others: the change is of order 1 and no longer falls as 1/n.",
            largest_norm_change, lambda _n: 2**0.5, 4,
        ),
        Counterexample(
            "exact_whitener", f"Chen et al., Theorem 11: 8/(nξ) for Ã, at ξ = {RIDGE}",
            "Two classes at e₁ and −e₁; one record moves across and keeps its label.",
            "The whitener itself changes with the record while Λ_B is exact. Once Λ_B is noised the bound holds.",
            lambda n: n * worst_whitened(n, RIDGE), lambda n: n * published_bound(n, RIDGE), 10,
        ),
    )
}  # fmt: skip
