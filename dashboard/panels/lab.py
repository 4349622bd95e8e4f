"""Parts of the Privacy lab that its panels share: what they draw from, what they say of it, and what a μ is worth."""

from dataclasses import dataclass
from functools import partial

import pandas as pd
import streamlit as st

from dashboard.export import FigureSpec
from dashboard.figures import noise
from dashboard.figures.style import Style
from dashboard.panels.shared import Scene, show_figures
from dashboard.scenario import Scenario
from dashboard.text import words
from dashboard.text.glossary import linked
from dpgep_core.datasets import Dataset
from dpgep_core.learnt import learnt_facts, learnt_sentence
from dpgep_core.privacy import Claim
from dpgep_core.privacy.accountant import best_guess, largest_hit_share
from dpgep_core.privacy.ledger import Grant
from dpgep_core.release import VERSION
from dpgep_core.solve import plan
from dpgep_core.wording import number_text

ALARMS = (0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)


@dataclass(frozen=True, eq=False)
class Bench:
    """Everything a part of the lab draws from. ``n`` is the public number of rows of the scenario."""

    scenario: Scenario
    data: Dataset
    n: int
    grant: Grant
    style: Style

    @classmethod
    def of(cls, scenario: Scenario, data: Dataset, look: Style) -> "Bench":
        """Bench of a scenario, with the grant that each of its methods has."""
        bound = plan(data, scenario.setting("exact"))
        return cls(scenario, data, bound.public.n, bound.grant, look)

    @classmethod
    def under(cls, scene: Scene) -> "Bench":
        """Bench of the scenario of a scene."""
        return cls.of(scene.scenario, scene.data, scene.style)

    @property
    def learnt(self) -> tuple[str, ...]:
        """Facts that were read off the rows, whatever the private method."""
        return learnt_facts(self.data, self.scenario.setting("ssp"))


def settings_line(bench: Bench, *labels: str) -> str:
    """The settings of a figure of the lab and what it reads, in one plain line."""
    scenario = bench.scenario
    read, learnt = "; ".join(labels).capitalize(), learnt_sentence(bench.learnt)
    return (
        f"{scenario.model}, ε={number_text(bench.grant.epsilon, 6)}, δ={number_text(bench.grant.delta)}, "
        f"{scenario.relation.replace('_', '-')}, seed {scenario.seed}. DP-GEP Lab {VERSION}. {read}."
        f"{learnt and ' ' + learnt}"
    )


def meaning(mu: float, accounted: Claim, style: Style, key: str, settings: str) -> None:
    """ε in plain words: the sentence from μ, the odds, 1,000 dots and the trade-off curve."""
    st.markdown(linked(words.guess_sentence(mu, accounted)))
    if 0 < mu < float("inf"):
        st.markdown(linked(words.odds_sentence(mu, accounted.epsilon or 0.0)))
    odds_panel(mu, style, key, settings)


def odds_panel(mu: float, look: Style, key: str, settings: str) -> None:
    """ε as 1,000 dots and as a trade-off curve, where μ is finite; ``settings`` ends the captions of files."""
    if specs := odds_figures(mu, look, key, settings):
        show_figures(specs, brief=True)
        st.caption(words.DOTS)


def odds_figures(mu: float, look: Style, key: str, settings: str) -> list[FigureSpec]:
    """ε as 1,000 dots and as a trade-off curve; none where μ is not a finite number above zero."""
    if not 0 < mu < float("inf"):
        return []
    right, least = round(noise.DOTS * best_guess(mu)), noise.DOTS // 2
    guesses = ["right by luck", "the most that seeing the result can add", "wrong"]
    dots = pd.DataFrame({"guesses of 1,000": guesses, "number": [least, right - least, noise.DOTS - right]})
    hits = pd.DataFrame({"false alarms": ALARMS, "most hits": [largest_hit_share(mu, alarm) for alarm in ALARMS]})
    return [
        FigureSpec(
            f"dots_{key}", "1,000 guesses", f"1,000 dots, {right} filled",
            f"{words.DOTS} μ = {number_text(mu)}. {settings}", partial(noise.dots, mu), look, dots,
        ),
        FigureSpec(
            f"trade_{key}", "The most that any test can do", "Most hits at each share of false alarms",
            f"Hits against false alarms at μ = {number_text(mu)}. {settings}", partial(noise.trade_off, mu), look, hits,
        ),
    ]  # fmt: skip
