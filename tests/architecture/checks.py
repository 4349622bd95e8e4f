"""Rules that a reader can count on, as questions to the syntax tree of every file.

Each check takes the root of a checkout and returns one line for each violation.
"""

import ast
import tomllib
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

USER_INTERFACE = {"streamlit", "plotly"}
PURE_CONTRACT = "pure dashboard modules know no streamlit"  # in pyproject.toml, which lists them
# The files that make curators, and the functions in them that hold private rows.
DRIVERS = {("dpgep_core", "solve.py"): ("run", "rework"), ("dpgep_core", "slicing.py"): ("release_edges",)}
STARTER = ("dpgep_core", "cli", "dashboard.py")  # starts the server, and nothing else
ROWS = {"problem", "sample", "X", "y", "rows", "response"}  # where rows, and sums over them, can be reached
GIVING = ("Sample", "moments_of", "prepared_blocks")  # functions and classes of the core that lead to rows
ROUND = ("Query", "replace", "stream")  # … and those with which an answer can be had without the curator
CALLED = ("draw", "evaluate", "stream", "default_rng", "Sensitivity", "PublicFacts")
REACHING = {"getattr", "setattr", "vars", "eval", "exec", "__import__", "globals", "locals"}

Check = Callable[[Path], list[str]]


def files(root: Path, *parts: str) -> Iterator[Path]:
    """Python files of a package or a single file, which must be there."""
    where = root.joinpath(*parts)
    if not where.exists():
        raise FileNotFoundError(f"{where.relative_to(root)}: a rule speaks of it, and it is gone")
    yield from [where] if where.is_file() else sorted(where.rglob("*.py"))


@cache
def nodes_of(text: str) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse(text)))


@cache
def chosen(text: str, kinds: tuple[type[ast.AST], ...]) -> tuple[Any, ...]:
    return tuple(node for node in nodes_of(text) if isinstance(node, kinds))


def nodes(path: Path, *kinds: type[ast.AST]) -> tuple[Any, ...]:
    """Everything in a file, or what is of one of these kinds."""
    text = path.read_text(encoding="utf-8")
    return chosen(text, kinds) if kinds else nodes_of(text)


def said(root: Path, path: Path, node: ast.AST, what: str) -> str:
    return f"{path.relative_to(root)}:{getattr(node, 'lineno', 0)}: {what}"


