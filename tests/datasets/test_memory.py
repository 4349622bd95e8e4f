"""MNIST as floats would take 376 MB: nothing may ever hold that."""

import tracemalloc

import numpy as np

from dpgep_core.datasets import load_dataset
from dpgep_core.datasets.dataset import BLOCK_ROWS, prepared_blocks


def test_streaming_moments_never_holds_a_float_copy_of_the_rows():
    dataset = load_dataset("mnist")
    gram = np.zeros((dataset.d, dataset.d))
    tracemalloc.start()
    try:
        for _, block in prepared_blocks(dataset.X, dataset.preprocessing):
            gram += block.T @ block
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert gram.trace() > 0.999 * dataset.n
    block_bytes = 8 * BLOCK_ROWS * dataset.d
    assert peak < 4 * block_bytes < 8 * dataset.X.size / 3
