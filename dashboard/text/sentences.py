"""Sentences about sweeps, about the answers to what-if questions, and about what a planned sweep would take."""

import math
from collections.abc import Mapping, Sequence

import pandas as pd

from dashboard.compute.titles import title_of
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.evaluate.diagnostic import ACCURACY_LABELS
from dpgep_core.evaluate.forecast import Forecast, Speed
from dpgep_core.evaluate.threshold import EPSILON_RANGE, LOG_TOLERANCE, Threshold
from dpgep_core.experiments.answers import BestRidge
from dpgep_core.experiments.grid import Sweep
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


SECRET = "ε is what it would be if the noise were secret."
OTHER_MU = (
    "Where n differs, so does the usual δ, and one ε stands for another μ: compare at equal μ, which is a measure here."
)
CLEARLY_LESS = 0.95  # of the ε that is asked for
ORACLE = "An oracle start begins at the answer: no private run can."


def notes(table: pd.DataFrame, sweep: Sweep) -> list[str]:
    """Facts about the settings of a sweep that a reader of its curves must know, one sentence each."""
    found = [SECRET]
    axes = dict(sweep.axes)
    if (len(sweep.datasets) > 1 or "n" in axes) and "delta" not in axes:
        found.append(OTHER_MU)
    if "oracle" in axes.get("start", ()):
        found.append(ORACLE)
    found += _spend_less(table)
    if any(str(name).endswith("_accuracy") for name in table):
        found.append(f"Of an accuracy, {ACCURACY_LABELS['private']}.")
    learnt = _distinct(table, "learnt")
    found += learnt
    others = [" ".join(_without(said, learnt).split()) for said in _distinct(table, "warnings")]
    found += [said for said in dict.fromkeys(others) if said]
    if "unprotected" in table:
        bare = table[table["unprotected"].astype(bool)].drop_duplicates(["algorithm", "unprotected"])
        found += [
            f"{method}: no guarantee, {what} left without noise."
            for method, what in zip(bare["algorithm"], bare["unprotected"], strict=True)
            if ALGORITHMS[method].private
        ]
    if "unbounded" in table:
        lost = table[table["unbounded"].fillna("").astype(bool)].drop_duplicates(["algorithm", "unbounded"])
        found += [f"{method}: {why}." for method, why in zip(lost["algorithm"], lost["unbounded"], strict=True)]
    return found


def _spend_less(table: pd.DataFrame) -> list[str]:
    """Methods whose rule spends clearly less than the ε that is asked: at one ε on an axis they are not at one ε."""
    if not {"algorithm", "epsilon", "accounted_epsilon"} <= set(table):
        return []
    asked, spent = (pd.to_numeric(table[name], errors="coerce") for name in ("epsilon", "accounted_epsilon"))
    least = (spent / asked).groupby(table["algorithm"], sort=False).min()
    said = [f"{title_of('algorithm', str(key))} down to {100 * share:.0f} % of it" for key, share in least.items()
            if share < CLEARLY_LESS]  # fmt: skip
    return [f"Some methods spend less than the ε that is asked for: {', '.join(said)}."] if said else []


def _without(text: str, sentences: Sequence[str]) -> str:
    for sentence in sentences:
        text = text.replace(sentence, "")
    return text


def _distinct(table: pd.DataFrame, column: str) -> list[str]:
    return [text for text in table[column].dropna().unique() if text] if column in table else []


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
