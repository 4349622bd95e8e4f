"""Protects the moments that come with the package: they are those of the bundled rows, and of no other rows."""

from pathlib import Path

import numpy as np
import pytest

from dpgep_core.datasets import Dataset, load_dataset
from dpgep_core.datasets.preprocessing import Preprocessing
from dpgep_core.models.moments import Moments, moments_of
from dpgep_core.models.stored_moments import stored_moments, write_stored

FEW = slice(0, 2000)


@pytest.fixture(scope="module")
def mnist() -> Dataset:
    return load_dataset("mnist")


@pytest.fixture(scope="module")
def stored(mnist: Dataset) -> Moments:
    found = stored_moments(mnist.X, mnist.y, mnist.n_classes, mnist.preprocessing)
    assert found is not None, "the bundled rows have no stored moments"
    return found


def test_what_can_be_known_without_summing(mnist: Dataset, stored: Moments) -> None:
    assert mnist.y is not None
    assert np.array_equal(stored.counts, np.bincount(mnist.y))
    assert np.trace(stored.gram) == pytest.approx(mnist.n, rel=1e-12)  # rows of norm 1
    assert np.array_equal(stored.gram, stored.gram.T)
    once = mnist.X / np.linalg.norm(mnist.X.astype(float), axis=1)[:, None]
    there = [300, 406]  # two columns in the middle
    np.testing.assert_allclose(stored.gram[np.ix_(there, there)], once[:, there].T @ once[:, there], rtol=1e-11)
    np.testing.assert_allclose(stored.sums[there, 3], once[mnist.y == 3][:, there].sum(axis=0), rtol=1e-11)


@pytest.mark.slow
def test_sums_of_the_rows_are_what_is_stored(mnist: Dataset, stored: Moments) -> None:
    summed = moments_of(mnist.X, mnist.y, mnist.n_classes, mnist.preprocessing)
    np.testing.assert_allclose(stored.gram, summed.gram, rtol=1e-12, atol=1e-12)  # another BLAS rounds otherwise
    np.testing.assert_allclose(stored.sums, summed.sums, rtol=1e-12, atol=1e-12)
    assert summed.scatter is None
    assert stored.n == summed.n


@pytest.mark.slow
def test_the_file_is_what_is_written_now(tmp_path: Path, mnist: Dataset, stored: Moments) -> None:
    with np.load(write_stored(tmp_path)) as written:
        assert str(written["preparation"]) == repr(mnist.preprocessing)
        assert np.array_equal(written["counts"], stored.counts)


def test_one_changed_row_or_label_is_summed_anew(mnist: Dataset) -> None:
    assert mnist.y is not None
    X, y = mnist.X.copy(), mnist.y.copy()
    X[59_999, 400] ^= 1
    y[0] = (y[0] + 1) % 10
    assert stored_moments(X, mnist.y, 10, mnist.preprocessing) is None
    assert stored_moments(mnist.X, y, 10, mnist.preprocessing) is None
    assert stored_moments(mnist.X, None, 10, mnist.preprocessing) is None


def test_another_preparation_and_other_rows_have_none(mnist: Dataset) -> None:
    assert mnist.y is not None
    assert stored_moments(mnist.X, mnist.y, 10, Preprocessing(lower=0.0, upper=255.0, rows="clip")) is None
    assert stored_moments(mnist.X[FEW], mnist.y[FEW], 10, mnist.preprocessing) is None
