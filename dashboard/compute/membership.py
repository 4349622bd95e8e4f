"""Was this row in it? A private projection does not make the classifier trained on projected rows private."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpgep_core.evaluate import Reference
from dpgep_core.evaluate.classify import CLASSIFIERS, project
from dpgep_core.privacy.accountant import best_guess
from dpgep_core.privacy.query import Array
from dpgep_core.privacy.randomness import permutation
from dpgep_core.release import Release

ROWS = 5000  # trained on; as many are asked about on each side as were held out


@dataclass(frozen=True, slots=True)
class Membership:
    """How often a guesser who sees the classifier is right about who was in it, and what ε would allow."""

    trained_on: int
    asked: int
    right: float
    allowed: float
    inside: float
    outside: float


def membership(release: Release, reference: Reference, most_rows: int = ROWS) -> Membership:
    """Train a random forest on projected rows; guess "it was in" where the forest is surer of the true label.

    Half of the rows asked about were trained on, half held out; the cutoff is the median over both.
    """
    parts = reference.parts
    assert parts.y is not None
    chosen = permutation(0, parts.y.size, "classifier", "membership")[:most_rows]
    count = min(chosen.size, reference.test_labels.size)
    inside = project(parts.X[chosen], reference.problem.preprocessing, release.components)
    outside = project(parts.X_test[:count], reference.problem.preprocessing, release.components)
    forest = CLASSIFIERS["random_forest"].make(0).fit(inside, parts.y[chosen])
    sure_in = _sureness(forest.predict_proba(inside[:count]), forest.classes_, parts.y[chosen][:count])
    sure_out = _sureness(forest.predict_proba(outside), forest.classes_, reference.test_labels[:count])
    cutoff = float(np.median(np.concatenate([sure_in, sure_out])))
    hits, alarms = float(np.mean(sure_in > cutoff)), float(np.mean(sure_out > cutoff))
    return Membership(
        trained_on=chosen.size,
        asked=2 * count,
        right=(1 + hits - alarms) / 2,
        allowed=best_guess(release.ledger.mu),
        inside=float(sure_in.mean()),
        outside=float(sure_out.mean()),
    )


def _sureness(shares: Array, known: NDArray[np.intp], labels: NDArray[np.intp]) -> Array:
    """(m,) the share of trees that vote for the true label; 0 for a label that was never trained on."""
    place = {int(label): column for column, label in enumerate(known)}
    return np.array([row[place[int(y)]] if int(y) in place else 0.0 for row, y in zip(shares, labels, strict=True)])
