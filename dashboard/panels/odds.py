"""ε as 1,000 dots and as a trade-off curve: two figures that every place with a μ shows alike."""

import pandas as pd

from dashboard.figures import odds
from dashboard.figures.style import Style
from dashboard.panels.shared import figure
from dashboard.text import words
from dpgep_core.privacy.accountant import best_guess, power
from dpgep_core.wording import number_text

ALARMS = (0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)


def odds_panel(mu: float, look: Style, key: str, settings: str) -> None:
    """Both, for a finite μ above zero; ``settings`` ends the captions of the files."""
    right = round(odds.DOTS * best_guess(mu))
    least = odds.DOTS // 2
    figure(
        lambda style: odds.dots(mu, style), look, key=f"dots_{key}", title="1,000 guesses",
        alt=f"1,000 dots, {right} filled", caption=f"{words.DOTS} μ = {number_text(mu)}. {settings}", brief=True,
        rows=pd.DataFrame({"guesses of 1,000": ["right by luck", "the most that seeing the result can add", "wrong"],
                           "number": [least, right - least, odds.DOTS - right]}),
    )  # fmt: skip
    figure(
        lambda style: odds.trade_off(mu, style), look, key=f"trade_{key}", title="The most that any test can do",
        alt="Most hits at each share of false alarms",
        caption=f"Hits against false alarms at μ = {number_text(mu)}. {settings}",
        brief=True, rows=pd.DataFrame({"false alarms": ALARMS, "most hits": [power(mu, alarm) for alarm in ALARMS]}),
    )  # fmt: skip
