"""The rows that a setting fits, and their public number."""

from typing import Any
from weakref import WeakKeyDictionary

from dpgep_core.datasets import Dataset, split
from dpgep_core.datasets.split import held_out_rows
from dpgep_core.datasets.summed_rows import GatheredRows, SummedRows
from dpgep_core.errors import DataError, ParameterError
from dpgep_core.models.problem import Sample
from dpgep_core.models.public import PublicFacts
from dpgep_core.models.row_space import is_wide
from dpgep_core.privacy import NoisePlan
from dpgep_core.protocols import Method, OneRelease
from dpgep_core.release import Setting
from dpgep_core.wording import plural

KEPT_SPLITS = 4
_WAYS = {False: "streamed from files", True: "gathered in batches"}
_samples: WeakKeyDictionary[Dataset, dict[tuple[int, float] | None, Sample]] = WeakKeyDictionary()


def sample_of(dataset: Dataset, setting: Setting) -> Sample:
    """The rows the model is fitted on, kept with the data set so that their moments are computed once."""
    key = None if dataset.X_test is not None else (setting.row_seed if setting.test_size else 0, setting.test_size)
    kept = _samples.setdefault(dataset, {})
    if key not in kept:
        X, y = _fitted_rows(dataset, setting)
        while len(kept) >= KEPT_SPLITS:
            kept.pop(next(iter(kept)))
        kept[key] = Sample(X, y, dataset.n_classes, dataset.preprocessing)
    if kept[key].X.shape[0] < 2:
        raise DataError(dataset.name, f"{plural(kept[key].X.shape[0], 'row')} to fit on", "at least 2 are needed")
    return kept[key]


def _fitted_rows(dataset: Dataset, setting: Setting) -> tuple[Any, Any]:
    """Rows and class codes; the classes of streamed rows come with each block of them."""
    if isinstance(dataset.X, SummedRows):
        return dataset.X.fitted_for(setting.row_seed, setting.test_size), None
    part = split(dataset, setting.row_seed, setting.test_size)
    return part.X, part.y


def declared_n(dataset: Dataset, setting: Setting) -> int | None:
    """The declared number of fitted rows; None where n is public as it is, or nothing is declared."""
    if setting.relation != "add_remove":
        if setting.declared_n is not None:
            raise ParameterError("declared_n", setting.declared_n, 'beside relation "add_remove" alone')
        return None
    declared = dataset.declared_n if setting.declared_n is None else setting.declared_n
    if declared is None or dataset.X_test is not None:
        return declared
    return max(2, declared - held_out_rows(declared, setting.test_size))


def check_streamable(dataset: Dataset, key: str, method: Method, public: PublicFacts, noise: NoisePlan | None) -> None:
    """Refuse an algorithm that streamed rows cannot serve: one that draws single rows, or goes by products.

    Raises
    ------
    ParameterError
        With what works in its place.
    """
    if not dataset.streamed:
        return
    # Where records come and go, neither the decision nor a message may tell how many are there.
    coming = public.relation == "add_remove"
    rows = f"{'' if coming else f'{dataset.n:,} '}rows that are {_WAYS[isinstance(dataset.X, GatheredRows)]}"
    if noise is not None and any(answer.sampling_rate < 1 for answer in noise):
        allowed = f"one that needs sums alone, such as ssp, for {rows}: this one draws single rows in every step"
        raise ParameterError("algorithm", key, allowed)
    if isinstance(method, OneRelease) and method.by_products(public):
        allowed = f"whole for {rows}: each product with the matrix would be a pass over all of them"
        raise ParameterError("memory", "products", allowed)
    if is_wide(public.n if coming else dataset.n, dataset.d):
        raise DataError(dataset.name, f"{dataset.d:,} columns of {rows}", "more rows, or rows in memory, are needed")
