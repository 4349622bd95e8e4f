"""Every error this package raises on purpose. Each says what was given and what is allowed.

Values come from files, command lines and addresses. This module is the one place that makes them fit for a message:
it writes control characters out, cuts what is long, and puts other libraries' errors into words.
"""

from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from math import log10
from numbers import Integral
from typing import Any

LONGEST_VALUE = 80  # letters of one value
LONGEST_NAME = 100  # letters of a file's or a data set's name
LONGEST_PART = 500  # letters of what is wrong, and of what is allowed
LONGEST_MESSAGE = 2_000
MOST_NAMES_LISTED = 24  # names that a message lists
MOST_VALUES_SHOWN = 6  # values of a list that a message shows
_DEEPEST = 3  # lists in lists that a message shows
_BITS = 200  # of a whole number that is written out: 60 digits


def one_line(text: str, most: int = LONGEST_MESSAGE) -> str:
    """Text for one line of a terminal or a page: control characters written out, and cut after ``most`` letters."""
    cut = text[: most + 1].split() if len(text) > 2 * most else text.split()
    line = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in " ".join(cut))
    return line if len(line) <= most else f"{line[:most]}… ({len(text):,} letters)"


def show_value(value: object, most: int = LONGEST_VALUE) -> str:
    """A value for a message: as Python writes it, but short, on one line and without control characters."""
    return one_line(_write_value(value, most, 0), 4 * most)


def with_notes(error: BaseException) -> str:
    """Message of an error, with the notes that were added to it on its way."""
    return " ".join([str(error), *getattr(error, "__notes__", ())]).strip()


def list_names(values: Iterable[object], most: int = MOST_NAMES_LISTED) -> str:
    """Names for a message, those after the first ``most`` counted."""
    every = tuple(values)
    more = f" and {len(every) - most:,} more" if len(every) > most else ""
    return ", ".join(one_line(str(value), LONGEST_VALUE) for value in every[:most]) + more


def reason_of(error: BaseException) -> str:
    """Why another library failed, in words for a user."""
    if isinstance(error, UnicodeDecodeError):
        return f"byte {error.start:,} is not {error.encoding.upper()} text"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, MemoryError):
        return "it does not fit into memory"
    if isinstance(error, OverflowError) or "set_int_max_str_digits" in str(error):
        return "it holds a number that is too large"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return one_line(str(error), 200) or type(error).__name__


class DpgepError(Exception):
    """Root of the errors a user can cause and mend; the command line turns them into exit code 2."""

    def __init__(self, message: str = "") -> None:
        super().__init__(one_line(message))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), str(self), vars(self))  # it crosses processes whole


class ParameterError(DpgepError, ValueError):
    """A parameter has a value that is not allowed."""

    def __init__(self, name: str, value: object, allowed: str) -> None:
        self.name, self.value, self.allowed = name, value, allowed
        got = show_value(value)
        super().__init__(f"{one_line(name, LONGEST_NAME)} must be {one_line(allowed, LONGEST_PART)}; got {got}.")


class UnknownNameError(ParameterError):
    """A name that is in no registry. Lists the known ones and the nearest; ``note`` may say why it is missing."""

    def __init__(self, kind: str, value: object, known: Iterable[str], note: str = "") -> None:
        self.known = tuple(known)
        near = get_close_matches(value[:LONGEST_NAME], self.known, n=1) if isinstance(value, str) else []
        hint = f" (did you mean {show_value(near[0])}?)" if near else ""
        room = LONGEST_PART - len(hint) - len("… (1,000,000 letters)")  # a list that is cut leaves the hint whole
        among = one_line(f"one of {list_names(self.known)}", room)
        super().__init__(kind, value, among + hint)
        if note:
            self.args = (one_line(f"{self} {note}"),)


class DataError(DpgepError, ValueError):
    """A data set, or the file it comes from, cannot be used as it is."""

    def __init__(self, where: str, problem: str, allowed: str) -> None:
        self.where, self.problem, self.allowed = where, problem, allowed
        said = one_line(problem, LONGEST_PART), one_line(allowed, LONGEST_PART)
        super().__init__(f"{one_line(where, LONGEST_NAME)}: {'; '.join(said)}.")


class BudgetExceededError(DpgepError):
    """An answer would cost more privacy than was granted. Nothing was read."""

    def __init__(self, query: str, needed: float, granted: float, delta: float) -> None:
        self.query, self.needed, self.granted, self.delta = query, needed, granted, delta
        super().__init__(
            f"epsilon must be at least {needed:.6g} for the answer {query!r} at delta={delta:.3g}; "
            f"granted: {granted:.6g}. Nothing was read."
        )


@contextmanager
def declared_by(where: str) -> Generator[None]:
    """Turn whatever a declared value makes other code raise into a `DataError` that names the file it stands in.

    Every reader of a declaration checks what it takes and says what is allowed. This guard stands behind all of them:
    a value that nobody thought of costs its own file, and nothing else. The cause stays attached.
    """
    try:
        yield
    except DpgepError:
        raise
    except Exception as error:
        raise DataError(where, f"cannot be used ({reason_of(error)})", "declarations as docs/data.md lists them") from (
            error
        )


def _write_value(value: Any, most: int, depth: int) -> str:
    if isinstance(value, str | bytes):
        kind = "letters" if isinstance(value, str) else "bytes"
        if len(value) <= most:
            return repr(value)
        end = most // 3  # of a path, the end tells more than the beginning
        return f"{value[: most - end]!r} … {value[-end:]!r} ({len(value):,} {kind})"
    if isinstance(value, bool):
        return repr(value)
    if isinstance(value, Integral):
        number = int(value)
        large = number.bit_length() > _BITS
        return f"a whole number of about {round(number.bit_length() * log10(2)):,} digits" if large else repr(number)
    if isinstance(value, float):
        return repr(float(value))
    if isinstance(value, list | tuple | set | frozenset | Mapping):
        return _listing(value, most, depth)
    if (shape := getattr(value, "shape", None)) is not None and shape != ():
        return f"{type(value).__name__} of shape {shape}"
    try:
        return repr(value)
    except Exception:  # whatever an object of someone else does
        return f"an object of type {type(value).__name__}"


def _listing(values: Any, most: int, depth: int) -> str:
    opening, closing = {list: "[]", tuple: "()"}.get(type(values), "{}")
    if depth == _DEEPEST:
        return f"{opening}…{closing}"
    inner: list[str] = []
    for each in list(values)[:MOST_VALUES_SHOWN]:
        text = _write_value(each, most, depth + 1)
        inner.append(f"{text}: {_write_value(values[each], most, depth + 1)}" if isinstance(values, Mapping) else text)
    more = len(values) - len(inner)
    single = "," if isinstance(values, tuple) and len(values) == 1 else ""
    return f"{opening}{', '.join(inner)}{', …' if more else single}{closing}" + (
        f" ({len(values):,} values)" if more else ""
    )


def _restore(kind: type[DpgepError], message: str, fields: dict[str, Any]) -> DpgepError:
    error = kind.__new__(kind, message)
    error.__dict__.update(fields)
    return error
