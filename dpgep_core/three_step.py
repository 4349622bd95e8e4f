"""The third step of `ssp`: rows whitened by the released scatter tell small directions as well as large ones."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dpgep_core.models.centred_queries import centred_gram
from dpgep_core.models.centring import Centring
from dpgep_core.models.cleaning import cleaned_eigenvalues
from dpgep_core.models.moments import Answers, Moments, TidyMoments
from dpgep_core.models.problem import Problem
from dpgep_core.models.public import PublicFacts
from dpgep_core.privacy import Curator, Grant, NoisePlan, PlannedAnswer
from dpgep_core.privacy.calibration import exact
from dpgep_core.privacy.query import Array
from dpgep_core.privacy.randomness import Isotropic
from dpgep_core.two_step import RIDGE_SHARE, Cleaning, TwoSteps, noise_edge, radius_of

THIRD_SHARE = 0.4  # of μ²
LEAST_RIDGE = 1e-6  # of the whitening, over the largest eigenvalue of the scatter: without noise there is no edge


@dataclass(frozen=True, slots=True, eq=False)
class Whitened:
    """How the third step takes rows, from the first two answers alone: post-processing.

    Parameters
    ----------
    scatter, back : array (d, d)
        Released scatter W, and (W + ridge)^½, the inverse of the whitening.
    ridge : float
        Ridge under which W was inverted.
    about : Centring
        Released means, and rows about them times (W + ridge)^-½.
    length : float
        What rows of the unit ball are multiplied by: R, or their root mean square length once they are whitened.
    """

    scatter: Array
    back: Array
    ridge: float
    about: Centring
    length: float


@dataclass(frozen=True)
class ThreeSteps:
    """Two steps with three fifths of μ², and a third that asks for the scatter of whitened rows.

    Noise is alike in all directions, so it drowns those in which rows vary little. Rows that are whitened by what was
    released vary alike in all, and the noise of the third answer, taken back, is small where the scatter is.
    """

    public: PublicFacts
    grant: Grant
    weight: float | None = None

    @cached_property
    def two(self) -> TwoSteps:
        """The first two steps."""
        return TwoSteps(self.public, self.grant, self.weight, part=1 - THIRD_SHARE)

    @cached_property
    def plan(self) -> NoisePlan:
        """All three answers; their μ² add up to that of the grant."""
        third = centred_gram(Centring(self.two.nowhere, whitening=np.eye(self.public.d)), 0.0, self.public)
        sigma = exact(third.sensitivity, self.grant, share=THIRD_SHARE)
        return (*self.two.plan, PlannedAnswer.of(third, sigma, "sigma_whitened"))

    def answers(self, curator: Curator[Problem]) -> Answers:
        """Class sums, the Gram matrix about centres, and that of whitened rows: all that leaves."""
        known = self.two.answers(curator)
        third = centred_gram(self.whitened(known).about, 0.0, self.public)
        return (*known, curator.ask(third, sigma=self.plan[2].sigma, law=Isotropic()))

    def tidied(self, answers: Answers, cleaning: Cleaning) -> TidyMoments:
        """The moments of two steps with the scatter of the third, which has a ridge of 0.4 r W of its own.

        With C the cleaned scatter of whitened rows and r its noise edge, B is the inverse image of C + 0.4 r, which is
        (W + ridge)^½ C (W + ridge)^½ + 0.4 r W + 0.4 r ridge. The last is what a ridge on the diagonal adds, so
        r · ridge takes the place of the noise edge.
        """
        known, n, d = self.two.tidied(answers[:2], cleaning), self.public.n, self.public.d
        frame = self._whitened_by(known) if cleaning == Cleaning() else self.whitened(answers[:2])
        noise = frame.length**2 * self.plan[2].sigma
        edge = noise_edge(noise, d, n)
        white = frame.length**2 * (answers[2][:d, :d] + answers[2][:d, :d].T) / (2 * n)
        if cleaning.eigenvalues:
            values, vectors = np.linalg.eigh(white)
            white = (vectors * cleaned_eigenvalues(values, noise / n)) @ vectors.T
        scatter = frame.back @ white @ frame.back + RIDGE_SHARE * edge * frame.scatter
        there = known.moments
        gram = n * scatter + (there.gram - n * there.within)
        return TidyMoments(Moments(there.n, gram, there.sums, there.counts), edge * frame.ridge)

    def whitened(self, known: Answers) -> Whitened:
        """Means and whitening from the first two answers, always cleaned: they decide what the third step asks."""
        return self._whitened_by(self.two.tidied(known, Cleaning()))

    def _whitened_by(self, tidy: TidyMoments) -> Whitened:
        values, vectors = np.linalg.eigh(tidy.moments.within)
        values = np.maximum(values, 0.0)
        ridge = max(RIDGE_SHARE * tidy.noise_edge, LEAST_RIDGE * float(values.max()), np.finfo(float).tiny)
        roots = np.sqrt(values + ridge)
        length = math.sqrt(max(float((values / (values + ridge)).sum()), 1.0))  # cleaning may leave nothing
        radius = radius_of(self.public, self.plan[2].sigma, length)
        means = tidy.moments.class_means
        means /= np.maximum(1.0, np.linalg.norm(means, axis=0))
        about = Centring(means, radius, (vectors / roots) @ vectors.T)
        scatter, back = (vectors * values) @ vectors.T, (vectors * roots) @ vectors.T
        return Whitened(scatter, back, ridge, about, radius or length)
