"""Everything that leaves in a release of moments, beside what each of two neighbouring data sets would have said."""

from functools import cache
from typing import Any, cast

import numpy as np

from dpgep_core.models.moments import Moments
from dpgep_core.privacy import Grant
from dpgep_core.privacy.query import Array, Indices, Query
from dpgep_core.protocols import OneRelease
from dpgep_core.release import Release
from dpgep_core.solve import Plan

SAME = 1e-9  # relative difference that is rounding


class Retold:
    """A release told again to a method: each question gets the answer that was released, whatever is in the data.

    So a later question is the one that was asked, about centres that were released. ``told`` notes for each what was
    said, and what either data set says without noise.
    """

    def __init__(self, one: Plan, other: Plan, release: Release) -> None:
        self._problems, self._said = (one.problem, other.problem), release.answers
        self.grant: Grant = one.seen_grant
        self.told: list[tuple[Array, Array, Array]] = []

    def ask(self, query: Query[Any], **_noise: object) -> Array:
        """The released answer to this question."""
        said = self._said[len(self.told)]
        one, other = (_numbers(query, query.evaluate(problem)) for problem in self._problems)
        self.told.append((_numbers(query, said), one, other))
        return said


def seen_answers(one: Plan, other: Plan, release: Release) -> Array:
    """(2, p) every released number less the middle of its two exact values, and how far these lie apart.

    All answers come first. The moments made from them follow: they can tell nothing more, and so lie 0 apart, unless
    they are not what the answers give.
    """
    method, public = release.method, release.public
    assert isinstance(method, OneRelease)
    assert release.moments is not None
    retold = Retold(one, other, release)
    method.release(cast(Any, retold), public)
    again = method.tidied(release.answers, public, one.seen_grant).moments
    shown, honest, *exact = (
        as_vector(m, public.joint_columns) for m in (release.moments, again, one.problem.moments, other.problem.moments)
    )
    known = np.isclose(shown, honest, rtol=SAME, atol=SAME)
    made = (shown, exact[0], np.where(known, exact[0], exact[1]))
    return np.hstack([_about_the_middle(*part) for part in (*retold.told, made)])


def as_vector(moments: Moments, columns: int) -> Array:
    """Upper triangle of the second moments, class sums, all counts but one.

    Counts add up to n, which is public, so the last says nothing new.
    """
    sums, counts = moments.summed(columns)
    return np.concatenate([moments.gram[_upper(len(moments.gram))], sums.ravel(), counts[:-1]])


def _numbers(query: Query[Any], answer: Array) -> Array:
    """The entries of an answer; of a symmetric one, those that may differ."""
    return answer[_upper(len(answer))] if query.shape == "symmetric" else answer.ravel()


@cache
def _upper(d: int) -> tuple[Indices, Indices]:
    """Where the upper triangle of a (d, d) matrix is: asked for at every run."""
    rows, columns = np.triu_indices(d)
    return rows, columns


def _about_the_middle(said: Array, one: Array, other: Array) -> Array:
    change = np.where(np.abs(other - one) > SAME * np.abs(one).max(), other - one, 0.0)
    return np.stack([said - one - change / 2, change])
