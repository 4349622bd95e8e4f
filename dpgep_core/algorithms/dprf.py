"""DP-Rayleigh-Flow: fresh symmetric noise on A and B in each step of a gradient flow."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dpgep_core.method import Guarantee, Source, Verdict, register
from dpgep_core.models.problem import Problem
from dpgep_core.models.public import Public
from dpgep_core.models.queries import constraint_times, target_times
from dpgep_core.numerics import Spectrum, leading, unit_columns
from dpgep_core.params import Calibration, Checked, Iterations, Start, StepSize, Xi
from dpgep_core.privacy import Channel, Curator, Grant
from dpgep_core.privacy.calibration import exact, zcdp
from dpgep_core.privacy.query import Array
from dpgep_core.privacy.randomness import IsotropicTimes, TriangleTimes

TINY = 1e-6


@register(
    "dprf",
    "DP-Rayleigh-Flow (Hu et al.)",
    Source("Hu et al., Privacy-preserving Sparse Generalized Eigenvalue Problem, AISTATS 2023", "Algorithm 1"),
    Guarantee(
        "ρ-zCDP (Theorem 2)",
        Verdict.HOLDS,
        "Each step adds Gaussian noise to A and B with valid constants. An oracle start is not covered.",
    ),
)
@dataclass(frozen=True, kw_only=True)
class RayleighFlow(Checked):
    """v ← v + (η/ρ_t)(Ãv − ρ_t B̃v), normalised, with ρ_t = vᵀÃv / vᵀB̃v and fresh noise in Ã and B̃ each step.

    Source: Hu et al., Algorithm 1. Claimed guarantee: ρ-zCDP, so (ε, δ)-DP by their Lemma 1; neighbours "differ by
    only one data sample" (Definition 1). It holds where the constants are valid.
    Departs from the paper: ξ is added to B̃ (post-processing); the constants are those valid for the A and B of the
    model used (for FDA 8 and 6, since A is the centred between-class scatter, where Hu et al. prove 4 for the
    uncentred one and 7); k columns share the noise matrix of a step and are kept apart by a Rayleigh–Ritz rotation
    within their span, which for k = 1 is the paper's algorithm. A public B (PCA) still has half the budget set
    aside for it, as in the paper, unless the calibration is ``exact``.

    Parameters
    ----------
    xi, step_size, n_iterations
        Ridge ξ, η and m.
    calibration : {"published", "unit", "exact", "forgetful"}
        ``published``: σ² = C²m/(n²ρ) on the upper triangle. ``unit``: C = 1. ``exact``: tight sensitivities, exact
        accounting, isotropic noise. ``forgetful``: each step's answer as if it were the only one.
    start : {"random", "oracle"}
        ``oracle`` reads the exact answer without noise.
    """

    xi: Xi = 0.01
    step_size: StepSize = 1.0
    n_iterations: Iterations = 15
    calibration: Calibration = "published"
    start: Start = "random"

    def overdraws(self, public: Public, grant: Grant) -> bool:
        """Constants of 1, and forgotten composition."""
        return self.calibration in ("unit", "forgetful")

    def facts(self, public: Public, grant: Grant) -> dict[str, float]:
        """Noise scales on A and B in each step."""
        sigma_A = self._sigma(public, grant, public.sensitivity.target, public.published.target)
        if public.identity_constraint:
            return {"sigma_A": sigma_A}
        sigma_B = self._sigma(public, grant, public.sensitivity.constraint, public.published.constraint)
        return {"sigma_A": sigma_A, "sigma_B": sigma_B}

    def iterates(self, curator: Curator[Problem], public: Public, start: Array) -> Iterator[Array]:
        """Yield the basis after each step."""
        V = unit_columns(start)
        ask_A, ask_B = self._channels(curator, public)
        for _ in range(self.n_iterations):
            AV = self._product(ask_A, V, public, of_target=True)
            BV = self._product(ask_B, V, public, of_target=False) + self.xi * V
            V, AV, BV, quotients = _separate(V, AV, BV)
            V = unit_columns(V + self.step_size * (AV / quotients - BV))
            yield V

    def _channels(
        self, curator: Curator[Problem], public: Public
    ) -> "tuple[Channel[Problem], Channel[Problem] | None]":
        sigma, m, tight = self.facts(public, curator.grant), self.n_iterations, public.sensitivity
        ask_A = curator.reserve("A·V", sensitivity=tight.target, sigma=sigma["sigma_A"], count=m)
        if public.identity_constraint:
            return ask_A, None
        return ask_A, curator.reserve("B·V", sensitivity=tight.constraint, sigma=sigma["sigma_B"], count=m)

    def _product(self, channel: "Channel[Problem] | None", V: Array, public: Public, *, of_target: bool) -> Array:
        if channel is None:
            return V
        query = target_times if of_target else constraint_times
        if self.calibration in ("exact", "forgetful"):
            Q, R = np.linalg.qr(V)
            return channel.ask(query(Q, public), law=IsotropicTimes(Q)) @ R
        return channel.ask(query(V, public), law=TriangleTimes(V))

    def _sigma(self, public: Public, grant: Grant, tight: float, published: float) -> float:
        if self.calibration == "exact":
            return exact(tight, grant, count=self.n_iterations, share=1.0 if public.identity_constraint else 0.5)
        if self.calibration == "forgetful":
            return exact(tight, grant)
        constant = published if self.calibration == "published" else 1 / public.n
        return zcdp(constant, grant, count=self.n_iterations, share=0.5)


def _separate(V: Array, AV: Array, BV: Array) -> tuple[Array, Array, Array, Array]:
    """Rotate the columns so that they are uncorrelated under the noisy pencil, and give their quotients ρ."""
    if V.shape[1] > 1:
        within = Spectrum.of(V.T @ BV)
        whitener = within.vectors / np.sqrt(np.maximum(within.values, TINY * np.abs(within.values).max()))
        rotation = unit_columns(whitener @ leading(whitener.T @ (V.T @ AV) @ whitener, V.shape[1]))
        V, AV, BV = V @ rotation, AV @ rotation, BV @ rotation
    above, below = np.einsum("ij,ij->j", V, AV), np.einsum("ij,ij->j", V, BV)
    quotients = above / np.where(below == 0, TINY, below)
    return V, AV, BV, np.where(quotients == 0, TINY, quotients)
