"""The picture on the card of each story: what its questions are about, without an answer."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial

import numpy as np

from dashboard.compute.evidence import rule_rows
from dashboard.compute.noise_plans import stated_noise
from dashboard.compute.publishing import second_budget
from dashboard.compute.results import by_iteration, layout
from dashboard.figures.components import picture
from dashboard.figures.story_pictures import arrows_svg, bars_svg, dots_svg, line_svg, shares_svg, tiles_svg
from dashboard.figures.style import Style
from dashboard.panels.lab import Bench
from dashboard.panels.shared import Scene, scene_at
from dashboard.scenario import Scenario, from_query
from dashboard.stories import STORIES
from dpgep_core.datasets import load_dataset

QUICK = "digits"  # in place of MNIST: a card is there at once
CROWD = 36  # rows as images
COLUMNS = 60  # of a direction, as bars


@cache
def story_picture(key: str) -> tuple[str, str]:
    """(SVG, alt text) of a story's card. Drawn once for the whole server."""
    alt, draw = PICTURES[key]
    return draw(_quick(from_query(STORIES[key].steps[0].scene)[0])), alt


def _quick(scenario: Scenario) -> Scenario:
    return replace(scenario, dataset=QUICK) if scenario.dataset == "mnist" else scenario


def _scene(scenario: Scenario) -> Scene:
    return scene_at(scenario, load_dataset(scenario.dataset), Style())


def _components(scenario: Scenario) -> str:
    scene = _scene(scenario)
    shape = scene.data.image_shape or (1, scene.data.d)
    return tiles_svg([picture(column, shape) for column in scene.answers[0].diagnostic.reference.T[:3]], 3)


def _rows(count: int, scenario: Scenario) -> str:
    data = load_dataset(scenario.dataset)
    shape = data.image_shape or (1, data.d)
    return tiles_svg([picture(row, shape) for row in data.X[:count]], min(count, 12))


def _iterations(scenario: Scenario) -> str:
    return line_svg(by_iteration(_scene(scenario).answers[0]).tolist())


def _projection(scenario: Scenario) -> str:
    scene = _scene(scenario)
    found = layout(scene.answers[0], scene.reference, 0, 1, aligned=False)
    return dots_svg(found.exact, found.labels)


def _direction(scenario: Scenario) -> str:
    column = np.abs(_scene(scenario).answers[0].diagnostic.reference[:, 0])
    return bars_svg(np.sort(column)[::-1][:COLUMNS].tolist())


def _answers(scenario: Scenario) -> str:
    stated = stated_noise(scenario, scenario.algorithms[0], load_dataset(scenario.dataset))
    return arrows_svg([answer.protected for answer in stated.answers or ()])


def _rules(scenario: Scenario) -> str:
    bench = Bench.of(scenario, load_dataset(scenario.dataset), Style())
    return bars_svg([row.sigma for row in rule_rows(bench.grant, 1)])


def _budget(scenario: Scenario) -> str:
    second = from_query(STORIES["leave"].steps[1].scene)[0]
    budget, _ = second_budget(second, load_dataset(scenario.dataset))
    return shares_svg([float(charge.asked.epsilon / budget.limit.epsilon) for charge in budget.charges])


PICTURES: Mapping[str, tuple[str, Callable[[Scenario], str]]] = {
    "cliff": ("Three components as images", _components),
    "rows": ("Many rows as images", partial(_rows, CROWD)),
    "once": ("A curve that comes nearer to the exact answer, step by step", _iterations),
    "ridge": ("Three directions that tell classes apart, as images", _components),
    "sparse": ("The largest entries of a direction: a few are large", _direction),
    "leak": ("Answers that leave the data: one of them without noise", _answers),
    "sigma": ("The noise that several rules ask for", _rules),
    "worst": ("Two rows as images", partial(_rows, 2)),
    "leave": ("A budget as a bar, two parts of it spent", _budget),
    "forest": ("Rows on two components, coloured by class", _projection),
}
