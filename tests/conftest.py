"""Slow tests are asked for; everything else is repeatable and small."""

import gc
import os
import shutil
import sys
from collections.abc import Iterator

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy: small matrices, busy machines, same bits

import tomllib
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

BROWSER = "tests/browser/"
MEMORY = "/dev/shm"
# The longest first, and what waits for other processes: or it ends alone, with one core idle.
EARLY = (BROWSER, "tests/experiments/", "tests/benchmarks/", "tests/publishing/", "tests/audit/")
SERVER = tomllib.loads((Path(__file__).parents[1] / "dashboard/.streamlit/config.toml").read_text("utf-8"))

settings.register_profile(
    "repeatable",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
settings.load_profile("repeatable")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--run-slow", action="store_true", help="run the tests marked slow as well")


def pytest_configure() -> None:
    """Folders of tests lie in memory where there is room: a disk confirms every release and every cell of a sweep."""
    if os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > 2**31:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", MEMORY)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: next((i for i, e in enumerate(EARLY) if item.nodeid.startswith(e)), len(EARLY)))
    if config.getoption("--run-slow"):
        return
    skip = pytest.mark.skip(reason="slow: give --run-slow")
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(skip)


def pytest_collectstart() -> None:
    """What is collected is no garbage: nobody looks for any until all tests are there."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Thousands of collected tests stay to the end: the collector of garbage need not look at them again and again, nor
    after every 700 new objects at what tests have just made."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def _pages_under_test_start_as_on_a_warm_server() -> Iterator[None]:
    """Each would read what every installed package says of itself, which took longer than most pages do, and compile
    its scripts; without the options of the server it would describe each widget for statistics and look for garbage at
    its end; and that end is waited for here, not asked for a thousand times a second."""
    if "streamlit.testing.v1" not in sys.modules:
        yield
        return
    from streamlit import config
    from streamlit.components.v2 import manifest_scanner
    from streamlit.runtime.scriptrunner.script_cache import ScriptCache
    from streamlit.testing.v1 import local_script_runner

    asks = local_script_runner.require_widgets_deltas

    def waits(runner: local_script_runner.LocalScriptRunner, timeout: float) -> None:
        runner._script_thread.join(timeout)
        if not runner.script_stopped():
            asks(runner, timeout)  # which says that it took too long

    with pytest.MonkeyPatch.context() as patch:
        for section in ("browser", "runner"):
            for name, value in SERVER[section].items():
                config.set_option(f"{section}.{name}", value)
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        patch.setattr(ScriptCache, "get_bytecode", ScriptCache().get_bytecode)
        patch.setattr(local_script_runner, "require_widgets_deltas", waits)
        yield


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """Whole modules, as `--dist loadscope` has it, and all that a browser does in one process: one server, one browser
    whose scripts are in its cache. Slow tests go one by one: some modules of them take longer than all the rest."""
    if config.getvalue("dist") != "loadscope":
        return None
    from xdist.scheduler import LoadScopeScheduling

    class OneBrowser(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            if nodeid.startswith(BROWSER):
                return BROWSER
            return nodeid if self.config.getoption("--run-slow") else super()._split_scope(nodeid)

    return OneBrowser(config, log)