def called(node: ast.AST) -> str:
    """Last part of the name that is called: ``f`` of ``a.b.f()``, through ``f[int]()``."""
    if not isinstance(node, ast.Call):
        return ""
    function = node.func.value if isinstance(node.func, ast.Subscript) else node.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def imported(node: ast.AST) -> Iterator[tuple[str, str]]:
    """(module, name) of each thing an import statement brings in; the name is empty for a module."""
    if isinstance(node, ast.Import):
        yield from ((alias.name, "") for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield from ((node.module or "", alias.name) for alias in node.names)


def queries_are_built_by_models(root: Path) -> list[str]:
    """A `Query` states a sensitivity, so it is built where the proof is: in dpgep_core/models."""
    found: list[str] = []
    for package in ("dpgep_core", "dashboard"):
        for path in files(root, package):
            if "models" in path.relative_to(root).parts:
                continue
            renamed = {
                alias.asname or alias.name
                for node in nodes(path, ast.ImportFrom)
                for alias in node.names
                if alias.name == "Query"
            } | {"Query"}
            found += [said(root, path, n, "builds a Query") for n in nodes(path, ast.Call) if called(n) in renamed]
    return found


def drivers_of(root: Path) -> dict[Path, tuple[str, ...]]:
    """The files that make curators, which must be there, and their functions."""
    return {path: functions for parts, functions in DRIVERS.items() for path in files(root, *parts)}


def curators_are_made_by_the_driver(root: Path) -> list[str]:
    """Only `solve.run` and `slicing.release_edges` make a curator, and with it hold the rows and choose the grant."""
    drivers = drivers_of(root)
    return [
        said(root, path, node, "makes a Curator")
        for package in ("dpgep_core", "dashboard")
        for path in files(root, package)
        if path not in drivers
        for node in nodes(path, ast.Call)
        if called(node) == "Curator"
    ]


def askers(root: Path) -> Iterator[Path]:
    """The algorithms, and the shared steps beside them that are handed a curator."""
    yield from files(root, "dpgep_core", "algorithms")
    drivers = drivers_of(root)
    for path in sorted((root / "dpgep_core").glob("*.py")):
        names = {name for node in nodes(path, ast.ImportFrom) for _, name in imported(node)}
        if path not in drivers and names & {"Curator", "Channel"}:
            yield path


def laws(root: Path) -> set[str]:
    """The noise laws: classes of privacy/randomness.py with a ``draw``."""
    return {
        node.name
        for node in nodes(root / "dpgep_core" / "privacy" / "randomness.py")
        if isinstance(node, ast.ClassDef) and any(getattr(part, "name", "") == "draw" for part in node.body)
    }


def reaches(node: ast.AST) -> bool:
    """Whether this calls something that gets at an attribute by name; ``getattr(x, "public_name")`` is fine."""
    if called(node) == "getattr" and isinstance(node, ast.Call) and len(node.args) > 1:
        name = node.args[1]
        return not (isinstance(name, ast.Constant) and not str(name.value).startswith("_"))
    return called(node) in REACHING | {"__setattr__", "__getattribute__"}


def algorithms_see_no_data(root: Path) -> list[str]:
    """An algorithm has no rows and no random numbers: it asks the curator, which adds noise of this package."""
    found: list[str] = []
    for path in askers(root):
        for node in nodes(path):
            for module, name in imported(node):
                if module.startswith("dpgep_core.datasets") or name in GIVING:
                    found.append(said(root, path, node, f"imports {module} {name}: rows"))
                if module == "dpgep_core.privacy.randomness" and name not in laws(root):
                    found.append(said(root, path, node, f"imports {name or module}: random numbers"))
                if name in ROUND or module in ("copy", "inspect", "gc", "ctypes"):
                    found.append(said(root, path, node, f"imports {module} {name}: a way round the curator"))
            if called(node) in CALLED:
                found.append(said(root, path, node, f"calls {called(node)}"))
    return found


def algorithms_keep_out_of_private_parts(root: Path) -> list[str]:
    """No attribute that starts with an underscore but the algorithm's own, and no way to reach one by name."""
    found: list[str] = []
    for path in askers(root):
        for node in nodes(path):
            own = isinstance(node, ast.Attribute) and getattr(node.value, "id", "") in ("self", "cls")
            if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not own:
                found.append(said(root, path, node, f"touches {node.attr}"))
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and "_Curator__" in node.value:
                found.append(said(root, path, node, f"names {node.value}"))
            if reaches(node):
                found.append(said(root, path, node, f"calls {called(node)}"))
    return found


def core_knows_no_user_interface(root: Path) -> list[str]:
    """The core runs without a browser: no streamlit and no plotly, at the top of a file or inside a function."""
    (starter,) = files(root, *STARTER)
    return _importing(root, USER_INTERFACE, *(path for path in files(root, "dpgep_core") if path != starter))


def pure_modules(root: Path) -> list[str]:
    """The modules of the dashboard that run without a browser, as the contract of the imports lists them."""
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    return next(c["source_modules"] for c in contracts if c["name"] == PURE_CONTRACT)


def pure_dashboard_modules_know_no_streamlit(root: Path) -> list[str]:
    """Scenario, services, figures and the others are plain functions, to be tested and reused without a browser."""
    pure: list[Path] = []
    for module in pure_modules(root):
        parts = module.split(".")
        package = root.joinpath(*parts).is_dir()
        pure += files(root, *parts) if package else files(root, *parts[:-1], f"{parts[-1]}.py")
    return _importing(root, {"streamlit"}, *dict.fromkeys(pure))  # a module may be listed beside its package


def the_driver_gives_the_rows_to_the_curator_alone(root: Path) -> list[str]:
    """Once planned, drivers hand the rows to a curator and read nothing of them themselves; to miss them is allowed."""
    found: list[str] = []
    for path, starts in drivers_of(root).items():
        functions = {node.name: node for node in nodes(path, ast.FunctionDef)}
        if missing := {*starts} - set(functions):
            raise LookupError(f"{', '.join(sorted(missing))}: a rule speaks of it, and {path.name} has none")
        for function in (functions[name] for name in _called_from(functions, *starts)):
            allowed = {id(part) for node in ast.walk(function) for part in (*_handed(node), *_missed(node))}
            found += [
                said(root, path, node, f"reads {node.attr} past the curator")
                for node in ast.walk(function)
                if isinstance(node, ast.Attribute) and node.attr in ROWS and id(node) not in allowed
            ]
    return found


def _handed(node: ast.AST) -> Sequence[ast.AST]:
    return node.args if isinstance(node, ast.Call) and called(node) == "Curator" else ()


def _missed(node: ast.AST) -> Sequence[ast.AST]:
    """The left side of ``x is None``."""
    return (node.left,) if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Is) else ()


