"""The vocabulary: every symbol typed once.

Validation, command line, widgets, URL and documentation all read these definitions. A parameter of an
algorithm or model is a dataclass field whose type is one of the ``Annotated`` names below.
"""

from dataclasses import MISSING, fields, replace
from functools import cache
from types import NoneType
from typing import Annotated, Any, TypeVar, get_args, get_type_hints

from dpgep_core.errors import DpgepError
from dpgep_core.knobs import Choice, Knob, Parameter, Switch, Value

Made = TypeVar("Made")


Epsilon = Annotated[
    float,
    Knob(symbol=r"\varepsilon", label="Privacy loss ε", low=0, low_open=True, soft=(2**-10, 10), scale="log",
         doc="Any event's probability changes by at most a factor e^ε between neighbouring data sets, up to δ. "
             "Smaller is more private and noisier."),
]  # fmt: skip
POWER = -1.1
USUAL_DELTA = f"n^{POWER:g}"  # δ where none is asked for, of n rows
Delta = Annotated[
    float,
    Knob(symbol=r"\delta", label="Slack δ", low=0, low_open=True, high=1, soft=(1e-9, 1e-2), scale="log",
         doc="Probability mass by which the ε rule may fail. Keep it far below 1/n; "
             f"the default is {USUAL_DELTA}."),
]  # fmt: skip
Xi = Annotated[
    float,
    Knob(symbol=r"\xi", label="Ridge ξ", low=0, soft=(1e-4, 10), scale="log",
         doc="Added to the diagonal of B so that near-zero eigenvalues do not blow up noise. Not a privacy parameter."),
]  # fmt: skip
NoiseXi = Annotated[
    float,
    Knob(symbol=r"\xi", label="Ridge ξ", low=0, soft=(1e-4, 10), scale="log", zero="by the noise",
         doc="Added to the diagonal of B so that near-zero eigenvalues do not blow up noise. 0 leaves it to the known "
             "edge of the noise. Not a privacy parameter."),
]  # fmt: skip
Sparsity = Annotated[
    int,
    Knob(symbol="s", label="Non-zero entries s", integer=True, low=0, soft=(0, 100),
         doc="Entries kept in each component; the rest are set to zero. 0 keeps all of them."),
]  # fmt: skip
StepSize = Annotated[
    float,
    Knob(symbol=r"\eta", label="Step size η", low=0, low_open=True, soft=(0.01, 4), scale="log",
         doc="How far each gradient step goes."),
]  # fmt: skip
Iterations = Annotated[
    int,
    Knob(symbol="m", label="Iterations m", integer=True, low=1, high=1_000_000, high_open=False, soft=(1, 100),
         doc="Steps of the method. With noise in each step, more steps mean more noise in each."),
]  # fmt: skip
Components = Annotated[
    int,
    Knob(symbol="k", label="Components k", integer=True, low=1, soft=(1, 20),
         doc="Directions to find. FDA has at most K − 1 that mean something."),
]  # fmt: skip
Seed = Annotated[
    int,
    Knob(symbol=r"\text{seed}", label="Seed", integer=True, low=0, high=2**63, soft=(0, 99),
         doc="Fixes the noise, for repeating. A known seed is no noise: what-if results are not private."),
]  # fmt: skip
AsIf = Annotated[
    float,
    Knob(symbol=r"\times n", label="Pretended rows, n ×", low=0, low_open=True, high=1e300,
         high_open=False, soft=(0.1, 100), scale="log",
         doc="Keeps the averages and pretends there were this many times the rows. μ is held fixed."),
]  # fmt: skip
Weight = Annotated[
    float,
    Knob(symbol="w^2", label="Weight of sums and counts w²", low=0, low_open=True, high=1e300,
         high_open=False, soft=(0.05, 2), scale="log",
         doc="How loudly class sums and counts are spoken beside the second moments in the one joint release."),
]  # fmt: skip
ReleaseSteps = Annotated[
    int,
    Knob(symbol=r"\text{steps}", label="Steps of the release", integer=True, low=1, high=3, high_open=False,
         soft=(1, 3),
         doc="1 asks for all sums at once. 2 asks for class sums first and then for the rows about the noisy centres. "
             "3 then asks once more, for whitened rows: for columns of very different scales."),
]  # fmt: skip
CleanEigenvalues = Annotated[
    bool,
    Switch(label="Clean the eigenvalues",
           doc="Pulls the eigenvalues of the released scatter to where the known law of the noise puts them. Free."),
]  # fmt: skip
ShrinkCounts = Annotated[
    bool,
    Switch(label="Shrink the counts",
           doc="Draws released class counts to n/K as far as noise explains their spread, and drops no class. Off, a "
               "class below three standard deviations of the noise counts as empty. Free."),
]  # fmt: skip
ShrinkMeans = Annotated[
    bool,
    Switch(label="Shrink the means",
           doc="Shrinks the offsets of the released class means by the known noise: nearer to the exact directions, "
               "often at the cost of accuracy. Free."),
]  # fmt: skip
Relation = Annotated[
    str,
    Choice(label="Neighbouring relation", doc="What changes between two neighbouring data sets.",
           options={"replace_one": "one row and its label replaced by any allowed row; n is public",
                    "add_remove": "one row and its label more or fewer; n is what is declared"}),
]  # fmt: skip
Start = Annotated[
    str,
    Choice(label="Start", doc="The first basis of an iterative method.",
           options={"random": "a random basis that owes nothing to the data",
                    "private": "from a noisy convex relaxation, which costs privacy as well",
                    "oracle": "the exact answer, read without noise: no guarantee"}),
]  # fmt: skip
FreeStart = Annotated[
    str,
    Choice(label="Start", doc="The first basis of an iterative method that promises no privacy.",
           options={"random": "a random basis that owes nothing to the data",
                    "oracle": "the exact answer"}),
]  # fmt: skip
Floor = Annotated[
    bool,
    Switch(label="Ridge floor at the noise edge",
           doc="Raises a ξ that is asked for to the spectral edge of the noise, or to 0.4 of it after more steps. Off "
               "is for teaching: small ξ then amplifies noise."),
]  # fmt: skip
Noise = Annotated[
    bool,
    Switch(label="Noise", doc="Off runs the same algorithm on exact answers: every answer is then unprotected."),
]  # fmt: skip
DeclaredRows = Annotated[
    int,
    Knob(symbol="n", label="Declared number of rows n", integer=True, low=2, high=2**53, soft=(100, 100_000),
         doc="Public number of rows before any split, where records come and go. Averages, δ and σ follow it."),
]  # fmt: skip
TestSize = Annotated[
    float,
    Knob(symbol="", label="Share held out", low=0, high=1, soft=(0, 0.5),
         doc="Rows kept apart to score classifiers, where no test split is published. 0 fits on all rows."),
]  # fmt: skip
Bounds = Annotated[
    bool,
    Switch(label="Public column bounds",
           doc="Columns go to the public bounds that the data set declares, before rows go to the unit ball. "
               "Off leaves the rows as they are, and one wide column may then drown the others."),
]  # fmt: skip


