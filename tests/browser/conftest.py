"""The installed command, started as a user starts it, and Chromium looking at it.

Every wait of a page lasts as long as a busy machine needs (`PATIENCE`): tests give no times of their own.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from serving import PATIENCE, free_port, wait_until_it_answers
from waits import rest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
BRIEF = """
# Python runs this when it starts. Three draws of noise behind each curve instead of twenty: the pages are the same and
# come to rest earlier.
from dashboard.compute import results
assert results.SEARCH_DRAWS == 20
results.SEARCH_DRAWS = 3
open({said!r}, "w").close()
"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = f"{Path(__file__).parent}{os.sep}"
    for item in items:
        if str(item.path).startswith(here):
            item.add_marker(pytest.mark.browser)
            if CHROMIUM is None:
                item.add_marker(pytest.mark.skip(reason="there is no Chromium on the path"))


@pytest.fixture(scope="session")
def data_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One data set whose every name tries to be more than a name."""
    folder = tmp_path_factory.mktemp("data")
    picture = "![p](http://evil.example/p.png)"
    names = ("<script>alert(1)</script>", picture, "<img src=http://evil.example/q.png onerror=alert(1)>", "<b>c</b>")
    rows = "\n".join(f"{i % 7},{i % 5},{i % 3},{i},{i % 4}" for i in range(60))
    (folder / "odd.csv").write_text(f"a,b,c,d,label\n{rows}\n")
    quoted = ", ".join(f"'{name}'" for name in names)
    (folder / "odd.toml").write_text(
        f"title = 'odd {picture}'\nclasses = ['0', '1', '2', '3']\n"
        f"class_names = [{quoted}]\nfeature_names = [{quoted}]\n"
    )
    return folder


class Brief:
    """The environment in which Python draws little noise; with --run-slow the one that a user has."""

    def __init__(self, folder: Path, *, short: bool) -> None:
        self._said, self.environment = folder / "said", dict[str, str]()
        if short:
            (folder / "sitecustomize.py").write_text(BRIEF.format(said=str(self._said)))
            places = (str(folder), os.environ.get("PYTHONPATH"))
            self.environment["PYTHONPATH"] = os.pathsep.join(filter(None, places))

    def check(self) -> None:
        """Python has run it: else every page would wait for all its draws."""
        assert not self.environment or self._said.exists()


@pytest.fixture(scope="session")
def brief(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Brief:
    """Where the server runs."""
    return Brief(tmp_path_factory.mktemp("brief"), short=not request.config.getoption("--run-slow"))


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory, data_folder: Path, brief: Brief) -> Iterator[str]:
    """Where the page is served, by ``dpgep --headless --port …`` with a home of its own."""
    command = shutil.which("dpgep", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
    assert command is not None, "the console script is not installed"
    home, port = tmp_path_factory.mktemp("home"), free_port()
    keep = {name: value for name, value in os.environ.items() if not name.startswith("STREAMLIT_")}
    environment = (
        keep | brief.environment | {"HOME": str(home), "OPENBLAS_NUM_THREADS": "1", "DPGEP_DATA_DIR": str(data_folder)}
    )
    log = home / "log"
    with log.open("wb") as out:
        server = subprocess.Popen(
            [command, "--headless", "--port", str(port)], env=environment, cwd=home, stdout=out, stderr=out
        )
        try:
            wait_until_it_answers(server, f"http://localhost:{port}", log)
            brief.check()
            yield f"http://localhost:{port}"
        finally:
            server.terminate()
            try:
                server.wait(10)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


@pytest.fixture(scope="session")
def chromium() -> Iterator[object]:
    """One browser; each context is a profile of its own."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        fresh = browser.new_context

        def patient(**settings: object) -> object:
            """A profile whose every wait is as long as a busy machine needs; the library's own 30 seconds are not."""
            context = fresh(**{"viewport": {"width": 1280, "height": 900}, **settings})
            context.set_default_timeout(1000 * PATIENCE)
            return context

        browser.new_context = patient
        browser.new_page = None  # its waits would be the library's
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def profile(chromium: object) -> Iterator[object]:
    """The profile of someone who was here before: scripts are in its cache."""
    context = chromium.new_context(permissions=["clipboard-read"])
    yield context
    context.close()


class Tab:
    """A tab that the tests of several modules use one after another: opening a page costs more than most tests do.

    Attributes
    ----------
    complaints : list of str
        Errors since the tab was last brought somewhere.
    """

    def __init__(self, profile: object, address: str, height: int = 900) -> None:
        self._address = address
        self.page = profile.new_page()
        self.page.set_viewport_size({"width": 1280, "height": height})
        self.complaints: list[str] = []
        self.page.on("console", lambda m: self.complaints.append(m.text) if m.type == "error" else None)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def bring(self, path: str, **settings: str) -> object:
        """The page, opened at a path with some settings unless the test before has left it there."""
        place = urlsplit(self.page.url)
        here = {name: texts[-1] for name, texts in parse_qs(place.query).items()}
        if place.path != path or not settings.items() <= here.items():
            self.page.goto(f"{self._address}{path}?{urlencode(settings)}")
            self.page.get_by_role("heading", level=1).first.wait_for()
        self.complaints.clear()
        rest(self.page)
        return self.page


@pytest.fixture(scope="session")
def explore_tab(profile: object, address: str) -> Iterator[Tab]:
    """For tests of Explore that begin at one algorithm on wine, wherever its ε stands."""
    tab = Tab(profile, address, height=1400)
    yield tab
    tab.page.close()


@pytest.fixture(scope="session")
def reading_tab(profile: object, address: str) -> Iterator[Tab]:
    """For tests of pages that draw little."""
    tab = Tab(profile, address)
    yield tab
    tab.page.close()
