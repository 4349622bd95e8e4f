"""Reconstructions from DPSR's outputs, beyond one bit: all of B from a few of them, and a whole row from two.

A square output W = V(Λ_B + ξI)^-½V′ has the singular value decomposition W = U S Rᵀ with U = V up to order and sign and
1/S² − ξ = diag(UᵀBU): d exact quadratic forms of B.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from dpgep_core.datasets.dataset import Dataset, prepared_blocks
from dpgep_core.privacy.query import Array

MOST_SIGN_COLUMNS = 16  # for a row: 2^(d − 1) patterns of signs are tried


@dataclass(frozen=True, slots=True, eq=False)
class MatrixFound:
    """B from its quadratic forms.

    ``rank`` of ``unknowns`` entries are determined; B is only meaningful where they are equal.
    """

    matrix: Array
    rank: int
    unknowns: int

    @property
    def complete(self) -> bool:
        """Whether every entry is determined."""
        return self.rank == self.unknowns


@dataclass(frozen=True, slots=True, eq=False)
class RowFound:
    """The row that two outputs single out, up to one sign: ``candidates`` (2, d), and how badly they fit (relative)."""

    candidates: Array
    misfit: float


def quadratic_forms(outputs: Array, xi: float) -> tuple[Array, Array]:
    """Directions U (…, d, k) as columns, and what uᵀBu is for each if Λ_B left without noise (…, k)."""
    U, S, _ = np.linalg.svd(outputs, full_matrices=False)
    with np.errstate(divide="ignore"):
        return U, 1 / S**2 - xi


def outputs_needed(d: int) -> int:
    """Square outputs that determine B: ⌈(d + 2)/2⌉.

    Each gives d equations, but their sum is the trace of B every time, so r outputs have rank r(d − 1) + 1 at most.
    """
    return math.ceil((d + 2) / 2)


def reconstruct_constraint(outputs: Sequence[Array], xi: float) -> MatrixFound:
    """B from square outputs alone, without any knowledge of the rows."""
    d = outputs[0].shape[0]
    rows, columns = np.triu_indices(d)
    twice = np.where(rows == columns, 1.0, 2.0)
    equations: list[Array] = []
    values: list[Array] = []
    for U, forms in (quadratic_forms(W, xi) for W in outputs):
        equations.append((U[rows] * U[columns]).T * twice)
        values.append(forms)
    entries, _, rank, _ = np.linalg.lstsq(np.concatenate(equations), np.concatenate(values), rcond=1e-10)
    matrix = np.zeros((d, d))
    matrix[rows, columns] = matrix[columns, rows] = entries
    return MatrixFound(matrix, int(rank), len(rows))


def reconstruct_row(outputs: Sequence[Array], xi: float, others: Dataset, n: int, label: int) -> RowFound:
    """The one unknown row of class ``label``, from two square outputs of FDA and the n − 1 other rows.

    With N = n − 1 rows of spread B₀, nB = NB₀ + β bbᵀ, b = x − m and β = c/(c + 1), c and m being the size and mean of
    the class without the row. So each direction of the first output gives |uᵀb|; the second output decides between the
    2^(d−1) patterns of signs. b and −b fit alike: one of m + b and m − b is the row.
    """
    before, mean, share = _known_rows(others, label)
    first, second = (_squared_products(W, xi, before, n, share) for W in outputs[:2])
    guesses = _signs(len(first[1])) * np.sqrt(np.maximum(first[1], 0.0)) @ first[0].T
    misfits = np.linalg.norm((guesses @ second[0]) ** 2 - second[1], axis=1) / np.linalg.norm(second[1])
    best = guesses[misfits.argmin()]
    return RowFound(np.stack([mean + best, mean - best]), float(misfits.min()))


def _known_rows(others: Dataset, label: int) -> tuple[Array, Array, float]:
    """N B₀ of the known rows, the mean of the class and β."""
    x = np.concatenate([block for _, block in prepared_blocks(others.X, others.preprocessing)])
    y = np.zeros(len(x), dtype=np.intp) if others.y is None else others.y
    spread = np.zeros((x.shape[1], x.shape[1]))
    for code in np.unique(y):
        centred = x[y == code] - x[y == code].mean(axis=0)
        spread += centred.T @ centred
    own = x[y == label]
    return spread, own.mean(axis=0), len(own) / (len(own) + 1)


def _squared_products(W: Array, xi: float, before: Array, n: int, share: float) -> tuple[Array, Array]:
    """Directions, and (uᵀb)² for each."""
    U, forms = quadratic_forms(W, xi)
    return U, (n * forms - np.einsum("ij,ik,kj->j", U, before, U)) / share


def _signs(d: int) -> Array:
    """(2^(d−1), d) patterns of ±1 whose first entry is 1."""
    if d > MOST_SIGN_COLUMNS:
        raise ValueError(f"{d} columns have too many patterns of signs; {MOST_SIGN_COLUMNS} are the most")
    return np.array([(1.0, *rest) for rest in product((1.0, -1.0), repeat=d - 1)])
