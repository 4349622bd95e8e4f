"""Every error this package raises on purpose. Each says what was given and what is allowed."""

from collections.abc import Iterable
from difflib import get_close_matches


class DpgepError(Exception):
    """Root of the errors a user can cause and mend; the command line turns them into exit code 2."""


class ParameterError(DpgepError, ValueError):
    """A parameter has a value that is not allowed."""

    def __init__(self, name: str, value: object, allowed: str) -> None:
        self.name, self.value, self.allowed = name, value, allowed
        super().__init__(f"{name} must be {allowed}; got {value!r}.")


class UnknownNameError(ParameterError):
    """A name that is in no registry. Lists the known ones and the nearest."""

    def __init__(self, kind: str, value: object, known: Iterable[str]) -> None:
        self.known = tuple(known)
        near = get_close_matches(str(value), self.known, n=1)
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        super().__init__(kind, value, f"one of {', '.join(self.known)}{hint}")


class DataError(DpgepError, ValueError):
    """A data set, or the file it comes from, cannot be used as it is."""

    def __init__(self, where: str, problem: str, allowed: str) -> None:
        self.where, self.problem, self.allowed = where, problem, allowed
        super().__init__(f"{where}: {problem}; {allowed}.")


class BudgetExceededError(DpgepError):
    """An answer would cost more privacy than was granted. Nothing was read."""

    def __init__(self, query: str, needed: float, granted: float, delta: float) -> None:
        self.query, self.needed, self.granted, self.delta = query, needed, granted, delta
        super().__init__(
            f"epsilon must be at least {needed:.6g} for the answer {query!r} at delta={delta:.3g}; "
            f"granted: {granted:.6g}. Nothing was read."
        )
