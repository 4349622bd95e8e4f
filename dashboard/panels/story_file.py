"""A story as one HTML file for a class without a network: questions, folded answers, the figures of every step."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import islice

import numpy as np
import pandas as pd

from dashboard import cache
from dashboard.cache import cached_for_dataset
from dashboard.compute.axes import AXES, Axis
from dashboard.compute.evidence import attack_of, rule_rows, shares
from dashboard.compute.results import Draw, draws
from dashboard.export import Block, FigureSpec, Fold, Note, html_page, summary
from dashboard.figures import attack, bars, components, curves, noise
from dashboard.figures.bars import Bar
from dashboard.figures.curves import Curve
from dashboard.figures.style import Style
from dashboard.panels.curves import iterations_figures, levels, now
from dashboard.panels.shared import Scene, scene_at, settings
from dashboard.panels.story_extras import energy_figures, membership_figures, swaps_figures
from dashboard.scenario import Scenario, from_query
from dashboard.stories import Query, Step, Story
from dashboard.stories.proofs import leak_rows, pair_rows
from dashboard.text import words
from dpgep_core.audit import audit, resolve
from dpgep_core.datasets import Dataset, load_dataset
from dpgep_core.evaluate.measures import CURVE_MEASURES
from dpgep_core.release import VERSION
from dpgep_core.solve import plan
from dpgep_core.wording import number_text

DRAWS = 3  # of noise in a curve: the page has more, the file is made while one waits
TRIALS = 100
FEW = (5.0, 10.0, 20.0, 50.0, 100.0)
LICENCE = (
    "Made with DP-GEP Lab {version}. Text, figures and code under the MIT licence: copy it, change it, teach with it. "
    "The bundled data keep their own licences, named in the package."
)
Options = Mapping[str, str]


def story_html(story: Story) -> str:
    """The whole story. It asks nobody for anything and opens from a file."""
    return html_page(story.title, blocks(story))


def blocks(story: Story) -> Iterator[Block]:
    """The parts of the file, in order."""
    yield f"{story.idea} *Not so:* “{story.removes}”"
    yield Note(words.WHAT_IF)
    for number, step in enumerate(story.steps, start=1):
        yield f"## {number}. {step.question}"
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


def _components(scene: Scene, _: Options) -> Iterator[Block]:
    bases = [("exact", scene.answers[0].diagnostic.reference)]
    bases += [(item.algorithm, item.release.components) for item in scene.answers]
    names = scene.data.feature_names or tuple(f"column {i}" for i in range(scene.data.d))
    shape = scene.data.image_shape
    if shape is None:
        draw = partial(components.loadings, bases, names, 0)
    else:
        most = 5
        cosines = [np.ones(most), *(item.diagnostic.cosine_similarity for item in scene.answers)]
        draw = partial(components.images, bases, shape, most, cosines)
    yield FigureSpec("components", "The components", "Components, exact first", settings(scene), draw)


def _curve(scene: Scene, options: Options) -> Iterator[Block]:
    axis, metric = _axis(options["over"]), CURVE_MEASURES[options["metric"]]
    grid, lines = axis.grid(scene.data.d), list[Curve]()
    for item in scene.answers:
        if not item.private:
            continue
        moves = axis.belongs(scene.scenario, item.algorithm)
        found = _drawn(scene.data, axis.anywhere(scene.scenario, item.algorithm), item.algorithm, axis.key)
        place = axis.value(scene.scenario, item.algorithm, scene.data.d) if moves else float("nan")
        lines.append(Curve(item.algorithm, found, scene.scenario.seed, place, now(item, metric, scene)))
    title = f"{metric.axis} against {axis.knob.label}"
    draw = partial(curves.against, lines, metric, levels(scene, metric), axis, grid)
    yield FigureSpec(f"{metric.key}_{axis.key}", title, title, f"{DRAWS} noise draws. {settings(scene)}", draw)


def _axis(over: str) -> Axis:
    """Axis of a curve; for a sparsity a few points, since each point takes a while with a thousand columns."""
    return replace(AXES[over], points=FEW) if over == "sparsity" else AXES[over]


@cached_for_dataset(max_entries=12)
def _drawn(data: Dataset, scenario: Scenario, algorithm: str, over: str) -> tuple[Draw, ...]:
    axis = _axis(over)
    every = draws(scenario, algorithm, data, cache.reference_of(scenario, data), axis)
    return tuple(islice(every, DRAWS * (len(axis.grid(data.d)) if axis.belongs(scenario, algorithm) else 2)))


def _classifiers(scene: Scene, _: Options) -> Iterator[Block]:
    scores = scene.answers[0].diagnostic.accuracy["lda"]
    drawn = [Bar("LDA", "Exact, no privacy", scores.non_private, None)]
    for place, item in enumerate(scene.answers):
        own = item.diagnostic.accuracy["lda"]
        drawn.append(Bar("LDA", item.title, own.private, place))
        if own.all_private is not None:
            drawn.append(Bar("LDA", f"{item.title}, all private", own.all_private, place, all_private=True))
    draw = partial(bars.accuracies, drawn, [("LDA", scores.random)], scene.reference.majority or 0.0)
    yield FigureSpec("classifiers", "Accuracy of LDA", "Accuracy bars", settings(scene), draw)


def _noise(scene: Scene, options: Options) -> Iterator[Block]:
    grant = plan(scene.data, scene.scenario.setting("exact")).grant
    rows = rule_rows(grant, int(options["answers"]))
    privacy = f"ε = {number_text(grant.epsilon, 6)}, δ = {number_text(grant.delta)}"
    caption = f"{privacy}, {options['answers']} answers of sensitivity 1."
    draw = partial(noise.by_rule, rows, options["rule"])
    yield FigureSpec("noise", "Noise by accounting rule", "σ by rule", caption, draw)


def _budget(scene: Scene, _: Options) -> Iterator[Block]:
    for item in scene.answers:
        granted = plan(scene.data, scene.scenario.setting(item.algorithm)).grant.mu ** 2
        if parts := shares(item.release.ledger):
            yield FigureSpec(f"budget_{item.algorithm}", f"Where the budget goes: {item.title}", "Shares of μ²",
                        settings(scene), partial(noise.waterfall, parts, granted))  # fmt: skip


def _attack(scene: Scene, options: Options) -> Iterator[Block]:
    result = audit(resolve(attack_of(scene.scenario, options["algorithm"], TRIALS)))
    yield f"Right guesses: **{result.guesses} of {2 * result.trials}**. **Attacked** {result.sentence}."
    yield FigureSpec("attack", "What the attacker sees", "The statistic under both data sets",
                f"{TRIALS} runs on each side. {words.MADE_UP.capitalize()}.",
                partial(attack.histograms, result))  # fmt: skip


def _reconstruction(scene: Scene, options: Options) -> Iterator[Block]:
    xi = float(dict(scene.scenario.params).get("xi", 0.01))
    found = cache.reconstruction(options["algorithm"], scene.scenario.epsilon, xi, scene.scenario.seed)
    frame = pd.DataFrame(np.round([found.row, *found.candidates], 6))
    frame.insert(0, "", ["the row", "candidate 1", "candidate 2"])
    yield f"From two outputs and all other rows. The nearer candidate is off by {found.row_error:.1e}."
    yield frame


def _leak(scene: Scene, _: Options) -> Iterator[Block]:
    for item in scene.answers:
        yield pd.DataFrame(leak_rows(item, scene.reference))


DRAWN: Mapping[str, Callable[[Scene, Options], Iterator[Block]]] = {
    "numbers": lambda scene, _: iter([summary.headline(scene.answers)]),
    "ledger": lambda scene, _: iter([summary.ledger(scene.answers)]),
    "counterexample": lambda _, options: iter([pair_rows(options["key"])]),
    "components": _components,
    "curve": _curve,
    "exact curve": _curve,
    "iterations": lambda scene, _: iter(iterations_figures(scene)),
    "classifiers": _classifiers,
    "noise": _noise,
    "budget": _budget,
    "attack": _attack,
    "reconstruction": _reconstruction,
    "leak": _leak,
    "swaps": lambda scene, _: iter(swaps_figures(scene)),
    "energy": lambda scene, _: iter(energy_figures(scene)),
    "membership": lambda scene, _: iter(membership_figures(scene)),
}
