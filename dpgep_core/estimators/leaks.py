"""Warnings about what no ε of a fitted estimator covers."""

import inspect
import warnings
from weakref import WeakSet

from sklearn.model_selection._search import BaseSearchCV

from dpgep_core.learnt import learnt_sentence
from dpgep_core.release import Release
from dpgep_core.verdict import HOLDING, judge

SEED_KNOWN = "the noise follows random_state: whoever knows it can take the noise off again"
TUNING = (
    "A search fits and scores on these rows: each fit spends its own epsilon, and the scores that choose the "
    "parameters are read without noise. No epsilon covers the choice. Tune on public data, or fix the parameters."
)

_searches_told: WeakSet[BaseSearchCV] = WeakSet()


class PrivacyLeakWarning(UserWarning):
    """Something was read off the rows, or stands beside them, that the ε of an estimator does not cover."""


def leaks_of(release: Release) -> tuple[str, ...]:
    """Sentences about what the ε of a release does not cover, apart from a known seed."""
    judgement = judge(release)
    unproved = "" if judgement.verdict in HOLDING else judgement.sentence
    return tuple(filter(None, (learnt_sentence(release.learnt), unproved)))


def warn_of_leaks(release: Release) -> None:
    """Warn of everything in `leaks_of`, and once for each search of parameters in which a fit runs."""
    for sentence in leaks_of(release):
        warnings.warn(sentence, PrivacyLeakWarning, stacklevel=4)
    if _is_first_of_a_search():
        warnings.warn(TUNING, PrivacyLeakWarning, stacklevel=4)


def _is_first_of_a_search() -> bool:
    """Whether a fit is the first that a search of parameters makes in this process.

    scikit-learn tells an estimator nothing of who fits it, so the stack is asked. Folds that run in other processes
    do not have the search on their stacks; the refit in this process then is the first.
    """
    frame = inspect.currentframe()
    while frame is not None:
        if isinstance(search := frame.f_locals.get("self"), BaseSearchCV):
            first = search not in _searches_told
            _searches_told.add(search)
            return first
        frame = frame.f_back
    return False
