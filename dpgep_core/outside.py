"""Checks of an algorithm from outside this package, so that menus, commands and links can hold it."""

import hashlib
import re
import sys
import traceback
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from types import CodeType
from typing import Any

import numpy as np

from dpgep_core.errors import DpgepError, ParameterError, one_line, reason_of
from dpgep_core.models import MODELS
from dpgep_core.params import Checked, parameters
from dpgep_core.privacy.query import Array

PACKAGE = "dpgep_core."
ALGORITHM_KEY = re.compile(r"[a-z][a-z0-9_]{1,39}")
LONGEST_TITLE = 60
# What commands, sweeps and addresses call their own settings: a parameter of the same name could not be set.
RESERVED = frozenset({
    "model", "algorithm", "epsilon", "delta", "n_components", "seed", "relation", "as_if", "noise", "bounds",
    "split_seed", "test_size", "declared_n", "params", "dataset", "datasets", "models", "algorithms", "classifiers",
    "seeds", "n", "rows", "page", "display", "over", "metric", "drag", "side", "shown", "along", "facet", "band",
    "question", "reach", "run", "exhibit", "task", "panel", "part", "statistic", "method", "story", "step", "term",
    "tab", "paper", "on", "at", "verdict", "view", "kind", "share",
})  # fmt: skip


def origin_of(cls: type[Any]) -> str:
    """The module of a class that is outside this package, "" for a class of this package."""
    return "" if cls.__module__.startswith(PACKAGE) else cls.__module__


def check_name(key: object, title: object) -> None:
    """Check the key and the title of an algorithm."""
    if not isinstance(key, str) or not ALGORITHM_KEY.fullmatch(key):
        raise ParameterError("name of an algorithm", key, "2 to 40 of a-z, 0-9 and _, a letter first")
    if not isinstance(title, str) or not 1 <= len(title.strip()) <= LONGEST_TITLE or one_line(title) != title:
        raise ParameterError(f"title of algorithm {key!r}", title, f"one line of at most {LONGEST_TITLE} letters")


def check_class(key: str, cls: type[Any], models: Sequence[str], others: Iterable[type[Any]]) -> None:
    """Check the class of an algorithm, its models and its parameters.

    Parameters
    ----------
    others : iterable of type
        The classes that are registered: a parameter that one of them has must be of the same kind here.
    """
    what = f"algorithm {key!r}"
    if not models or not set(models) <= MODELS.keys():
        raise ParameterError(f"models of {what}", list(models), f"some of {', '.join(MODELS)}")
    if not is_dataclass(cls) or not cls.__dataclass_params__.frozen or not issubclass(cls, Checked):  # type: ignore[attr-defined]
        raise ParameterError(what, cls, "a frozen dataclass that inherits Checked")
    if not callable(getattr(cls, "iterates", None)):
        raise ParameterError(what, cls, "a class with a method iterates(curator, public, start)")
    if not cls.__doc__ or cls.__doc__.startswith(f"{cls.__name__}("):  # what a dataclass writes by itself
        raise ParameterError(f"docstring of {what}", "", "a first line that says what the algorithm does")
    _check_parameters(what, cls, others)


def _check_parameters(what: str, cls: type[Any], others: Iterable[type[Any]]) -> None:
    known = {name: parameter for other in others for name, parameter in parameters(other).items()}
    for field in fields(cls):
        name, parameter = field.name, parameters(cls).get(field.name)
        if name in RESERVED:
            raise ParameterError(f"a parameter of {what}", name, "a name that is no setting of every run")
        if parameter is None or field.default is MISSING:
            raise ParameterError(f"{name} of {what}", field.type, "a parameter of dpgep_core.params with a default")
        if type(parameter) is not type(known.get(name, parameter)):
            kind = type(known[name]).__name__
            raise ParameterError(f"{name} of {what}", type(parameter).__name__, f"a {kind}, as in other algorithms")
    cls()  # the defaults are allowed values


def source_of(cls: type[Any]) -> tuple[str, str]:
    """File or module in which a class is written, with the name of the class."""
    file = getattr(sys.modules.get(cls.__module__), "__file__", None)
    return str(Path(file).resolve()) if file else cls.__module__, cls.__qualname__


def code_digest(cls: type[Any]) -> str:
    """Digest that tells the code of a class from other code: results kept under the old code are not its own."""
    path = Path(source_of(cls)[0])
    if path.is_file():
        text = path.read_bytes()
    else:
        text = "\n".join(_code(value.__code__) for value in vars(cls).values() if hasattr(value, "__code__")).encode()
    return hashlib.blake2b(text, digest_size=8).hexdigest()


def _code(code: CodeType) -> str:
    inner = [_code(value) if isinstance(value, CodeType) else repr(value) for value in code.co_consts]
    return f"{code.co_code.hex()} {code.co_names} {inner}"


def checked_bases(bases: Sequence[Any], d: int, k: int) -> tuple[Array, ...]:
    """Bases that an algorithm yielded, each as a (d, k) array of numbers."""
    if not bases:
        raise ValueError("iterates yields nothing")
    found = tuple(np.asarray(basis, dtype=float) for basis in bases)
    for basis in found:
        if basis.shape != (d, k):
            raise ValueError(f"iterates yields an array of shape {basis.shape}, and ({d}, {k}) is due")
    return found


def told(error: BaseException) -> str:
    """The error in somebody's code, and in which line of which file, without a traceback."""
    last = next(_own_frames(error), None)
    where = f" ({Path(last.filename).name}, line {last.lineno})" if last is not None else ""
    kind = "" if isinstance(error, DpgepError) else f"{type(error).__name__}: "
    return f"{kind}{reason_of(error).rstrip('.')}{where}"


def _own_frames(error: BaseException) -> Iterator[traceback.FrameSummary]:
    """Frames of code that is neither of this package, nor of Python, nor installed, the innermost first."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        path = Path(frame.filename)
        inside = {"dpgep_core", "site-packages", "importlib"} & set(path.parts) or frame.filename.startswith("<frozen")
        if not inside:
            yield frame
