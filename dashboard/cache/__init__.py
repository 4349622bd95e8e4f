"""Cached results of the server. Keys are scenarios and the identities of data sets."""

from dashboard.cache.answers import (
    answer,
    answers_ahead,
    curve,
    exact_curve,
    frames,
    redraws,
    released_spectra,
    search_for,
    share_scores,
    trained,
)
from dashboard.cache.by_dataset import alive, cached_for_dataset, identity, mark_own
from dashboard.cache.evidence import (
    attacks,
    growing_attack,
    members,
    reconstruction,
    row_swaps,
    spectral_points,
    verdicts,
    worst_by_size,
    worst_pair,
)
from dashboard.cache.rows import digest, reference_of, row_facts, spectra

__all__ = [
    "alive",
    "answer",
    "answers_ahead",
    "attacks",
    "cached_for_dataset",
    "curve",
    "digest",
    "exact_curve",
    "frames",
    "growing_attack",
    "identity",
    "mark_own",
    "members",
    "reconstruction",
    "redraws",
    "reference_of",
    "released_spectra",
    "row_facts",
    "row_swaps",
    "search_for",
    "share_scores",
    "spectra",
    "spectral_points",
    "trained",
    "verdicts",
    "worst_by_size",
    "worst_pair",
]
