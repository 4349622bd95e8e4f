"""Smooth images: each image at fewer pixels, made of its lowest cosines. The map is public and reads no other row."""

from dataclasses import replace
from math import prod

import numpy as np
from numpy.typing import NDArray

from dpgep_core.datasets.dataset import Dataset
from dpgep_core.errors import ParameterError, show_value
from dpgep_core.privacy.query import Array

ROWS_AT_ONCE = 8192


def smoothed(dataset: Dataset, side: int) -> Dataset:
    """A data set of images whose rows are the images at ``side`` × ``side`` pixels.

    The image is cut after its first ``side`` cosines each way (a two-dimensional cosine transform) and drawn again at
    as many pixels, so rows, components and pictures have side² columns (for each channel). Column bounds come first,
    as they are declared; after the map a row is brought to norm 1, or clipped to the radius, as before. Everything
    happens within one record and depends on public declarations alone, so it costs no privacy. Fewer columns leave
    less noise in each answer, and what is lost are edges and texture.

    Parameters
    ----------
    dataset : Dataset
        With an image shape, and rows in memory.
    side : int
        Pixels each way, from 2 to the shorter side of the images.

    Returns
    -------
    Dataset
        With rows of four-byte floats, the new image shape and no column bounds.

    Raises
    ------
    ParameterError
        The data set declares no image shape, declares views, or is streamed or sparse; or ``side`` does not fit.
    """
    shape = dataset.image_shape
    views = dataset.views is not None or dataset.preprocessing.views
    if shape is None or dataset.streamed or dataset.sparse or views:
        allowed = (
            f"for dense rows in memory with an image_shape and without views; {show_value(dataset.name)} is none such"
        )
        raise ParameterError("smooth", side, allowed)
    if isinstance(side, bool) or side != int(side) or not 2 <= side <= min(shape[-2:]):
        raise ParameterError("smooth", side, f"a whole number >= 2 and <= {min(shape[-2:])}, the shorter side")
    reduced = (*shape[:-2], int(side), int(side))
    return replace(
        dataset,
        X=_reduced(dataset, dataset.X, reduced),
        X_test=None if dataset.X_test is None else _reduced(dataset, dataset.X_test, reduced),
        preprocessing=replace(dataset.preprocessing, lower=None, upper=None, log1p=False),
        image_shape=reduced,
        feature_names=(),
    )


def _reduced(dataset: Dataset, X: NDArray[np.generic], reduced: tuple[int, ...]) -> NDArray[np.float32]:
    """Rows (n, side²) a channel, each made from one row of ``X`` alone."""
    shape = dataset.image_shape or ()
    down, across = (lowest_cosines(size, reduced[-1]) for size in shape[-2:])
    out = np.empty((X.shape[0], prod(reduced)), np.float32)
    for first in range(0, X.shape[0], ROWS_AT_ONCE):
        block = dataset.preprocessing.bounded(X[first : first + ROWS_AT_ONCE])
        images = block.reshape(-1, *shape[-2:])
        out[first : first + ROWS_AT_ONCE] = (down @ images @ across.T).reshape(len(block), -1)
    return out


def lowest_cosines(size: int, side: int) -> Array:
    """(side, size) map with orthonormal rows: the lowest cosines of a line of pixels, drawn at ``side`` pixels."""
    return _cosines(side, side).T @ _cosines(size, side)


def _cosines(size: int, count: int) -> Array:
    """(count, size) orthonormal rows: the first cosines over so many pixels (DCT-II)."""
    waves = np.cos(np.pi * np.outer(np.arange(count), np.arange(size) + 0.5) / size)
    return waves * np.where(np.arange(count) == 0, np.sqrt(1 / size), np.sqrt(2 / size))[:, None]
