"""Distinguishers: functions of a release whose value is large under the second data set and small under the first.

Those that know an exact identity decide at 0; the others pick their cutoff on runs that are not tested.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpgep_core.audit.bounds import clipped_log
from dpgep_core.audit.case import AttackerView, Case
from dpgep_core.audit.reconstruction import quadratic_forms
from dpgep_core.errors import ParameterError, UnknownNameError
from dpgep_core.privacy.query import Array

LOGISTIC_RIDGE = 0.1
NEWTON_STEPS = 30
CLIP_AT = 6.0  # standard deviations at which a feature is clipped
SATURATED = 30.0


RESIDUAL_ROUNDING = 1e-9  # a residual below this is rounding
TINY_DISTANCE = 1e-28  # a squared distance below this is too
Scorer = Callable[[Array], Array]  # (runs, d, columns) → (runs,)
FitScorer = Callable[[Case, Array, Array], Scorer]  # from the training runs of each side; empty where it does not learn


@dataclass(frozen=True, slots=True, kw_only=True)
class Distinguisher:
    """A way to tell two neighbouring data sets apart by one release.

    Parameters
    ----------
    sentence, meaning : str
        What it looks at, and what it means if it succeeds.
    view : {"components", "answers", "replay"}
        What it looks at in a release.
    trained : bool
        Whether it needs runs of its own, to learn from or to pick its cutoff on.
    unfit : callable
        From the case to why it cannot be used there; "" where it can.
    fit : callable
        To a score.
    """

    key: str
    title: str
    sentence: str
    meaning: str
    view: AttackerView
    trained: bool
    unfit: Callable[[Case], str]
    fit: FitScorer

    def check(self, case: Case) -> None:
        """Raise `ParameterError` where it cannot be used."""
        if why := self.unfit(case):
            raise ParameterError("distinguisher", self.key, f"one that fits here: {self.key} needs {why}")


DISTINGUISHERS: dict[str, Distinguisher] = {}


def _register(
    key: str, title: str, sentence: str, meaning: str, unfit: Callable[[Case], str], *,
    view: AttackerView = "components", trained: bool = False,
) -> Callable[[FitScorer], FitScorer]:  # fmt: skip
    """Decorator that puts a fit into `DISTINGUISHERS`."""

    def add(fit: FitScorer) -> FitScorer:
        DISTINGUISHERS[key] = Distinguisher(
            key=key, title=title, sentence=sentence, meaning=meaning, view=view, trained=trained, unfit=unfit, fit=fit
        )
        return fit

    return add


def _square(case: Case) -> str:
    if case.identity_constraint:
        return "a model whose B depends on the rows"
    if not case.xi:
        return "an algorithm with a ridge xi > 0"
    return "" if case.k == case.d else f"as many components as columns, {case.d}"


def _without_spread(case: Case) -> str:
    if case.identity_constraint or not case.xi:
        return "a B that depends on the rows, and a ridge xi > 0"
    flat = np.abs(case.constraints[0]).max() < RESIDUAL_ROUNDING
    return "" if flat else "a pair whose first data set has B = 0, such as constant"


def _once_each(case: Case) -> str:
    return _square(case) or ("" if case.noise_ratio else "an algorithm that asks once for A and once for B")


@_register(
    "svd_identity",
    "Singular values against B",
    "Reads u and uᵀBu off the singular value decomposition of a square release and asks which of the two data "
    "sets they fit.",
    "an eigenvalue of B leaves without noise: some direction u of the release carries uᵀBu exactly",
    _square,
)
def _svd_identity(case: Case, _one: Array, _other: Array) -> Scorer:
    """Whether some (u, 1/S² − ξ) of W = U S Rᵀ is (u, uᵀBu) to rounding, for B or for B′."""
    xi = float(case.xi or 0.0)

    def score(outputs: Array) -> Array:
        U, forms = quadratic_forms(outputs, xi)
        misfit = [
            np.abs((np.einsum("nij,ik,nkj->nj", U, B, U) + xi) / (forms + xi) - 1).min(axis=1) for B in case.constraints
        ]
        return clipped_log(misfit[0]) - clipped_log(misfit[1])

    return score


@_register(
    "flat_gram",
    "Is WᵀW = I/ξ?",
    "Classes without spread have B = 0, and then WᵀW = I/ξ to rounding; one row ends that.",
    "the eigenvalues of B leave without noise: that they are all zero can be seen exactly",
    _without_spread,
)
def _flat_gram(case: Case, _one: Array, _other: Array) -> Scorer:
    """Whether WᵀW = I/ξ to rounding, as B = 0 makes it."""
    xi = float(case.xi or 0.0)

    def score(W: Array) -> Array:
        residual = np.abs(xi * np.einsum("nij,nik->njk", W, W) - np.eye(W.shape[2])).max(axis=(1, 2))
        return clipped_log(residual) - np.log(RESIDUAL_ROUNDING)

    return score


@_register(
    "likelihood_ratio",
    "Likelihood ratio of the released answers",
    "Weighs every released number by the change that the row makes and by the noise seen on it: the best test there is "
    "for that noise. A later answer is judged by the question that the earlier ones led to.",
    "the noise on the released sums is smaller than the ledger says for what one row can change",
    lambda case: "" if case.shows_answers else "an algorithm that releases moments, as ssp does but by products",
    view="answers",
    trained=True,
)
def _likelihood_ratio(_case: Case, lessons: Array, lessons_other: Array) -> Scorer:
    """Neyman and Pearson's test for independent noise on each released number, its size being that of the lessons.

    For noise as the ledger says it is the best test there is; a number without noise decides it alone.
    """
    noise = [lessons[:, 0] + lessons[:, 1] / 2, lessons_other[:, 0] - lessons_other[:, 1] / 2]
    spread = np.concatenate([part - part.mean(axis=0) for part in noise])
    variance = (spread**2).mean(axis=0)

    def score(outputs: Array) -> Array:
        beyond, change = outputs[:, 0], outputs[:, 1]
        scale = np.maximum(variance, (RESIDUAL_ROUNDING * change) ** 2)
        return np.sum(np.divide(beyond * change, scale, out=np.zeros_like(change), where=change != 0), axis=1)

    return score


@_register(
    "reused_noise",
    "Same noise twice?",
    "If A and B carry the same noise it cancels between them, and a known matrix becomes diagonal in the released "
    "basis.",
    "two answers carry the same noise: it cancels between them and leaves exact values",
    _once_each,
)
def _reused_noise(case: Case, _one: Array, _other: Array) -> Scorer:
    """Whether Wᵀ(A − cB − cξI)W is diagonal, c = σ_A/σ_B: it is if A and B carry the same noise, which then cancels."""
    ratio, xi = float(case.noise_ratio or 1.0), float(case.xi or 0.0)
    middles = [A - ratio * (B + xi * np.eye(case.d)) for A, B in zip(case.targets, case.constraints, strict=True)]

    def score(W: Array) -> Array:
        aside = [np.einsum("nij,ik,nkl->njl", W, middle, W) * (1 - np.eye(W.shape[2])) for middle in middles]
        first, second = (clipped_log(np.abs(part).max(axis=(1, 2))) for part in aside)
        return first - second

    return score


@_register(
    "replay",
    "Run again without noise",
    "Runs the algorithm without noise on both data sets, from the same public start and, where a step depends on the "
    "last basis alone, from each released basis, and asks which result the release lies nearer.",
    "the noise is too small for what one row can change on the way to the result",
    lambda case: "" if case.differs else "a pair whose results without noise differ",
    view="replay",
    trained=True,
)
def _replay(_case: Case, lessons: Array, lessons_other: Array) -> Scorer:
    """Logistic regression on how much nearer the released bases are to those of the second data set, in three scales:
    by the usual distance of each step, by the distance itself and by its square."""
    usual = np.maximum(np.concatenate([lessons, lessons_other])[:, :, 1].mean(axis=0), TINY_DISTANCE)

    def features(outputs: Array) -> Array:
        nearer, squared = outputs[:, :, 0], np.maximum(outputs[:, :, 1], TINY_DISTANCE)
        return np.column_stack([np.sum(nearer / scale, axis=1) for scale in (usual, np.sqrt(squared), squared)])

    return fit_log_odds(features, lessons, lessons_other)


@_register(
    "learned",
    "Learned from runs",
    "Logistic regression on quadratic features of the release, fitted on other runs than are tested.",
    "the noise is too small for what one row can change",
    lambda _case: "",
    trained=True,
)
def learn_log_odds(case: Case, one: Array, other: Array) -> Callable[[Array], Array]:
    """Log odds of the second data set, fitted on runs (N, d, k) of each."""
    return fit_log_odds(lambda outputs: release_features(case, outputs), one, other, squares=True)


def fit_log_odds(
    features: Callable[[Array], Array], one: Array, other: Array, *, squares: bool = False
) -> Callable[[Array], Array]:
    """Log odds by logistic regression on features of the runs of each side and, if asked, on their squares."""
    raw = np.concatenate([features(one), features(other)])
    centre, scale = raw.mean(axis=0), raw.std(axis=0)
    scale = np.where(scale > 1e-12 * (1 + np.abs(centre)), scale, np.inf)

    def design(outputs: Array) -> Array:
        z = np.clip((features(outputs) - centre) / scale, -CLIP_AT, CLIP_AT)
        return np.hstack([np.ones((len(z), 1)), z, z**2] if squares else [np.ones((len(z), 1)), z])

    weights = _logistic(design(np.concatenate([one, other])), np.repeat([0.0, 1.0], [len(one), len(other)]))
    return lambda outputs: design(outputs) @ weights


def release_features(case: Case, W: Array) -> Array:
    """(runs, features): the entries of WWᵀ, and how W sits with A and B of either data set."""
    upper = np.triu_indices(W.shape[1])
    outer = np.einsum("nik,njk->nij", W, W)[:, upper[0], upper[1]]
    gram = np.einsum("nik,nil->nkl", W, W)
    (A, A_other), (B, B_other) = case.targets, case.constraints
    whitened = [np.einsum("nik,ij,njl->nkl", W, matrix, W) for matrix in (A, A_other, B, B_other)]
    traces = [np.einsum("nkk->n", matrix) for matrix in (gram, *whitened)]
    xi = case.xi or 0.0
    misfits = [np.linalg.norm(part + xi * gram - np.eye(W.shape[2]), axis=(1, 2)) for part in whitened[2:]]
    sizes = [np.linalg.slogdet(gram)[1], np.log(np.maximum(traces[0], 1e-300)), np.log1p(np.maximum(traces[3], 0.0))]
    changes = [traces[1] - traces[2], traces[3] - traces[4]]
    return np.nan_to_num(np.column_stack([outer, *sizes, *changes, *misfits]), posinf=1e150, neginf=-1e150)


def _logistic(X: Array, y: Array) -> Array:
    """Weights by Newton's method, with a ridge so that separable runs have a finite answer."""
    weights = np.zeros(X.shape[1])
    for _ in range(NEWTON_STEPS):
        odds = np.clip(X @ weights, -SATURATED, SATURATED)
        chance = 1 / (1 + np.exp(-odds))
        slope = X.T @ (chance - y) + LOGISTIC_RIDGE * weights
        curvature = (X * (chance * (1 - chance))[:, None]).T @ X + LOGISTIC_RIDGE * np.eye(len(weights))
        step = np.linalg.solve(curvature, slope)
        weights -= step
        if np.abs(step).max() < 1e-8:
            break
    return weights


def distinguisher_of(key: object) -> Distinguisher:
    """The distinguisher of a key; `UnknownNameError` names the known ones."""
    if not isinstance(key, str) or key not in DISTINGUISHERS:
        raise UnknownNameError("distinguisher", key, DISTINGUISHERS)
    return DISTINGUISHERS[key]
