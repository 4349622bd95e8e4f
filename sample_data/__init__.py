"""The data sets that come with the package. README.md says where each is from and under which licence."""

from importlib.resources import files
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray


class Table(NamedTuple):
    """Rows and labels, split as their publisher splits them."""

    X: NDArray[Any]
    y: NDArray[Any]
    X_test: NDArray[Any]
    y_test: NDArray[Any]


def load_mnist() -> Table:
    """MNIST: 60,000 + 10,000 images of 28 × 28 grey levels and their digits, all uint8."""
    with files(__name__).joinpath("mnist.npz").open("rb") as file, np.load(cast(Any, file)) as arrays:
        return Table(*(arrays[key] for key in Table._fields))
