"""Setting of a run, every parameter by its name, and what a run gives out."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from dpgep_core.method import ALGORITHMS
from dpgep_core.models import MODELS
from dpgep_core.models.moments import Answers, Moments
from dpgep_core.models.pencil import Pencil
from dpgep_core.models.public import PublicFacts
from dpgep_core.params import (
    AsIf,
    Bounds,
    Checked,
    Choice,
    Components,
    DeclaredRows,
    Delta,
    Epsilon,
    Knob,
    Noise,
    Parameter,
    Relation,
    Seed,
    TestSize,
    defaults,
    parameters,
)
from dpgep_core.privacy import Claim, Ledger
from dpgep_core.privacy.query import Array
from dpgep_core.protocols import Method

DISTRIBUTION = "dpgep-lab"
CLEANING = ("clean_eigenvalues", "shrink_counts", "shrink_means")  # what moments are made of the answers with
POSTPROCESSING = ("xi", "sparsity", "floor", *CLEANING)  # post-processing of released answers


def _version() -> str:
    """The version in the pyproject.toml of a checkout, whatever is installed beside it, or of the installed package."""
    try:
        text = (Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8")
        project = tomllib.loads(text).get("project", {})
    except (OSError, ValueError):
        project = {}
    if project.get("name") == DISTRIBUTION:
        return str(project["version"])
    try:
        return version(DISTRIBUTION)
    except PackageNotFoundError:
        return "0+unknown"


VERSION = _version()


@dataclass(frozen=True, kw_only=True)
class Setting(Checked):
    """Everything needed to make a release again, beside the data set. ``seed=None`` cannot be repeated.

    ``params`` are settings of the model and the algorithm, by name. ``split_seed`` splits the rows where the data
    set has no published split; None follows ``seed``, a number keeps the rows while the noise varies. ``test_size`` is
    the share that is then held out; 0 fits on all rows. ``declared_n`` is the public number of rows, before any split,
    under ``relation="add_remove"``; None takes what the data set declares.
    """

    model: str = "fda"
    algorithm: str = "ssp"
    epsilon: Epsilon = 1.0
    delta: Delta | None = None
    n_components: Components | None = None
    seed: Seed | None = 0
    split_seed: Seed | None = None
    test_size: TestSize = 0.2
    declared_n: DeclaredRows | None = None
    relation: Relation = "replace_one"
    as_if: AsIf = 1.0
    noise: Noise = True
    bounds: Bounds = True
    params: tuple[tuple[str, Any], ...] = ()

    @property
    def row_seed(self) -> int:
        """The seed that decides who is held out."""
        chosen = self.seed if self.split_seed is None else self.split_seed
        return 0 if chosen is None else chosen


def paid_part(setting: Setting) -> Setting:
    """The part of a setting that decides what a one-release method asks for: all but its free post-processing."""
    costly = tuple((name, value) for name, value in setting.params if name not in POSTPROCESSING)
    return replace(setting, n_components=None, params=costly)


@dataclass(frozen=True, kw_only=True)
class Release:
    """Everything that may leave the curator, and nothing else.

    Parameters
    ----------
    components : array (d, k)
        Columns by decreasing generalized Rayleigh quotient, as the method estimates it; scaled as it scales them.
    history : tuple of arrays (d, k)
        The bases after each step; the last one is ``components``.
    ledger : Ledger
        Every answer, protected or not.
    claimed : Claim or None
        The ε and δ asked for; None for a non-private method, and where the noise is off. Whether the authors claim them
        at this setting is for `dpgep_core.verdict.judge` to say.
    accounted : Claim
        What the ledger proves; its ``epsilon`` is None where an answer left without noise.
    moments, pencil : Moments, Pencil or None
        The private moments and pencil of a method that releases them (``ssp``).
    answers : tuple of arrays
        Every noisy answer of such a method as it came: moments, pencil and components are made from these alone.
    facts : mapping
        Public numbers of the method, such as σ, and released ones, such as the effective ridge.
    status : str
        "ok", or "not finite" where noise drove an iteration out of range.
    warnings : tuple of str
        Things a user should know.
    learnt : tuple of str
        What was read off the rows: no ε here covers it. `dpgep_core.learnt` is the one list.
    """

    dataset: str
    setting: Setting
    method: Method = field(repr=False)
    public: PublicFacts = field(repr=False)
    components: Array = field(repr=False)
    history: tuple[Array, ...] = field(repr=False)
    ledger: Ledger
    claimed: Claim | None
    accounted: Claim
    moments: Moments | None = field(default=None, repr=False)
    pencil: Pencil | None = field(default=None, repr=False)
    answers: Answers = field(default=(), repr=False)
    facts: Mapping[str, float] = field(default_factory=dict)
    status: str = "ok"
    warnings: tuple[str, ...] = ()
    learnt: tuple[str, ...] = ()
    seconds: float = 0.0
    version: str = VERSION


COMMON_PARAMETERS: Mapping[str, Parameter] = {
    name: parameter for name, parameter in parameters(Setting).items() if name != "split_seed"
}  # of every run, whatever the method


def known_parameters(model: str, algorithm: str) -> dict[str, Parameter]:
    """Parameters of a model and an algorithm, by name."""
    return {**parameters(MODELS[model].make), **parameters(ALGORITHMS[algorithm].make)}


def default_parameters(model: str, algorithm: str) -> dict[str, Any]:
    """Default parameters of a model and an algorithm, by name."""
    return {**defaults(MODELS[model].make), **defaults(ALGORITHMS[algorithm].make)}


def all_parameters() -> dict[str, Parameter]:
    """Parameters of every model and algorithm. Where two share a name, the one that allows more stands for both."""
    found: dict[str, Parameter] = {}
    for entry in (*MODELS.values(), *ALGORITHMS.values()):
        for name, parameter in parameters(entry.make).items():
            found[name] = wider(found.get(name, parameter), parameter)
    return found


def wider(one: Parameter, other: Parameter) -> Parameter:
    """Wider of two definitions under one name; the first where neither allows more."""
    if isinstance(one, Choice) and isinstance(other, Choice):
        return other if len(other.options) > len(one.options) else one
    if isinstance(one, Knob) and isinstance(other, Knob):
        return other if (other.low, -other.high, not other.zero) < (one.low, -one.high, not one.zero) else one
    return one
