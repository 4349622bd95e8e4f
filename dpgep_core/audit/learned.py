"""A learned distinguisher: logistic regression on features of a release that do not mind signs and rotations."""

from collections.abc import Callable

import numpy as np

from dpgep_core.audit.case import Case
from dpgep_core.privacy.query import Array

LOGISTIC_RIDGE = 0.1
NEWTON_STEPS = 30
CLIP_AT = 6.0  # standard deviations at which a feature is clipped
SATURATED = 30.0


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
