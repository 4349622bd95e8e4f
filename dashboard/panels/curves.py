"""The two curves: against ε with bands, and by iteration."""

import pandas as pd
import streamlit as st

from dashboard import cache
from dashboard.figures import curves
from dashboard.figures.curves import METRICS, Curve, Level, Metric
from dashboard.panels.shared import Scene, badges, caption, chart, table
from dashboard.services import Answer, by_iteration
from dashboard.words import literal
from dpgep_core.algorithms import ALGORITHMS

POLL = 1.5  # seconds between looks at curves that are still filling


def against_epsilon(scene: Scene) -> None:
    """A metric against ε, filling while one looks."""
    drawn = [item for item in scene.answers if ALGORITHMS[item.algorithm].private]
    st.subheader("Against ε")
    badges()
    keys = [key for key in METRICS if key != "accuracy" or scene.laboratory.labelled]
    if st.session_state.get("metric") not in keys:
        st.session_state["metric"] = keys[0]
    key = st.segmented_control(
        "Metric", keys, key="metric", format_func=lambda k: METRICS[k].label, label_visibility="collapsed"
    )
    metric = METRICS[key or keys[0]]
    if not drawn:
        st.info("Pick an algorithm with a privacy budget to see its curve.")
        return
    jobs = [cache.curve(scene.scenario, item.algorithm, scene.data) for item in drawn]
    for job in jobs:
        job.look()
    waiting = not all(job.finished for job in jobs)

    @st.fragment(run_every=POLL if waiting else None)
    def filling() -> None:
        found = [job.look() for job in jobs]
        _draw(scene, drawn, found, metric)
        if waiting:
            share = sum(job.progress for job in jobs) / len(jobs)
            st.progress(share, text=f"Drawing noise: {sum(map(len, found))} results so far, yours first")
            if share == 1.0:
                st.rerun()
        for job, item in zip(jobs, drawn, strict=True):
            if job.error is not None:
                st.warning(f"{item.title}: the curve stopped. {literal(str(job.error))}")

    filling()
    st.caption(
        "Median over noise draws on the same rows, with soft 50 % and 90 % bands and every draw faint; the dot is now."
    )
    caption(scene, drawn)


def _draw(scene: Scene, drawn: list[Answer], found: list[tuple], metric: Metric) -> None:  # type: ignore[type-arg]
    lines = [
        Curve(
            item.algorithm,
            draws,
            scene.scenario.seed,
            _now(item, metric),
            getattr(item.release.method, "start", "") == "oracle",
        )
        for item, draws in zip(drawn, found, strict=True)
    ]
    figure = curves.against_epsilon(lines, metric, levels(scene, metric), scene.scenario.epsilon, scene.style)
    chart(figure, "against_epsilon", f"{metric.axis} against ε for {', '.join(item.title for item in drawn)}")
    rows = [
        {"algorithm": item.algorithm, "epsilon": d.epsilon, "seed": d.seed, "accuracy": d.accuracy,
         "mean_cosine": d.cosine, "first_cosine": d.first_cosine, "mean_angle": d.angle}
        for item, draws in zip(drawn, found, strict=True) for d in draws
    ]  # fmt: skip
    table(pd.DataFrame(rows))


def _now(item: Answer, metric: Metric) -> float:
    diagnostic = item.diagnostic
    if metric.key == "accuracy":
        return diagnostic.accuracy["lda"].private.accuracy
    if metric.key == "angle":
        return float(diagnostic.principal_angles.mean())
    return float(diagnostic.cosine_similarity[0]) if metric.key == "first_cosine" else diagnostic.mean_cosine_similarity


def levels(scene: Scene, metric: Metric) -> list[Level]:
    """Floors and ceilings of a metric."""
    diagnostic = scene.answers[0].diagnostic
    if metric.key == "accuracy":
        scores = diagnostic.accuracy["lda"]
        return [
            Level(scores.non_private.accuracy, f"non-private: {scores.non_private.accuracy:.3f}", ceiling=True),
            Level(scores.random.accuracy, f"random projection: {scores.random.accuracy:.3f}"),
            Level(diagnostic.majority or 0.0, f"majority class: {diagnostic.majority or 0.0:.3f}"),
        ]
    if metric.key == "angle":
        return [Level(0.0, "exact: 0°"), Level(90.0, "nothing shared: 90°")]
    return [
        Level(diagnostic.chance_cosine, f"a random direction: {diagnostic.chance_cosine:.2f}"),
        Level(1.0, "exact: 1", ceiling=True),
    ]


def iterations(scene: Scene) -> None:
    """Mean cosine after each step."""
    st.subheader("By iteration")
    badges()
    histories = {item.algorithm: by_iteration(item) for item in scene.answers}
    chance = scene.answers[0].diagnostic.chance_cosine
    figure = curves.by_iteration(histories, chance, scene.style)
    chart(figure, "by_iteration", f"Mean cosine by iteration for {', '.join(histories)}")
    rows = [
        {"algorithm": t, "iteration": i + 1, "mean_cosine": v} for t, h in histories.items() for i, v in enumerate(h)
    ]
    table(pd.DataFrame(rows))
    oracle = [item.title for item in scene.answers if getattr(item.release.method, "start", "") == "oracle"]
    if oracle:
        st.caption(f"{', '.join(oracle)} starts at the answer, which is read without noise.")
    caption(scene)
