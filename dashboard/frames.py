"""What a page needs to move by itself while ε is dragged: small frames over the grid of ε, made once per scenario."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dashboard import services, words
from dashboard.scenario import Scenario
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.datasets import Dataset
from dpgep_core.evaluate import Laboratory
from dpgep_core.release import Release, Setting

POINTS = 400  # held-out rows in each live picture: more of them, and dragging would stutter
STEPS = 1000  # of each half axis: points travel as whole numbers


@dataclass(frozen=True, slots=True)
class Frame:
    """One algorithm at one ε: what the live panel shows of it. ``points`` are x, y, x, y, … in steps of the span."""

    epsilon: float
    accuracy: float | None
    angle: float
    cosine: float
    accounted: str
    guess: str
    points: tuple[int, ...]


def frames(
    scenario: Scenario,
    algorithm: str,
    data: Dataset,
    laboratory: Laboratory,
    grid: Sequence[float],
    components: tuple[int, int],
) -> Iterator[Frame]:
    """Frames of one algorithm over the grid, those nearest the current ε first. The seed is the scenario's: its noise
    is drawn once and scaled, so the picture moves smoothly."""
    kept: dict[Setting, Release] = {}

    def remember(setting: Setting, solve: Any) -> Release:
        return kept[setting] if setting in kept else solve()

    for epsilon in sorted(grid, key=lambda e: abs(np.log(e / scenario.epsilon))):
        here = scenario.at(epsilon)
        item = services.answer(here, algorithm, data, laboratory, remember)
        yield frame(item, laboratory, components)


def frame(item: services.Answer, laboratory: Laboratory, components: tuple[int, int]) -> Frame:
    """One answer as a frame."""
    laid = services.layout(item, laboratory, *components, aligned=True)
    scaled = np.clip(np.rint(STEPS * laid.private[:POINTS] / span(laid)), -2 * STEPS, 2 * STEPS).astype(int)
    diagnostic, release = item.diagnostic, item.release
    scores = diagnostic.accuracy.get("lda")
    return Frame(
        epsilon=release.setting.epsilon,
        accuracy=None if scores is None else scores.private.accuracy,
        angle=float(diagnostic.principal_angles.mean()),
        cosine=diagnostic.mean_cosine_similarity,
        accounted=words.accounted_short(release),
        guess=words.guess_short(release),
        points=tuple(int(v) for v in scaled.ravel()),
    )


def span(laid: services.Layout) -> float:
    """Half-width of the square in which all frames of a scenario are drawn: that of the exact picture."""
    return 1.15 * max(float(np.percentile(np.abs(laid.exact), 99.5)), 1e-12)


def exact_points(laid: services.Layout) -> list[int]:
    """The exact picture, in the same steps."""
    return [int(v) for v in np.rint(STEPS * laid.exact[:POINTS] / span(laid)).ravel()]


def track(title: str, colour: str, dash: str, found: Sequence[Frame], grid: Sequence[float]) -> dict[str, Any]:
    """Frames of one algorithm as the component takes them: by position in the grid."""
    place = {epsilon: index for index, epsilon in enumerate(grid)}
    return {
        "title": title,
        "colour": colour,
        "dash": dash,
        "frames": {
            str(place[f.epsilon]): [f.accuracy, f.angle, f.cosine, f.accounted, f.guess, f.points]
            for f in found
            if f.epsilon in place
        },
    }


def moves(algorithms: Sequence[str]) -> list[str]:
    """Those algorithms whose answer depends on ε."""
    return [key for key in algorithms if ALGORITHMS[key].private]
