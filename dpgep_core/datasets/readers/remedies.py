"""Remedies for a file that cannot be used: a key of the sidecar to set, or a field of the form.

A file of a folder has a sidecar to mend, an upload has the form it was declared in; a message names the one at hand.
"""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

_on_page: ContextVar[bool] = ContextVar("on_page", default=False)


@dataclass(frozen=True)
class Remedy:
    """One remedy in the words of the sidecar and in those of the form."""

    sidecar: str
    page: str

    def __str__(self) -> str:
        return self.page if _on_page.get() else self.sidecar


@contextmanager
def for_the_form() -> Generator[None]:
    """Name fields of the form in every message from here on."""
    token = _on_page.set(True)
    try:
        yield
    finally:
        _on_page.reset(token)


FILL_GAPS = Remedy(
    'say missing = "drop", or missing = 0 for a number in each gap, under [reading] in the sidecar',
    "choose what is done about gaps: a declared number in each, or leave such rows out",
)
DROP_ROWS = Remedy(
    'say missing = "drop" under [reading] in the sidecar, or choose another label column',
    "choose to leave rows with gaps out, or another label column",
)
NO_CLASSES_REMEDY = Remedy(
    'choose another label column; say [response] in the sidecar for a real-valued response, label = "" for none',
    'choose another label column, "a real-valued response", or "no label"',
)
CHOOSE_LABEL = Remedy("say label = a column name or number in the sidecar", "choose another label column")
DECLARE_LABEL = Remedy('or say label = "" in the sidecar', 'or choose "no label"')
ENCODING = Remedy("say another encoding under [reading] in the sidecar", "choose another encoding")
ZERO_BASED = Remedy(
    "say zero_based = true under [reading] in the sidecar",
    'choose "from 0" for the first column',
)
CATEGORIES = Remedy(
    "declare its categories under [[text]] in the sidecar, or name it in drop",
    "declare its categories, or leave it out",
)
LEAVE_OUT = Remedy("name it in drop in the sidecar", "leave it out")


def setting(key: str, value: str | bool) -> Remedy:
    """A key of how the file is written, by its sidecar name; the form has a field for each."""
    text = {True: "true", False: "false"}[value] if isinstance(value, bool) else f'"{value}"'
    field = {
        "decimal": f'choose "{value}" as decimal mark',
        "thousands": f'choose "{value}" as thousands mark',
        "percent": "choose that numbers may end in %",
        "gaps": f'read "{value}" as a gap',
    }[key]
    told = f"[{text}]" if key == "gaps" else text
    return Remedy(f"say {key} = {told} under [reading] in the sidecar", field)
