"""The driver: from a data set and names to a release. It owns start, history, status and timing."""

# pyright: reportUnknownMemberType=true, reportUnknownVariableType=true, reportUnknownArgumentType=true
# pyright: reportUnknownParameterType=true, reportUnknownLambdaType=true

import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from dpgep_core.algorithms import ALGORITHMS as ALGORITHMS
from dpgep_core.datasets import Dataset, resolve_dataset
from dpgep_core.datasets.dataset import WHY_NOT_QUANTILES
from dpgep_core.errors import ParameterError, UnknownNameError
from dpgep_core.fitted import check_streamable, declared_n, sample_of
from dpgep_core.learnt import learnt_facts, learnt_sentence
from dpgep_core.method import MethodEntry, method_entry
from dpgep_core.models import model_entry
from dpgep_core.models.problem import Problem
from dpgep_core.models.public import PublicFacts
from dpgep_core.outside import answering_for, checked_bases
from dpgep_core.params import parameter_values, parameters
from dpgep_core.privacy import Claim, Curator, Grant, NoisePlan
from dpgep_core.privacy.ledger import overspends
from dpgep_core.privacy.privacy_loss import extreme_sentences
from dpgep_core.privacy.query import Array
from dpgep_core.protocols import Method, OneRelease, facts_of, noise_plan_of
from dpgep_core.release import CLEANING, Release, Setting, paid_part
from dpgep_core.setting_warnings import all_columns_warning, as_if_warning, large_delta_warning, overspent_warning
from dpgep_core.starts import first_basis
from dpgep_core.wording import plural

NOISELESS_EPSILON = 1e12  # an ε at which there is no noise to speak of


@dataclass(frozen=True, eq=False)
class Plan:
    """A checked setting, bound to its rows: ready to run, with no noise drawn yet."""

    dataset: Dataset
    setting: Setting
    entry: MethodEntry
    method: Method
    problem: Problem
    public: PublicFacts
    grant: Grant
    warnings: tuple[str, ...]
    learnt: tuple[str, ...] = ()

    @property
    def keeps_moments(self) -> bool:
        """Whether the release keeps moments to rework; one by products, of a matrix too large to form, does not."""
        return isinstance(self.method, OneRelease) and not self.method.by_products(self.public)

    @cached_property
    def noise(self) -> NoisePlan | None:
        """Every answer that a run will ask for; None where the algorithm states no plan."""
        return noise_plan_of(self.method, self.public, self.seen_grant)

    @property
    def seen_grant(self) -> Grant:
        """The grant that post-processing sees: with noise off there is no noise edge, and no count is in doubt."""
        if self.setting.noise or not isinstance(self.method, OneRelease):
            return self.grant
        return replace(self.grant, epsilon=NOISELESS_EPSILON)

    @property
    def facts(self) -> dict[str, float]:
        """Public numbers of the run: its noise scales, and what more the method reports."""
        return facts_of(self.method, self.public, self.seen_grant)


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


def plan(dataset: Dataset, setting: Setting) -> Plan:
    """Check a setting against a data set and bind the two."""
    model_entry(setting.model)
    entry = method_entry(setting.algorithm)
    if setting.model not in entry.models:
        allowed = ", ".join(key for key, e in ALGORITHMS.items() if setting.model in e.models)
        raise ParameterError("algorithm", entry.key, f"one of {allowed} for model {setting.model!r}")
    with answering_for(entry):
        return _plan(dataset, setting, entry)