def usual_delta(n: int) -> float:
    """δ where none is asked for, of n rows."""
    return float(n) ** POWER


@cache
def parameters(cls: type) -> dict[str, Parameter]:
    """The fields of a dataclass that carry a parameter definition, ``Name`` or ``Name | None``, by name, in order."""
    hints = get_type_hints(cls, include_extras=True)
    found = {f.name: _definition_within(hints[f.name]) for f in fields(cls)}
    return {name: parameter for name, parameter in found.items() if parameter is not None}


@cache
def optional(cls: type) -> frozenset[str]:
    """The fields of a dataclass that may be None."""
    return frozenset(name for name, hint in get_type_hints(cls).items() if NoneType in get_args(hint))


def _definition_within(hint: Any) -> Parameter | None:
    for part in get_args(hint):
        if isinstance(part, Knob | Choice | Switch):
            return part
        if (inside := _definition_within(part)) is not None:
            return inside
    return None


def definition(annotated: Any) -> Parameter:
    """The definition inside an ``Annotated`` name, as in ``definition(Epsilon)``."""
    return next(meta for meta in get_args(annotated)[1:] if isinstance(meta, Knob | Choice | Switch))


def defaults(cls: type) -> dict[str, Any]:
    """The default of each parameter of a dataclass."""
    return {f.name: f.default for f in fields(cls) if f.name in parameters(cls) and f.default is not MISSING}


def parameter_values(made: object) -> dict[str, Any]:
    """The value of each parameter of an instance."""
    return {name: getattr(made, name) for name in parameters(type(made))}


def with_parameters(made: Made, **changes: Value) -> Made:
    """Model or algorithm with other parameters."""
    dataclass_of: Any = made
    return replace(dataclass_of, **changes)


def offers(parameter: Parameter, value: object) -> bool:
    """Whether a definition allows a value."""
    try:
        parameter.check("", value)
    except DpgepError:
        return False
    return True


class Checked:
    """Mixin: a frozen dataclass whose parameters are checked and made plain on construction."""

    def __post_init__(self) -> None:
        for name, parameter in parameters(type(self)).items():
            value = getattr(self, name)
            if value is not None or name not in optional(type(self)):
                object.__setattr__(self, name, parameter.check(name, value))
