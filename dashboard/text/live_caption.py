"""The caption of the live panel as a figure: each sentence is true on the page and in a file, which nobody can drag."""

from collections.abc import Sequence

from dashboard.compute.axes import Axis
from dashboard.compute.results import STEPS_TEXTS

PICTURES = (
    "All pictures are of the setting that ends this text. Private pictures are turned, mirrored and scaled to fit the "
    "exact one, which flatters noise."
)


def dot_sentence(drawn: str) -> str:
    """Say what a dot in a picture of rows is; ``drawn`` names the rows."""
    return f"A dot is a {drawn} row."


def live_caption(axis: Axis, stands: Sequence[tuple[str, int]]) -> str:
    """How far curves and pictures may be trusted.

    ``stands`` names methods whose dot and picture are of more steps than their curve, which is of one.
    """
    told = [
        f"The curve of {title} is of {STEPS_TEXTS[1]}; its large dot and its picture are of {STEPS_TEXTS[steps]}."
        for title, steps in stands
    ]
    return " ".join([_curves(axis), PICTURES, *told])


def _curves(axis: Axis) -> str:
    if axis.own:
        return "All noise has one seed; another seed draws other curves and pictures."
    return (
        f"{axis.knob.label} costs no privacy where a method answers once: its whole curve comes from one release. "
        "Other methods are solved anew at each point, all with one seed. Exact answers are solved anew, too."
    )


def progress_sentence(ready: int, places: int) -> str:
    """How many points of the curves are there already."""
    return f"The curves have {ready} of {places} points so far."
