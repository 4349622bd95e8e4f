"""Pay once, rework the rest: the one place that decides whether a setting needs a release of its own."""

from collections.abc import Callable

from dpgep_core.datasets import Dataset
from dpgep_core.release import Release, Setting, paid_part
from dpgep_core.solve import plan, rework, run

Remember = Callable[[Setting, Callable[[], Release]], Release]


def release_of(dataset: Dataset, setting: Setting, remember: Remember) -> Release:
    """The release of a setting, made from one that was already paid for where its moments are enough.

    Parameters
    ----------
    dataset : Dataset
    setting : Setting
    remember : callable
        Takes a setting and a function that makes its release; returns that release, new or from memory. Where ridge,
        sparsity, floor and k are free, ``remember`` sees the setting without them.

    Returns
    -------
    Release
        The same as ``run(plan(dataset, setting))`` gives.

    Raises
    ------
    DpgepError
        If the setting does not fit the data; nothing is spent then.
    """
    bound = plan(dataset, setting)  # checks the free parameters too
    costly = paid_part(setting)
    if costly == setting or not bound.keeps_moments:
        return remember(setting, lambda: run(bound))
    once = remember(costly, lambda: run(plan(dataset, costly)))
    return rework(once, dataset, setting)


def keeping_one() -> Remember:
    """A memory for the last release alone: along a free setting it is the same, along ε none comes twice, and a
    release with its moments is large."""
    kept: dict[Setting, Release] = {}

    def remember(setting: Setting, make: Callable[[], Release]) -> Release:
        found = kept.get(setting)
        if found is None:
            found = make()
            kept.clear()  # several threads may come here: each has its own
            kept[setting] = found
        return found

    return remember
