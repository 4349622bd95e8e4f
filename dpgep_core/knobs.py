"""Definitions of a parameter: a number within bounds, one of a few words, or a switch, each with its meaning."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from numbers import Integral, Real
from typing import Literal

from dpgep_core.errors import ParameterError, UnknownNameError

WHOLE = 2**63  # whole numbers from here on fit no array
Value = float | int | str | bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Knob:
    """A number: hard bounds are enforced, soft bounds only say what a slider shows.

    ``zero`` says what 0 stands for where it is no amount; a logarithmic slider then has a place for it.
    """

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
    zero: str = ""

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
