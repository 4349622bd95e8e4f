"""The rows that a setting fits, and their public number."""

from weakref import WeakKeyDictionary

from dpgep_core.datasets import Dataset, split
from dpgep_core.datasets.split import held_out_rows
from dpgep_core.errors import DataError, ParameterError
from dpgep_core.models.problem import Sample
from dpgep_core.release import Setting
from dpgep_core.wording import plural

KEPT_SPLITS = 4
_samples: WeakKeyDictionary[Dataset, dict[tuple[int, float] | None, Sample]] = WeakKeyDictionary()


def sample_of(dataset: Dataset, setting: Setting) -> Sample:
    """The rows the model is fitted on, kept with the data set so that their moments are computed once."""
    key = None if dataset.X_test is not None else (setting.row_seed if setting.test_size else 0, setting.test_size)
    kept = _samples.setdefault(dataset, {})
    if key not in kept:
        part = split(dataset, setting.row_seed, setting.test_size)
        while len(kept) >= KEPT_SPLITS:
            kept.pop(next(iter(kept)))
        kept[key] = Sample(part.X, part.y, dataset.n_classes, dataset.preprocessing)
    if kept[key].X.shape[0] < 2:
        raise DataError(dataset.name, f"{plural(kept[key].X.shape[0], 'row')} to fit on", "at least 2 are needed")
    return kept[key]


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
