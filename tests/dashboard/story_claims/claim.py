"""A number that a story says, and how the tests compute it."""

from dataclasses import dataclass, field

from dashboard.stories import Query


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
        Key of `story_claims.measures.MEASURES`.
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
