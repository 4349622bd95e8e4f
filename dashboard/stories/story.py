"""What a guided story is made of. Frozen: the pages draw it, the tests compute every number it claims."""

from collections.abc import Mapping
from dataclasses import dataclass, field

Query = Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A number that a text says, and how the product computes it.

    Parameters
    ----------
    said : str
        The number as the text writes it; it must be found there.
    value, tolerance : float
        What it is, and how far the computed number may lie from it.
    measure : str
        Key of `dashboard.stories.measures.MEASURES`.
    at : mapping
        Parameters of an address on top of the step's scene.
    of : tuple
        What else the measure needs, such as which component.
    draws : int
        The median of so many noise draws; 1 is the draw of the scene's own seed.
    slow : bool
        Whether computing it is left to the slow tests.
    """

    said: str
    value: float
    measure: str
    at: Query = field(default_factory=dict)
    of: tuple[str | float, ...] = ()
    draws: int = 1
    tolerance: float = 0.02
    slow: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Show:
    """One thing to look at: a panel of the product, with what it should show of the scene."""

    panel: str
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One question and its answer.

    Parameters
    ----------
    question : str
        Asked before anything is shown.
    options : tuple of str
        What one may answer.
    right : int
        Place of the right one, from 0.
    todo : str
        What the button does, in words.
    scene : mapping
        Parameters of an address: the whole scene, so that a step can be opened alone.
    more : tuple of (label, mapping)
        Further scenes to go to, one button each.
    look : tuple of Show
        What to look at.
    see, why : str
        What there is to see, and the reason.
    claims : tuple of Claim
        Every number that the texts take from the product.
    """

    question: str
    options: tuple[str, ...]
    right: int
    todo: str
    scene: Query
    look: tuple[Show, ...]
    see: str
    why: str
    more: tuple[tuple[str, Query], ...] = ()
    claims: tuple[Claim, ...] = ()

    @property
    def text(self) -> str:
        """All that is said, the question included."""
        return f"{self.question} {self.see} {self.why}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """Three minutes: an idea, the wrong idea it removes, steps, and something to try."""

    key: str
    title: str
    idea: str
    removes: str
    steps: tuple[Step, ...]
    attempt: str
    attempt_scene: Query
    attempt_claims: tuple[Claim, ...] = ()
