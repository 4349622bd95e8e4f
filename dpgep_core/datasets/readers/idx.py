"""IDX pairs, as MNIST is published: ``NAME-images-idx3-ubyte[.gz]`` and ``NAME-labels-idx1-ubyte[.gz]``."""

import gzip
import struct
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpgep_core.datasets.readers.limits import check_size, reading
from dpgep_core.datasets.readers.sidecar import Sidecar
from dpgep_core.datasets.readers.table import Table
from dpgep_core.errors import DataError

IMAGES, LABELS = "-images-idx3-ubyte", "-labels-idx1-ubyte"
_TYPES = {0x08: ">u1", 0x09: ">i1", 0x0B: ">i2", 0x0C: ">i4", 0x0D: ">f4", 0x0E: ">f8"}


def label_path(path: Path) -> Path | None:
    """The labels that belong to an image file, packed or not."""
    place = path.name.lower().find(IMAGES)
    if place < 0:
        return None
    stem = path.name[:place]
    candidates = (path.with_name(stem + LABELS + packed) for packed in ("", ".gz"))
    return next((candidate for candidate in candidates if candidate.is_file()), None)


def read(path: Path, sidecar: Sidecar) -> Table:
    """Images as rows, and their labels."""
    images = _array(path)
    if images.ndim < 2:
        raise DataError(path.name, f"shape {images.shape}", "images: at least 2 dimensions")
    labels = None
    if sidecar.label != "":
        beside = label_path(path)
        if beside is None:
            raise DataError(path.name, f"there is no {LABELS[1:]} file beside it", 'or say label = "" in the sidecar')
        labels = _array(beside)
    shape = images.shape[1:] if images.ndim in (3, 4) else None
    return Table(images.reshape(images.shape[0], -1), labels, image_shape=shape)


def _array(path: Path) -> NDArray[Any]:
    opened = gzip.open if path.suffix.lower() == ".gz" else open
    with reading(path), opened(path, "rb") as file:
        zero, kind, dimensions = struct.unpack(">HBB", file.read(4))
        if zero or kind not in _TYPES:
            raise DataError(path.name, "its first bytes are not those of an IDX file", "an IDX file is needed")
        shape = struct.unpack(f">{dimensions}I", file.read(4 * dimensions))
        dtype = np.dtype(_TYPES[kind])
        size = prod(shape) * dtype.itemsize
        check_size(path.name, size)
        content = file.read(size + 1)  # one more than declared, to notice what is too much
        if len(content) != size:
            more = "more" if len(content) > size else f"{len(content)}"
            raise DataError(path.name, f"{size} bytes declared but {more} there", "a whole IDX file is needed")
        return np.frombuffer(content, dtype).reshape(shape).astype(dtype.newbyteorder("="))
