"""A release compared with the exact answer, with caveats where the exact solution is none, or is luck.

The comparison reads the private rows, so it is a type of its own.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from dpgep_core.datasets import Dataset, resolve_dataset
from dpgep_core.errors import ParameterError, UnknownNameError
from dpgep_core.evaluate import classify, metrics
from dpgep_core.evaluate.reference import Reference
from dpgep_core.models.product_pencil import ProductPencil
from dpgep_core.privacy.query import Array
from dpgep_core.protocols import Sparse, ridge_of
from dpgep_core.release import Release
from dpgep_core.wording import plural

ZERO_EIGENVALUE = 1e-13  # an eigenvalue of rows in the unit ball that is rounding
RELATIVE_ZERO = 1e-10  # of the largest eigenvalue: rounding too


def caveats(reference: Reference, k: int, xi: float) -> tuple[str, ...]:
    """Sentences about the exact solution with k components at ridge ξ. They are read off the private rows.

    Angles and cosines compare with that solution. Where the rows have fewer directions than k, or where its last
    eigenvalue is not told apart from the next one, what they say is partly luck.
    """
    ridge = 0.0 if reference.problem.pencil.identity_constraint else xi  # the identity knows no ridge
    return reference.remember(("caveats", k, ridge), lambda: _caveats(reference, k, ridge))


def _caveats(reference: Reference, k: int, xi: float) -> tuple[str, ...]:
    problem = reference.problem
    n, d = problem.sample.X.shape
    pencil, more = problem.pencil, min(k + 1, d)
    if isinstance(pencil, ProductPencil):
        values = pencil.leading_quotients(more, xi)
    else:
        values = np.sort(pencil.quotients(reference.exact(more, xi), xi))[::-1]
    carrying = int(np.sum(values[:k] > max(ZERO_EIGENVALUE, RELATIVE_ZERO * values[0])))
    possible = min(k, problem.model.rank(reference.dataset.n_classes, d))
    if carrying == 0:
        return (
            "These rows have no direction that is better than another: the exact solution is arbitrary, and angle and "
            "cosine to it say nothing.",
        )
    if carrying < possible:
        return (
            f"Of k = {k}, only {plural(carrying, 'direction')} of these rows {'carries' if carrying == 1 else 'carry'} "
            f"anything: the others of the exact solution are arbitrary, and angle and cosine count them.",
        )
    # A difference below the standard deviation that so many rows leave in one eigenvalue, λ√(2/n), is luck.
    alike = carrying == k < min(d, possible + 1) and values[k - 1] - values[k] <= values[k - 1] * math.sqrt(2 / n)
    if alike:
        return (
            f"Eigenvalues {k} and {k + 1} are {values[k - 1]:.3g} and {values[k]:.3g}: {n:,} rows do not tell them "
            "apart, so which direction is the last one is luck, and angle and cosine depend on it.",
        )
    return ()


READS_PRIVATE_DATA = "reads the private data"
WHAT_IF = f"{READS_PRIVATE_DATA}; seed known: not private"  # of every number that a known seed and the rows decide
ACCURACY_LABELS: Mapping[str, str] = {
    "private": "the projection is private; the classifier is not, for it is trained on projected private rows",
    "non_private": "exact projection, classifier trained on projected private rows: nothing of it is private",
    "random": "random projection, classifier trained on projected private rows: the floor",
    "all_private": "projection and classifier both made from the release alone: private to the end",
}  # of the keys of an accuracy, in words


@dataclass(frozen=True, kw_only=True)
class Accuracies:
    """One classifier on four projections. ``all_private`` uses nothing but the release, where the method allows it."""

    private: classify.Score
    non_private: classify.Score
    random: classify.Score
    all_private: classify.Score | None = None


@dataclass(frozen=True, kw_only=True)
class Diagnostic:
    """Cost of a release, measured on the private rows: not covered by any guarantee.

    Parameters
    ----------
    reference : array (d, k)
        The exact solution at the same ξ and sparsity.
    cosine_similarity : array (k,)
        |cos| of matching columns.
    principal_angles : array (k,)
        Degrees, smallest first.
    subspace_distance, shang_distance, explained : float
        See `dpgep_core.evaluate.metrics`.
    accuracy : mapping of str to Accuracies
        By classifier.
    unscored : str
        Why ``accuracy`` is empty, for a sentence after "because"; empty where a classifier can be scored.
    majority : float or None
        Accuracy of the commonest class; None without labels, or without held-out rows.
    warnings : tuple of str
        Where the exact solution is no solution, or luck: see `caveats`.
    """

    reference: Array = field(repr=False)
    cosine_similarity: Array
    principal_angles: Array
    subspace_distance: float
    shang_distance: float
    explained: float
    chance_cosine: float
    accuracy: Mapping[str, Accuracies]
    majority: float | None
    unscored: str = ""
    warnings: tuple[str, ...] = ()
    label: str = READS_PRIVATE_DATA

    @property
    def accuracy_note(self) -> str:
        """Why there is no accuracy; empty where there is."""
        return f"not measured, because {self.unscored}" if self.unscored else ""

    @property
    def mean_cosine_similarity(self) -> float:
        """Mean over components."""
        return float(self.cosine_similarity.mean())


def evaluate(
    release: Release,
    dataset: Dataset | str,
    *,
    classifiers: Iterable[str] = ("lda", "linear_svm"),
    most_rows: int | None = -1,
) -> Diagnostic:
    """Compare a release with the exact solution at the same ξ and sparsity, and score classifiers on its projection.

    Parameters
    ----------
    release : Release
        What `solve` returned.
    dataset : Dataset or str
        The data set it was made from.
    classifiers : iterable of str
        From `dpgep_core.evaluate.classify.CLASSIFIER_NAMES`; none for data without labels or held-out rows.
    most_rows : int or None
        Training rows of the slower classifiers; -1 is each one's own bound, None all rows.

    Returns
    -------
    Diagnostic
        It reads the private rows; no ε covers it.
    """
    data = resolve_dataset(dataset)
    if data.name != release.dataset:
        raise ParameterError("dataset", data.name, f"the one the release was made from, {release.dataset!r}")
    for name in classifiers:
        if name not in classify.CLASSIFIER_NAMES:
            raise UnknownNameError("classifier", name, classify.CLASSIFIER_NAMES)
    reference = Reference.of(data, release.setting)
    return diagnose(reference, release, classifiers, most_rows)


def diagnose(
    reference: Reference, release: Release, classifiers: Iterable[str] = (), most_rows: int | None = -1
) -> Diagnostic:
    """Compare a release with a reference that is already there, as `evaluate` does."""
    V, (xi, sparsity) = release.components, reference_parameters(release)
    best = reference.exact(V.shape[1], xi, sparsity)
    found, wanted = _compared(reference, release, best, xi), tuple(classifiers)
    if reference.dataset.streamed and not wanted:
        return found  # without the pass that draws rows to score on
    names = wanted if reference.scorable else ()
    scored = {name: score_classifier(reference, release, name, most_rows) for name in names}
    note = reference.drawn_note if scored else ""
    warnings = (*found.warnings, note) if note else found.warnings
    return replace(found, accuracy=scored, majority=reference.majority, unscored=reference.unscored, warnings=warnings)


def _compared(reference: Reference, release: Release, best: Array, xi: float) -> Diagnostic:
    """The comparison of a release with the exact solution, without a classifier."""
    V = release.components
    return Diagnostic(
        reference=best,
        cosine_similarity=metrics.cosine_similarity(V, best),
        principal_angles=metrics.principal_angles(V, best),
        subspace_distance=metrics.subspace_distance(V, best),
        shang_distance=metrics.shang_distance(V, best),
        explained=metrics.explained_share(V, reference.problem.pencil, xi, best),
        chance_cosine=metrics.chance_cosine(V.shape[0]),
        accuracy={},
        majority=None,
        warnings=caveats(reference, V.shape[1], xi),
        unscored="no classifier was asked for",
    )


def score_classifier(reference: Reference, release: Release, name: str, most_rows: int | None = -1) -> Accuracies:
    """One classifier on the private, the exact and a random projection, and from the release alone where possible."""
    k, (xi, sparsity) = release.components.shape[1], reference_parameters(release)
    if name == classify.INSTANT:
        private, all_private = reference.instant_scores(release)
    else:
        private, all_private = reference.score(release.components, name, most_rows), None
    return Accuracies(
        private=private,
        non_private=reference.exact_score(k, xi, sparsity, name, most_rows),
        random=reference.random_score(k, name, most_rows),
        all_private=all_private,
    )


def reference_parameters(release: Release) -> tuple[float, int]:
    """Ridge and sparsity of the exact solution a release is compared with: the ones its method was asked for.

    A method may say another ridge, ``xi_compared``: where the noise decides the ridge, an exact solution at the ξ that
    was asked for answers another question, and at ξ = 0 there may be none.
    A sparsity that keeps all entries is none (0): a method's default may be more than a small data set has columns.
    """
    sparsity = release.method.sparsity if isinstance(release.method, Sparse) else 0
    kept = sparsity if sparsity < release.components.shape[0] else 0
    return release.facts.get("xi_compared", ridge_of(release.method) or 0.0), kept
