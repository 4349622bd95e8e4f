"""Smooth images: a public map, record by record, that keeps what is smooth and halves no privacy proof."""

from dataclasses import replace

import numpy as np
import pytest

from dpgep_core import Dataset, load_dataset, solve
from dpgep_core.datasets import smoothed
from dpgep_core.datasets.preprocessing import Preprocessing
from dpgep_core.datasets.readers.sidecar import parse_sidecar
from dpgep_core.datasets.readers.sidecar_text import sidecar_text
from dpgep_core.datasets.smooth import lowest_cosines
from dpgep_core.errors import DataError, ParameterError


def images(shape=(1, 6, 5), n=12, **more):
    rng = np.random.default_rng(3)
    X = rng.integers(0, 17, (n, int(np.prod(shape)))).astype(np.uint8)
    return Dataset("tiny", "Tiny", X, np.arange(n) % 2, classes=("a", "b"), image_shape=shape, **more)


def test_the_rows_of_the_map_are_orthonormal():
    for size, side in ((28, 10), (8, 8), (5, 2)):
        low = lowest_cosines(size, side)
        assert low.shape == (side, size)
        assert low @ low.T == pytest.approx(np.eye(side), abs=1e-12)


def test_a_flat_image_stays_flat():
    assert lowest_cosines(28, 10) @ np.ones(28) == pytest.approx(np.full(10, np.sqrt(2.8)))


def test_all_cosines_keep_the_image():
    data = images((6, 6))
    assert pytest.approx(data.X.astype(float), abs=1e-5) == smoothed(data, 6).X


def test_each_row_comes_from_one_record():
    data = images()
    other = data.X.copy()
    other[4] = 0
    one, two = smoothed(data, 3).X, smoothed(replace(data, X=other), 3).X
    assert np.flatnonzero((one != two).any(axis=1)).tolist() == [4]


def test_bounds_come_first_and_rows_end_at_norm_one():
    data = images(preprocessing=Preprocessing(lower=0.0, upper=8.0))
    small = smoothed(data, 3)
    assert small.image_shape == (1, 3, 3)
    assert small.preprocessing == Preprocessing()
    clipped = replace(data, X=np.minimum(data.X, 8), preprocessing=Preprocessing(lower=0.0, upper=8.0))
    assert np.array_equal(small.X, smoothed(clipped, 3).X)
    assert np.linalg.norm(small.preprocessing.apply(small.X), axis=1) == pytest.approx(np.ones(12))


def test_channels_are_kept_apart():
    data = images((3, 6, 5))
    grey = smoothed(images((1, 6, 5)), 3)
    assert smoothed(data, 3).X.shape == (12, 27)
    first = replace(data, X=data.X[:, :30], image_shape=(6, 5))
    assert np.array_equal(smoothed(data, 3).X[:, :9], smoothed(first, 3).X)
    assert grey.X.shape == (12, 9)


def test_the_test_split_is_mapped_too():
    data = images(X_test=np.ones((2, 30), np.uint8), y_test=np.array([0, 1]))
    assert smoothed(data, 2).X_test.shape == (2, 4)


@pytest.mark.parametrize("side", [1, 6, 2.5, True])
def test_a_side_that_does_not_fit_is_refused(side):
    with pytest.raises(ParameterError, match="smooth"):
        smoothed(images(), side)


def test_rows_that_are_no_images_are_refused():
    with pytest.raises(ParameterError, match="image_shape"):
        smoothed(load_dataset("wine"), 3)


def test_a_release_of_smooth_digits_keeps_to_its_budget():
    release = solve(smoothed(load_dataset("digits"), 5), "fda", "ssp", epsilon=1.0, steps=2, xi=0.0)
    assert release.components.shape == (25, 9)
    assert release.accounted.epsilon == pytest.approx(1.0)


class TestSidecar:
    def test_it_says_the_side(self):
        side = parse_sidecar("a.toml", {"image_shape": [8, 8], "smooth": 5})
        assert side.smooth == 5
        assert "smooth = 5" in sidecar_text(side)

    @pytest.mark.parametrize("value", [1, 0, -3, 2.5, True, "5"])
    def test_other_values_are_refused(self, value):
        with pytest.raises(DataError, match="smooth"):
            parse_sidecar("a.toml", {"image_shape": [8, 8], "smooth": value})