def _plan(dataset: Dataset, setting: Setting, entry: MethodEntry) -> Plan:
    model_of = model_entry(setting.model)
    model, method = _make(model_of.make, entry.make, dict(setting.params))
    model.check(dataset.n_classes, dataset.d)
    if entry.private and model.joint_columns == "classes" and not dataset.edges_declared:
        raise ParameterError("edges", "quantiles of the rows", WHY_NOT_QUANTILES)
    model = model.bind(dataset)
    sample = sample_of(dataset, setting)
    problem = Problem(sample, model, setting.as_if, setting.bounds, declared_n(dataset, setting))
    k, warnings = _components(model, dataset, setting)
    seed = secrets.randbits(62) if setting.seed is None else setting.seed
    public = problem.public(k=k, relation=setting.relation, seed=seed)
    n = sample.X.shape[0] if problem.declared_n is None else problem.declared_n
    delta = setting.delta if setting.delta is not None else float(n) ** -1.1
    asked = Grant(epsilon=setting.epsilon, delta=delta)
    noise = noise_plan_of(method, public, asked)
    check_streamable(dataset, entry.key, method, public, noise)
    grant = replace(asked, enforced=_enforces_budget(entry, noise, asked))
    learnt = learnt_facts(dataset, setting)
    said = (
        *warnings,
        *dataset.notes,
        *filter(None, [learnt_sentence(learnt)]),
        *as_if_warning(setting, entry),
        *large_delta_warning(delta, n, entry),
        *(extreme_sentences(asked, n, dataset.d) if entry.private and setting.noise else ()),
    )
    return Plan(dataset, setting, entry, method, problem, public, grant, said, learnt)


def run(plan: Plan, *, exact: bool = False) -> Release:
    """Run a plan: the only place where a curator is made.

    ``exact`` draws the noise on whole numbers, for a result that leaves this place: see `dpgep_core.privacy.Curator`.
    """
    with answering_for(plan.entry):
        return _run(plan, exact)


def _run(plan: Plan, exact: bool) -> Release:
    began = time.perf_counter()
    setting, method, public, grant = plan.setting, plan.method, plan.public, plan.seen_grant
    noise = plan.noise
    curator = Curator(plan.problem, grant, seed=setting.seed, noise=setting.noise, plan=noise, exact=exact)
    answers, moments, pencil, facts = (), None, None, facts_of(method, public, grant)
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
    accounted = curator.ledger.accounted(plan.grant.delta)
    return Release(
        dataset=plan.dataset.name,
        setting=setting,
        method=method,
        public=public,
        components=history[-1],
        history=history,
        ledger=curator.ledger,
        claimed=Claim(plan.grant.epsilon, plan.grant.delta) if plan.entry.private and setting.noise else None,
        accounted=accounted,
        moments=moments,
        pencil=pencil,
        answers=answers,
        facts=facts,
        status=status,
        warnings=(*plan.warnings, *overspent_warning(plan.entry, plan.grant, accounted)),
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
            warnings=(*bound.warnings, *overspent_warning(bound.entry, bound.grant, release.accounted)),
        )


def _cleaning(method: object) -> tuple[Any, ...]:
    values = parameter_values(method)
    return tuple(values.get(name) for name in CLEANING)


def _make(model: type[Any], method: type[Any], params: Mapping[str, Any]) -> tuple[Any, Any]:
    of_model, of_method = parameters(model), parameters(method)
    for name in params:
        if name not in of_model and name not in of_method:
            raise UnknownNameError("parameter", name, [*of_method, *of_model])
    return (
        model(**{name: value for name, value in params.items() if name in of_model}),
        method(**{name: value for name, value in params.items() if name in of_method}),
    )


def _components(model: Any, dataset: Dataset, setting: Setting) -> tuple[int, tuple[str, ...]]:
    k = setting.n_components
    if k is None:
        k = model.default_components(dataset.n_classes, dataset.d)
        return k, all_columns_warning(k, dataset.d)
    if k > dataset.d:
        raise ParameterError("n_components", k, f"at most the number of columns, {dataset.d}")
    rank = model.rank(dataset.n_classes, dataset.d)
    if k > rank:
        why = f"with {plural(dataset.n_classes, 'class')} " if model.joint_columns == "classes" else ""
        carry = f"only {plural(rank, 'direction')} {'carries' if rank == 1 else 'carry'} anything"
        return k, (f"n_components={k}: {why}{carry}.", *all_columns_warning(k, dataset.d))
    return k, all_columns_warning(k, dataset.d)


def _enforces_budget(entry: MethodEntry, noise: NoisePlan | None, asked: Grant) -> bool:
    """Whether the curator enforces the grant: not where a plan of this package accounts to more than the grant.

    Such a setting is run to show what it spends. Whoever comes from outside is held to the grant at every setting.
    """
    return entry.private and (entry.outside or noise is None or not overspends(noise, asked))


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
