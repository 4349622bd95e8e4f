"""Classifiers on the projected rows. LDA is instant; the others are trained in background threads."""

from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from dashboard import cache
from dashboard.export import FigureSpec
from dashboard.figures import bars
from dashboard.figures.bars import Bar
from dashboard.panels.progress import fill
from dashboard.panels.shared import Scene, figure_of, show_figures
from dpgep_core.evaluate.classify import CLASSIFIERS
from dpgep_core.evaluate.diagnostic import Accuracies

POLL = 2.5
BARS = (
    "Solid bars: the projection is private, the classifier is not (it is trained on projected private rows). Hatched: "
    "LDA made from the release alone, private to the end. Whiskers: 95 % Wilson interval over held-out rows."
)
USUAL = ["linear_svm"]  # trained beside LDA, unless the user chooses
TITLES = {"lda": "LDA", **{key: c.title for key, c in CLASSIFIERS.items()}}


def classifiers_panel(scene: Scene) -> None:
    """Bars by classifier, filling as they are trained."""
    if not scene.reference.scorable:
        st.caption(f"Not measured, because {scene.reference.unscored}.")
        return
    names = st.pills(
        "Also train", list(CLASSIFIERS), selection_mode="multi", default=USUAL, key="classifiers",
        format_func=lambda key: TITLES[key], help="They train in the background; the page stays live.",
    )  # fmt: skip
    jobs = {
        (name, place): cache.trained(scene.scenario, item.algorithm, name, scene.data)
        for name in names
        for place, item in enumerate(scene.answers)
    }

    def draw(found: list[tuple[Accuracies, ...]]) -> None:
        trained = {key: some[0] for key, some in zip(jobs, found, strict=True) if some}
        show_figures(classifiers_figures(scene, trained))

    def said() -> str:
        left = [TITLES[name] for (name, _), job in jobs.items() if not job.finished]
        return f"Training: {', '.join(dict.fromkeys(left)) or 'done'}"

    stopped = [f"{TITLES[name]} could not be trained." for name, _ in jobs]
    fill(list(jobs.values()), draw, every=POLL, said=said, stopped=stopped)


def classifiers_figures(scene: Scene, trained: Mapping[tuple[str, int], Accuracies] | None = None) -> list[FigureSpec]:
    """Accuracies of LDA, and of what was ``trained`` by classifier and place of the algorithm, as bars."""
    results = {("lda", place): item.diagnostic.accuracy["lda"] for place, item in enumerate(scene.answers)}
    results |= trained or {}
    drawn: list[Bar] = []
    floors: dict[str, Any] = {}
    for (name, place), scores in results.items():
        group, title = TITLES[name], scene.answers[place].title
        if place == 0:
            drawn.append(Bar(group, "Exact, no privacy", scores.non_private, None))
            floors[group] = scores.random
        drawn.append(Bar(group, title, scores.private, place))
        if scores.all_private is not None:
            drawn.append(Bar(group, f"{title}, all private", scores.all_private, place, all_private=True))
    rows = [{"classifier": bar.group, "projection": bar.name, **asdict(bar.score)} for bar in drawn]
    rows += [{"classifier": group, "projection": "random", **asdict(score)} for group, score in floors.items()]
    draw = partial(bars.accuracies, drawn, list(floors.items()), scene.reference.majority or 0.0)
    return [
        figure_of(
            scene, draw, key="classifiers", title="What it costs a classifier",
            alt="Accuracy by classifier: private, exact and random projection", caption=f"{BARS} ",
            rows=pd.DataFrame(rows),
        )
    ]  # fmt: skip
