"""The cases every algorithm is tested on, read from the registries, and the checks themselves.

A new algorithm or model needs no new test: it is in the registry, so it is here.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from functools import cache, reduce
from typing import Any

import numpy as np

from dpgep_core import ALGORITHMS, MODELS, Dataset, Preprocessing, Release, solve
from dpgep_core.method import MethodEntry, Verdict
from dpgep_core.params import Choice, Relation, definition, parameters
from dpgep_core.privacy import Entry, Grant, Ledger
from dpgep_core.privacy.ledger import overspends

EXACT_EIGENVALUES = "Λ_B = diag(VᵀBV)"  # what Chen et al. read without noise
RELATIONS = tuple(definition(Relation).options)  # type: ignore[union-attr]
ROWS, COLUMNS, CLASSES = 240, 6, 3
ALL_KEPT = "k = 6 keeps all 6 columns: the space is the same whatever the noise, so its angle is 0."


def keys() -> list[tuple[str, str]]:
    """(algorithm, model) pairs that are registered and exist."""
    return [(key, model) for key, entry in ALGORITHMS.items() for model in entry.models if model in MODELS]


def cases() -> list[tuple[str, str, str]]:
    """(algorithm, model, relation)."""
    return [(*pair, relation) for pair in keys() for relation in RELATIONS]


@cache
def rows(copies: int = 1, order: tuple[int, ...] = (0, 1, 2)) -> Dataset:
    """Three classes around their means; a split is given, so that all rows are fitted on.

    ``copies`` repeats every row; ``order`` renames class c to order[c].
    """
    rng = np.random.default_rng(12)
    y = np.arange(ROWS) % CLASSES
    means = np.array([[0.5, 0.1, 0, 0, 0, 0], [-0.3, 0.4, 0.1, 0, 0, 0], [0, -0.4, -0.3, 0, 0, 0.2]])
    spread = np.array([0.3, 0.22, 0.16, 0.12, 0.09, 0.06])
    X = np.round(means[y] + rng.standard_normal((ROWS, COLUMNS)) * spread, 6)
    codes = np.array(order)[y]
    return Dataset(
        name="battery",
        title="Three classes",
        X=np.tile(X, (copies, 1)),
        y=np.tile(codes, copies),
        X_test=X[:30],
        y_test=codes[:30],
        classes=("a", "b", "c"),
        preprocessing=Preprocessing(rows="clip", radius=1.0),
    )


def settings_of(key: str) -> list[dict[str, Any]]:
    """The defaults, then each other choice of each word parameter."""
    found: list[dict[str, Any]] = [{}]
    default = ALGORITHMS[key].make()
    for name, parameter in parameters(ALGORITHMS[key].make).items():
        if isinstance(parameter, Choice):
            found.extend({name: option} for option in parameter.options if option != getattr(default, name))
    return found


def overdraws(release: Release) -> bool:
    """Whether the plan of the method accounts to more than the grant."""
    grant = Grant(epsilon=release.setting.epsilon, delta=release.accounted.delta)
    return overspends(release.method.noise_plan(release.public, grant), grant)


def may_overdraw(key: str, model: str, setting: dict[str, Any], epsilon: float) -> bool:
    """Whether the algorithm is known to break the grant here: its plan alone is no excuse for too little noise."""
    if setting.get("calibration") in ("forgetful", "unit", "printed") or setting.get("start") in ("oracle", "private"):
        return True
    if key in ("dpsr", "dpsrs"):
        return model != "pca"  # Λ_B leaves without noise, and B of PCA is the identity
    if setting.get("calibration") == "exact":
        return False
    large = ("analyze_gauss", "dp_spca", "local_gaussian", "sr_dp")  # whose published rule is proved for small ε
    return key in ("dp_vrpca", "wishart") or (key in large and epsilon > 10)


def privacy_warnings(release: Release) -> list[str]:
    """Warnings of a release without the one that PCA gives on the battery's rows at the usual k: all six are kept."""
    return [warning for warning in release.warnings if warning != ALL_KEPT]


