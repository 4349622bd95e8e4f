"""The pages and the parameters that each adds to the address, beside the scenario that all of them share."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from dashboard.compute.axes import AXES, DRAGGED
from dashboard.compute.sweeps.views import NO_FACET
from dashboard.compute.tasks import NAME
from dashboard.stories import MOST_STEPS, STORIES, opening
from dashboard.text.gallery import EVERY, GALLERY_DATA, PANEL, PAPER_SLUGS, PICKS, VERDICT_SLUGS
from dashboard.text.glossary import TERMS
from dashboard.text.which_method import KINDS, SHARES, TITLE, WHICH
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.errors import ParameterError, UnknownNameError
from dpgep_core.evaluate.measures import CURVE_MEASURES, SWEEP_MEASURES, TARGETS
from dpgep_core.experiments.grid import known_axes
from dpgep_core.experiments.papers import EXHIBITS
from dpgep_core.models.neighbours import STATISTICS

LAB = "DP-GEP Lab"
OWNER = "at"  # in what the server sends as the address: the page; static/document.js heeds it and takes it off
STORY_ANSWERS = "story_answers"  # by story and step, in the session: a radio that is not on the page forgets
PARTS: Mapping[str, str] = {
    "noise": "The noise",
    "verdicts": "The verdicts",
    "attack": "The attack",
    "neighbours": "The worst neighbours",
    "budget": "The budget",
}
LAB_CONTROLS: Mapping[str, frozenset[str]] = {  # of the parts on which few of the shared controls act
    "noise": frozenset({"dataset", "epsilon", "delta_rule", "as_if"}),
    "neighbours": frozenset({"dataset", "model", "xi", "relation", "declared_n", "as_if"}),
}
DATA_PARTS: Mapping[str, str] = {"current": "The current rows", "upload": "Upload a file", "openml": "From OpenML"}
TABS: Mapping[str, str] = {
    "privacy": "Is that ε true?",
    "curves": "Curves with bands",
    "classifiers": "Classifiers",
    "components": "Components",
    "draws": "Twenty draws",
    "ledger": "Ledger and code",
}
RELEASED = frozenset({"dataset", "model", "n_components", "xi", "sparsity", "relation", "declared_n"})  # play a part
ROWS_SHOWN = frozenset(  # what pictures of the rows and the noise edge depend on
    {"dataset", "model", "epsilon", "delta_rule", "relation", "declared_n", "as_if", "test_size", "bounds"}
)
VIEWS: Mapping[str, str] = {"table": "All methods", "epsilon": "Is that ε true?"}
METHODS_SHOWN: Mapping[str, frozenset[str]] = {
    "table": frozenset({"dataset", "model"}),
    "epsilon": frozenset({"dataset", "model", "epsilon", "delta_rule", "relation", "declared_n", "as_if"}),
}
SIDES: Mapping[str, str] = {"sweep": "Sweep", "ask": "Ask", "grow": "How would this grow?"}
BANDS: Mapping[str, str] = {"quantiles": "Median and quantiles", "mean": "Mean and 95 % interval"}
ALONG = tuple("rows" if name == "n" else name for name in known_axes())  # settings, as a table of results names them
QUESTIONS: Mapping[str, str] = {
    "epsilon": "Smallest ε for a target",
    "n": "Rows needed at this ε",
    "xi": "Best ξ at no extra cost",
}


@dataclass(frozen=True)
class PageEntry:
    """One page. ``own`` are its parameters in the address with the values each may take, the default first; ``texts``
    those that are free within a pattern, with what is allowed in words; ``scene`` is the scenario that an address with
    nothing else stands for; ``controls`` tells from the session whether the shared controls act on what is shown, for
    where they do not the sidebar is away; ``shown`` names those of them that it shows, None for all; ``tells_of_rows``
    is off where no message may tell of the rows."""

    key: str
    title: str
    own: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    texts: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    needs_data: bool = True
    scene: Callable[[Mapping[str, str]], Mapping[str, str]] = lambda _query: {}
    controls: Callable[[Mapping[str, Any]], bool] = lambda _values: True
    shown: Callable[[Mapping[str, Any]], frozenset[str] | None] = lambda _values: None
    tells_of_rows: bool = True

    @property
    def names(self) -> frozenset[str]:
        """Names of all parameters of the page."""
        return frozenset((*self.own, *self.texts))


def story_follows(values: Mapping[str, Any]) -> bool:
    """Whether Learn shows what follows the shared controls: a step that was answered, or the end of a story."""
    story, number = STORIES.get(str(values.get("story"))), int(values.get("step") or 1)
    if story is None:
        return False
    if number > len(story.steps):
        return True
    return story.steps[number - 1].follows and (story.key, number) in values.get(STORY_ANSWERS, {})


def story_moves(values: Mapping[str, Any]) -> frozenset[str]:
    """Names of the controls that a story moves, in its steps or in what one then tries alone."""
    story = STORIES.get(str(values.get("story")))
    return frozenset() if story is None else story.moved


def story_controls(values: Mapping[str, Any]) -> frozenset[str] | None:
    """Names of the controls that the steps of a story move; None, which is all, where one tries alone."""
    story, number = STORIES.get(str(values.get("story"))), int(values.get("step") or 1)
    return None if story is None or number > len(story.steps) else story.moved


PAGES: Mapping[str, PageEntry] = {
    page.key: page
    for page in (
        PageEntry(
            "explore",
            "Explore",
            {"over": tuple(AXES), "metric": tuple(CURVE_MEASURES), "drag": DRAGGED, "tab": tuple(TABS)},
            scene=lambda _query: {"algorithms": "ssp,dprf"},
        ),
        PageEntry(
            "compare",
            "Compare",
            {
                "side": tuple(SIDES),
                "shown": tuple(SWEEP_MEASURES),
                "along": ("", *ALONG, "algorithm"),
                "facet": ("", NO_FACET, "dataset", "model", "algorithm", "classifier", *ALONG),
                "band": tuple(BANDS),
                "question": tuple(QUESTIONS),
                "reach": TARGETS,
            },
            {"run": (NAME, "the name of a sweep, 12 digits of 0-9 and a-f")},
            needs_data=False,
            controls=lambda values: values.get("side") == "ask",
        ),
        PageEntry(
            "papers",
            "Papers",
            {
                "exhibit": ("", WHICH, *EXHIBITS),
                "kind": tuple(KINDS),
                "share": tuple(SHARES),
                "paper": (EVERY, *PAPER_SLUGS),
                "on": (EVERY, *GALLERY_DATA),
                "verdict": (EVERY, *VERDICT_SLUGS),
            },
            {
                "task": (NAME, "the name of a reproduction, 12 digits of 0-9 and a-f"),
                PANEL: (PICKS, "label:value, several with a semicolon between them"),
            },
            needs_data=False,
            controls=lambda _values: False,
        ),
        PageEntry(
            "data",
            "Data",
            {"rows": tuple(DATA_PARTS)},
            needs_data=False,
            controls=lambda values: values.get("rows") in (None, "current"),
            shown=lambda _values: ROWS_SHOWN,
        ),
        PageEntry(
            "privacy_lab",
            "Privacy lab",
            {"part": tuple(PARTS), "statistic": ("within", *STATISTICS)},
            shown=lambda values: LAB_CONTROLS.get(values.get("part") or next(iter(PARTS))),
        ),
        PageEntry("release", "Release", shown=lambda _values: RELEASED, tells_of_rows=False),
        PageEntry(
            "methods",
            "Methods",
            {"method": ("", *ALGORITHMS), "view": tuple(VIEWS)},
            needs_data=False,
            shown=lambda values: (
                None if values.get("method") else METHODS_SHOWN[values.get("view") or next(iter(VIEWS))]
            ),
        ),
        PageEntry(
            "learn",
            "Learn",
            {"story": ("", *STORIES), "step": tuple(map(str, range(1, MOST_STEPS + 2))), "term": ("", *TERMS)},
            needs_data=False,
            scene=opening,
            controls=story_follows,
            shown=story_controls,
        ),
        PageEntry("saved", "Saved", needs_data=False, controls=lambda _values: False),
    )
}
PAGE_PARAMETERS = frozenset(name for page in PAGES.values() for name in page.names)


def shared_parameters(query: Mapping[str, str]) -> dict[str, str]:
    """Parameters of an address that belong to no page: those of the scenario."""
    return {name: text for name, text in query.items() if name not in PAGE_PARAMETERS}


def document_title(page: str, values: Mapping[str, Any], shown: str = "") -> str:
    """Title of the browser's tab: what the page shows first, so that tabs, bookmarks and history are told apart.

    Parameters
    ----------
    page : str
        Key of the page.
    values : mapping
        Its own parameters, by name.
    shown : str
        The data set and the model, where the page shows one of them.
    """
    opened = {
        "learn": STORIES.get(str(values.get("story"))),
        "papers": EXHIBITS.get(str(values.get("exhibit"))),
        "methods": ALGORITHMS.get(str(values.get("method"))),
    }
    one = opened.get(page)
    own = {"explore": shown, "papers": TITLE if values.get("exhibit") == WHICH else ""}
    name = one.title if one is not None else own.get(page, "")
    return " · ".join(filter(None, (name, PAGES[page].title, LAB)))


def own_parameters(page: str, query: Mapping[str, str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """The page's own parameters in an address, and a message for each that cannot be used."""
    found: dict[str, str] = {}
    problems: list[str] = []
    for name, allowed in PAGES[page].own.items():
        if name in query:
            if query[name] in allowed:
                found[name] = query[name]
            else:
                problems.append(str(UnknownNameError(name, query[name], tuple(filter(None, dict.fromkeys(allowed))))))
    for name, (pattern, allowed) in PAGES[page].texts.items():
        if name in query:
            if re.fullmatch(pattern, query[name]):
                found[name] = query[name]
            else:
                problems.append(str(ParameterError(name, query[name][:60], allowed)))
    return found, tuple(problems)


def address(page: str, values: Mapping[str, Any]) -> dict[str, str]:
    """Parameters of a page that differ from their defaults, for the address."""
    own = (*PAGES[page].own.items(), *((name, ("",)) for name in PAGES[page].texts))
    return {name: values[name] for name, allowed in own if values.get(name) not in (None, allowed[0])}