def _called_from(functions: dict[str, ast.FunctionDef], *start: str) -> set[str]:
    """Functions of one file that these call, and those that they call; the planning of a run is another matter."""
    reached, waiting = set[str](), [*start]
    while waiting:
        name = waiting.pop()
        if name in reached or name not in functions or name == "plan":
            continue
        reached.add(name)
        waiting += [called(node) for node in ast.walk(functions[name])]
    return reached


def randomness_is_drawn_in_one_place(root: Path) -> list[str]:
    """No random module but in privacy/randomness.py, also by attribute (``np.random``), which ruff checks too."""
    found: list[str] = []
    for package in ("dpgep_core", "dashboard"):
        for path in files(root, package):
            if path.match("dpgep_core/privacy/randomness.py"):
                continue
            for node in nodes(path, ast.Import, ast.ImportFrom, ast.Attribute):
                modules = {f"{module}.{name}".strip(".") for module, name in imported(node)} | {
                    module for module, _ in imported(node)
                }
                if modules & {"random", "numpy.random"} or (isinstance(node, ast.Attribute) and node.attr == "random"):
                    if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") not in ("np", "numpy"):
                        continue
                    found.append(said(root, path, node, "draws random numbers"))
    return found


def _importing(root: Path, forbidden: set[str], *paths: Path) -> list[str]:
    return [
        said(root, path, node, f"imports {module}")
        for path in paths
        for node in nodes(path, ast.Import, ast.ImportFrom)
        for module, _ in imported(node)
        if module.split(".")[0] in forbidden
    ]


PRONOUNS = (
    "It",
    "Its",
    "The same",
    "This",
    "That",
    "These",
    "Those",
    "They",
    "Their",
    "Of",
    "As",
    "And",
    "Which",
    "Who",
    "What",
)


def docstrings_begin_with_a_noun_or_a_verb(root: Path) -> list[str]:
    """A docstring whose first word points at a noun elsewhere makes the reader look for that noun."""
    return [
        said(root, path, node, f"docstring begins with {first!r}")
        for package in ("dpgep_core", "dashboard")
        for path in files(root, package)
        for node in nodes(path, ast.Module, ast.ClassDef, ast.FunctionDef)
        if (text := ast.get_docstring(node))
        for first in PRONOUNS
        if text.startswith((f"{first} ", f"{first}, "))
    ]


CHECKS: tuple[Check, ...] = (
    docstrings_begin_with_a_noun_or_a_verb,
    queries_are_built_by_models,
    curators_are_made_by_the_driver,
    algorithms_see_no_data,
    algorithms_keep_out_of_private_parts,
    core_knows_no_user_interface,
    pure_dashboard_modules_know_no_streamlit,
    randomness_is_drawn_in_one_place,
    the_driver_gives_the_rows_to_the_curator_alone,
)
