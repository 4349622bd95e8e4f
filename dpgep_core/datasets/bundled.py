"""The data sets that come with the package or with Debian, with what their documentation makes public about them.

Bounds of measured columns are the ranges that the sets' documentation prints, rounded outwards to numbers one could
have chosen from the quantity and its unit alone. The printed ranges were computed from these very rows, so the bounds
are declared here as a choice; the guarantee does not cover how they were chosen.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from dpgep_core.datasets.dataset import Bundle, Dataset
from dpgep_core.datasets.obtain.catalogue import CC_BY, FASHION_NAMES, public_set
from dpgep_core.datasets.obtain.routes import DEBIAN_FASHION
from dpgep_core.datasets.obtain.unpack import UNPACK
from dpgep_core.datasets.preprocessing import Preprocessing
from sample_data import Table, load_mnist
from sample_data.adult import CLASS_NAMES, FEATURE_NAMES, load_adult

DIGIT_NAMES = tuple("0123456789")
MNIST_SHAPE = (28, 28)
MEASURED_UPPER = {
    "wine": (20.0, 10.0, 5.0, 40.0, 200.0, 5.0, 6.0, 1.0, 5.0, 15.0, 2.0, 5.0, 2000.0),
    "breast_cancer": (
        *(30.0, 40.0, 200.0, 3000.0, 0.2, 0.4, 0.5, 0.25, 0.4, 0.1),  # means of radius, texture, perimeter, area, …
        *(3.0, 5.0, 25.0, 600.0, 0.04, 0.15, 0.4, 0.06, 0.1, 0.04),  # their standard errors
        *(40.0, 50.0, 300.0, 5000.0, 0.3, 1.2, 1.5, 0.3, 0.7, 0.25),  # their worst values
    ),
}

DIABETES_NAMES = (
    *("age", "sex", "body mass index", "mean blood pressure"),
    *("total cholesterol", "LDL", "HDL", "cholesterol over HDL", "log triglycerides", "glucose"),
)
DIABETES_LOWER = (0.0, 1.0, 10.0, 40.0, 50.0, 0.0, 0.0, 0.0, 2.0, 40.0)
DIABETES_UPPER = (100.0, 2.0, 60.0, 160.0, 400.0, 300.0, 120.0, 12.0, 8.0, 200.0)
DIABETES_EDGES = (75.0, 125.0, 175.0, 225.0)


def _mnist() -> dict[str, Any]:
    return {
        **_with_split(load_mnist(), lambda y: y.astype(np.intp)),
        "classes": DIGIT_NAMES,
        "preprocessing": Preprocessing(lower=0.0, upper=255.0),
        "image_shape": MNIST_SHAPE,
        "licence": "CC BY-SA 3.0",
        "source": "Y. LeCun, C. Cortes, C. Burges: The MNIST database of handwritten digits",
    }


def _adult() -> dict[str, Any]:
    return {
        **_with_split(load_adult(), lambda y: (y > 0).astype(np.intp)),
        "classes": CLASS_NAMES,
        "preprocessing": Preprocessing(lower=0.0, upper=1.0),
        "feature_names": FEATURE_NAMES,
        "licence": CC_BY,
        "source": "B. Becker, R. Kohavi: Adult, UCI (1996), doi:10.24432/C5XW20, in LIBSVM's encoding a9a",
    }


def _with_split(table: Table, codes: Callable[[Any], Any]) -> dict[str, Any]:
    return {"X": table.X, "y": codes(table.y), "X_test": table.X_test, "y_test": codes(table.y_test)}


def _digits() -> dict[str, Any]:
    bunch = _from_sklearn("load_digits")
    return {
        "X": bunch.data.astype(np.uint8),  # grey levels 0 to 16, stored by scikit-learn as floats
        "y": bunch.target,
        "classes": DIGIT_NAMES,
        "preprocessing": Preprocessing(lower=0.0, upper=16.0),
        "image_shape": (8, 8),
        "licence": CC_BY,
        "source": "E. Alpaydin, C. Kaynak: Optical Recognition of Handwritten Digits, UCI, doi:10.24432/C50P49",
    }


def _measured_set(name: str, source: str) -> dict[str, Any]:
    bunch = _from_sklearn(f"load_{name}")
    return {
        "X": bunch.data,
        "y": bunch.target,
        "classes": [str(word).replace("_", " ") for word in bunch.target_names],
        "preprocessing": Preprocessing(lower=0.0, upper=MEASURED_UPPER[name]),
        "feature_names": [str(word).replace("_", " ") for word in bunch.feature_names],
        "licence": CC_BY,
        "source": source,
    }


def _diabetes() -> dict[str, Any]:
    """Views: what is measured on the body, and the blood. The edges are a choice, in round numbers of the score."""
    bunch = _from_sklearn("load_diabetes", scaled=False)
    return {
        "X": bunch.data,
        "response": bunch.target,
        "edges": DIABETES_EDGES,
        "preprocessing": Preprocessing(lower=DIABETES_LOWER, upper=DIABETES_UPPER),
        "feature_names": DIABETES_NAMES,
        "views": ((0, 1, 2, 3), (4, 5, 6, 7, 8, 9)),
        "licence": "none stated; published with the article",
        "source": "B. Efron, T. Hastie, I. Johnstone, R. Tibshirani: Least Angle Regression, "
        "Annals of Statistics (2004)",
    }


def _from_sklearn(loader: str, **options: bool) -> Any:
    return getattr(import_module("sklearn.datasets"), loader)(**options)  # here, as it takes long to import


def _bundle(name: str, title: str, facts: Callable[..., dict[str, Any]], *given: str) -> Bundle:
    return Bundle(name, title, lambda: Dataset(name, title, **facts(*given)))


def installed_sets() -> dict[str, Bundle]:
    """Fashion-MNIST where Debian's ``dataset-fashion-mnist`` is installed; nothing elsewhere. No rows are read."""
    if not (DEBIAN_FASHION / "train-images-idx3-ubyte.gz").is_file():
        return {}
    known = public_set("fashion")
    return {known.key: _bundle(known.key, known.title, _fashion)}


def _fashion() -> dict[str, Any]:
    known = public_set("fashion")
    return {
        **UNPACK["fashion"](sorted(DEBIAN_FASHION.iterdir())),
        "classes": FASHION_NAMES,
        "preprocessing": Preprocessing(lower=0.0, upper=255.0),
        "image_shape": MNIST_SHAPE,
        "licence": known.licence,
        "source": f"{known.page}, from {DEBIAN_FASHION}",
    }


BREAST_CANCER_SOURCE = (
    "W. Wolberg, O. Mangasarian, N. Street, W. Street: Breast Cancer Wisconsin (Diagnostic), UCI, doi:10.24432/C5DW2B"
)
WINE_SOURCE = "S. Aeberhard, M. Forina: Wine, UCI, doi:10.24432/C5PC7J"
BUNDLED = (
    _bundle("mnist", "MNIST handwritten digits", _mnist),
    _bundle("adult", "Adult incomes (a9a encoding)", _adult),
    _bundle("digits", "Small handwritten digits", _digits),
    _bundle("breast_cancer", "Breast cancer, Wisconsin", _measured_set, "breast_cancer", BREAST_CANCER_SOURCE),
    _bundle("wine", "Wine cultivars", _measured_set, "wine", WINE_SOURCE),
    _bundle("diabetes", "Diabetes progression (regression)", _diabetes),
)
