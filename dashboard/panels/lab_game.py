"""Guessing game of the Privacy lab: ten outputs, two data sets, and a score beside the best attacker's."""

import math
from functools import partial

import pandas as pd
import streamlit as st

from dashboard.compute.guessing import (
    ROUNDS,
    GuessRound,
    SumPair,
    best_choices,
    best_law,
    count_right,
    draw_rounds,
    score_law,
    sum_pair,
)
from dashboard.export import FigureSpec
from dashboard.figures import guessing as figures
from dashboard.panels.lab import Bench, settings_line
from dashboard.panels.shared import labels, show_figure
from dashboard.text import words
from dashboard.text.glossary import linked
from dpgep_core.privacy import Claim
from dpgep_core.privacy.accountant import best_guess
from dpgep_core.wording import number_text

GAME, CHOICES = "lab_game", "lab_game_choices"


def game_panel(bench: Bench) -> None:
    """One output at a time with two buttons; after ten rounds the score and what ε allows."""
    st.subheader("Guess: which data set was used?")
    labels(words.MADE_UP, words.SEED_KNOWN)
    mu, relation = bench.grant.mu, bench.scenario.relation
    if not 0 < mu < math.inf:
        st.info(f"The game needs a finite μ above zero; at this ε and δ it is {number_text(mu)}.")
        return
    pair, game = sum_pair(relation), int(st.session_state.get(GAME, 0))
    rounds = draw_rounds(mu, pair, bench.scenario.seed, game)
    setting = (mu, relation, bench.scenario.seed, game)  # choices made at another setting belong to other outputs
    kept, choices = st.session_state.get(CHOICES, (setting, ()))
    choices = choices if kept == setting else ()
    if len(choices) < ROUNDS:
        _ask(bench, setting, pair, rounds, choices)
    else:
        _result(bench, game, pair, rounds, choices)
    _explanation(bench, pair)


def _ask(
    bench: Bench, setting: tuple[object, ...], pair: SumPair, rounds: tuple[GuessRound, ...], choices: tuple[bool, ...]
) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**Round {len(choices) + 1} of {ROUNDS}**", width="content")
        for text, second in (("It was D", False), ("It was D′", True)):
            st.button(
                text, key=f"lab_guess_{'second' if second else 'first'}", type="primary",
                on_click=st.session_state.__setitem__, args=(CHOICES, (setting, (*choices, second))),
            )  # fmt: skip
    show_figure(output_figure(bench, pair, rounds[len(choices)], len(choices) + 1), brief=True)
    if choices:
        last = rounds[len(choices) - 1]
        right = choices[-1] == last.from_second
        st.markdown(
            f"{'Right' if right else 'Wrong'}: the last one was {'D′' if last.from_second else 'D'}. "
            f"{count_right(choices, rounds)} right so far."
        )
    else:
        st.markdown("A fair coin chose one of two data sets, one row apart; its noisy sum left. Which one was it?")


def _result(bench: Bench, game: int, pair: SumPair, rounds: tuple[GuessRound, ...], choices: tuple[bool, ...]) -> None:
    yours, attackers = count_right(choices, rounds), count_right(best_choices(rounds, pair), rounds)
    show_figure(score_figure(bench, yours, attackers), brief=True)
    mu, epsilon = bench.grant.mu, bench.grant.epsilon
    allowed = words.right_of_thousand(mu, Claim(epsilon, bench.grant.delta))
    st.markdown(
        f"You: **{yours} of {ROUNDS}**. The best attacker, on the same outputs: **{attackers}**. "
        f"ε = {number_text(epsilon)} allows at most **{allowed} of 1,000** in the long run; blind guessing gets 500."
    )
    spread = math.sqrt(ROUNDS * best_guess(mu) * (1 - best_guess(mu)))
    st.caption(f"Ten rounds are few: by luck alone a score moves by about ± {number_text(spread, 2)}.")
    st.button("Play again", key="lab_game_again", on_click=st.session_state.__setitem__, args=(GAME, game + 1))


def _explanation(bench: Bench, pair: SumPair) -> None:
    change = (
        "its last row is 1 where it is −1 in D"
        if bench.scenario.relation == "replace_one"
        else "it has one row more, 1, than D"
    )
    with st.expander("How this is computed"):
        st.markdown(
            linked(
                f"A row is one number from −1 to 1. D sums to {number_text(pair.first)}, D′ to "
                f"{number_text(pair.second)}: {change}. No two neighbours are further apart. Gaussian noise of "
                f"σ = Δ/μ = {number_text(pair.sensitivity / bench.grant.mu)} is added, for "
                f"μ = {number_text(bench.grant.mu)}, which is what ε and δ of this page allow."
            )
        )
        st.markdown(
            "The best attacker knows all rows and picks the nearer sum; it is right with probability Φ(μ/2), and no "
            "rule is right more often. A higher score is luck. Any release with this μ is at least as hard to attack."
        )


def output_figure(bench: Bench, pair: SumPair, one: GuessRound, number: int) -> FigureSpec:
    """Output of round ``number`` over the two laws that it may come from."""
    alt = (
        f"Round {number}: the output is {number_text(one.output)}; D sums to {number_text(pair.first)}, "
        f"D′ to {number_text(pair.second)}"
    )
    return FigureSpec(
        key="game_output", title="One output, two data sets", alt=alt,
        caption=f"{alt}. {settings_line(bench, words.MADE_UP, words.SEED_KNOWN)}",
        draw=partial(figures.one_output, pair, bench.grant.mu, one.output), style=bench.style,
    )  # fmt: skip


def score_figure(bench: Bench, yours: int, attackers: int) -> FigureSpec:
    """Scores of one game over the laws of the best attacker's and of blind guessing."""
    mu = bench.grant.mu
    alt = f"{yours} of {ROUNDS} right; the best attacker {attackers}"
    return FigureSpec(
        key="game_score", title="Your guesses beside the best attacker's", alt=alt,
        caption=f"{alt}; μ = {number_text(mu)}. {settings_line(bench, words.MADE_UP, words.SEED_KNOWN)}",
        draw=partial(figures.ten_guesses, mu, yours, attackers), style=bench.style,
        rows=pd.DataFrame(
            {"right guesses": range(ROUNDS + 1), "best attacker": best_law(mu), "blind guessing": score_law(0.5)}
        ),
    )  # fmt: skip
