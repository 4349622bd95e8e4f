"""The plan of a run: a setting, checked against a data set and bound to its rows, before any noise is drawn."""

# pyright: reportUnknownMemberType=true, reportUnknownVariableType=true, reportUnknownArgumentType=true
# pyright: reportUnknownParameterType=true, reportUnknownLambdaType=true

import math
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.datasets import Dataset
from dpgep_core.datasets.slices import WHY_NOT_QUANTILES
from dpgep_core.errors import ParameterError, UnknownNameError
from dpgep_core.fitted import check_streamable, declared_n, sample_of
from dpgep_core.learnt import learnt_facts, learnt_sentence
from dpgep_core.method import MethodEntry, answering_for, method_entry
from dpgep_core.models import model_entry
from dpgep_core.models.problem import Problem
from dpgep_core.models.public import PublicFacts
from dpgep_core.models.response_counts import RUNNING_COUNTS
from dpgep_core.params import parameters, usual_delta
from dpgep_core.privacy import Claim, Grant, NoisePlan
from dpgep_core.privacy.accountant import epsilon_of
from dpgep_core.privacy.ledger import Entry, Ledger, overspends
from dpgep_core.privacy.privacy_loss import extreme_sentences
from dpgep_core.protocols import Method, OneRelease, Sparse, facts_of, noise_plan_of
from dpgep_core.release import Setting
from dpgep_core.setting_warnings import all_columns_warning, as_if_warning, large_delta_warning, outside_warning
from dpgep_core.wording import plural

SMALLEST_OF_BOTH = 1e-50  # ε or δ is at least this: squares and products of larger noise leave the range of numbers
NOISELESS_EPSILON = 1e12  # an ε at which there is no noise to speak of


@dataclass(frozen=True, eq=False)
class Plan:
    """A checked setting, bound to its rows: ready to run, with no noise drawn yet.

    ``asked`` is the whole budget of the setting, ``paid`` what was spent on the slices before, and ``grant`` the rest.
    """

    dataset: Dataset
    setting: Setting
    entry: MethodEntry
    method: Method
    problem: Problem
    public: PublicFacts
    grant: Grant
    asked: Grant
    paid: Ledger
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
    def claim(self) -> Claim | None:
        """The ε and δ asked for; None for a method without privacy, and where the noise is off."""
        private = self.entry.private and self.setting.noise
        return Claim(self.asked.epsilon, self.asked.delta) if private else None

    @cached_property
    def seen_grant(self) -> Grant:
        """The grant that post-processing sees: with noise off there is no noise edge, and no count is in doubt."""
        if self.setting.noise or not isinstance(self.method, OneRelease):
            return self.grant
        return replace(self.grant, epsilon=NOISELESS_EPSILON)

    @property
    def facts(self) -> dict[str, float]:
        """Public numbers of the run: its noise scales, and what more the method reports."""
        return facts_of(self.method, self.public, self.seen_grant, self.noise)


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
    _check_sparsity(method, dataset.d)
    model = model.bind(dataset)
    sample = sample_of(dataset, setting)
    problem = Problem(sample, model, setting.as_if, setting.bounds, declared_n(dataset, setting))
    k, warnings = _components(model, dataset, setting)
    seed = secrets.randbits(62) if setting.seed is None else setting.seed
    public = problem.public(k=k, relation=setting.relation, seed=seed)
    n = sample.X.shape[0] if problem.declared_n is None else problem.declared_n
    delta = setting.delta if setting.delta is not None else usual_delta(n)
    if entry.private and max(setting.epsilon, delta) < SMALLEST_OF_BOTH:
        raise ParameterError("epsilon", setting.epsilon, f">= {SMALLEST_OF_BOTH:g} where delta is {delta:g}")
    asked = Grant(epsilon=setting.epsilon, delta=delta)
    paid = paid_for_slices(dataset) if entry.private and model.joint_columns == "classes" else Ledger()
    rest = what_is_left(asked, paid)
    noise = noise_plan_of(method, public, rest)
    check_streamable(dataset, entry.key, method, public, noise)
    grant = replace(rest, enforced=_enforces_budget(entry, noise, rest))
    learnt = learnt_facts(dataset, setting)
    said = (
        *warnings,
        *dataset.notes,
        *filter(None, [learnt_sentence(learnt)]),
        *outside_warning(entry),
        *as_if_warning(setting, entry),
        *large_delta_warning(delta, n, entry),
        *(extreme_sentences(asked, n, dataset.d) if entry.private and setting.noise else ()),
    )
    return Plan(dataset, setting, entry, method, problem, public, grant, asked, paid, said, learnt)


def _check_sparsity(method: Method, d: int) -> None:
    """Refuse entries that the columns do not have before the release is paid for; a flow takes all there are."""
    if isinstance(method, OneRelease) and isinstance(method, Sparse) and method.sparsity > d:
        raise ParameterError("sparsity", method.sparsity, f"at most the number of columns, {d}; 0 keeps all")


def paid_for_slices(dataset: Dataset) -> Ledger:
    """Price of the edges of the slices, where they were released from these rows with noise."""
    mu = dataset.edges_mu
    return Ledger((Entry(f"{RUNNING_COUNTS}, for the edges", mu, 1.0),)) if mu else Ledger()


def what_is_left(asked: Grant, paid: Ledger) -> Grant:
    """The budget less what was paid before: both are Gaussian, so μ² is what remains.

    Raises
    ------
    ParameterError
        If nothing is left.
    """
    if not len(paid):
        return asked
    square = asked.mu**2 - paid.mu**2
    left = epsilon_of(math.sqrt(square), asked.delta) if square > 0 else 0.0
    if left <= 0:
        spent = epsilon_of(paid.mu, asked.delta)
        raise ParameterError("epsilon", asked.epsilon, f"well above {spent:.3g}, which the edges of the slices cost")
    return replace(asked, epsilon=left)


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
    sizes = dataset.n_classes, dataset.d
    k, rank = setting.n_components or model.default_components(*sizes), model.rank(*sizes)
    if k > dataset.d:
        raise ParameterError("n_components", k, f"at most the number of columns, {dataset.d}")
    if k > rank:
        only = f"With {plural(dataset.n_classes, 'class')} only" if model.joint_columns == "classes" else "Only"
        carry = f"{rank} of k = {k} components {'carries' if rank == 1 else 'carry'} anything."
        return k, (f"{only} {carry}", *all_columns_warning(k, dataset.d))
    return k, all_columns_warning(k, dataset.d)


def _enforces_budget(entry: MethodEntry, noise: NoisePlan | None, asked: Grant) -> bool:
    """Whether the curator enforces the grant: not where a plan of this package accounts to more than the grant.

    Such a setting is run to show what it spends. Whoever comes from outside is held to the grant at every setting.
    """
    return entry.private and (entry.outside or noise is None or not overspends(noise, asked))
