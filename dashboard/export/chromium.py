"""Chromium, where the server has one: it turns pages into PDF, and kaleido draws pictures with it."""

import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from dpgep_core.errors import DpgepError

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
INSTEAD = "The HTML file can be printed from any browser."
PATIENCE = 90.0  # seconds
FLAGS = (
    "--headless",
    "--no-sandbox",  # in a container there are no user namespaces; it opens nothing but our own page
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--no-pdf-header-footer",
)


class NoBrowserError(DpgepError):
    """There is no Chromium, or it does not do what it should."""


@cache
def found_browser() -> str | None:
    """The path of a Chromium or Chrome: BROWSER_PATH, or the first known name on the path."""
    named = os.environ.get("BROWSER_PATH")
    if named:
        return named if shutil.which(named) else None
    return next(filter(None, map(shutil.which, NAMES)), None)


def pdf(page: str) -> bytes:
    """A page, given as HTML, printed to PDF. Nothing is left on the disk.

    Raises
    ------
    NoBrowserError
        Where there is no Chromium, or it fails or takes too long.
    """
    browser = found_browser()
    if browser is None:
        raise NoBrowserError(f"PDF needs Chromium or Chrome on the server, and none was found. {INSTEAD}")
    with tempfile.TemporaryDirectory(prefix="dpgep-", ignore_cleanup_errors=True) as folder:
        source, target = Path(folder, "report.html"), Path(folder, "report.pdf")
        source.write_text(page, encoding="utf-8")
        command = [browser, *FLAGS, f"--user-data-dir={folder}/profile", f"--print-to-pdf={target}", source.as_uri()]
        _run(command)
        if not target.is_file() or not (made := target.read_bytes()).startswith(b"%PDF"):
            raise NoBrowserError(f"{browser} made no PDF. {INSTEAD}")
        return made


def _run(command: list[str]) -> None:
    """Run it and its children in a group of their own, so that a slow one is ended whole."""
    try:
        done = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    except OSError as error:
        raise NoBrowserError(f"{command[0]} could not be started ({error.strerror}).") from error
    try:
        done.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        _end(done)
        raise NoBrowserError(f"{command[0]} took longer than {PATIENCE:g} seconds and was stopped.") from None


def _end(process: "subprocess.Popen[bytes]") -> None:
    if hasattr(os, "killpg"):
        os.killpg(process.pid, 9)
    else:
        process.kill()
    process.wait()
