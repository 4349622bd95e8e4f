"""Docstrings of estimators: what all of them share is written once and read everywhere."""

import inspect
import re

POINTER = "As in `PrivateProjection`, which also lists the attributes."
PARAMETERS, ATTRIBUTES = ("\n\n" + name + "\n" + "-" * len(name) + "\n" for name in ("Parameters", "Attributes"))


def complete_docstring(own: str, shared: str) -> str:
    """The docstring of an estimator with the parameters and attributes of ``shared`` where `POINTER` stands.

    A parameter that the estimator describes itself keeps that description. Without the pointer nothing changes.
    """
    own, shared = inspect.cleandoc(own), inspect.cleandoc(shared)
    if POINTER not in own:
        return own
    head, _, described = own.partition(PARAMETERS)
    parameters, _, attributes = shared.partition(PARAMETERS)[2].partition(ATTRIBUTES)
    kept = [entry for entry in _entries(described) if POINTER not in entry]
    names = {name for entry in kept for name in _names(entry)}
    more = [entry for entry in _entries(parameters) if names.isdisjoint(_names(entry))]
    return "".join([head, PARAMETERS, "\n".join([*kept, *more]), ATTRIBUTES, attributes.rstrip()])


def _entries(section: str) -> list[str]:
    """Entries of a numpydoc section, each with its indented description."""
    return [entry.rstrip() for entry in re.split(r"\n(?=\S)", section.strip())]


def _names(entry: str) -> list[str]:
    return entry.partition(" : ")[0].split(", ")
