"""The jobs that make the frames of the live panel, and where the page stands among them."""

from collections.abc import Sequence
from dataclasses import dataclass

from dashboard import cache, controls
from dashboard.compute.axes import Axis
from dashboard.compute.jobs import AheadJob, Job
from dashboard.compute.results import STEPS_TEXTS, Answer
from dashboard.figures import live_frames
from dashboard.figures.live_frames import Frame
from dashboard.panels.shared import Scene

COMPONENTS = (0, 1)  # that the pictures of rows are drawn on
MOVING = STEPS_TEXTS[1]  # the steps of an answer while the slider is dragged


@dataclass(frozen=True, eq=False)
class Reel:
    """The jobs that make the frames of one page."""

    axis: Axis
    grid: tuple[float, ...]
    index: int
    now: tuple[Frame, ...]  # one a method, where the page stands: there before any job has begun
    stands: tuple[bool, ...]  # whether it is another answer than those that move: more steps, and one while dragging
    jobs: tuple[Job[Frame], ...]
    ahead: tuple[AheadJob[None], ...]  # that make the only numbers which letting go would wait for

    @property
    def finished(self) -> bool:
        return all(job.finished for job in self.jobs)

    def moving(self, made: Sequence[tuple[Frame, ...]]) -> list[tuple[Frame, ...]]:
        """Frames of each method that may stand beside each other: those of its job, and the one where the page is."""
        return [some if stands else (now, *some) for now, stands, some in zip(self.now, self.stands, made, strict=True)]


def standing_at(axis: Axis, scene: Scene) -> float:
    """Where the scenario stands on an axis: by the noise where one method does, else the first that has a value."""
    scenario, d = scene.scenario, scene.data.d
    values = [axis.value(scenario, key, d) for key in scenario.algorithms]
    if axis.zero and 0.0 in values:
        return 0.0
    return next((value for value in values if value > 0), axis.grid(d)[0])


def reel_of(scene: Scene, axis: Axis) -> Reel:
    """Begin the jobs that make the places of an axis, one a method, or find those that began before."""
    scenario, d, here = scene.scenario, scene.data.d, standing_at(axis, scene)
    if axis.key == "sparsity":
        grid = tuple(sorted({*axis.grid(d), here}))
    else:
        along = controls.grid(axis.knob, here)
        grid = tuple(sorted({0.0, *along}) if axis.zero else along)
    moving = [live_frames.while_dragged(scenario, key, axis) for key in scenario.algorithms]
    jobs = tuple(
        cache.frames(moved, key, scene.data, axis, grid, COMPONENTS)
        for key, moved in zip(scenario.algorithms, moving, strict=True)
    )
    stands = tuple(moved != scenario and item.steps > 1 for item, moved in zip(scene.answers, moving, strict=True))
    now = tuple(
        _now(item, scene, axis, here, None if other else job)
        for item, other, job in zip(scene.answers, stands, jobs, strict=True)
    )
    waits = [
        cache.answers_ahead(scenario, item.algorithm, scene.data, axis, grid)
        for item, other in zip(scene.answers, stands, strict=True)
        if other and axis.key == "epsilon"
    ]
    return Reel(axis, grid, grid.index(here), now, stands, jobs, tuple(job for job in waits if job is not None))


def _now(item: Answer, scene: Scene, axis: Axis, here: float, job: Job[Frame] | None) -> Frame:
    """Frame of an answer where the page stands: that of the job that makes it, if it is there already."""
    ready = [] if job is None else [frame for frame in job.look() if frame.at == here]
    return ready[0] if ready else live_frames.frame(item, scene.reference, axis, here, COMPONENTS)
