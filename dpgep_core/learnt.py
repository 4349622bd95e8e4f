"""Facts read off the rows that a release rests on: one list, in the same words wherever a result is shown."""

from collections.abc import Iterator, Sequence

from dpgep_core.datasets import Dataset
from dpgep_core.datasets.files import BOUNDS_LEARNT
from dpgep_core.method import method_entry
from dpgep_core.models import model_entry
from dpgep_core.release import Setting

CLASS_SET = "the class set"
NUMBER_OF_ROWS = "n, the number of rows, which every average is divided by (declare it: declared_n)"
HELD_OUT = "who is held out, which another number of rows changes throughout (test_size = 0 fits on all rows)"


def learnt_facts(dataset: Dataset, setting: Setting) -> tuple[str, ...]:
    """Everything that the ε of a setting does not cover, since it was read off the rows; nothing where no ε is claimed.

    Parameters
    ----------
    dataset : Dataset
    setting : Setting
        Decides what matters: the class set only where the model uses it, n only where records are added or removed.

    Returns
    -------
    tuple of str
        Each fits after a colon, as in `learnt_sentence`.
    """
    return tuple(_facts(dataset, setting)) if method_entry(setting.algorithm).private else ()


def _facts(dataset: Dataset, setting: Setting) -> Iterator[str]:
    uses_classes = model_entry(setting.model).make.joint_columns == "classes"
    if uses_classes and dataset.n_classes and not dataset.classes_declared:
        yield CLASS_SET
    yield from (fact for fact in dataset.learnt if setting.bounds or fact != BOUNDS_LEARNT)
    if setting.relation != "add_remove":
        return
    if setting.declared_n is None and dataset.declared_n is None:
        yield NUMBER_OF_ROWS
    if dataset.X_test is None and setting.test_size:
        yield HELD_OUT


def learnt_sentence(facts: Sequence[str]) -> str:
    """The one sentence that says so; empty where nothing was learnt."""
    return f"Read off the rows, and so not covered by any ε here: {'; '.join(facts)}." if facts else ""
