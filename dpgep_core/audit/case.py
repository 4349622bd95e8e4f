"""What the attacker knows: two neighbouring problems, one algorithm and its public settings."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from dpgep_core.audit.replay import Replay
from dpgep_core.method import Weighted, ridge_of
from dpgep_core.models.moments import Moments
from dpgep_core.outside import answering_for
from dpgep_core.privacy.query import Array
from dpgep_core.release import Release
from dpgep_core.solve import Plan, run

AttackerView = Literal["components", "moments", "replay"]


@dataclass(frozen=True, eq=False)
class Case:
    """Two plans that differ in the data alone.

    The attacker of differential privacy knows both data sets and every public setting, and sees one release.
    """

    one: Plan
    other: Plan

    @property
    def d(self) -> int:
        """Columns."""
        return self.one.public.d

    @property
    def k(self) -> int:
        """Components of a release."""
        return self.one.public.k

    @property
    def xi(self) -> float | None:
        """The ridge, where the algorithm has one."""
        return ridge_of(self.one.method)

    @property
    def identity_constraint(self) -> bool:
        """Whether B is the identity, which no row can change."""
        return self.one.public.identity_constraint

    @property
    def shows_moments(self) -> bool:
        """Whether noisy moments leave beside the components."""
        return self.one.keeps_moments

    @cached_property
    def constraints(self) -> tuple[Array, Array]:
        """B of each data set."""
        return self.one.problem.pencil.constraint_matrix, self.other.problem.pencil.constraint_matrix

    @cached_property
    def targets(self) -> tuple[Array, Array]:
        """A of each data set."""
        return self.one.problem.pencil.target, self.other.problem.pencil.target

    @cached_property
    def sums(self) -> tuple[Array, Array]:
        """The moments of each data set as `as_vector` lays them out."""
        columns = self.one.public.joint_columns
        return as_vector(self.one.problem.moments, columns), as_vector(self.other.problem.moments, columns)

    @property
    def weight(self) -> float:
        """w² of a joint release."""
        own = self.one.method.weight if isinstance(self.one.method, Weighted) else None
        return self.one.public.weight if own is None else own

    @cached_property
    def replay(self) -> Replay:
        """What the algorithm does without noise on either data set."""
        return Replay(self.one, self.other)

    @cached_property
    def noise_ratio(self) -> float | None:
        """σ of A over σ of B, where an algorithm asks once for each."""
        with answering_for(self.one.entry):
            facts = self.one.facts
        return facts["sigma_A"] / facts["sigma_B"] if {"sigma_A", "sigma_B"} <= facts.keys() else None


def as_vector(moments: Moments, columns: int) -> Array:
    """All that leaves with released moments: upper triangle of the second moments, class sums, all counts but one.

    Counts add up to n, which is public, so the last says nothing new.
    """
    whole = moments.sums.shape[1] == columns
    sums = moments.sums if whole else moments.sums.sum(axis=1, keepdims=True)
    counts = moments.counts if whole else moments.counts.sum(keepdims=True)
    return np.concatenate([moments.gram[np.triu_indices(len(moments.gram))], sums.ravel(), counts[:-1]])


def again(plan: Plan, seed: int) -> Plan:
    """Plan with another seed: new noise and a new start on the same rows."""
    return replace(plan, setting=replace(plan.setting, seed=seed), public=replace(plan.public, seed=seed))


def observe(case: Case, side: int, view: AttackerView, seeds: list[int]) -> Array:
    """(runs, …) what the attacker makes of one release of a side, 0 or 1, for each seed."""
    return np.stack([_seen_vector(case, run(again((case.one, case.other)[side], seed)), view) for seed in seeds])


def _seen_vector(case: Case, release: Release, view: AttackerView) -> Array:
    if view == "moments" and release.moments is not None:
        return as_vector(release.moments, release.public.joint_columns)
    return case.replay.look(release) if view == "replay" else release.components
