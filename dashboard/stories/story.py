"""Parts of a guided story. The tests compute every number that its texts say."""

from collections.abc import Mapping
from dataclasses import dataclass

Query = Mapping[str, str]
ONE_STEP = {"steps": "1", "xi": "0.01"}  # of `ssp`: the numbers that the stories say are those of one release


@dataclass(frozen=True, slots=True, kw_only=True)
class Show:
    """One panel that a step shows, with its options."""

    panel: str
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Before(Show):
    """The picture that a question is about, without its answer. ``scene`` is the step's own where it is not given.

    ``by_hand`` are limits of the curve's axis: on a picture that has them, the visitor draws the curve to come.
    """

    scene: Query | None = None
    by_hand: tuple[float, float] | None = None


FIXED = ("counterexample",)  # panels of rows that are made up, whatever the sidebar says


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One question and its answer.

    Parameters
    ----------
    before : Before
        The picture beside the question until it is answered. It does not give the answer away.
    question : str
        Asked before the answer is shown.
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
    """

    before: Before
    question: str
    options: tuple[str, ...]
    right: int
    todo: str
    scene: Query
    look: tuple[Show, ...]
    see: str
    why: str
    more: tuple[tuple[str, Query], ...] = ()

    @property
    def follows(self) -> bool:
        """Whether something that it shows follows the sidebar."""
        return any(shown.panel not in FIXED for shown in self.look)

    @property
    def text(self) -> str:
        """All sentences of the step, the question included."""
        return f"{self.question} {self.see} {self.why}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """Three minutes: an idea, what one can do afterwards, the wrong idea it removes, steps, and something to try."""

    key: str
    title: str
    idea: str
    afterwards: str
    removes: str
    steps: tuple[Step, ...]
    attempt: str
    attempt_scene: Query

    @property
    def moved(self) -> frozenset[str]:
        """Names of the controls that its steps move, and of ε: those in which their scenes differ."""
        scenes = [scene for step in self.steps for scene in (step.scene, *(other for _, other in step.more))]
        names = {name for scene in scenes for name in scene}
        alone = {"only_exact" for step in self.steps for look in step.look if look.panel == "exact curve"}
        return frozenset(
            {"epsilon", *alone, *(name for name in names if len({scene.get(name) for scene in scenes}) > 1)}
        )