def independent_bounds(ledger: Ledger, epsilon: float, delta: float) -> tuple[float, float]:
    """A lower and an upper bound on the ε of a ledger by convolving privacy loss distributions (dp_accounting)."""
    assert {f.name for f in fields(Entry)} == {
        "query",
        "sensitivity",
        "sigma",
        "count",
        "protected",
        "sampling_rate",
    }, "a new kind of ledger entry: teach the independent accountant what it is worth"
    alike: Counter[tuple[float, float]] = Counter()  # to ten digits, so that models and relations share a computation
    for entry in (e for e in ledger if e.sensitivity > 0):
        alike[float(f"{entry.sigma / entry.sensitivity:.10g}"), entry.sampling_rate] += entry.count
    answers = tuple(sorted((ratio, count, rate) for (ratio, rate), count in alike.items()))
    if all(e.sampling_rate == 1 for e in ledger):
        return _bound(answers, epsilon, delta, False), _bound(answers, epsilon, delta, True)
    # rows drawn now and then: the pair that always changes one way spends at least this; dp_accounting has no upper
    # bound for replaced rows and batches of fixed size, so the grant itself is the bound
    return _bound(answers, epsilon, delta, False), epsilon


@cache
def _bound(answers: tuple[tuple[float, int, float], ...], epsilon: float, delta: float, pessimistic: bool) -> float:
    from dp_accounting.pld import privacy_loss_distribution as pld  # slow to import, and no need of `fingerprints`

    losses = [
        pld.from_gaussian_mechanism(
            ratio,
            sampling_prob=rate,
            value_discretization_interval=1e-3 * epsilon,
            pessimistic_estimate=pessimistic,
        ).self_compose(count)
        for ratio, count, rate in answers
    ]
    return float(reduce(lambda one, other: one.compose(other), losses).get_epsilon_for_delta(delta))


def known_unprotected(entry: MethodEntry, model: str) -> set[str]:
    """What a private algorithm is known to read without noise at its default settings."""
    if entry.key == "wishart":
        return {"A"}  # under noise that proves nothing
    reads_eigenvalues = entry.key in ("dpsr", "dpsrs") and not MODELS[model].make().identity_constraint
    return {EXACT_EIGENVALUES} if reads_eigenvalues else set()


def check_spend(release: Release) -> None:
    """Nothing left unprotected, and another accountant agrees that the grant covers what was answered."""
    epsilon, delta = release.setting.epsilon, release.accounted.delta
    assert release.ledger.unprotected == ()
    assert len(release.ledger) > 0, "an answer that no ledger knows"
    least, most = independent_bounds(release.ledger, epsilon, delta)
    assert least <= epsilon * (1 + 1e-6), f"spends at least {least} of {epsilon}"
    assert most <= epsilon * 1.03  # its own rounding, upwards
    assert release.accounted.epsilon is not None
    assert least * (1 - 1e-6) <= release.accounted.epsilon <= most * (1 + 1e-6) + 1e-9


def check_unprotected(release: Release) -> None:
    """Only what is known and declared leaves without noise."""
    entry = ALGORITHMS[release.setting.algorithm]
    if entry.guarantee.verdict is Verdict.NONE:
        assert release.ledger.unprotected
        assert all(not e.protected for e in release.ledger)
        assert release.claimed is None
    else:
        assert set(release.ledger.unprotected) == known_unprotected(entry, release.setting.model)
    assert (release.accounted.epsilon is None) == bool(release.ledger.unprotected)


def fingerprint(release: Release) -> str:
    """Every bit of the components, the history and the ledger."""
    digest = hashlib.sha256()
    for basis in (release.components, *release.history):
        digest.update(np.ascontiguousarray(basis).tobytes())
    digest.update(repr(release.ledger).encode())
    return digest.hexdigest()


def fingerprints() -> Iterator[str]:
    """One line for each algorithm and model."""
    for key, model in keys():
        yield f"{key} {model} {fingerprint(solve(rows(), model, key, seed=5))}"


if __name__ == "__main__":
    print("\n".join(fingerprints()))
