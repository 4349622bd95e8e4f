"""Sentences about what a planned sweep would take."""

from dashboard.compute.sweeps.spec import time_text
from dpgep_core.evaluate.forecast import Forecast, Speed
from dpgep_core.wording import number_text

SHORT = 10  # seconds
HOW = (
    "Predicted from the measured growth of every method (docs/growth.md), stretched by half a second of calculation on "
    "this server, which takes {ratio} times as long as the machine of the measurement. One core that is free, FDA (PCA "
    "for methods of PCA alone), one classifier, LDA. Nothing of your rows is read."
)


def forecast_sentence(found: Forecast) -> str:
    """Time and memory, each with its range."""
    time, low, high = map(duration_text, (found.seconds, found.least_seconds, found.most_seconds))
    memory, less, more = map(memory_text, (found.megabytes, found.least_megabytes, found.most_megabytes))
    return f"On one core about **{time}** ({low} to {high}), with **{memory}** of memory ({less} to {more})."


def duration_text(seconds: float) -> str:
    """A time for a person, short ones with a decimal."""
    return f"{number_text(seconds, 2)} s" if seconds < SHORT else time_text(seconds)


def memory_text(megabytes: float) -> str:
    """Memory for a person."""
    return f"{number_text(megabytes, 2)} MB" if megabytes < 1000 else f"{number_text(megabytes / 1000, 2)} GB"


def method_sentence(speed: Speed) -> str:
    """How the prediction is made, and what it rests on."""
    return HOW.format(ratio=number_text(speed.mean, 2))
