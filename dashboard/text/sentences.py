"""Sentences about the answers to what-if questions, and about what a planned sweep would take."""

import math
from collections.abc import Mapping

from dpgep_core.evaluate.forecast import Forecast, Speed
from dpgep_core.evaluate.threshold import EPSILON_RANGE, LOG_TOLERANCE, Threshold
from dpgep_core.experiments.answers import BestRidge
from dpgep_core.privacy.ledger import Grant
from dpgep_core.privacy.privacy_loss import mu_text
from dpgep_core.wording import number_text, plural, time_text

READS_ROWS = (
    "An answer reads the private rows, and no ε covers choosing by it: it is for planning, on data that you may see."
)
REACHES: Mapping[str, str] = {
    "accuracy": "Accuracy of LDA on held-out rows",
    "subspace": "Mean cosine of the principal angles",
    "cosine": "Mean |cosine| to exact components",
}


def answer_sentence(found: Threshold | BestRidge, question: str, measure: str, n: int, delta: float) -> str:
    """An answer with its interval, as markdown; n rows, and the δ at which an ε is to be read."""
    what = REACHES[measure].lower().replace("lda", "LDA")
    if isinstance(found, BestRidge):
        return (
            f"**ξ = {number_text(found.value)}** has the best median ({found.median:.3f}, {what}, "
            f"{plural(found.draws, 'noise draw')}); from **{number_text(found.low)} to {number_text(found.high)}** the "
            "draws do not tell it apart from the best. Each draw is one release: ξ comes after it and costs nothing."
        )
    if found.value is None:
        return (
            f"{number_text(found.target, 6)} is **not reached** in the range searched: the median is "
            f"{found.reached:.3f} at its end, and {found.ceiling:.3f} without privacy ({what})."
        )
    return (
        f"**{_place(found.value, question, n, delta)}** reaches {number_text(found.target, 6)}: the median of "
        f"{found.draws} noise draws is {found.reached:.3f} there, {found.ceiling:.3f} without privacy ({what}). "
        f"{_between(found, question)}{HELD if question == 'n' else ''}"
    )


def keeps_sentence(title: str, found: Threshold, percent: int) -> str:
    """From which ε on a method keeps a share of the non-private accuracy, as markdown."""
    draws = plural(found.draws, "noise draw")
    if found.value is None:
        return f"{title}: does not keep {percent} % by ε = {number_text(EPSILON_RANGE[1], 6)} (median of {draws})."
    if math.log(found.value / EPSILON_RANGE[0]) <= LOG_TOLERANCE:
        return f"{title}: keeps {percent} % already at ε = {number_text(EPSILON_RANGE[0], 2)} (median of {draws})."
    return (
        f"{title}: keeps {percent} % from ε = **{number_text(found.value)}** on (median of {draws}). "
        f"{_between(found, '')}"
    )


HELD = " μ is held fixed, and the averages of these rows are kept: what more rows would teach is not counted."


def _place(value: float, question: str, n: int, delta: float) -> str:
    if question == "n":
        return f"{number_text(value)} × the rows, {round(value * n):,} of them,"
    return f"ε = {number_text(value)} ({mu_text(Grant(epsilon=value, delta=delta).mu)} at δ = {number_text(delta, 2)})"


def _between(found: Threshold, question: str) -> str:
    unit = " ×" if question == "n" else ""
    low = "below the range" if found.low is None else f"{number_text(found.low)}{unit}"
    high = "above the range" if found.high is None else f"{number_text(found.high)}{unit}"
    return f"The luckiest tenth of the draws reaches it at **{low}**, all but the unluckiest tenth at **{high}**."


SHORT = 10  # seconds
FORECAST_HOW = (
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
    return FORECAST_HOW.format(ratio=number_text(speed.mean, 2))
