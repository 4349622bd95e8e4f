"""Held-out rows that are prepared once are in memory once, and no longer than somebody reads them."""

import gc
import weakref

import numpy as np

from dpgep_core.datasets import Dataset, Preprocessing
from dpgep_core.evaluate import Reference
from dpgep_core.release import Setting


def references(count):
    rng = np.random.default_rng(0)
    bounds = Preprocessing(lower=(0.0,) * 4, upper=(1.0, 2.0, 3.0, 4.0))
    data = Dataset(
        name="some", title="Some", X=rng.random((50, 4)), y=np.arange(50) % 2, X_test=rng.random((20, 4)),
        y_test=np.arange(20) % 2, classes=("a", "b"), preprocessing=bounds,
    )  # fmt: skip
    models = [Setting(model=("fda", "pca")[i % 2], algorithm="ssp", epsilon=1.0, seed=i) for i in range(count)]
    return [Reference.of(data, setting) for setting in models]


def test_references_to_the_same_rows_hold_one_copy_which_goes_with_the_last():
    """A class of twelve had seven copies of the 63 MB of MNIST in memory, and they stayed when it had left."""
    some = references(6)
    rows = some[0].test_rows
    assert all(one.test_rows is rows for one in some)
    assert np.array_equal(rows, some[0].problem.preprocessing.apply(some[0].parts.X_test))
    there = weakref.ref(rows)
    del rows
    some.pop()
    gc.collect()
    assert there() is not None
    some.clear()
    gc.collect()
    assert there() is None


def test_rows_that_are_prepared_in_another_way_are_others():
    one = references(1)[0]
    plain = Reference.of(one.dataset, Setting(model="fda", algorithm="ssp", epsilon=1.0, bounds=False))
    assert not np.allclose(one.test_rows, plain.test_rows)
