"""A page opened at an address, as a browser would, without one."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
from page import ENTRY
from streamlit.testing.v1 import AppTest

from dashboard.cache import answers
from dashboard.compute import jobs, results, task_processes
from dashboard.compute.axes import AXES
from dashboard.compute.turns import TURNS


@pytest.fixture(autouse=True)
def _jobs_end_with_their_test(monkeypatch) -> Iterator[None]:
    """A job goes on for seconds after the last look, one ahead of its page for a minute, and would take the processor
    from the tests that follow."""
    seen, look = set[jobs.Job](), jobs.Job.look

    def looked(job: jobs.Job) -> tuple[object, ...]:
        seen.add(job)
        vars(job).pop("patience", None)  # a test before may have ended it: caches keep jobs
        return look(job)

    monkeypatch.setattr(jobs, "WAIT", 0.01)
    monkeypatch.setattr(jobs.Job, "look", looked)
    yield
    for job in seen:
        job.patience = -1.0
    ends = time.monotonic() + 1.0  # a long item is not waited for
    while TURNS.jobs and time.monotonic() < ends:
        time.sleep(0.005)


@pytest.fixture
def brief(monkeypatch) -> None:
    """What goes on in the background of Explore is kept short."""
    monkeypatch.setattr(results, "SEARCH_DRAWS", 2)
    every = answers.live_frames
    monkeypatch.setattr(answers, "live_frames", lambda *given: islice(every(*given), 1))


@pytest.fixture
def open_page(monkeypatch, brief) -> Callable[..., AppTest]:
    """Open the dashboard at an address; what goes on in the background is kept short, along the axes too."""
    for key, points in {"epsilon": (0.1, 1.0), "xi": (0.01, 0.1), "n_iterations": (1, 3), "as_if": (1, 10)}.items():
        monkeypatch.setitem(AXES, key, replace(AXES[key], points=points))
    monkeypatch.delenv("DPGEP_DATA_DIR", raising=False)

    def opened(folder: Path | None = None, state: Mapping[str, object] | None = None, **query: str) -> AppTest:
        if folder is not None:
            monkeypatch.setenv("DPGEP_DATA_DIR", str(folder))
        page = AppTest.from_file(ENTRY, default_timeout=120)
        for name, text in query.items():
            page.query_params[name] = text
        for name, value in (state or {}).items():
            page.session_state[name] = value
        return page.run()

    return opened


@pytest.fixture
def store(monkeypatch, tmp_path) -> Iterator[Path]:
    """A store of cells for one test; what still runs at its end is stopped."""
    where = tmp_path / "sweeps.sqlite"
    monkeypatch.setenv(task_processes.ENVIRONMENT, str(where))
    monkeypatch.delenv("DPGEP_DATA_DIR", raising=False)
    yield where
    task_processes.server_processes().close()
