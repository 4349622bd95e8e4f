"""How far a task beside the server is, with its buttons."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from dashboard.compute.sweeps.estimate import span
from dashboard.compute.task_processes import TaskProcess
from dashboard.compute.tasks import Tasks
from dashboard.text.words import escape_markdown
from dpgep_core.wording import plural

KEEPS_ON = (
    "It goes on when this page is closed, and its address finds it again. Finished cells are kept: cancelled or cut "
    "off, it goes on where it was."
)


def progress(tasks: Tasks[Any, Any, Any], name: str, done: int, total: int, go_on: Callable[[], None]) -> None:
    """A bar and *Cancel* while it runs; else how much there is, why it stopped, and *Go on* where some is missing."""
    running = tasks.running(name)
    if running is not None and running.alive:
        st.progress(done / total if total else 0.0, text=_far(running, done, total))
        with st.container(horizontal=True, vertical_alignment="center"):
            if st.button("Cancel", key="cancel_run", disabled=running.cancelled):
                tasks.cancel(name)
                st.rerun(scope="fragment")
            st.caption(KEEPS_ON)
        return
    if running is not None and running.failed is not None:
        st.error(escape_markdown(f"It stopped: {running.failed}"))
    if done < total:
        st.markdown(f"**{done:,} of {total:,} cells** are computed; this server is not computing it.")
        if st.button("Go on", key="resume_run", type="primary"):
            go_on()
    else:
        st.markdown(f"**{plural(total, 'cell')}**, all computed.")


def _far(running: TaskProcess, done: int, total: int) -> str:
    if running.cancelled:
        return f"{done:,} of {total:,} cells: stopping after the one that is running"
    left = running.progress.left if running.progress is not None else None
    return f"{done:,} of {total:,} cells" + ("; reading the data" if left is None else f", about {span(left)} left")
