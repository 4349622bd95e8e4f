"""DP-VRPCA: the variance-reduced form of DP-SPCA, whose published noise does not cover what it reveals."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from dpgep_core.method import Growth, Guarantee, Source, Verdict, register
from dpgep_core.models.problem import Problem
from dpgep_core.models.public import PublicFacts
from dpgep_core.models.record_queries import (
    DRAWN_DIFFERENCE,
    FULL_GRADIENT,
    full_gradient,
    gradient_bound,
    sampled_difference,
)
from dpgep_core.numerics import thin_norm
from dpgep_core.params import Knob
from dpgep_core.privacy import Curator, Grant, NoisePlan, PlannedAnswer
from dpgep_core.privacy.calibration import exact
from dpgep_core.privacy.query import Array
from dpgep_core.privacy.subsampled import noise_multiplier, sampled_epsilon
from dpgep_core.stochastic import (
    MEAN_SHARE,
    Batch,
    DrawingRows,
    Ordering,
    RowSteps,
    Sampled,
    Steps,
    centre,
    due,
    lost,
    mean_plan,
    polar,
)

LIPSCHITZ = 2.0  # G: |∇f_i(v)| = 2|x||xᵀv| ≤ 2
MOST_DRIFT = 2.0  # of two orthonormal bases
TURNED, SETTLED = 1.0, 10.0  # change of 2xxᵀ(V − Ṽ) between e₁ and e₂ where η T is at least so much
WALKED, FAR, WIDE = 3.0, 100.0, 5  # the same where noise walks so far, k T η² λ², in as many columns k or more
FULL_SHARE = 0.1  # of the variance λ² (published), or of μ² (exact), for the full gradient

Epochs = Annotated[
    int,
    Knob(symbol="m", label="Epochs m", integer=True, low=1, high=1000, high_open=False, soft=(1, 20),
         doc="How often the full gradient is taken anew."),
]  # fmt: skip
Drift = Annotated[
    float,
    Knob(symbol="r", label="Largest drift r", low=0, low_open=True, high=2, high_open=False, soft=(0.01, 2),
         scale="log", doc="V − Ṽ is shortened to this spectral norm. 2 never shortens it, as published."),
]  # fmt: skip


@register(
    "dp_vrpca",
    "DP-VRPCA (Shang et al.)",
    Source(
        "Shang et al., Principal Component Analysis in the Stochastic Differential Privacy Model, UAI 2022",
        "Algorithm 2, Theorem 3",
    ),
    Guarantee(
        "(ε, δ)-DP (Theorem 3)",
        Verdict.FALSE,
        "Each answer holds the difference of two gradients of a drawn row, of size up to G‖V − Ṽ‖ and not of the order "
        "1/n, which the noise does not cover; an explicit pair of data sets spends hundreds of times ε in one epoch.",
    ),
    models=("pca",),
    growth=(Growth("m d k", ("m d k^2", "m", "d^2"), memory=("d k", "d^2")),),
)
@dataclass(frozen=True, kw_only=True)
class VarianceReducedPca(DrawingRows):
    """V ← polar(V + η(2xxᵀ(V − Ṽ) + 2MṼ + z)), Ṽ taken anew in each of m epochs of T steps, z ~ N(0, λ²).

    Source: Shang et al., Algorithm 2, in the block form of their Section 4.2. Claimed guarantee: (ε, δ)-DP (Theorem 3)
    with λ² = G²Tm log(1/δ)/(n²ε²), G = 2, for ε ≤ Tm/n². What holds: neither the condition in any usual setting, nor
    the claim. For neighbours with one row replaced, 2xxᵀ(V − Ṽ) changes by up to r times 2 (2√2 for k > 1) whenever
    that row is drawn, with r = ‖V − Ṽ‖₂ ≤ 2, the bound used here unless ``drift`` keeps it smaller.
    The ledger writes z as two independent parts, one for the full gradient and one for the drawn rows, whose
    variances are .1 and .9 of λ²: the output has the same law, and both are accounted as what they are.
    Departs from the paper: as ``dp_spca`` does (no scaling to the data, mean row, order of columns, batches); m, which
    the paper leaves to a logarithm with unknown constants, is 2.

    Parameters
    ----------
    step_size : float
        n η. The paper's η = 1/n is for rows whose largest entry is 1; on unit rows that is 100/n, as in ``dp_spca``.
    n_iterations, n_epochs : int
        T (0 is n) and m.
    batch : int
        b, rows of a step.
    drift : float
        r.
    calibration : {"published", "exact"}
        The rule above, or noise that keeps to the grant at this r.
    """

    step_size: RowSteps = 100.0
    n_iterations: Steps = 0
    n_epochs: Epochs = 2
    batch: Batch = 1
    drift: Drift = MOST_DRIFT
    calibration: Sampled = "published"

    def noise_plan(self, public: PublicFacts, grant: Grant) -> NoisePlan:
        """The mean row where the model centres; then the full gradient and the drawn rows in each step."""
        plan, (full, rows) = self.schedule(public), self._bounds(public)
        sigma_full, sigma_rows = self._sigmas(public, grant)
        steps = plan.steps * self.n_epochs
        return (
            *mean_plan(public, grant),
            PlannedAnswer(FULL_GRADIENT, full, sigma_full, steps, symbol="sigma_full"),
            PlannedAnswer(DRAWN_DIFFERENCE, rows, sigma_rows, steps, plan.batch / public.n, symbol="sigma_rows"),
        )

    def more_facts(self, public: PublicFacts, grant: Grant) -> dict[str, float]:
        """λ, the scale of the two parts together."""
        return {"lambda": math.hypot(*self._sigmas(public, grant))}

    def outside_claim(self, public: PublicFacts, grant: Grant) -> str:
        """Where Theorem 3 does not apply."""
        most = self.schedule(public).steps * self.n_epochs / public.n**2
        return "" if grant.epsilon <= most else f"Theorem 3 asks for ε ≤ Tm/n² = {most:.2g}"

    def needed_epsilon(self, public: PublicFacts, grant: Grant) -> float:
        """ε that a row e₂ needs where all others are e₁, in few columns, as far as such runs were seen to drift.

        What the two rows add then differs by 2‖(e₁e₁ᵀ − e₂e₂ᵀ)(V − Ṽ)‖. In 8k columns the basis turns to e₁, or noise
        turns it, and this is `TURNED` or more in a fifth of the steps of the first epoch. In k columns strong noise
        turns it further. At least half of all starts do so, and δ is doubled for that.
        """
        plan, grown = self.schedule(public), math.hypot(*self._sigmas(public, grant))
        walked = public.k * plan.steps * (plan.rate * grown) ** 2
        seen = [(TURNED, plan.steps / 5)] if plan.rate * plan.steps >= SETTLED else []
        if walked >= FAR and public.k >= WIDE:
            seen.append((WALKED, 0.6 * plan.steps * self.n_epochs))
        short, rate = self.drift / MOST_DRIFT / plan.batch, plan.batch / (public.n + 1)
        delta = min(2 * grant.delta, 0.5)
        found = (sampled_epsilon(grown / (c * short), rate, max(1, int(steps)), delta) for c, steps in seen)
        return max(found, default=0.0)

    def iterates(self, curator: Curator[Problem], public: PublicFacts, start: Array) -> Iterator[Array]:
        """Yield about 50 bases in each epoch."""
        plan, c = self.schedule(public), centre(curator, public)
        *_, of_mean, of_rows = self.noise_plan(public, curator.grant)
        full, rows = curator.reserve_planned(of_mean), self.drawn(curator, public, of_rows)
        V, order = start, Ordering(memory=max(1, plan.steps // 2))
        for _ in range(self.n_epochs):
            snapshot, query = V, full_gradient(V, c, public)
            for t in range(1, plan.steps + 1):
                difference = rows.ask(sampled_difference(self._shortened(V - snapshot), c, plan.batch))
                gradient = difference + full.ask(query)
                order.see(V, gradient)
                V = polar(V + plan.rate * gradient)
                if due(t, plan.steps) or lost(V):
                    yield order.apply(V)
                if lost(V):
                    return

    def _shortened(self, drift: Array) -> Array:
        size = thin_norm(drift) if self.drift < MOST_DRIFT else 0.0
        return drift if size <= self.drift else drift * (self.drift / size)

    def _bounds(self, public: PublicFacts) -> tuple[float, float]:
        """Sensitivities of the full gradient and of the drawn rows."""
        none = np.zeros((public.d, 1))
        full = full_gradient(np.zeros((public.d, public.k)), none, public).sensitivity
        return full, gradient_bound(public.k) * self.drift / self.schedule(public).batch

    def _sigmas(self, public: PublicFacts, grant: Grant) -> tuple[float, float]:
        plan, (full, rows) = self.schedule(public), self._bounds(public)
        steps = plan.steps * self.n_epochs
        if not self.rule.accounted:
            scale = LIPSCHITZ * math.sqrt(steps * math.log(1 / grant.delta)) / (public.n * grant.epsilon)
            return scale * math.sqrt(FULL_SHARE), scale * math.sqrt(1 - FULL_SHARE)
        mu = math.sqrt(FULL_SHARE + (MEAN_SHARE if public.centred else 0.0)) * grant.mu
        z = noise_multiplier(grant.epsilon, grant.delta, plan.batch / public.n, steps, mu)
        return exact(full, grant, count=steps, share=FULL_SHARE), z * rows
