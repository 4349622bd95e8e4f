"""The driver: from a data set and names to a release. It owns start, history, status and timing."""

# pyright: reportUnknownMemberType=true, reportUnknownVariableType=true, reportUnknownArgumentType=true
# pyright: reportUnknownParameterType=true, reportUnknownLambdaType=true

import time
from dataclasses import replace
from typing import Any

import numpy as np

from dpgep_core.algorithms import ALGORITHMS as ALGORITHMS
from dpgep_core.datasets import Dataset, resolve_dataset
from dpgep_core.errors import ParameterError
from dpgep_core.method import answering_for
from dpgep_core.models.problem import Problem
from dpgep_core.models.public import PublicFacts
from dpgep_core.outside import checked_bases
from dpgep_core.params import parameter_values, parameters
from dpgep_core.planning import Plan as Plan
from dpgep_core.planning import plan as plan
from dpgep_core.privacy import Curator, Ledger
from dpgep_core.privacy.query import Array
from dpgep_core.protocols import Method, OneRelease, facts_of
from dpgep_core.release import CLEANING, Release, Setting, paid_part
from dpgep_core.setting_warnings import overspent_warning
from dpgep_core.starts import first_basis


def solve(
    dataset: Dataset | str,
    model: str = "fda",
    algorithm: str = "ssp",
    *,
    epsilon: float = 1.0,
    delta: float | None = None,
    n_components: int | None = None,
    seed: int | None = 0,
    **params: Any,
) -> Release:
    """Solve one generalized eigenvalue problem.

    Parameters
    ----------
    dataset : Dataset or str
        A data set or its name.
    model, algorithm : str
        Keys of `MODELS` and `ALGORITHMS`.
    epsilon : float
        Privacy loss asked for, > 0.
    delta : float, optional
        In (0, 1); n^-1.1 by default, n being the rows the model is fitted on.
    n_components : int, optional
        k; K − 1 for ``fda`` and ``sir`` (10 at most), 10 for ``pca`` (d at most), 2 for ``cca`` by default.
    seed : int or None
        Fixes split, start and noise. None takes the system's entropy: such a release cannot be repeated.
    **params
        ``relation`` ("replace_one" or "add_remove"), ``as_if`` (pretended multiple of n), ``noise`` (False: exact
        answers), ``bounds`` (False: without the declared column bounds), ``test_size`` (share of the rows held out
        where no test split is published; 0 fits on all rows), ``split_seed``, ``declared_n`` (public number of rows,
        for "add_remove"), and the parameters of the model and the algorithm, by name.

    Returns
    -------
    Release

    Raises
    ------
    ParameterError, DataError
        Naming the parameter or the data, the value, and what is allowed.
    BudgetExceededError
        If an answer would cost more than was granted.
    """
    common = {name: params.pop(name) for name in parameters(Setting) if name in params}
    setting = Setting(
        model=model,
        algorithm=algorithm,
        epsilon=epsilon,
        delta=delta,
        n_components=n_components,
        seed=seed,
        params=tuple(sorted(params.items())),
        **common,
    )
    return run(plan(resolve_dataset(dataset), setting))


def run(plan: Plan, *, exact: bool = False) -> Release:
    """Run a plan. A curator is made here, and by `dpgep_core.slicing` for a response that is to be cut.

    ``exact`` draws the noise on whole numbers, for a result that leaves this place: see `dpgep_core.privacy.Curator`.
    """
    with answering_for(plan.entry):
        return _run(plan, exact)


def _run(plan: Plan, exact: bool) -> Release:
    began = time.perf_counter()
    setting, method, public, grant = plan.setting, plan.method, plan.public, plan.seen_grant
    noise = plan.noise
    curator = Curator(plan.problem, grant, seed=setting.seed, noise=setting.noise, plan=noise, exact=exact)
    answers, moments, pencil, facts = (), None, None, facts_of(method, public, grant, noise)
    if isinstance(method, OneRelease) and plan.keeps_moments:
        answers = method.release(curator, public)
        tidy = method.tidied(answers, public, grant)
        moments, pencil = tidy.moments, public.pencil(tidy.moments)
        facts |= method.ridge_facts(tidy.noise_edge)
        history, status = (method.components(pencil, public, facts["xi_effective"]),), "ok"
    else:
        history, status = _iterate(method, curator, public, first_basis(method, noise or (), curator, public))
    if plan.entry.outside:
        history = checked_bases(history, public.d, public.k)
    ledger = Ledger((*plan.paid, *curator.ledger))
    accounted = ledger.accounted(plan.grant.delta)
    return Release(
        dataset=plan.dataset.name,
        setting=setting,
        method=method,
        public=public,
        components=history[-1],
        history=history,
        ledger=ledger,
        claimed=plan.claim,
        accounted=accounted,
        moments=moments,
        pencil=pencil,
        answers=answers,
        facts=facts,
        status=status,
        warnings=(*plan.warnings, *overspent_warning(plan.entry, plan.asked, accounted)),
        learnt=plan.learnt,
        seconds=time.perf_counter() - began,
    )


def rework(release: Release, dataset: Dataset, setting: Setting) -> Release:
    """Other ridge, sparsity or number of components from what was already released: nothing more is spent.

    Raises
    ------
    ParameterError
        If the release kept no moments, or ``setting`` differs in something that was paid for.
    """
    if dataset.name != release.dataset:
        raise ParameterError("dataset", dataset.name, f"the one that was released from, {release.dataset!r}")
    if release.pencil is None or release.moments is None:
        allowed = "of an algorithm that releases moments, such as ssp with memory=whole"
        raise ParameterError("release", release.setting.algorithm, allowed)
    bound = plan(dataset, setting)
    method = bound.method
    if paid_part(bound.setting) != paid_part(release.setting):
        raise ParameterError(
            "setting", paid_part(bound.setting), f"the one that was paid for, {paid_part(release.setting)}"
        )
    with answering_for(bound.entry):
        if not isinstance(method, OneRelease):
            raise TypeError(f"{bound.entry.key} releases no moments")  # a release of the same algorithm has some
        moments, pencil = release.moments, release.pencil
        if _cleaning(method) != _cleaning(release.method):
            moments = method.tidied(release.answers, bound.public, bound.seen_grant).moments
            pencil = bound.public.pencil(moments)
        facts = {**bound.facts, **method.ridge_facts(release.facts["noise_edge"])}
        components = method.components(pencil, bound.public, facts["xi_effective"])
        return replace(
            release,
            setting=setting,
            method=method,
            public=bound.public,
            components=components,
            history=(components,),
            moments=moments,
            pencil=pencil,
            facts=facts,
            warnings=(*bound.warnings, *overspent_warning(bound.entry, bound.asked, release.accounted)),
        )


def _cleaning(method: object) -> tuple[Any, ...]:
    values = parameter_values(method)
    return tuple(values.get(name) for name in CLEANING)


def _iterate(
    method: Method, curator: Curator[Problem], public: PublicFacts, start: Array
) -> tuple[tuple[Array, ...], str]:
    history: list[Array] = []
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        for basis in method.iterates(curator, public, start):
            if not np.isfinite(basis).all():
                return tuple(history) or (start,), "not finite"
            history.append(basis)
    return tuple(history), "ok"
