"""Parts that DP-SPCA and DP-VRPCA share: their knobs, the mean row they start from, the rows they draw, their bases."""

import math
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np

from dpgep_core.models.problem import Problem
from dpgep_core.models.public import PublicFacts
from dpgep_core.models.record_queries import ROWS, mean_row
from dpgep_core.numerics import leading_eigenvectors, small_eigen
from dpgep_core.params import Knob
from dpgep_core.privacy import Curator, Grant, NoisePlan, PlannedAnswer, SampledChannel
from dpgep_core.privacy.calibration import EXACT_DRAWN, Ruled, choice_of, exact, keyed, published
from dpgep_core.privacy.query import Array

MEAN_SHARE = 0.1  # of μ², for the mean row where the model centres
LONGEST = 60_000  # steps, where their number follows n
WELL_CONDITIONED = 1e-4  # VᵀV beyond which its inverse root loses digits, and singular values are used
SNAPSHOTS = 50  # bases yielded in a run: not one a step, which would fill the memory

Steps = Annotated[
    int,
    Knob(symbol="T", label="Steps T", integer=True, low=0, high=1_000_000, high_open=False, soft=(0, 100_000),
         doc="Steps, each about one drawn batch. 0 goes through as many rows as there are: T = n/b."),
]  # fmt: skip
Batch = Annotated[
    int,
    Knob(symbol="b", label="Rows a step b", integer=True, low=1, high=1_000_000, high_open=False, soft=(1, 1000),
         doc="Rows drawn in each step, without replacement. The papers draw 1."),
]  # fmt: skip
RowSteps = Annotated[
    float,
    Knob(symbol=r"n\eta", label="Step size times n", low=0, low_open=True, soft=(0.1, 100), scale="log",
         doc="η = this/n for each row of a step. It is how far all n rows together go."),
]  # fmt: skip
DRAWN_RULES = keyed(published("the paper's rule", "Shang et al. 2022, Theorems 1 and 3", None), EXACT_DRAWN)
Sampled = Annotated[str, choice_of(DRAWN_RULES)]


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """How many steps, of how many rows, and how far each goes."""

    steps: int
    batch: int
    rate: float

    @classmethod
    def of(cls, public: PublicFacts, steps: int, batch: int, step_size: float) -> "Schedule":
        """``steps`` 0 means n/b, `LONGEST` at most; a batch has at most n rows; η = ``step_size`` · b/n."""
        batch = min(batch, public.n)
        chosen = steps or min(LONGEST, max(1, public.n // batch))
        return cls(steps=chosen, batch=batch, rate=step_size * batch / public.n)


class DrawingRows(Ruled):
    """Mixin: steps that each ask about a drawn batch of rows."""

    rules = DRAWN_RULES
    step_size: float
    n_iterations: int
    batch: int

    def schedule(self, public: PublicFacts) -> Schedule:
        """How many steps there are, of how many rows, and how far each goes."""
        return Schedule.of(public, self.n_iterations, self.batch, self.step_size)

    def drawn(self, curator: Curator[Problem], public: PublicFacts, rows: PlannedAnswer) -> SampledChannel:
        """Pay at once for all answers about drawn rows."""
        return curator.reserve_sampled(
            rows.name, ROWS, sensitivity=rows.sensitivity, sigma=rows.sigma, count=rows.count,
            batch=self.schedule(public).batch, n=public.n,
        )  # fmt: skip


def mean_plan(public: PublicFacts, grant: Grant) -> NoisePlan:
    """The mean row, where the model centres."""
    if not public.centred:
        return ()
    query = mean_row(public)
    return (PlannedAnswer.of(query, exact(query.sensitivity, grant, share=MEAN_SHARE), "sigma_mean"),)


def centre(curator: Curator[Problem], public: PublicFacts) -> Array:
    """(d, 1) noisy mean row where the model centres, else zero: a public shift of the gradient, free afterwards."""
    planned = mean_plan(public, curator.grant)
    if not planned:
        return np.zeros((public.d, 1))
    return curator.ask(mean_row(public), sigma=planned[0].sigma)


def polar(V: Array) -> Array:
    """V (VᵀV)^-½, the nearest orthonormal basis, as Shang et al. orthogonalise; NaN beyond the number range."""
    gram = V.T @ V
    if not np.isfinite(gram).all():
        return np.full_like(V, np.nan)
    values, vectors = small_eigen(gram)
    if not values[0] > WELL_CONDITIONED * values[-1]:
        U, _, Wt = np.linalg.svd(V, full_matrices=False)
        return U @ Wt
    return V @ ((vectors / np.sqrt(values)) @ vectors.T)


@dataclass
class Ordering:
    """Rotates a basis to its principal axes, as the noisy gradients seen so far estimate them: post-processing."""

    memory: int
    products: Array = field(default_factory=lambda: np.zeros((0, 0)))

    def see(self, V: Array, gradient: Array) -> None:
        """Take in a noisy 2AV; older ones fade over ``memory`` steps."""
        now = V.T @ gradient
        self.products = now if not self.products.size else self.products * (1 - 1 / self.memory) + now

    def apply(self, V: Array) -> Array:
        """Basis of the same span, columns by decreasing estimated variance."""
        return V @ leading_eigenvectors(self.products, V.shape[1]) if np.isfinite(self.products).all() else V


def lost(V: Array) -> bool:
    """Whether a basis has left the number range."""
    return math.isnan(float(V[0, 0]))


def due(step: int, steps: int) -> bool:
    """Whether the basis after this step (from 1) is one to yield; the last always is."""
    return step == steps or step % max(1, math.ceil(steps / SNAPSHOTS)) == 0
