"""All figures of a scenario for its report, whichever tab is open on the page."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from dashboard import cache
from dashboard.compute.jobs import Job
from dashboard.export import FigureSpec
from dashboard.panels import classifiers, components, curves, draws
from dashboard.panels.epsilon_bars import scene_bars
from dashboard.panels.lab import odds_figures
from dashboard.panels.shared import Scene, settings
from dashboard.panels.spectra import spectra_figures
from dpgep_core.evaluate.classify import CLASSIFIERS

Result = TypeVar("Result")
WAIT = 30.0  # seconds that a report waits for what is still computed; it says what was missing then
LOOK = 0.1  # seconds between two looks


def report_figures(scene: Scene, live: FigureSpec | None, choices: Mapping[str, Any]) -> list[FigureSpec]:
    """Draw every figure of the page, with the user's ``choices`` of axis, components and classifiers.

    Figures that fill in the background are waited for, at most `WAIT` seconds in all; the caption of one that is not
    complete then says so.
    """
    ends = time.monotonic() + WAIT
    parts = (
        [] if live is None else [live], [scene_bars(scene)], _odds(scene), _curves(scene, choices, ends),
        curves.iterations_figures(scene),
        _draws(scene, ends), components.projections_figures(scene, *_chosen_components(scene, choices)),
        _classifiers(scene, choices, ends), components.components_figures(scene, int(choices.get("component", 1))),
        spectra_figures(scene),
    )  # fmt: skip
    return [spec for part in parts for spec in part]


def _odds(scene: Scene) -> Iterator[FigureSpec]:
    for item in scene.answers:
        yield from odds_figures(item.release.ledger.mu, scene.style, item.algorithm, settings(scene, [item]))


def _chosen_components(scene: Scene, choices: Mapping[str, Any]) -> tuple[int, int]:
    k = min(item.release.components.shape[1] for item in scene.answers)
    across, up = (min(int(choices.get(name, usual)), k) for name, usual in (("across", 1), ("up", 2)))
    return across - 1, up - 1


def _curves(scene: Scene, choices: Mapping[str, Any], ends: float) -> list[FigureSpec]:
    axis, metric = curves.chosen_axis(scene, choices), curves.shown_metric(scene, choices)
    drawn = curves.drawn_along(scene, axis)
    if not drawn:
        return []
    jobs = curves.curve_jobs(scene, drawn, axis)
    told, *found = waited_for(jobs, ends)
    return _as_far(curves.curve_figures(scene, drawn, found, told, axis, metric, fitted=True), jobs)


def _draws(scene: Scene, ends: float) -> list[FigureSpec]:
    drawn = draws.noisy(scene)
    if not drawn:
        return []
    jobs = draws.draws_jobs(scene, drawn)
    return _as_far(draws.draws_figures(scene, drawn, waited_for(jobs, ends)), jobs)


def _classifiers(scene: Scene, choices: Mapping[str, Any], ends: float) -> list[FigureSpec]:
    if not scene.data.n_classes or not scene.reference.scorable:
        return []
    names = [name for name in choices.get("classifiers", classifiers.USUAL) if name in CLASSIFIERS]
    jobs = {
        (name, place): cache.trained(scene.scenario, item.algorithm, name, scene.data)
        for name in names
        for place, item in enumerate(scene.answers)
    }
    found = waited_for(list(jobs.values()), ends)
    trained = {key: some[0] for key, some in zip(jobs, found, strict=True) if some}
    return _as_far(classifiers.classifiers_figures(scene, trained), list(jobs.values()))


def waited_for(jobs: Sequence[Job[Result]], ends: float) -> list[tuple[Result, ...]]:
    """Results of jobs when all are finished, or when the time is up."""
    found = [job.look() for job in jobs]
    while time.monotonic() < ends and not all(job.finished for job in jobs):
        time.sleep(LOOK)
        found = [job.look() for job in jobs]
    return found


def _as_far(specs: Sequence[FigureSpec], jobs: Sequence[Job[Any]]) -> list[FigureSpec]:
    """Figures that say so where their jobs were not finished."""
    if all(job.finished for job in jobs):
        return list(specs)
    share = 100 * sum(job.progress for job in jobs) / len(jobs)
    return [replace(spec, caption=f"Not complete: {share:.0f} % was computed. {spec.caption}") for spec in specs]
