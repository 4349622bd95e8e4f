"""IDX pairs, as MNIST is published: ``NAME-images-idx3-ubyte[.gz]`` and ``NAME-labels-idx1-ubyte[.gz]``."""

import struct
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpgep_core.datasets.readers.remedies import DECLARE_LABEL
from dpgep_core.datasets.readers.sidecar import Sidecar, check_only_label, refuse_table_keys
from dpgep_core.datasets.readers.source import Content, check_size, is_file, name_the_file
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
    return next((candidate for candidate in candidates if is_file(candidate)), None)


def read_idx(content: Content, sidecar: Sidecar) -> Table:
    """Images as rows, and their labels."""
    where = content.name
    refuse_table_keys(where, sidecar, "IDX images")
    check_only_label(where, sidecar, "the labels of IDX images are in a file of their own")
    images = _array(content)
    if images.ndim < 2:
        raise DataError(where, f"shape {images.shape}", "images: at least 2 dimensions")
    labels = None
    if sidecar.label != "":
        if content.beside is None:
            raise DataError(where, f"there is no {LABELS[1:]} file beside it", str(DECLARE_LABEL))
        labels = _array(content.beside)
    shape = images.shape[1:] if images.ndim in (3, 4) else None
    return Table(images.reshape(images.shape[0], -1), labels, image_shape=shape)


def _array(content: Content) -> NDArray[Any]:
    with name_the_file(content.name), content.unpacked() as file:
        start = file.read(4)
        zero, kind, dimensions = struct.unpack(">HBB", start) if len(start) == 4 else (1, 0, 0)
        if zero or kind not in _TYPES:
            raise DataError(content.name, "its first bytes are not those of an IDX file", "an IDX file is needed")
        shape = struct.unpack(f">{dimensions}I", file.read(4 * dimensions))
        dtype = np.dtype(_TYPES[kind])
        size = prod(shape) * dtype.itemsize
        check_size(content.name, size)
        data = file.read(size + 1)  # one more than declared, to notice what is too much
        if len(data) != size:
            more = "more" if len(data) > size else f"{len(data)}"
            raise DataError(content.name, f"{size} bytes declared but {more} there", "a whole IDX file is needed")
        return np.frombuffer(data, dtype).reshape(shape).astype(dtype.newbyteorder("="))
