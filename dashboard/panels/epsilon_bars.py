"""Claimed against accounted on one axis of ε: the answers of a scene, and all methods from their noise plans."""

from collections.abc import Mapping, Sequence
from functools import partial

from dashboard.compute.noise_plans import model_for, planned_verdict
from dashboard.compute.titles import title_of
from dashboard.export import FigureSpec
from dashboard.figures.style import Style
from dashboard.figures.verdicts import EpsilonBar, epsilon_bars, epsilon_table
from dashboard.panels.shared import Scene, figure_of
from dashboard.scenario import Scenario, as_text
from dashboard.text import words
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.datasets import Dataset
from dpgep_core.method import Verdict
from dpgep_core.models import MODELS
from dpgep_core.verdict import Judgement, judge
from dpgep_core.wording import number_text

TITLE = "Claimed and accounted ε"
AT_SETTING = (
    "Each verdict is that of a run at this setting, as Explore and dpgep solve tell it; what is known of the published "
    "claim in general stands in the table of all methods."
)
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
    return _figure("verdict_bars", _ordered(judged), scenario, look, said)


def _ordered(judged: Mapping[str, Judgement]) -> list[EpsilonBar]:
    ordered = sorted(judged.items(), key=lambda one: ORDER.index(one[1].verdict))
    return [_judged(title, found) for title, found in ordered]


def _judged(title: str, found: Judgement) -> EpsilonBar:
    return EpsilonBar(title, found.asked, found.accounted, found.verdict, found.needed, found.by_authors)


def method_bars(scenario: Scenario, data: Dataset, look: Style) -> FigureSpec:
    """All private methods, judged at a scenario from their noise plans: nothing is read and no noise drawn."""
    found = {entry.key: planned_verdict(scenario, entry.key, data) for entry in ALGORITHMS.values() if entry.private}
    judged = {ALGORITHMS[key].title: one for key, one in found.items() if one is not None}
    told = [key for key, one in found.items() if one is not None]
    said = (
        f"{title_of('dataset', scenario.dataset)}, {MODELS[scenario.model].title}, ε = "
        f"{number_text(scenario.epsilon, 6)}{_changed(scenario)}. {AT_SETTING} {_on_another_model(scenario, told)}"
        f"{words.FORMULA.capitalize()}."
    )
    return _figure("epsilon_bars", _ordered(judged), scenario, look, said)


def _changed(scenario: Scenario) -> str:
    """Parameters that the scenario sets for every method that has them."""
    return "".join(f", {name}={as_text(value)}" for name, value in scenario.params)


def _on_another_model(scenario: Scenario, keys: Sequence[str]) -> str:
    """Sentences about methods that do not solve the model of the scenario; nothing where all of them do."""
    titles: dict[str, list[str]] = {}
    for key in keys:
        titles.setdefault(model_for(scenario, key), []).append(ALGORITHMS[key].title)
    return "".join(
        f"Methods that are judged on {MODELS[model].title} instead: {', '.join(some)}. "
        for model, some in titles.items()
        if model != scenario.model
    )


def _figure(key: str, bars: list[EpsilonBar], scenario: Scenario, look: Style, said: str) -> FigureSpec:
    return FigureSpec(
        key=key, title=TITLE, alt=_alt(bars), caption=said, draw=partial(epsilon_bars, bars), style=look,
        rows=epsilon_table(bars), stem=scenario.stem,
    )  # fmt: skip


def _alt(bars: list[EpsilonBar]) -> str:
    told = (
        f"{bar.title} {number_text(bar.asked)} → {'no bound' if bar.accounted is None else number_text(bar.accounted)}"
        for bar in bars
        if bar.asked is not None
    )
    return f"Asked ε → accounted ε: {'; '.join(told) or 'nothing is asked'}"
