"""Game of ten guesses: outputs of one of two neighbouring data sets of made-up rows, and scores beside the best."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpgep_core.privacy.accountant import best_guess
from dpgep_core.privacy.randomness import stream
from dpgep_core.typed_scipy import binomial

ROUNDS = 10
SHARED_ROWS = (0.6, -0.3, 0.9, -0.8, 0.2, 0.5, -0.1, 0.4, -0.6)  # made up; a row is one number from -1 to 1


@dataclass(frozen=True, slots=True)
class SumPair:
    """Exact sums of two neighbouring data sets, ``first`` of D and ``second`` of D′, as far apart as can be."""

    first: float
    second: float

    @property
    def sensitivity(self) -> float:
        """Distance of the two sums: the most that one row can change, so no pair is easier to tell apart."""
        return self.second - self.first

    @property
    def middle(self) -> float:
        """Place halfway between the two sums."""
        return (self.first + self.second) / 2


@dataclass(frozen=True, slots=True)
class GuessRound:
    """One round: the noisy sum that left, and whether a fair coin chose D′ (``from_second``) or D."""

    output: float
    from_second: bool


def sum_pair(relation: str) -> SumPair:
    """Worst pair under a neighbouring relation: the last row goes from -1 to 1, or a row 1 is added."""
    shared = sum(SHARED_ROWS)
    return SumPair(shared - 1 if relation == "replace_one" else shared, shared + 1)


def draw_rounds(mu: float, pair: SumPair, seed: int, game: int, count: int = ROUNDS) -> tuple[GuessRound, ...]:
    """Draw coins and noisy sums of one game.

    The noise is Gaussian with standard deviation Δ/μ, which is exactly μ-GDP for one sum of sensitivity Δ. Outputs
    minus the middle, times μ/Δ, are N(-μ/2, 1) under D and N(μ/2, 1) under D′ (Dong et al. 2022, Theorem 2.7).

    The accounted ``mu`` is finite and above zero. ``seed`` and ``game``, at least 0, fix the draws. Each μ has draws of
    its own, so a game tells nothing about another.
    """
    rng = stream(seed, "noise", f"guessing game {game} at {mu!r}")
    chosen = rng.integers(0, 2, size=count) == 1
    outputs = np.where(chosen, pair.second, pair.first) + rng.normal(0.0, pair.sensitivity / mu, size=count)
    return tuple(
        GuessRound(float(output), bool(second))
        for output, second in zip(outputs.tolist(), chosen.tolist(), strict=True)
    )


def best_choices(rounds: Sequence[GuessRound], pair: SumPair) -> tuple[bool, ...]:
    """Choices of the best attacker: D′ where the output is nearer to its sum. No rule is right more often."""
    return tuple(one.output > pair.middle for one in rounds)


def count_right(choices: Sequence[bool], rounds: Sequence[GuessRound]) -> int:
    """Number of right ``choices`` (true for D′) among the rounds that were played so far."""
    return sum(choice == one.from_second for choice, one in zip(choices, rounds, strict=False))


def score_law(share: float, count: int = ROUNDS) -> tuple[float, ...]:
    """Probabilities of 0 to ``count`` right guesses, each right with probability ``share``."""
    return tuple(float(p) for p in binomial().pmf(np.arange(count + 1), count, share))


def best_law(mu: float) -> tuple[float, ...]:
    """Probabilities of the best attacker's scores at μ: binomial with Φ(μ/2)."""
    return score_law(best_guess(mu))
