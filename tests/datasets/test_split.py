"""Who is held out: published where published, else stratified by the seed and by nothing else."""

from dataclasses import replace

import numpy as np
import pytest

from dpgep_core.datasets import Dataset, load_dataset, split


def _labelled(y):
    y = np.asarray(y, np.intp)
    rows = np.arange(2 * y.size, dtype=np.int16).reshape(-1, 2)
    return Dataset("toy", "toy", rows, y, classes=tuple(str(k) for k in range(int(y.max()) + 1)))


def test_the_published_split_is_used_without_copying():
    dataset = load_dataset("adult")
    parts = split(dataset, 7)
    assert parts.X is dataset.X
    assert parts.y is dataset.y
    assert parts.X_test is dataset.X_test
    assert parts.y_test is dataset.y_test


def test_a_fifth_of_each_class_is_held_out():
    dataset = load_dataset("digits")
    parts = split(dataset, 0)
    assert parts.X.shape[0] + parts.X_test.shape[0] == dataset.n
    share = np.bincount(parts.y_test) / np.bincount(dataset.y)
    assert np.allclose(share, 0.2, atol=0.01)
    assert parts.X.dtype == dataset.X.dtype


def test_every_row_is_on_one_side_with_its_own_label():
    dataset = _labelled(np.arange(50) % 3)
    parts = split(dataset, 3)
    rows, labels = np.vstack([parts.X, parts.X_test]), np.concatenate([parts.y, parts.y_test])
    order = np.argsort(rows[:, 0])
    assert np.array_equal(rows[order], dataset.X)
    assert np.array_equal(labels[order], dataset.y)


@pytest.mark.parametrize("counts", [(2, 2), (2, 30), (1, 2), (1, 1, 9), (3, 3, 3)])
def test_a_class_of_two_or_more_is_on_both_sides(counts):
    parts = split(_labelled(np.repeat(np.arange(len(counts)), counts)), 1)
    for code, count in enumerate(counts):
        if count >= 2:
            assert (parts.y == code).any()
            assert (parts.y_test == code).any()


@pytest.mark.parametrize("y", [[0, 1], [0, 1, 2]])
def test_neither_side_is_ever_empty(y):
    parts = split(_labelled(y), 0)
    assert len(parts.X) > 0
    assert len(parts.X_test) > 0


def test_rows_without_labels_are_split_too():
    parts = split(Dataset("rows", "Rows", np.arange(1_000.0).reshape(500, 2)), 0)
    assert parts.X.shape == (400, 2)
    assert parts.y is None
    assert parts.y_test is None


def test_the_seed_decides_and_the_name_does_not():
    """The same numbers in another file must give the same result."""
    dataset = load_dataset("wine")
    first = split(dataset, 5)
    assert np.array_equal(first.X, split(replace(dataset, name="other"), 5).X)
    assert not np.array_equal(first.X_test, split(dataset, 6).X_test)
