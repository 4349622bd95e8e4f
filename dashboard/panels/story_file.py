"""A story as one HTML file for a class without a network: questions, folded answers, the figures of every step."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import islice

import numpy as np
import pandas as pd

from dashboard import cache
from dashboard.cache import cached_for_dataset
from dashboard.compute.axes import AXES, Axis
from dashboard.compute.evidence import attack_of, growing_attack
from dashboard.compute.results import Draw, draws, exact_along
from dashboard.export import Block, FigureSpec, Fold, Note, html_page, summary
from dashboard.figures.style import Style
from dashboard.panels.classifiers import classifiers_figures
from dashboard.panels.components import components_figures, spectra_figures
from dashboard.panels.curves import curve_figures
from dashboard.panels.lab import Bench
from dashboard.panels.lab_attack import attack_figures
from dashboard.panels.lab_noise import budget_figures
from dashboard.panels.shared import Scene, scene_at
from dashboard.panels.story_before import BEFORE, scene_before
from dashboard.panels.story_panels import Options, membership_figures, swaps_figures
from dashboard.panels.story_release import budget_blocks, seed_figures, statement_paper
from dashboard.scenario import Scenario, from_query
from dashboard.stories import Query, Step, Story
from dashboard.stories.proofs import leak_rows, pair_rows
from dashboard.text import words
from dpgep_core.audit import resolve
from dpgep_core.datasets import Dataset, load_dataset
from dpgep_core.evaluate.measures import CURVE_MEASURES
from dpgep_core.release import VERSION
from dpgep_core.wording import number_text

DRAWS = 3  # of noise in a curve: the page has more, the file is made while one waits
TRIALS = 100
FEW = (5.0, 10.0, 20.0, 50.0, 100.0)
LICENCE = (
    "Made with DP-GEP Lab {version}. Text, figures and code under the MIT licence: copy it, change it, teach with it. "
    "The bundled data keep their own licences, named in the package."
)


def story_html(story: Story) -> str:
    """The whole story. It asks nobody for anything and opens from a file."""
    return html_page(story.title, blocks(story))


def blocks(story: Story) -> Iterator[Block]:
    """The parts of the file, in order."""
    yield f"{story.idea} *Not so:* “{story.removes}”"
    yield Note(words.WHAT_IF)
    for number, step in enumerate(story.steps, start=1):
        yield f"## {number}. {step.question}"
        yield from DRAWN[step.before.panel](scene_of(scene_before(step)), dict(step.before.options))
        yield "\n".join(f"- {option}" for option in step.options)
        yield Fold("The answer", tuple(_answer(step)))
    yield "## Try it"
    yield f"{story.attempt}\n\nOn a running page: `learn?story={story.key}&step={len(story.steps) + 1}`"
    yield LICENCE.format(version=VERSION)


def _answer(step: Step) -> Iterator[Block]:
    scene = scene_of(step.scene)
    yield f"**{step.options[step.right]}**"
    yield f"**Do** {step.todo}."
    for shown in step.look:
        yield from DRAWN[shown.panel](scene, dict(shown.options))
    yield f"**See** {step.see}\n\n**Why** {step.why}"


def scene_of(query: Query) -> Scene:
    """The answers of a scene, in the colours of paper."""
    scenario = from_query(query)[0]
    data = load_dataset(scenario.dataset)
    return scene_at(scenario, data, Style())


def _curve(scene: Scene, options: Options, *, only_exact: bool = False) -> list[FigureSpec]:
    axis, metric = _file_axis(options["over"]), CURVE_MEASURES[options["metric"]]
    drawn = [] if only_exact else [item for item in scene.answers if item.private]
    found = [
        _few_draws(scene.data, axis.anywhere(scene.scenario, item.algorithm), item.algorithm, axis.key)
        for item in drawn
    ]
    k = max(item.release.components.shape[1] for item in scene.answers)
    exact = exact_along(scene.scenario, scene.data, scene.reference, axis, k)
    return curve_figures(scene, drawn, found, tuple(exact), axis, metric)


def _file_axis(over: str) -> Axis:
    """Axis of a curve; for a sparsity a few points, since each point takes a while with a thousand columns."""
    return replace(AXES[over], points=FEW) if over == "sparsity" else AXES[over]


@cached_for_dataset(max_entries=12)
def _few_draws(data: Dataset, scenario: Scenario, algorithm: str, over: str) -> tuple[Draw, ...]:
    axis = _file_axis(over)
    every = draws(scenario, algorithm, data, cache.reference_of(scenario, data), axis)
    return tuple(islice(every, DRAWS * (len(axis.grid(data.d)) if axis.belongs(scenario, algorithm) else 2)))


def _attack(scene: Scene, options: Options) -> Iterator[Block]:
    results = tuple(growing_attack(resolve(attack_of(scene.scenario, options["algorithm"], TRIALS))))
    last = results[-1]
    yield f"Right guesses: **{last.guesses} of {2 * last.trials}**. **Attacked** {last.sentence}."
    yield from attack_figures(Bench.under(scene), results, TRIALS)


def _reconstruction(scene: Scene, options: Options) -> Iterator[Block]:
    xi = float(dict(scene.scenario.params).get("xi", 0.01))
    found = cache.reconstruction(options["algorithm"], scene.scenario.epsilon, xi, scene.scenario.seed)
    frame = pd.DataFrame(np.round([found.row, *found.candidates], 6))
    frame.insert(0, "", ["the row", "candidate 1", "candidate 2"])
    yield f"From two outputs and all other rows. The nearer candidate is off by {number_text(found.row_error, 2)}."
    yield frame


DRAWN: Mapping[str, Callable[[Scene, Options], Iterable[Block]]] = {
    **BEFORE,
    "numbers": lambda scene, _: [summary.headline(scene.answers)],
    "ledger": lambda scene, _: [summary.ledger(scene.answers)],
    "counterexample": lambda _, options: [pair_rows(options["key"])],
    "components": lambda scene, _: components_figures(scene),
    "curve": _curve,
    "exact curve": partial(_curve, only_exact=True),
    "classifiers": lambda scene, _: classifiers_figures(scene),
    "budget": lambda scene, _: [spec for item in scene.answers for spec in budget_figures(Bench.under(scene), item)],
    "attack": _attack,
    "reconstruction": _reconstruction,
    "leak": lambda scene, _: [pd.DataFrame(leak_rows(item, scene.reference)) for item in scene.answers],
    "swaps": lambda scene, _: swaps_figures(scene),
    "membership": lambda scene, _: membership_figures(scene),
    "same seed": lambda scene, _: seed_figures(scene),
    "kept budget": lambda scene, _: budget_blocks(scene),
    "statement": lambda scene, _: [statement_paper(scene)],
    "spectra": lambda scene, _: spectra_figures(scene),
}
