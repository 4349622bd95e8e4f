"""Claimed against accounted on one axis of ε: the answers of a scene, and all methods from their noise plans."""

from collections.abc import Mapping
from functools import partial

from dashboard.compute.noise_plans import stated_noise
from dashboard.compute.titles import title_of
from dashboard.export import FigureSpec
from dashboard.figures.style import Style
from dashboard.figures.verdicts import EpsilonBar, epsilon_bars, epsilon_table
from dashboard.panels.shared import Scene, figure_of
from dashboard.scenario import Scenario
from dashboard.text import words
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.datasets import Dataset
from dpgep_core.method import MethodEntry, Verdict
from dpgep_core.verdict import Judgement, judge
from dpgep_core.wording import number_text

TITLE = "Claimed and accounted ε"
ORDER = (Verdict.HOLDS, Verdict.HOLDS_OTHERWISE, Verdict.FALSE, Verdict.UNKNOWN, Verdict.NONE)


def scene_bars(scene: Scene) -> FigureSpec:
    """The answers of a scene, judged from their own ledgers."""
    bars = [_judged(item.title, judge(item.release)) for item in scene.answers]
    return figure_of(
        scene, partial(epsilon_bars, bars), key="epsilon_bars", title=TITLE, alt=_alt(bars),
        caption="", rows=epsilon_table(bars),
    )  # fmt: skip


def verdict_bars(judged: Mapping[str, Judgement], scenario: Scenario, look: Style, said: str) -> FigureSpec:
    """Runs of several methods, by title, those whose claim holds first; what is ``said`` of them ends the caption."""
    ordered = sorted(judged.items(), key=lambda one: ORDER.index(one[1].verdict))
    return _figure("verdict_bars", [_judged(title, found) for title, found in ordered], scenario, look, said)


def _judged(title: str, found: Judgement) -> EpsilonBar:
    return EpsilonBar(title, found.asked, found.accounted, found.verdict, found.needed)


def method_bars(scenario: Scenario, data: Dataset, look: Style) -> FigureSpec:
    """All methods at a scenario, from their noise plans: nothing is read and no noise drawn."""
    entries = sorted(ALGORITHMS.values(), key=lambda entry: ORDER.index(entry.guarantee.verdict))
    bars = [bar for entry in entries if (bar := _bar_of(entry, scenario, data)) is not None]
    said = (
        f"{title_of('dataset', scenario.dataset)}, ε = {number_text(scenario.epsilon, 6)}. The verdict is of the "
        f"published claim. {words.FORMULA.capitalize()}."
    )
    return _figure("epsilon_bars", bars, scenario, look, said)


def _figure(key: str, bars: list[EpsilonBar], scenario: Scenario, look: Style, said: str) -> FigureSpec:
    return FigureSpec(
        key=key, title=TITLE, alt=_alt(bars), caption=said, draw=partial(epsilon_bars, bars), style=look,
        rows=epsilon_table(bars), stem=scenario.stem,
    )  # fmt: skip


def _bar_of(entry: MethodEntry, scenario: Scenario, data: Dataset) -> EpsilonBar | None:
    """Bar of a private method; None where it states no plan, or cannot be used at the scenario."""
    stated = stated_noise(scenario, entry.key, data)
    if not entry.private or stated.accounted is None:
        return None
    return EpsilonBar(entry.title, scenario.epsilon, stated.accounted.epsilon, entry.guarantee.verdict)


def _alt(bars: list[EpsilonBar]) -> str:
    told = (
        f"{bar.title} {number_text(bar.claimed)} → "
        f"{'no bound' if bar.accounted is None else number_text(bar.accounted)}"
        for bar in bars
        if bar.claimed is not None
    )
    return f"Claimed ε → accounted ε: {'; '.join(told) or 'no claim'}"
