"""Twenty draws at one setting: how sure is it that one thing beats another?"""

import math
from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from dashboard import cache
from dashboard.compute import results
from dashboard.compute.jobs import Job
from dashboard.compute.results import Answer, Draw
from dashboard.export import FigureSpec
from dashboard.figures.dotplot import dotplot
from dashboard.figures.levels import Level
from dashboard.figures.live_frames import measured
from dashboard.panels.curves import levels
from dashboard.panels.progress import fill
from dashboard.panels.shared import Scene, figure_of, show_figure
from dashboard.sidebar.state import next_seed
from dashboard.text.glossary import linked
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.evaluate.measures import CURVE_MEASURES, Measure
from dpgep_core.wording import plural

FAR = 0.25  # of accuracy below all dots: such a floor is not drawn
SAME_ROWS = "Noise draws on the same rows; other rows would vary more. The ring is the draw on this page."


def draws_panel(scene: Scene) -> None:
    """Dots, a sentence that counts them, and a button that draws again."""
    drawn = noisy(scene)
    if not drawn:
        st.caption("Without noise every draw is the same.")
        return

    def draw(found: list[tuple[Draw, ...]]) -> None:
        for spec in draws_figures(scene, drawn, found):
            st.markdown(linked(spec.alt, most=2))
            show_figure(spec)

    fill(draws_jobs(scene, drawn), draw, "Drawing noise")
    st.button("Redraw", key="redraw_here", on_click=next_seed, help="The next seed: another draw on the whole page.")


def noisy(scene: Scene) -> list[Answer]:
    """The answers that another draw of the noise would change."""
    return [item for item in scene.answers if ALGORITHMS[item.algorithm].private and scene.scenario.noise]


def draws_jobs(scene: Scene, drawn: Sequence[Answer]) -> list[Job[Draw]]:
    """Twenty draws of each answer, in the background."""
    return [cache.redraws(scene.scenario, item.algorithm, scene.data) for item in drawn]


def draws_figures(scene: Scene, drawn: Sequence[Answer], found: Sequence[tuple[Draw, ...]]) -> list[FigureSpec]:
    """A dot for each draw that was ``found``; where none is there yet, for the draw on the page."""
    metric = CURVE_MEASURES["accuracy" if scene.reference.scorable else "angle"]
    titles, current = [item.title for item in drawn], [measured(item, metric, scene.reference) for item in drawn]
    seen = [some or (results.draw(item.release, scene.reference, scene.scenario.epsilon, scene.scenario.seed),)
            for some, item in zip(found, drawn, strict=True)]  # fmt: skip
    values = [[float(getattr(one, metric.key)) for one in some] for some in seen]
    lowest = min(value for some in values for value in some)  # a floor far below would push all dots into a corner
    floors = [level for level in levels(scene, metric) if metric.key != "accuracy" or level.value > lowest - FAR]
    said = " ".join(count_sentence(title, some, floors, metric) for title, some in zip(titles, values, strict=True))
    rows = [{"algorithm": t, "seed": one.seed, metric.label: getattr(one, metric.key)}
            for t, some in zip(titles, seen, strict=True) for one in some]  # fmt: skip
    return [
        figure_of(
            scene, partial(dotplot, values, titles, current, metric, floors), key="draws",
            title="Twenty draws of the noise", alt=said, caption=f"{SAME_ROWS} ", items=drawn, rows=pd.DataFrame(rows),
        )
    ]  # fmt: skip


def count_sentence(title: str, values: Sequence[float], floors: Sequence[Level], metric: Measure) -> str:
    """“17 of 20 draws beat a random projection”: a count, not a test."""
    better = (lambda value, level: value < level) if metric.key == "angle" else (lambda value, level: value > level)
    finite = [value for value in values if math.isfinite(value)]
    parts: list[str] = []
    for level in floors:
        if level.ceiling or (metric.key == "angle" and level.value == 0):
            continue
        name, _, number = level.label.partition(": ")
        parts.append(f"{sum(better(value, level.value) for value in finite)} of {len(values)} beat {name} ({number})")
    return f"{title}: {', '.join(parts) or plural(len(values), 'draw')}."
