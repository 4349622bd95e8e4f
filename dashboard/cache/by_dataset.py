"""Results by data set: those of one that has a name serve all sessions, those of an upload its own session alone."""

from collections.abc import Callable
from functools import wraps
from itertools import count
from typing import Any, Concatenate, ParamSpec, TypeVar
from weakref import WeakKeyDictionary, WeakSet

import streamlit as st

from dpgep_core.datasets import Dataset

Rest = ParamSpec("Rest")
Result = TypeVar("Result")
OfData = Callable[Concatenate[Dataset, Rest], Result]

_serials: WeakKeyDictionary[Dataset, int] = WeakKeyDictionary()
_counter = count()
_own: WeakSet[Dataset] = WeakSet()


def identity(data: Dataset) -> int:
    """A number for a loaded data set that, unlike ``id``, is never used again."""
    return _serials.setdefault(data, next(_counter))


def mark_own(data: Dataset) -> None:
    """Say that a data set belongs to one session: nothing about it may outlive that session."""
    _own.add(data)


def is_own(data: Dataset) -> bool:
    """Whether a data set belongs to one session."""
    return data in _own


def alive() -> int:
    """How many data sets that belong to a session are in memory."""
    return len(_own)


def cached_for_dataset(
    *, max_entries: int, show_spinner: bool | str = False
) -> Callable[[OfData[Rest, Result]], OfData[Rest, Result]]:
    """Decorator that caches the last ``max_entries`` results of a function whose first argument is a data set."""

    def cached(make: OfData[Rest, Result]) -> OfData[Rest, Result]:
        options: Any = {
            "max_entries": max_entries, "show_spinner": show_spinner, "hash_funcs": {Dataset: identity},
        }  # fmt: skip
        shared: OfData[Rest, Result] = st.cache_resource(**options)(make)
        alone: OfData[Rest, Result] = st.cache_resource(scope="session", **options)(make)

        @wraps(make)
        def look(data: Dataset, *args: Rest.args, **named: Rest.kwargs) -> Result:
            return (alone if is_own(data) else shared)(data, *args, **named)

        return look

    return cached
