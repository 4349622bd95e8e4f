"""The data sets of the papers: which of ours each is, why one is not here, and how the papers cut and scale them.

Cuts and scalings are for reproduction only, since some of them are learnt from the rows.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpgep_core.datasets import Dataset, dataset_names, load_dataset
from dpgep_core.datasets.preprocessing import Preprocessing
from dpgep_core.errors import ParameterError
from dpgep_core.privacy.randomness import stream

BRING = "the command dpgep data {} brings it"
GENERATED = "generated"


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperData:
    """``names`` are the data sets of this package or the user's folder that are the paper's, best first.

    ``part_of`` is the paper's data set of which only these rows are here.
    """

    names: tuple[str, ...]
    missing: str
    remark: str = ""
    part_of: str = ""


SOURCES: Mapping[str, PaperData] = {
    "MNIST": PaperData(names=("mnist",), missing=""),
    "a9a": PaperData(names=("adult", "a9a"), missing="", remark="bundled as adult, row for row"),
    "Fashion": PaperData(names=("fashion",), missing=BRING.format("fashion")),
    "CIFAR10": PaperData(
        names=("cifar10",),
        missing=f"139 MB that do not come with the package; {BRING.format('cifar10')}",
    ),
    "Dota2": PaperData(names=("dota2",), missing=BRING.format("dota2")),
    "IoT22": PaperData(names=("rt_iot2022",), missing=BRING.format("rt_iot2022")),
    "Covertype": PaperData(names=("covertype",), missing=BRING.format("covertype")),
    "Covertype (16 %)": PaperData(
        names=("covertype_part",),
        missing="this part stands in for the whole where that is not here; the whole is better: "
        + BRING.format("covertype"),
        remark="a stratified part of 92,962 rows; the paper has 581,012",
        part_of="Covertype",
    ),
    "Optical": PaperData(
        names=("optical", "crop_mapping"),
        missing="the paper's Optical is UCI 525, Crop mapping using fused optical-radar data (325,834 rows, 98 radar "
        f"and 76 optical columns, 7 crops); {BRING.format('optical')}",
    ),
    "Synthetic": PaperData(names=(GENERATED,), missing="", remark="generated here: standard normal entries"),
    "Real-sim": PaperData(
        names=("real-sim", "real_sim"),
        missing="Real-sim is not to be had here and is not replaced: 72,309 × 20,958 take 12 GB as dense rows",
    ),
}


def available(wanted: Sequence[str]) -> dict[str, str]:
    """The names under which data sets of the papers can be loaded; what is not here is left out."""
    here = (*dataset_names(), GENERATED)
    found = {name: next((ours for ours in SOURCES[name].names if ours in here), None) for name in wanted}
    return {name: ours for name, ours in found.items() if ours is not None}


def is_part(name: str) -> bool:
    """Whether it stands in for a data set of the paper of which only a part is here."""
    return bool(SOURCES[name].part_of)


def absent(wanted: Iterable[str]) -> dict[str, str]:
    """Data sets of a paper that are not here, each once with the reason; of one that is here no part is missed."""
    names = tuple(wanted)
    here = available(names)
    return {name: SOURCES[name].missing for name in names if name not in here and SOURCES[name].part_of not in here}


GENERATED_COLUMNS = 30  # the most that a low dimension asks for
SEED = 20_230_425  # frozen: another seed is another data set
PAPER_SCALING = "the largest norm of any row, which every row is divided by, as Hu et al. do"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """The first ``n`` rows and ``columns`` columns (None: all), every row divided by the largest norm.

    ``classes`` keeps the rows of the first so many classes, before anything else; 0 keeps all.
    """

    dataset: str
    n: int
    columns: int | None = None
    classes: int = 0

    def content(self) -> dict[str, Any]:
        """Fields by name, as they go into the key of a cell."""
        found = {"dataset": self.dataset, "n": self.n, "columns": self.columns}
        return {**found, "classes": self.classes} if self.classes else found


@lru_cache(maxsize=2)
def cut(how: Cut) -> Dataset:
    """The rows of a cut. Nothing is held out: the answers are about the fitted rows."""
    if how.dataset == GENERATED:
        X, y, classes = _normal(how.n, how.columns or GENERATED_COLUMNS)
        declared, learnt = True, ()
    else:
        whole = load_dataset(how.dataset)
        X, y, classes = _first_classes(*_stack_split(whole), how.classes)
        declared, learnt = whole.classes_declared, whole.learnt
    if how.n > X.shape[0]:
        raise ParameterError("n", how.n, f"at most the {X.shape[0]} rows of {how.dataset}")
    rows = np.asarray(X[: how.n, : how.columns], dtype=float)
    rows = rows / max(float(np.sqrt(np.einsum("ij,ij->i", rows, rows).max())), np.finfo(float).tiny)
    codes = None if y is None else y[: how.n]
    return Dataset(
        name=how.dataset,
        title=how.dataset,
        X=rows,
        y=codes,
        X_test=rows,
        y_test=codes,
        classes=classes,
        classes_declared=declared,
        preprocessing=Preprocessing(rows="clip", radius=1.0),
        learnt=(*learnt, PAPER_SCALING),
    )


def _stack_split(whole: Dataset) -> tuple[NDArray[Any], NDArray[np.intp] | None, tuple[str, ...]]:
    """Published splits put together again, as the papers' row counts show they are."""
    if whole.X_test is None:
        return whole.X, whole.y, whole.classes
    y = None if whole.y is None or whole.y_test is None else np.concatenate([whole.y, whole.y_test])
    return np.concatenate([whole.X, whole.X_test]), y, whole.classes


def _first_classes(
    X: NDArray[Any], y: NDArray[np.intp] | None, classes: tuple[str, ...], kept: int
) -> tuple[NDArray[Any], NDArray[np.intp] | None, tuple[str, ...]]:
    """Rows of the first classes, in their order; all rows where ``kept`` is 0."""
    if not kept or y is None:
        return X, y, classes
    some = y < kept
    return X[some], y[some], classes[:kept]


def _normal(n: int, columns: int) -> tuple[NDArray[Any], NDArray[np.intp], tuple[str, ...]]:
    rng = stream(SEED, "data", "standard normal rows")
    return rng.standard_normal((n, columns)), rng.integers(0, 2, n).astype(np.intp), ("0", "1")


@lru_cache(maxsize=2)
def half(dataset: str, arrangement: int) -> tuple[Dataset, NDArray[np.intp]]:
    """Half of all rows, drawn at random, as a data set, and the order of all rows whose first half it is."""
    whole = load_dataset(dataset)
    order = stream(arrangement, "split", "arrangement").permutation(whole.n)
    first = order[: whole.n // 2]
    y = None if whole.y is None else whole.y[first]
    return replace(whole, X=whole.X[first], y=y, X_test=whole.X[order[-2:]], y_test=None if y is None else y[:2]), order
