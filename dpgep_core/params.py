"""The vocabulary: every symbol typed once.

Validation, command line, widgets, URL and documentation all read these definitions. A parameter of an
algorithm or model is a dataclass field whose type is one of the ``Annotated`` names below.
"""

import math
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import cache
from numbers import Integral, Real
from types import NoneType
from typing import Annotated, Any, Literal, TypeVar, get_args, get_type_hints

from dpgep_core.errors import DpgepError, ParameterError, UnknownNameError

WHOLE = 2**63  # whole numbers from here on fit no array
Value = float | int | str | bool
Made = TypeVar("Made")


@dataclass(frozen=True, slots=True, kw_only=True)
class Knob:
    """A number: hard bounds are enforced, soft bounds only say what a slider shows."""

    symbol: str
    label: str
    doc: str
    low: float = -math.inf
    high: float = math.inf
    low_open: bool = False
    high_open: bool = True
    soft: tuple[float, float] = (0.0, 1.0)
    scale: Literal["linear", "log"] = "linear"
    integer: bool = False

    @property
    def allowed(self) -> str:
        """The hard bounds in words."""
        kind = "a whole number" if self.integer else "a finite number"
        low = "" if self.low == -math.inf else f"{'>' if self.low_open else '>='} {self.low:g}"
        high = "" if self.high == math.inf else f"{'<' if self.high_open else '<='} {self.high:g}"
        return " ".join(part for part in (kind, " and ".join(p for p in (low, high) if p)) if part)

    def check(self, name: str, value: object) -> Value:
        """The value as a plain ``int`` or ``float``; raises `ParameterError` outside the hard bounds."""
        if isinstance(value, bool) or not isinstance(value, Real):  # NumPy's numbers are Real, its booleans are not
            raise ParameterError(name, value, self.allowed)
        try:
            number: float = float(value)  # also of a whole number: one of 400 digits is no float
        except OverflowError:
            raise ParameterError(name, value, self.allowed) from None
        if self.integer and abs(number) >= WHOLE and self.high > WHOLE:
            raise ParameterError(name, value, f"{self.allowed} and < 2^63")
        if self.integer and isinstance(value, Integral):
            number = int(value)  # every digit
        below = number <= self.low if self.low_open else number < self.low
        above = number >= self.high if self.high_open and self.high < math.inf else number > self.high
        fractional = self.integer and math.isfinite(number) and number != int(number)
        if not math.isfinite(number) or below or above or fractional:
            raise ParameterError(name, value, self.allowed)
        return int(number) if self.integer else number + 0.0  # + 0.0: -0.0 and 0.0 are one cache key

    def parse(self, name: str, text: str) -> Value:
        """The value from the text of a command line or URL; an error shows what was typed."""
        try:
            number = int(text) if self.integer and text.strip().lstrip("+-").isdecimal() else float(text)
            return self.check(name, number)
        except ParameterError as error:
            raise ParameterError(name, text, error.allowed) from None
        except ValueError:
            raise ParameterError(name, text, self.allowed) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One of a few words, each with its meaning."""

    label: str
    doc: str
    options: Mapping[str, str] = field(hash=False)
    symbol: str = ""

    @property
    def allowed(self) -> str:
        """The options in words."""
        return f"one of {', '.join(self.options)}"

    def check(self, name: str, value: object) -> Value:
        """The value itself; raises `UnknownNameError` for anything but the options."""
        if not isinstance(value, str) or value not in self.options:
            raise UnknownNameError(name, value, self.options)
        return value

    parse = check


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch:
    """On or off."""

    label: str
    doc: str
    symbol: str = ""
    allowed: str = "true or false"

    def check(self, name: str, value: object) -> Value:
        """The value as a ``bool``; raises `ParameterError` for anything else."""
        if not isinstance(value, bool):
            raise ParameterError(name, value, self.allowed)
        return value

    def parse(self, name: str, text: str) -> Value:
        """The value from ``true``/``false``, ``on``/``off``, ``yes``/``no`` or ``1``/``0``."""
        word = text.strip().lower()
        if word not in ("true", "on", "yes", "1", "false", "off", "no", "0"):
            raise ParameterError(name, text, self.allowed)
        return word in ("true", "on", "yes", "1")


Parameter = Knob | Choice | Switch


def whole_number(low: int, high: int) -> Knob:
    """The definition of a count that is no parameter of a method, such as a number of processes."""
    return Knob(symbol="", label="", doc="", integer=True, low=low, high=high, high_open=False)


Epsilon = Annotated[
    float,
    Knob(symbol=r"\varepsilon", label="Privacy loss ε", low=0, low_open=True, soft=(2**-10, 10), scale="log",
         doc="Any event's probability changes by at most a factor e^ε between neighbouring data sets, up to δ. "
             "Smaller is more private and noisier."),
]  # fmt: skip
Delta = Annotated[
    float,
    Knob(symbol=r"\delta", label="Slack δ", low=0, low_open=True, high=1, soft=(1e-9, 1e-2), scale="log",
         doc="Probability mass by which the ε rule may fail. Keep it far below 1/n; the default is n^-1.1."),
]  # fmt: skip
Xi = Annotated[
    float,
    Knob(symbol=r"\xi", label="Ridge ξ", low=0, soft=(1e-4, 10), scale="log",
         doc="Added to the diagonal of B so that near-zero eigenvalues do not blow up noise. Not a privacy parameter."),
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
    Knob(symbol=r"\times n", label="As if n were ×", low=0, low_open=True, soft=(0.1, 100), scale="log",
         doc="Keeps the averages and pretends there were this many times the rows. μ is held fixed."),
]  # fmt: skip
Weight = Annotated[
    float,
    Knob(symbol="w^2", label="Weight of sums and counts w²", low=0, low_open=True, soft=(0.05, 2), scale="log",
         doc="How loudly class sums and counts are spoken beside the second moments in the one joint release."),
]  # fmt: skip
ReleaseSteps = Annotated[
    int,
    Knob(symbol=r"\text{steps}", label="Steps of the release", integer=True, low=1, high=2, high_open=False,
         soft=(1, 2),
         doc="1 asks for all sums at once. 2 asks for class sums first and then for the rows about the noisy centres."),
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
           doc="Raises ξ to the spectral edge of the noise, or to 0.4 of it with two steps; ξ = 0 leaves the ridge to "
               "the noise alone. Off is for teaching: small ξ then amplifies noise."),
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
