"""What the parts of the Privacy lab share."""

from dataclasses import dataclass

import streamlit as st

from dashboard.figures.style import Style
from dashboard.panels import odds
from dashboard.scenario import Scenario
from dashboard.text import words
from dashboard.text.glossary import linked
from dpgep_core.datasets import Dataset
from dpgep_core.learnt import learnt_facts, learnt_sentence
from dpgep_core.privacy import Claim
from dpgep_core.privacy.ledger import Grant
from dpgep_core.release import VERSION
from dpgep_core.wording import number_text


@dataclass(frozen=True, eq=False)
class Bench:
    """Everything a part of the lab draws from. ``n`` is the public number of rows of the scenario."""

    scenario: Scenario
    data: Dataset
    n: int
    grant: Grant
    style: Style

    @property
    def learnt(self) -> tuple[str, ...]:
        """What was read off the rows, whatever the private method."""
        return learnt_facts(self.data, self.scenario.setting("ssp"))


def labels(*texts: str) -> None:
    """The labels that no figure may lack: what it reads, and that its seed is known."""
    st.markdown(" ".join(f":gray-badge[{text}]" for text in texts))


def described(bench: Bench, *labels: str) -> str:
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
    if not 0 < mu < float("inf"):
        return
    st.markdown(linked(words.odds_sentence(mu, accounted.epsilon or 0.0)))
    odds.odds_panel(mu, style, key, settings)
    st.caption(words.DOTS)
