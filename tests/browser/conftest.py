"""The installed command, started as a user starts it, and Chromium looking at it."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

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
PATIENCE = 90.0  # seconds: a cold start on a busy machine


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)
            if CHROMIUM is None:
                item.add_marker(pytest.mark.skip(reason="there is no Chromium on the path"))


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def wait_until_it_answers(server: subprocess.Popen[bytes], address: str, log: Path) -> None:
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends:
        if server.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2) as answer:
                if answer.status == 200:
                    return
        except OSError:
            time.sleep(0.1)
    pytest.fail(f"the server did not start:\n{log.read_text()}")


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


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory, data_folder: Path) -> Iterator[str]:
    """Where the page is served, by ``dpgep --headless --port …`` with a home of its own."""
    command = shutil.which("dpgep", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
    assert command is not None, "the console script is not installed"
    home, port = tmp_path_factory.mktemp("home"), free_port()
    keep = {name: value for name, value in os.environ.items() if not name.startswith("STREAMLIT_")}
    environment = keep | {"HOME": str(home), "OPENBLAS_NUM_THREADS": "1", "DPGEP_DATA_DIR": str(data_folder)}
    log = home / "log"
    with log.open("wb") as out:
        server = subprocess.Popen(
            [command, "--headless", "--port", str(port)], env=environment, cwd=home, stdout=out, stderr=out
        )
        try:
            wait_until_it_answers(server, f"http://localhost:{port}", log)
            yield f"http://localhost:{port}"
        finally:
            server.terminate()
            try:
                server.wait(10)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


PATIENCE = 120_000  # milliseconds


@pytest.fixture(scope="session")
def chromium() -> Iterator[object]:
    """One browser; each page is in a context, that is a profile, of its own."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        fresh = browser.new_context

        def patient(**settings: object) -> object:
            """A profile whose every wait is as long as a busy machine needs; the library's own 30 seconds are not."""
            context = fresh(**settings)
            context.set_default_timeout(PATIENCE)
            return context

        browser.new_context = patient
        yield browser
        browser.close()
