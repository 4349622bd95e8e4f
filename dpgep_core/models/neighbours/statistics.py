"""The statistics that noise is added to, each with the most that one record can change it, proved and published.

Numbers are n times a norm of the change: "4" stands for 4/n. Proofs are in the docstrings of the models; that of the
between scatter about zero, which no model here uses, is in `_about_zero`.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from dpgep_core.errors import UnknownNameError
from dpgep_core.models.cca import Cca
from dpgep_core.models.fda import Fda
from dpgep_core.models.moments import Moments
from dpgep_core.models.neighbours.rows import NeighbourPair
from dpgep_core.models.pca import Pca
from dpgep_core.privacy.query import Array

Norm = Literal["frobenius", "spectral"]
BoundOfN = Callable[[int], float]
REPLACE, ADD = "replace_one", "add_remove"
ROOT2 = math.sqrt(2)


@dataclass(frozen=True, slots=True)
class Published:
    """A constant that a paper states, and what it states it of."""

    constant: float
    who: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistic:
    """A matrix of sums over the rows, and bounds on n times its change.

    Parameters
    ----------
    key, title, symbol, sentence : str
        What it is.
    matrix : callable
        From the moments to the matrix.
    frobenius, spectral : mapping of relation to callable
        Proved bounds on n‖Δ‖, from n.
    published : tuple of Published
        What papers state instead.
    keep : {"all", "between views", "within views"}
        Blocks that are kept, where the columns are of two views.
    classes : bool
        Whether the labels matter.
    """

    key: str
    title: str
    symbol: str
    sentence: str
    matrix: Callable[[Moments], Array]
    frobenius: Mapping[str, BoundOfN]
    spectral: Mapping[str, BoundOfN]
    published: tuple[Published, ...] = ()
    keep: Literal["all", "between views", "within views"] = "all"
    classes: bool = False

    def bound(self, relation: str, n: int, norm: Norm = "frobenius") -> float:
        """The proved bound on n‖Δ‖."""
        return (self.frobenius if norm == "frobenius" else self.spectral)[relation](n)

    def mask(self, d: int) -> Array:
        """(d, d) of 0 and 1: the entries that are part of it."""
        first = np.arange(d) < d // 2
        same = first[:, None] == first[None, :]
        return {"all": np.ones((d, d)), "between views": 1.0 - same, "within views": 1.0 * same}[self.keep]

    def change(self, pair: NeighbourPair, norm: Norm = "frobenius") -> float:
        """n‖Δ‖ of a pair."""
        one, other = (self.matrix(rows.moments(pair.n)) for rows in (pair.one, pair.other))
        difference = self.mask(one.shape[0]) * (other - one)
        return pair.n * float(np.linalg.norm(difference, "fro" if norm == "frobenius" else 2))


def _about_zero(moments: Moments) -> Array:
    """G = Σ_k n_k μ_k μ_kᵀ / n, the between scatter of Hu et al.

    Replace-one, label free: n‖ΔG‖_F ≤ 3√2. Adding p to c_k rows of mean m adds ppᵀ − βbbᵀ = (1−r)ppᵀ + r(pmᵀ + mpᵀ −
    mmᵀ) with r = β = c_k/(c_k+1), which is affine in r, so that r is 0 or 1 at the worst. Along a matrix H of norm 1
    with extreme eigenvalues −c ≤ 0 ≤ g the difference of two such terms is at most max_m(2|Hm| − mᵀHm) +
    max_m(2|Hm| + mᵀHm) ≤ 3(c + g) ≤ 3√2 where c and g are within a factor 2, and at most 4.03 elsewhere. In spectral
    norm: 4. Add/remove with a public divisor: one term, at most 3.
    """
    return moments.second_moment - moments.within


def _shrinking_bound(constant: float) -> BoundOfN:
    return lambda n: constant * (n - 1) / n


def _level(constant: float) -> BoundOfN:
    return lambda _n: constant


def _proved_bounds(model: Fda | Pca | Cca, which: Literal["target", "constraint"]) -> Mapping[str, BoundOfN]:
    """n times the sensitivity that the model proves."""
    return {relation: lambda n, r=relation: n * getattr(model.sensitivity(r, n), which) for relation in (REPLACE, ADD)}


_RAW, _CENTRED = Pca(centred=False), Pca()
STATISTICS: Mapping[str, Statistic] = {
    statistic.key: statistic
    for statistic in (
        Statistic(
            key="second_moment",
            title="Second moment M",
            symbol="M",
            sentence="Mean of xxᵀ, about zero: A of uncentred PCA.",
            matrix=lambda m: _RAW.pencil(m).target,
            frobenius=_proved_bounds(_RAW, "target"),
            spectral={REPLACE: _level(1.0), ADD: _level(1.0)},
            published=(Published(1.0, "Dwork et al. 2014, for a row more or less"),),
        ),
        Statistic(
            key="covariance",
            title="Covariance Σ",
            symbol="Σ",
            sentence="About the mean: A of PCA, B of SIR.",
            matrix=lambda m: _CENTRED.pencil(m).target,
            frobenius=_proved_bounds(_CENTRED, "target"),
            spectral={REPLACE: _shrinking_bound(4.0), ADD: _level(4.0)},
            published=(
                Published(6.0, "Hu et al., B of SIR"),
                Published(1.0, "Hu et al., PCA: the constant of the uncentred moment, cited for the centred one"),
            ),
        ),
        Statistic(
            key="between",
            title="Between scatter, about the mean",
            symbol="A",
            sentence="Spread of the class means: A of FDA (Chen et al.) and of SIR with public slices.",
            matrix=lambda m: Fda().pencil(m).target,
            classes=True,
            frobenius=_proved_bounds(Fda(), "target"),
            spectral={REPLACE: _shrinking_bound(8.0), ADD: _level(4.0)},
            published=(Published(8.0, "Chen et al., Lemma 1"), Published(13.0, "Hu et al., A of SIR")),
        ),
        Statistic(
            key="within",
            title="Within scatter",
            symbol="W",
            sentence="Spread of rows about their class mean: B of FDA.",
            matrix=lambda m: Fda().pencil(m).constraint_matrix,
            classes=True,
            frobenius=_proved_bounds(Fda(), "constraint"),
            spectral={REPLACE: _shrinking_bound(4.0), ADD: _level(4.0)},
            published=(
                Published(6.0, "Chen et al., Lemma 2"),
                Published(7.0, "Hu et al., C₂"),
                Published(4.0, "Hu et al., equation (5) read literally: A is the within scatter, with C₁ = 4"),
            ),
        ),
        Statistic(
            key="about_zero",
            title="Between scatter, about zero",
            symbol="G",
            sentence="Mean of μ_k μ_kᵀ over rows: A of FDA as Hu et al. bound it.",
            matrix=_about_zero,
            classes=True,
            frobenius={REPLACE: _level(3 * ROOT2), ADD: _level(3.0)},
            spectral={REPLACE: _level(4.0), ADD: _level(3.0)},
            published=(Published(4.0, "Hu et al., C₁"),),
        ),
        Statistic(
            key="cca_target",
            title="CCA: covariance between views",
            symbol="A",
            sentence="Off-diagonal blocks of the covariance, (x, y) in the unit ball: A of CCA.",
            matrix=lambda m: _CENTRED.pencil(m).target,
            keep="between views",
            frobenius=_proved_bounds(Cca(), "target"),
            spectral={REPLACE: _shrinking_bound(1.5 * math.sqrt(3)), ADD: _level(2.0)},
            published=(Published(12.0, "Hu et al., for x and y each in a unit ball"),),
        ),
        Statistic(
            key="cca_constraint",
            title="CCA: covariance within views",
            symbol="B",
            sentence="Diagonal blocks of the covariance, (x, y) in the unit ball: B of CCA.",
            matrix=lambda m: _CENTRED.pencil(m).target,
            keep="within views",
            frobenius=_proved_bounds(Cca(), "constraint"),
            spectral={REPLACE: _shrinking_bound(4.0), ADD: _level(4.0)},
            published=(Published(12.0, "Hu et al., for x and y each in a unit ball"),),
        ),
    )
}


def statistic_of(key: object) -> Statistic:
    """The statistic of a key; `UnknownNameError` names the known ones."""
    if not isinstance(key, str) or key not in STATISTICS:
        raise UnknownNameError("statistic", key, STATISTICS)
    return STATISTICS[key]
