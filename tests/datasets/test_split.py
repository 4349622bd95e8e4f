"""Held-out rows: published where published, else drawn by the seed, whatever rows and labels say."""

from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest

from dpgep_core.datasets import Dataset, load_dataset, split
from dpgep_core.datasets.split import _held_out_of, _stretches, held_out_between, held_out_rows


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


@pytest.mark.parametrize(
    ("name", "n", "held_out"), [("digits", 1797, 359), ("wine", 178, 36), ("breast_cancer", 569, 114)]
)
def test_a_fifth_of_the_rows_is_held_out(name, n, held_out):
    dataset = load_dataset(name)
    parts = split(dataset, 0)
    assert (dataset.n, len(parts.X_test), len(parts.X)) == (n, held_out, n - held_out)
    assert parts.X.dtype == dataset.X.dtype


def test_every_row_is_on_one_side_with_its_own_label():
    dataset = _labelled(np.arange(50) % 3)
    parts = split(dataset, 3)
    rows, labels = np.vstack([parts.X, parts.X_test]), np.concatenate([parts.y, parts.y_test])
    order = np.argsort(rows[:, 0])
    assert np.array_equal(rows[order], dataset.X)
    assert np.array_equal(labels[order], dataset.y)


@pytest.mark.parametrize("name", ["digits", "wine", "breast_cancer"])
def test_labels_decide_nothing(name):
    """Neither who is held out nor how many: a count of held-out rows would otherwise publish a label."""
    dataset = load_dataset(name)
    rng = np.random.default_rng(0)
    for seed in range(5):
        parts = split(dataset, seed)
        for y in (rng.permutation(dataset.y), np.zeros_like(dataset.y), None):
            other = split(replace(dataset, y=y), seed)
            assert np.array_equal(other.X, parts.X)
            assert np.array_equal(other.X_test, parts.X_test)


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
    """Equal numbers in another file must give the same result."""
    dataset = load_dataset("wine")
    first = split(dataset, 5)
    assert np.array_equal(first.X, split(replace(dataset, name="other"), 5).X)
    assert not np.array_equal(first.X_test, split(dataset, 6).X_test)


@pytest.mark.parametrize("stretch", [1, 2, 3, 7, 1 << 25])
@pytest.mark.parametrize("test_size", [0.0, 0.01, 0.2, 0.5, 0.99])
def test_how_many_are_held_out_is_what_the_stretches_say(monkeypatch, stretch, test_size):
    monkeypatch.setattr(import_module("dpgep_core.datasets.split"), "STRETCH", stretch)  # a function hides it
    for rows in range(1, 60):
        listed = sum(_held_out_of(stop - start, test_size) for start, stop in _stretches(rows))
        assert held_out_rows(rows, test_size) == listed
    assert stretch < 2 or held_out_between(0, 59, test_size, 0, 59).sum() == held_out_rows(59, test_size)


@pytest.mark.parametrize("test_size", [0.0, 0.2])
def test_no_list_is_made_for_a_declared_number_of_rows(test_size):
    most = 2**53 - 1
    assert held_out_rows(most, test_size) == pytest.approx(test_size * most)
