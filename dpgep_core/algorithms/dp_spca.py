"""DP-SPCA: one drawn row a step, with noise on its gradient."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from dpgep_core.method import Growth, Guarantee, Source, Verdict, register
from dpgep_core.models.problem import Problem
from dpgep_core.models.public import PublicFacts
from dpgep_core.models.record_queries import DRAWN_GRADIENT, gradient_bound, sampled_gradient
from dpgep_core.privacy import Curator, Grant, NoisePlan, PlannedAnswer
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
SPLIT = 0.5  # the paper's μ in (0, 1), which it leaves open
LEAST = 1.5  # of 5Tα/(n²εμ), the condition of Theorem 1


@register(
    "dp_spca",
    "DP-SPCA (Shang et al.)",
    Source(
        "Shang et al., Principal Component Analysis in the Stochastic Differential Privacy Model, UAI 2022",
        "Algorithm 1, Theorem 1",
    ),
    Guarantee(
        "(ε, δ)-DP (Theorem 1), under a condition on T, n and ε",
        Verdict.HOLDS_OTHERWISE,
        "The condition of Theorem 1, and ε ≤ T/n² of its Lemma 1, are hardly ever met. Where they are, accounting of "
        "the drawn rows shows the claim true; elsewhere n and ε decide whether the rule keeps to ε or spends hundreds "
        "of times as much.",
    ),
    models=("pca",),
    growth=(Growth("m d k", ("m d k^2", "m", "d^2"), memory=("d k", "d^2")),),
)
@dataclass(frozen=True, kw_only=True)
class StochasticPca(DrawingRows):
    """V ← polar(V + η(2 x xᵀV + z)) for a row x drawn in each step and fresh noise z ~ N(0, λ²) on every entry.

    Source: Shang et al., Algorithm 1 and, for several columns, the block form of their Section 4.1. Claimed guarantee:
    (ε, δ)-DP (Theorem 1) with λ² = 20TαG²/(n²εμ), α = log(1/δ)/((1 − μ)ε) + 1, G = 2 and μ = 1/2, left open there.
    What holds: each answer is drawn from a share 1/n of the rows by the curator, who does not tell which, and changes
    by at most 2 for k = 1 and 2√2 for k > 1 where a row is replaced (neighbours; a row added or removed as well); the
    ledger composes them as privacy loss distributions.
    Departs from the paper: its columns are scaled to the data, ours never; where the model centres, the mean row m
    leaves first under a tenth of μ² and the gradient is 2(xxᵀ − mmᵀ)V (``centred=false`` is the paper's); columns come
    in the order the noisy gradients suggest; batches are an option.

    Parameters
    ----------
    step_size : float
        n η. The paper's η = 1/(2n) is for rows whose largest entry is 1; their squared norm is about 100 on MNIST, and
        scaling rows by R scales gradient and noise by R². On unit rows that is η = 50/n.
    n_iterations : int
        T; 0 is the paper's T = n (n/b in batches, 60,000 at most).
    batch : int
        b, rows of a step.
    calibration : {"published", "exact"}
        The rule above, or the least λ that the grant allows.
    """

    step_size: RowSteps = 50.0
    n_iterations: Steps = 0
    batch: Batch = 1
    calibration: Sampled = "published"

    def noise_plan(self, public: PublicFacts, grant: Grant) -> NoisePlan:
        """The mean row where the model centres, then the gradient of drawn rows in each step."""
        plan, bound, sigma = self.schedule(public), gradient_bound(public.k), self._sigma(public, grant)
        rows = PlannedAnswer(
            DRAWN_GRADIENT, bound / plan.batch, sigma, plan.steps, plan.batch / public.n, symbol="sigma"
        )
        return (*mean_plan(public, grant), rows)

    def outside_claim(self, public: PublicFacts, grant: Grant) -> str:
        """Where Lemma 1 or Theorem 1 does not apply."""
        n, steps = public.n, self.schedule(public).steps
        if grant.epsilon > steps / n**2:
            return f"Lemma 1 asks for ε ≤ T/n² = {steps / n**2:.2g}"
        least = 5 * steps * _alpha(grant) / (n**2 * grant.epsilon * SPLIT)
        return "" if least >= LEAST else f"Theorem 1 asks for 5Tα/(n²εμ) ≥ {LEAST:g}, and this is {least:.2g}"

    def needed_epsilon(self, public: PublicFacts, grant: Grant) -> float:
        """ε that a row e₁ needs where all others are e₂ (0 for k = 1), in k columns, as it shows whenever drawn."""
        rows = self.noise_plan(public, grant)[-1]
        rate = rows.sampling_rate * public.n / (public.n + 1)  # for a row more as well
        return sampled_epsilon(rows.sigma / rows.sensitivity, rate, rows.count, grant.delta)

    def iterates(self, curator: Curator[Problem], public: PublicFacts, start: Array) -> Iterator[Array]:
        """Yield about 50 bases along the way, and the last."""
        plan, c = self.schedule(public), centre(curator, public)
        rows = self.noise_plan(public, curator.grant)[-1]
        channel = self.drawn(curator, public, rows)
        V, order = start, Ordering(memory=max(1, plan.steps // 2))
        for t in range(1, plan.steps + 1):
            gradient = channel.ask(sampled_gradient(V, c, plan.batch))
            order.see(V, gradient)
            V = polar(V + plan.rate * gradient)
            if due(t, plan.steps) or lost(V):
                yield order.apply(V)
            if lost(V):
                return

    def _sigma(self, public: PublicFacts, grant: Grant) -> float:
        plan = self.schedule(public)
        if self.rule.accounted:
            mu = math.sqrt(MEAN_SHARE) * grant.mu if public.centred else 0.0
            z = noise_multiplier(grant.epsilon, grant.delta, plan.batch / public.n, plan.steps, mu)
            return z * gradient_bound(public.k) / plan.batch
        return LIPSCHITZ * math.sqrt(20 * plan.steps * _alpha(grant) / (grant.epsilon * SPLIT)) / public.n


def _alpha(grant: Grant) -> float:
    """α = log(1/δ)/((1 − μ)ε) + 1, the order at which the paper bounds its Rényi divergence."""
    return math.log(1 / grant.delta) / ((1 - SPLIT) * grant.epsilon) + 1
