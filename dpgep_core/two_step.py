"""The two steps of `ssp`: released class sums give centres, and the rows about these centres give the scatter."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dpgep_core.models.centred_queries import centred_gram, class_sums
from dpgep_core.models.centring import Centring
from dpgep_core.models.cleaning import (
    cleaned_eigenvalues,
    shrunk_means,
    shrunk_shares,
    shrunk_vector,
    standing_shares,
    unit_of,
)
from dpgep_core.models.moments import Answers, Moments, TidyMoments
from dpgep_core.models.problem import Problem
from dpgep_core.models.public import PublicFacts
from dpgep_core.models.queries import unpack_joint
from dpgep_core.privacy import Curator, Grant, NoisePlan, PlannedAnswer
from dpgep_core.privacy.calibration import exact
from dpgep_core.privacy.query import Array
from dpgep_core.privacy.randomness import Isotropic

RIDGE_SHARE = 0.4  # of the noise edge
COUNT_WEIGHT = 0.25
HEAVY_EDGE = 0.1  # expected noise edge above which the class sums are nearly all that can be learnt
FIRST_SHARE, HEAVY_SHARE, MEAN_SHARE = 0.25, 0.5, 0.1  # of μ² for the first step
FIRST_OF_THREE = 1 / 3  # of what the first two of three steps have
ONE_LENGTH_EDGE = 0.02  # noise edge of a single class above which rows at norm 1 beat clipped ones
LOUD_EDGE = 0.0035  # noise edge of a single class above which unit rows are clipped more: the noise outweighs the bias
CLIP, LOUD_CLIP = 1.15, 1.0  # times the root mean square distance from the centre
LEAST_DISTANCE = 0.02  # mean square distance of the rows from their centres, at least


@dataclass(frozen=True, slots=True, eq=False)
class Centres:
    """Released centres and what else the first step tells: post-processing.

    Parameters
    ----------
    places : array (d, K)
    sums, shares : array (d, K), array (K,)
        Released class sums and counts over n, as they came.
    sum_noise, share_noise : float
        Standard deviation of their noise.
    distance : float
        ρ: root mean square distance of unit rows from their centres.
    """

    places: Array
    sums: Array
    shares: Array
    sum_noise: float
    share_noise: float
    distance: float


@dataclass(frozen=True, slots=True)
class Cleaning:
    """Post-processing of both answers that may be left out, each part apart.

    Parameters
    ----------
    eigenvalues : bool
        Whether the eigenvalues of the scatter are cleaned; else they stay as they came.
    counts : bool
        Whether counts are shrunk; else classes that do not stand out of the noise are empty.
    means : bool
        Whether the means of both steps are shrunk.
    """

    eigenvalues: bool = True
    counts: bool = True
    means: bool = False

    def shares(self, shares: Array, scale: float, n: int) -> Array:
        """Plausible shares of the classes from noisy ones."""
        return shrunk_shares(shares, scale) if self.counts else standing_shares(shares, scale, 1 / n)


@dataclass(frozen=True)
class TwoSteps:
    """How a grant is split in two, from public numbers alone.

    With e = √(9d)/(μn), the noise edge that rows of norm 1 would see: above `HEAVY_EDGE` half of μ² goes to class sums
    and w² = 1 to those of the second step, else a quarter and w² = 1/2. Models without classes ask for the mean with a
    tenth of μ², and for the scatter alone (w² = 0). ``part`` of μ² is for both steps; the rest is for a third, and the
    class sums, which its centres come from, then take a third of the part.
    """

    public: PublicFacts
    grant: Grant
    weight: float | None = None
    part: float = 1.0

    @property
    def classes(self) -> bool:
        """Whether there are classes to centre apart."""
        return self.public.joint_columns > 1

    @property
    def share(self) -> float:
        """Share of the μ² of both steps that the first spends."""
        if not self.classes:
            return MEAN_SHARE
        return HEAVY_SHARE if self._heavy else FIRST_SHARE if self.part == 1 else FIRST_OF_THREE

    @property
    def second_weight(self) -> float:
        """w² of the second step."""
        if self.weight is not None:
            return self.weight
        return (1.0 if self._heavy else 0.5) if self.classes else 0.0

    @property
    def count_weight(self) -> float:
        """b of the first step; n is public, so one class needs no count."""
        return COUNT_WEIGHT if self.classes else 0.0

    @cached_property
    def plan(self) -> NoisePlan:
        """Both answers; their μ² add up to that of the grant."""
        first = class_sums(self.count_weight, self.public, non_negative=self.public.non_negative)
        second = centred_gram(Centring(self.nowhere), self.second_weight, self.public)
        return (
            PlannedAnswer.of(first, exact(first.sensitivity, self.grant, share=self.part * self.share), "sigma_sums"),
            PlannedAnswer.of(
                second, exact(second.sensitivity, self.grant, share=self.part * (1 - self.share)), "sigma"
            ),
        )

    def answers(self, curator: Curator[Problem]) -> Answers:
        """Class sums, and the Gram matrix of the rows about the centres that these give: all that leaves."""
        public, plan = self.public, self.plan
        first = class_sums(self.count_weight, public, non_negative=public.non_negative)
        sums = curator.ask(first, sigma=plan[0].sigma)
        centres = self.centres(sums)
        second = centred_gram(Centring(centres.places, self._radius(centres)), self.second_weight, public)
        return sums, curator.ask(second, sigma=plan[1].sigma, law=Isotropic())

    def tidied(self, answers: Answers, cleaning: Cleaning) -> TidyMoments:
        """Moments with a cleaned scatter, plausible counts and the means of both steps: post-processing."""
        n, d, sigma = self.public.n, self.public.d, self.plan[1].sigma
        centres, gram = self.centres(answers[0]), answers[1] / n
        length = self._radius(centres) or centres.distance
        means, shares = self._means(centres, gram, length, cleaning)
        scatter = length**2 * (gram[:d, :d] + gram[:d, :d].T) / 2
        if cleaning.eigenvalues:
            values, vectors = np.linalg.eigh(scatter)
            scatter = (vectors * cleaned_eigenvalues(values, length**2 * sigma / n)) @ vectors.T
        whole = scatter + (means * shares) @ means.T
        moments = Moments(float(n), n * whole, n * means * shares, n * shares)
        return TidyMoments(moments, noise_edge(length**2 * sigma, d, n))

    def scatter(self, answers: Answers) -> Array:
        """(d, d) scatter of the averages as step B told it, at the length of the rows: nothing is cleaned."""
        centres, d = self.centres(answers[0]), self.public.d
        gram = answers[1][:d, :d] / self.public.n
        return (self._radius(centres) or centres.distance) ** 2 * (gram + gram.T) / 2

    def centres(self, first: Array) -> Centres:
        """Centres from the first answer, always shrunk: they decide what the second step asks."""
        answer, noise = first / self.public.n, self.plan[0].sigma / self.public.n
        sums = answer[:-1]
        if not self.classes:
            weights = shares = np.ones(1)
            places, share_noise = shrunk_vector(sums[:, 0], noise)[:, None], 0.0
        else:
            shares, share_noise = answer[-1] / self.count_weight, noise / self.count_weight
            weights = shrunk_shares(shares, share_noise)
            places = shrunk_means(sums, weights, noise)
        places = places / np.maximum(1.0, np.linalg.norm(places, axis=0))
        square = 1 - float(weights @ (places**2).sum(axis=0))
        return Centres(places, sums, shares, noise, share_noise, math.sqrt(max(square, LEAST_DISTANCE)))

    def _radius(self, centres: Centres) -> float:
        """R at which rows are clipped; 0 brings them to norm 1, which needs rows of one known norm."""
        return radius_of(self.public, self.plan[1].sigma, centres.distance)

    def _means(self, centres: Centres, gram: Array, length: float, cleaning: Cleaning) -> tuple[Array, Array]:
        """Class means and shares from both steps, each weighed by its noise; zero means for an empty class."""
        if not self.classes:
            return centres.places, np.ones(1)
        weight, noise = self.second_weight, self.plan[1].sigma / self.public.n
        second = unpack_joint(gram, weight, self.public.d, 1.0)
        shares_noise = (centres.share_noise, noise / weight)
        shares = cleaning.shares(*_weighed((centres.shares, second.counts), shares_noise), self.public.n)
        there = shares > 0
        divisor = np.where(there, shares, 1.0)
        sums_noise = (centres.sum_noise, length * noise / math.sqrt(2 * weight))
        estimates = (centres.sums / divisor, centres.places + length * second.sums / divisor)
        means, left = _weighed(estimates, sums_noise)
        if cleaning.means:
            means[:, there] = shrunk_means((means * shares)[:, there], shares[there], left)
        return np.where(there, means, 0.0), shares

    @property
    def nowhere(self) -> Array:
        """(d, K) centres at zero, for what does not depend on them."""
        return np.zeros((self.public.d, self.public.joint_columns))

    @property
    def _heavy(self) -> bool:
        return math.sqrt(9 * self.public.d / self.part) / (self.grant.mu * self.public.n) > HEAVY_EDGE


def noise_edge(sigma: float, d: int, n: int) -> float:
    """Spectral edge s√(2d)/n of the noise in the averages: public."""
    return sigma * math.sqrt(2 * d) / n


def radius_of(public: PublicFacts, sigma: float, distance: float) -> float:
    """R at which rows about their centres are clipped; 0 brings them to norm 1, which needs rows of one known norm.

    Parameters
    ----------
    public : PublicFacts
    sigma : float
        Of the answer that is asked of these rows.
    distance : float
        Root mean square distance of the rows from their centres, as far as it was released.
    """
    edge = noise_edge(sigma, public.d, public.n)
    if public.unit_rows and (public.joint_columns > 1 or edge > ONE_LENGTH_EDGE):
        return 0.0
    loud = public.unit_rows and edge > LOUD_EDGE
    return (LOUD_CLIP if loud else CLIP) * distance


def _weighed(values: tuple[Array, Array], noise: tuple[float, float]) -> tuple[Array, float]:
    """Mean of two estimates, each weighed by the other's variance, and its standard deviation."""
    if max(noise) == 0:
        return (values[0] + values[1]) / 2, 0.0
    unit = unit_of(max(noise))
    one, other = (noise[0] / unit) ** 2, (noise[1] / unit) ** 2
    return (values[0] * other + values[1] * one) / (one + other), unit * math.sqrt(one * other / (one + other))
