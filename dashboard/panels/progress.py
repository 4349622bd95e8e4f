"""Drawing again and again while results grow: what jobs find, and tasks with their buttons."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from dashboard.compute.jobs import Job
from dashboard.compute.task_processes import TaskProcess
from dashboard.compute.tasks import Tasks
from dashboard.panels.shared import errors_on_page
from dashboard.text.words import escape_markdown
from dpgep_core.experiments.runner import SweepProgress
from dpgep_core.wording import plural, time_text

KEEPS_ON = (
    "It goes on when this page is closed, and its address finds it again. Finished cells are kept: cancelled or cut "
    "off, it goes on where it was."
)
CANCELLED = " and kept. It was cancelled; *Go on* starts it again, with the cells that are missing."
IDLE = "; this server is not computing it."
LONG = 5.0  # seconds from which on a cell may be said to take long

TASK_POLL = 2.0  # seconds between looks at a task


def fill(
    jobs: Sequence[Job[Any]],
    draw: Callable[[list[tuple[Any, ...]]], None],
    what: str = "",
    *,
    every: float = 1.0,
    said: Callable[[], str] | None = None,
    stopped: Sequence[str] | None = None,
    bar: bool = True,
) -> bool:
    """Draw the results of jobs, again and again until all jobs have ended.

    Parameters
    ----------
    jobs : sequence of Job
        They are looked at, which keeps them going.
    draw : callable
        Draw what each job has found.
    what : str
        What goes on, for the usual words of the bar and of an error.
    every : float
        Seconds between looks.
    said : callable, optional
        The words of the bar, where they are others.
    stopped : sequence of str, optional
        A sentence for each job that ends in an error, where it is another; a job without one ends in silence.
    bar : bool
        Off where ``draw`` shows how far each job is.

    Returns
    -------
    bool
        Whether jobs were still at work when the page was drawn.
    """
    for job in jobs:
        job.look()
    waiting = not all(job.finished for job in jobs)
    told = [f"{what} stopped."] * len(jobs) if stopped is None else stopped

    @st.fragment(run_every=every if waiting else None)
    def look() -> None:
        draw([job.look() for job in jobs])
        if waiting:
            if bar:
                share = sum(job.progress for job in jobs) / len(jobs)
                st.progress(share, text=f"{what}: {100 * share:.0f} % done" if said is None else said())
            if all(job.finished for job in jobs):
                st.rerun()
        for job, sentence in zip(jobs, told, strict=False):
            if job.error is not None:
                st.warning(f"{sentence} {escape_markdown(str(job.error))}")

    look()
    return waiting


def watch_task(
    tasks: Tasks[Any, Any, Any],
    name: str,
    count: Callable[[Any], tuple[int, int]],
    go_on: Callable[[], None],
    draw: Callable[[Any, bool], None],
) -> None:
    """Draw how far a task is and what it has found, again and again while it is computed.

    Parameters
    ----------
    count : callable
        From what was found to the numbers of cells that are there and that there will be.
    go_on : callable
        Start it again, where some is missing.
    draw : callable
        Draw what was found, told whether more is coming.
    """
    running = tasks.running(name)
    waiting = running is not None and running.alive

    @errors_on_page()
    def watching() -> None:
        found = tasks.found(name)
        progress(tasks, name, *count(found), go_on)
        if waiting and not (running is not None and running.alive):
            st.rerun()
        draw(found, waiting)

    # A page that is not filling is drawn as a whole: buttons of it set controls outside.
    (st.fragment(run_every=TASK_POLL)(watching) if waiting else watching)()


def progress(tasks: Tasks[Any, Any, Any], name: str, done: int, total: int, go_on: Callable[[], None]) -> None:
    """A bar and *Cancel* while it runs; else how much there is, why it stopped, and *Go on* where some is missing."""
    running = tasks.running(name)
    if running is not None and running.alive:
        st.progress(done / total if total else 0.0, text=_progress_text(running, done, total))
        with st.container(horizontal=True, vertical_alignment="center"):
            if st.button("Cancel", key="cancel_run", disabled=running.cancelled):
                tasks.cancel(name)
                st.rerun(scope="fragment")
            st.caption(KEEPS_ON)
        return
    if running is not None and running.failed is not None:
        st.error(escape_markdown(f"It stopped: {running.failed}"))
    if done < total:
        cancelled = running is not None and running.cancelled
        st.markdown(f"**{done:,} of {total:,} cells** are computed" + (CANCELLED if cancelled else IDLE))
        if st.button("Go on", key="resume_run", type="primary"):
            go_on()
    else:
        st.markdown(f"**{plural(total, 'cell')}**, all computed.")


def _progress_text(running: TaskProcess, done: int, total: int) -> str:
    told = f"{done:,} of {total:,} cells"
    if running.cancelled:
        return f"{told}: it stops within seconds, and these are kept"
    if running.progress is None:
        return f"{told}; reading the data"
    return told + _time_left(running.progress, running.silent)


def _time_left(progress: SweepProgress, taken: float) -> str:
    """Words for the time left, given the seconds that the running cell has taken.

    What is foretold follows the mean of the finished cells. It holds no longer where the running one takes longer.
    """
    waiting = progress.total - progress.done
    if progress.left is None or not waiting:
        return "" if taken < LONG else f"; the one that runs has taken {time_text(taken)}"
    mean = progress.left / waiting
    if taken > max(LONG, 2 * mean) or (taken > LONG and taken > progress.left):
        return f"; the one that runs has taken {time_text(taken)}, longer than those before it"
    return f", about {time_text(progress.left - min(taken, mean))} left"
