"""The pages and the parameters that each adds to the address, beside the scenario that all of them share."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from dashboard.axes import AXES, DRAGGED
from dashboard.glossary import TERMS
from dashboard.measures import METRICS
from dashboard.stories import MOST_STEPS, STORIES, opening
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.errors import UnknownNameError
from dpgep_core.models.neighbours import STATISTICS

PARTS: Mapping[str, str] = {
    "noise": "The noise",
    "verdicts": "The verdicts",
    "attack": "The attack",
    "neighbours": "The worst neighbours",
    "budget": "The budget",
}
DATA_PARTS: Mapping[str, str] = {
    "current": "The current rows",
    "upload": "Upload a file",
    "openml": "From OpenML",
}


@dataclass(frozen=True)
class PageEntry:
    """One page. ``own`` are its parameters in the address with the values each may take, the default first; ``scene``
    is the scenario that an address with nothing else stands for."""

    key: str
    title: str
    own: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    needs_data: bool = True
    scene: Callable[[Mapping[str, str]], Mapping[str, str]] = lambda _query: {}


PAGES: Mapping[str, PageEntry] = {
    page.key: page
    for page in (
        PageEntry("explore", "Explore", {"over": tuple(AXES), "metric": tuple(METRICS), "drag": DRAGGED}),
        PageEntry("data", "Data", {"rows": tuple(DATA_PARTS)}, needs_data=False),
        PageEntry("privacy_lab", "Privacy lab", {"part": tuple(PARTS), "statistic": ("within", *STATISTICS)}),
        PageEntry("methods", "Methods", {"method": ("ssp", *ALGORITHMS)}, needs_data=False),
        PageEntry(
            "learn",
            "Learn",
            {"story": ("", *STORIES), "step": tuple(map(str, range(1, MOST_STEPS + 2))), "term": ("", *TERMS)},
            needs_data=False,
            scene=opening,
        ),
        PageEntry("saved", "Saved", needs_data=False),
    )
}
OWN = frozenset(name for page in PAGES.values() for name in page.own)


def own_parameters(page: str, query: Mapping[str, str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """The page's own parameters in an address, and a message for each that cannot be used."""
    found: dict[str, str] = {}
    problems: list[str] = []
    for name, allowed in PAGES[page].own.items():
        if name in query:
            if query[name] in allowed:
                found[name] = query[name]
            else:
                problems.append(str(UnknownNameError(name, query[name], tuple(dict.fromkeys(allowed)))))
    return found, tuple(problems)


def address(page: str, values: Mapping[str, Any]) -> dict[str, str]:
    """The page's own parameters that differ from their default."""
    own = PAGES[page].own.items()
    return {name: values[name] for name, allowed in own if values.get(name) not in (None, allowed[0])}
