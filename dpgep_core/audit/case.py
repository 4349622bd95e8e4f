"""Knowledge of the attacker: two neighbouring problems, one algorithm, and its runs without noise on both data sets.

The start and every basis on the way leave with a release, and the attacker knows both data sets. So each step can be
taken again on either of them, on exact answers: what is released lies nearer to one than to the other.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Literal

import numpy as np

from dpgep_core.audit.answers import seen_answers
from dpgep_core.method import answering_for
from dpgep_core.models.public import PublicFacts
from dpgep_core.numerics import unit_columns
from dpgep_core.params import with_parameters
from dpgep_core.privacy.query import Array
from dpgep_core.protocols import Started, ridge_of, start_of
from dpgep_core.release import Release
from dpgep_core.solve import Plan, run

FLOWS = ("dprf", "dptrf", "ppi")  # each step depends on the basis before it and on fresh answers alone
GUESSED = 2**62  # seed of what the attacker cannot know, such as which rows are drawn
ALIKE = 1e-12  # squared distance below which two bases are the same


@dataclass(frozen=True, slots=True, kw_only=True)
class StartingAt(PublicFacts):
    """Public facts under which a method starts from a given basis."""

    basis: Array

    def frame(self, columns: int, tag: str) -> Array:
        """The given basis where the start is asked for."""
        return self.basis if tag == "start" else PublicFacts.frame(self, columns, tag)


def projections(basis: Array) -> Array:
    """(k, d, d) the projection on each column."""
    V = unit_columns(basis)
    return np.einsum("ik,jk->kij", V, V)


def _quiet(plan: Plan, seed: int) -> Plan:
    return replace(
        plan, setting=replace(plan.setting, noise=False, seed=GUESSED), public=replace(plan.public, seed=seed)
    )


def _one_step(plan: Plan) -> Plan:
    start = {"start": "random"} if isinstance(plan.method, Started) else {}
    return replace(_quiet(plan, plan.public.seed), method=with_parameters(plan.method, n_iterations=1, **start))


def _next(plan: Plan, basis: Array) -> Array:
    facts = {part.name: getattr(plan.public, part.name) for part in fields(plan.public)}
    return projections(run(replace(plan, public=StartingAt(**facts, basis=basis))).components)


AttackerView = Literal["components", "answers", "replay"]


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
    def shows_answers(self) -> bool:
        """Whether the noisy answers leave beside the components, and not only products with them."""
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
    def noise_ratio(self) -> float | None:
        """σ of A over σ of B, where an algorithm asks once for each."""
        with answering_for(self.one.entry):
            facts = self.one.facts
        return facts["sigma_A"] / facts["sigma_B"] if {"sigma_A", "sigma_B"} <= facts.keys() else None

    def look(self, release: Release) -> Array:
        """(steps, 2): how much nearer each basis is to that of the second data set, and its distance to their middle.

        Both are squared distances between the projections on the columns, whose signs do not count. A run that noise
        ended early has zeros for the rest.
        """
        step_by_step = self.one.entry.key in FLOWS
        bases = self._steps(release) if step_by_step else self._whole(release)
        found = np.zeros((self.length, 2))
        for place, (basis, first, second) in enumerate(bases[: self.length]):
            seen, middle, change = projections(basis), (first + second) / 2, second - first
            found[place] = np.sum((seen - middle) * change), np.sum((seen - middle) ** 2)
        return found

    @cached_property
    def length(self) -> int:
        """Bases of a run."""
        return len(self._exact[0])

    @cached_property
    def differs(self) -> bool:
        """Whether the results without noise tell the data sets apart at all."""
        first, second = (projections(history[-1]) for history in self._exact)
        return bool(np.sum((first - second) ** 2) > ALIKE)

    @cached_property
    def _exact(self) -> list[tuple[Array, ...]]:
        return [run(_quiet(plan, plan.public.seed)).history for plan in (self.one, self.other)]

    @cached_property
    def _one_steps(self) -> tuple[Plan, Plan]:
        return _one_step(self.one), _one_step(self.other)

    def _steps(self, release: Release) -> list[tuple[Array, Array, Array]]:
        """Each released basis, and what the one before it leads to on either data set."""
        before = (release.public.frame(release.public.k, "start"), *release.history[:-1])
        after = release.history
        if start_of(release.method) != "random":
            before, after = before[1:], after[1:]  # where it started is not public
        one, other = self._one_steps
        return [(basis, _next(one, last), _next(other, last)) for last, basis in zip(before, after, strict=True)]

    def _whole(self, release: Release) -> list[tuple[Array, Array, Array]]:
        """Each released basis, and that of a run without noise on either data set, from the same public start."""
        one, other = (run(_quiet(plan, release.public.seed)).history for plan in (self.one, self.other))
        return [(b, projections(x), projections(y)) for b, x, y in zip(release.history, one, other, strict=False)]


def again(plan: Plan, seed: int) -> Plan:
    """Plan with another seed: new noise and a new start on the same rows."""
    return replace(plan, setting=replace(plan.setting, seed=seed), public=replace(plan.public, seed=seed))


def observe(case: Case, side: int, view: AttackerView, seeds: Sequence[int]) -> Array:
    """(runs, …) what the attacker makes of one release of a side, 0 or 1, for each seed."""
    return np.stack([_seen_vector(case, run(again((case.one, case.other)[side], seed)), view) for seed in seeds])


def _seen_vector(case: Case, release: Release, view: AttackerView) -> Array:
    if view == "answers":
        return seen_answers(case.one, case.other, release)
    return case.look(release) if view == "replay" else release.components
