"""Accuracy of the classifiers of a release, on labelled rows that the user declares public."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpgep_core.datasets import Dataset
from dpgep_core.errors import DataError, list_names
from dpgep_core.evaluate.classify import Score, score
from dpgep_core.evaluate.private_rules import PRIVATE_RULES
from dpgep_core.privacy.query import Array
from dpgep_core.publishing.loaded_release import LoadedRelease

ALL_PRIVATE = "all private: projection and classifier from the release alone"


@dataclass(frozen=True, slots=True)
class PublicRows:
    """Labelled rows that are public by the user's word: rows as stored (m, d), and the name of each row's class."""

    X: Array
    labels: NDArray[np.str_]


def public_rows(release: LoadedRelease, data: Dataset) -> PublicRows:
    """The published test split of a data set, or all rows of one that was not released from.

    Raises
    ------
    DataError
        If there are no such rows, or they have other columns or classes.
    """
    header = release.header
    X, y = (data.X, data.y) if data.X_test is None else (data.X_test, data.y_test)
    if data.X_test is None and data.name == header.dataset:
        raise DataError(data.name, "the release was made from these rows", "other rows, which are public, are needed")
    if y is None:
        raise DataError(data.name, "no labels", "labelled rows are needed to score a classifier")
    if data.d != header.d:
        raise DataError(data.name, f"{data.d} columns", f"the {header.d} columns of the release are needed")
    if unknown := sorted(set(data.classes) - set(header.classes)):
        problem = f"classes that the release does not know: {list_names(unknown)}"
        raise DataError(data.name, problem, f"the classes {list_names(header.classes)} are needed")
    return PublicRows(X, np.array(data.classes)[y])


def private_scores(release: LoadedRelease, rows: PublicRows) -> Iterator[tuple[str, Score]]:
    """Score of each classifier of `PRIVATE_RULES`; nothing but the release and the public rows is read."""
    names = {name: code for code, name in enumerate(release.header.classes)}
    truth = np.array([names[label] for label in rows.labels], dtype=np.intp)
    for kind in PRIVATE_RULES:
        predicted = release.classifier(kind).decision_function(rows.X).argmax(axis=1)
        yield kind, score(predicted, truth, release.header.n)


def majority_share(rows: PublicRows) -> float:
    """Share of the commonest class of the public rows: the floor."""
    return float(np.unique(rows.labels, return_counts=True)[1].max() / rows.labels.size)
