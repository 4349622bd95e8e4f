"""Algorithms from outside this package: modules that call `register`, named by the user or installed beside the lab.

Importing `dpgep_core` loads them, so that every process has them: commands, pages, and the workers of sweeps and
audits. A plug-in that is broken is told of in one sentence and leaves nothing behind.
"""

import importlib
import os
import re
import shlex
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.errors import DpgepError, ParameterError, show_value
from dpgep_core.method import UNUSABLE, MethodEntry
from dpgep_core.outside import told
from dpgep_core.paths import path_of

VARIABLE = "DPGEP_PLUGINS"  # modules and files, separated as the folders in PATH are
GROUP = "dpgep.algorithms"  # entry points of installed distributions
MODULE = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")
PLUGIN_ALLOWED = "a module that Python finds, also in the current folder, or a file that ends in .py"


@dataclass(frozen=True, slots=True)
class Plugin:
    """A plug-in that was asked for or is installed.

    Parameters
    ----------
    name : str
        As the user named it, or the name of its entry point.
    asked : bool
        Whether the user named it, by ``--plugin`` or DPGEP_PLUGINS.
    algorithms : tuple of str
        What it registered.
    problem : str
        Why it cannot be used, in one sentence; "" where it can.
    """

    name: str
    asked: bool
    algorithms: tuple[str, ...] = ()
    problem: str = ""


class PluginError(DpgepError):
    """A plug-in cannot be used."""


_loaded: dict[str, Plugin] = {}


def plugins() -> tuple[Plugin, ...]:
    """Every plug-in, also those that cannot be used."""
    return tuple(_loaded.values())


def problems(*, asked: bool | None = None) -> tuple[str, ...]:
    """One sentence for each plug-in that cannot be used; ``asked`` picks those that the user named, or the others."""
    return tuple(one.problem for one in plugins() if one.problem and asked in (None, one.asked))


def load_plugins() -> None:
    """Load the plug-ins that DPGEP_PLUGINS names, then those that are installed."""
    for name in named_plugins():
        _load(name, asked=True)
    for point in entry_points(group=GROUP):
        origin = "" if point.dist is None else f" of {point.dist.name} {point.dist.version}"
        _load(f"{point.name}{origin}", asked=False, point=point)


def load_plugin(name: str) -> Plugin:
    """Load one plug-in for this process and those that it starts.

    Parameters
    ----------
    name : str
        A module, or a file that ends in .py.

    Raises
    ------
    PluginError
        If the plug-in cannot be used; nothing of it is then left in the registry.
    """
    plugin = _ask_for(name)
    if plugin.problem:
        raise PluginError(plugin.problem)
    return plugin


def named_plugins() -> list[str]:
    """The plug-ins that DPGEP_PLUGINS names."""
    return [name.strip() for name in os.environ.get(VARIABLE, "").split(os.pathsep) if name.strip()]


def plugin_of(algorithm: str) -> str:
    """The name under which the user asked for the plug-in of an algorithm; "" where none has to be asked for."""
    return next((one.name for one in plugins() if one.asked and algorithm in one.algorithms), "")


def plugin_flag(algorithm: str) -> str:
    """The flag that a command needs to know an algorithm, with a blank behind; "" where none is needed."""
    name = plugin_of(algorithm)
    return f"--plugin {shlex.quote(name)} " if name else ""


def outside_entries() -> tuple[MethodEntry, ...]:
    """The algorithms from outside, for a process that cannot import them, such as those of a script or a notebook."""
    return tuple(entry for entry in ALGORITHMS.values() if entry.outside)


def adopt(entries: Sequence[MethodEntry]) -> None:
    """Put the algorithms of another process into the registry of this one."""
    for entry in entries:
        ALGORITHMS.setdefault(entry.key, entry)


def _ask_for(name: str) -> Plugin:
    """Load a plug-in here and name it to the processes that this one starts."""
    with suppress(ParameterError):  # loading says what is wrong with it
        name = str(path_of("plugin", name).resolve()) if _is_file(name) else name
    plugin = _load(name, asked=True)
    if not plugin.problem and name not in named_plugins():
        os.environ[VARIABLE] = os.pathsep.join([*named_plugins(), name])
    return plugin


def _load(name: str, *, asked: bool, point: EntryPoint | None = None) -> Plugin:
    if name in _loaded and not _loaded[name].problem:
        return _loaded[name]
    before, problem, algorithms = dict(ALGORITHMS), "", tuple[str, ...]()
    try:
        module = point.module if point is not None else _import(name)
        if point is not None:
            point.load()
        algorithms = _registered(module, before)
    except (Exception, SystemExit) as error:  # whatever somebody's module does when it is imported
        problem = (
            str(error)
            if isinstance(error, ParameterError) and error.name == "plugin"
            else f"The plug-in {show_value(name)} cannot be used: {told(error)}."
        )
        ALGORITHMS.clear()
        ALGORITHMS.update(before)
        UNUSABLE.append(problem)
    _loaded[name] = Plugin(name, asked, algorithms, problem)
    return _loaded[name]


def _registered(module: str, before: dict[str, MethodEntry]) -> tuple[str, ...]:
    """Algorithms that a module registered, now or when it was imported earlier."""
    if any(ALGORITHMS.get(key) is not entry for key, entry in before.items() if not entry.outside):
        raise PluginError("it changes an algorithm of this package")
    found = tuple(
        key for key, entry in ALGORITHMS.items()
        if entry.outside and (key not in before or f"{entry.origin}.".startswith(f"{module}."))
    )  # fmt: skip
    importing = getattr(getattr(sys.modules.get(module), "__spec__", None), "_initializing", False)
    if not found and not importing:  # a module that imports the lab is not through when the lab imports it
        raise PluginError("it registers no algorithm")
    return found


def _import(name: str) -> str:
    """Import a module or a file; the name of the module."""
    file = path_of("plugin", name) if _is_file(name) else None
    if not (MODULE.fullmatch(name) if file is None else file.is_file()):
        raise ParameterError("plugin", name, PLUGIN_ALLOWED)
    module, folder = (name, os.getcwd()) if file is None else (file.stem, str(file.resolve().parent))
    if folder not in sys.path:
        sys.path.append(folder)  # last, so that no file there stands for a module of Python
    try:
        found = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{module}.".startswith(f"{error.name}."):
            raise ParameterError("plugin", name, PLUGIN_ALLOWED) from None
        raise
    if file is not None and Path(found.__file__ or "").resolve() != file.resolve():
        raise PluginError(f"another module is called {module!r} too, so the file needs another name")
    return module


def _is_file(name: str) -> bool:
    return name.endswith(".py") or os.sep in name


def load_flagged(names: Iterable[str], *, strict: bool = False) -> None:
    """Load what ``--plugin`` names. Strict refuses to go on where a plug-in that the user named is broken."""
    for name in names:
        _ask_for(name)
    if strict and (broken := problems(asked=True)):
        raise PluginError(" ".join(broken))
