"""Is released − exact noise of the law and size that the curator was asked for, fresh in each answer?

The laws are written down here a second time, as matrices: noise = σ · L g with independent unit normals g. So the
check shares no code with what draws the noise.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
from recording import Answer
from scipy.stats import chi2

from dpgep_core.privacy.randomness import (
    Independent,
    Isotropic,
    IsotropicTimes,
    LocalTriangles,
    TriangleTimes,
    UpperTriangle,
)

RARE = 1e-7  # how seldom a single number may be as far off as what is called a fault
FAR = 6.0  # the same in standard deviations
ENOUGH = 200  # independent numbers with which 2/3 and 3/2 of σ are told from σ at that rate
Matrix = np.ndarray


def symmetric(d: int, aside: float) -> Matrix:
    """(d, d, d(d+1)/2): symmetric matrices with independent entries of deviation 1 on, ``aside`` off the diagonal."""
    rows, columns = np.triu_indices(d)
    basis = np.zeros((d, d, len(rows)))
    numbers = np.arange(len(rows))
    basis[rows, columns, numbers] = basis[columns, rows, numbers] = np.where(rows == columns, 1.0, aside)
    return basis


def loadings(answer: Answer) -> Matrix:
    """L of an answer, (entries, independent numbers)."""
    law, d = answer.law, answer.exact.shape[0]
    if isinstance(law, Independent):
        return np.eye(answer.exact.size)
    if isinstance(law, Isotropic | IsotropicTimes):
        basis = symmetric(d, math.sqrt(0.5))
    elif isinstance(law, UpperTriangle | TriangleTimes):
        basis = symmetric(d, 1.0)
    elif isinstance(law, LocalTriangles):
        basis = symmetric(d, 1.0) / math.sqrt(law.reports)
    else:
        raise TypeError(f"{type(law).__name__}: a noise law that this check does not know")
    if answer.frame is None:
        return basis.reshape(-1, basis.shape[2])
    return np.einsum("ijm,jk->ikm", basis, answer.frame).reshape(-1, basis.shape[2])


class Whitener:
    """From the entries of an answer to independent numbers of variance 1, by the law that the answer should follow."""

    def __init__(self, answer: Answer) -> None:
        L = loadings(answer)
        U, S, _ = np.linalg.svd(L, full_matrices=False)
        kept = S[0] * 1e-9 < S
        self.axes, self.sizes = U[:, kept], S[kept]
        self.variances = (L**2).sum(axis=1)

    def numbers(self, values: Matrix) -> Matrix:
        """Independent coordinates."""
        return (self.axes.T @ values.ravel()) / self.sizes

    def entries(self, values: Matrix) -> Matrix:
        """Noise turned back to where the entries are: comparable between answers."""
        return self.axes @ self.numbers(values)

    def outside(self, values: Matrix) -> float:
        """Size of what no such noise can be."""
        flat = values.ravel()
        return float(np.linalg.norm(flat - self.axes @ (self.axes.T @ flat)))


def size_of_change(answer: Answer) -> float:
    """What the neighbour changes, in the norm in which the noise of this answer is a unit ball times σ."""
    assert answer.change is not None
    whitener = Whitener(answer)
    if whitener.outside(answer.change) > 1e-9 * (1 + np.abs(answer.exact).max()):
        return math.inf
    return float(np.linalg.norm(whitener.numbers(answer.change)))


def noisy(answer: Answer) -> bool:
    """Whether this answer is one that the ledger calls protected."""
    return answer.law is not None and getattr(answer.law, "proves", True)


Noise = tuple[Matrix, Whitener]


def faults(runs: Sequence[Sequence[Answer]]) -> Iterator[str]:
    """What is wrong with the noise of some runs of one plan under different seeds; nothing if all is well."""
    by_name: dict[tuple[str, str], list[Noise]] = defaultdict(list)
    turned: dict[tuple[int, ...], list[list[Matrix]]] = defaultdict(list)
    for run in runs:
        of_run: dict[tuple[int, ...], list[Matrix]] = defaultdict(list)
        for answer in filter(noisy, run):
            whitener, noise = Whitener(answer), (answer.released - answer.exact) / answer.entry.sigma
            by_name[answer.entry.query, type(answer.law).__name__].append((noise, whitener))
            of_run[answer.exact.shape].append(whitener.entries(noise))
        for shape, entries in of_run.items():
            turned[shape].append(entries)
    for (name, law), answers in by_name.items():
        yield from (f"{name} ({law}): {fault}" for fault in _wrong_size(answers))
    for entries in turned.values():
        yield from _repeated(entries)


def enough(runs: Sequence[Sequence[Answer]]) -> bool:
    """Whether so many runs are enough to judge every answer."""
    numbers: dict[str, int] = defaultdict(int)
    for answer in (answer for run in runs for answer in filter(noisy, run)):
        numbers[answer.entry.query] += answer.exact.shape[0]  # at least so many are independent
    return all(count >= ENOUGH for count in numbers.values())


def _wrong_size(answers: Sequence[Noise]) -> Iterator[str]:
    numbers = np.concatenate([whitener.numbers(noise) for noise, whitener in answers])
    assert len(numbers) >= ENOUGH, f"{len(numbers)} independent numbers are too few to judge"
    if any(whitener.outside(noise) > 1e-6 for noise, whitener in answers):
        yield "noise where this law has none"
    if _unusual(float(numbers @ numbers), len(numbers)):
        yield f"variance {float(numbers @ numbers) / len(numbers):.3g} times what the ledger says"
    if abs(numbers.sum()) > FAR * math.sqrt(len(numbers)):
        yield "the noise has a mean"
    for shape in {noise.shape for noise, _ in answers}:
        yield from _wrong_entries([answer for answer in answers if answer[0].shape == shape])


def _wrong_entries(answers: Sequence[Noise]) -> Iterator[str]:
    variances = np.stack([whitener.variances for _, whitener in answers])
    squares = np.stack([noise.ravel() ** 2 for noise, _ in answers])
    sums = np.divide(squares, variances, out=np.ones_like(squares), where=variances > 1e-12).sum(axis=0)
    if (wrong := np.flatnonzero([_unusual(float(s), len(answers)) for s in sums])).size:
        yield f"entry {wrong[0]}: variance {sums[wrong[0]] / len(answers):.3g} times what the ledger says"


def _unusual(squares: float, numbers: int) -> bool:
    """Whether a sum of squares of so many unit normals is too small or too large."""
    return bool(min(chi2.cdf(squares, numbers), chi2.sf(squares, numbers)) < RARE)


def _repeated(runs: Sequence[Sequence[Matrix]]) -> Iterator[str]:
    """Noise that was seen before: in the same run, perhaps times another frame, or in a run with another seed."""
    flat = np.array([entries for run in runs for entries in run])
    unit = flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-300)
    alike = np.abs(np.triu(unit @ unit.T, 1))
    if unit.shape[1] > 2 and (alike > 1 - 1e-10).any():
        yield "two answers carry the same noise"
    if len({len(run) for run in runs}) > 1:
        return
    places = np.array([list(run) for run in runs])
    products = np.einsum("rie,rje->ij", places, places)
    spread = np.sqrt(np.einsum("rie->i", places**2))
    if (np.abs(np.triu(products, 1)) > FAR * np.maximum(spread, 1e-300)).any():
        yield "the noise of two answers goes together"
