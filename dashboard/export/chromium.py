"""Chromium, where the server has one: it prints pages to PDF, and kaleido draws pictures with it."""

import asyncio
import atexit
import os
import shutil
import subprocess
import tempfile
import time
from functools import cache
from pathlib import Path
from threading import Lock, Thread, Timer
from typing import Any, Literal

from dashboard.export.figure_spec import FORMATS, FigureSpec, FileFormat, dressed
from dpgep_core.errors import DpgepError

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
INSTEAD = "The HTML file can be printed from any browser."
PDF_PATIENCE = 90.0  # seconds
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
    """Path of a Chromium or Chrome: BROWSER_PATH, or the first known name on the search path."""
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
    """Run a command and its children in one process group, so that a slow command is stopped with all its children."""
    try:
        done = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    except OSError as error:
        raise NoBrowserError(f"{command[0]} could not be started ({error.strerror}).") from error
    try:
        done.wait(PDF_PATIENCE)
    except subprocess.TimeoutExpired:
        _end(done)
        raise NoBrowserError(f"{command[0]} took longer than {PDF_PATIENCE:g} seconds and was stopped.") from None


def _end(process: "subprocess.Popen[bytes]") -> None:
    if hasattr(os, "killpg"):
        os.killpg(process.pid, 9)
    else:
        process.kill()
    process.wait()


SCALE = 2
PICTURE_PATIENCE = 30.0  # seconds for one try at a picture, the browser's start included
IDLE = 120.0  # seconds after which a browser that draws nothing is closed
Format = Literal["png", "svg", "pdf"]


class _Studio:
    """One Chromium and one event loop for all sessions: pictures are drawn one after the other.

    Kaleido's own synchronous server hands a result to whichever thread asks first, and waits for ever when its browser
    has gone; so its asynchronous side is used here, in a thread.
    """

    def __init__(self) -> None:
        self._lock, self._loop, self._seen = Lock(), asyncio.new_event_loop(), 0.0
        self._kaleido: Any = None
        self.trouble = ""
        Thread(target=self._loop.run_forever, daemon=True, name="dpgep-pictures").start()

    def draw(self, figure: dict[str, Any], options: dict[str, Any]) -> bytes:
        """Draw one picture. A browser that fails or does not answer is stopped, and a new browser tries once more."""
        with self._lock:
            try:
                return self._tried(figure, options)
            except Exception:  # on a busy machine a browser may start without a page, or never say that it has one
                return self._tried(figure, options)
            finally:
                self._seen = time.monotonic()
                timer = Timer(IDLE, self._rest)
                timer.daemon = True
                timer.start()

    def _tried(self, figure: dict[str, Any], options: dict[str, Any]) -> bytes:
        future = asyncio.run_coroutine_threadsafe(self._draw(figure, options), self._loop)
        try:
            return future.result(PICTURE_PATIENCE)
        except Exception:
            future.cancel()
            self.end()
            raise

    async def _draw(self, figure: dict[str, Any], options: dict[str, Any]) -> bytes:
        return await (self._kaleido or await self._open()).calc_fig(figure, options)

    async def _open(self) -> Any:
        from kaleido import Kaleido  # here: importing it takes a while, and few draw pictures

        # Its MathJax is another host's.
        self._kaleido = kaleido = Kaleido(n=1, timeout=PICTURE_PATIENCE, mathjax=False, path=found_browser())
        await kaleido.open()
        atexit.unregister(self.close)
        atexit.register(self.close)  # last: before the folders of the moment are missed by those who made them
        return kaleido

    def _rest(self) -> None:
        with self._lock:
            if time.monotonic() - self._seen >= IDLE - 1:
                self.close()

    def end(self) -> None:
        """Stop a browser that may not listen any more."""
        process = getattr(self._kaleido, "subprocess", None)  # it may not have come to that
        if process is not None:
            process.kill()
        self.close()

    def close(self) -> None:
        """Close the browser, if one is open."""
        kaleido, self._kaleido = self._kaleido, None
        if kaleido is not None:
            closing = asyncio.run_coroutine_threadsafe(kaleido.close(), self._loop)
            try:
                closing.result(10)
            except Exception:  # it has gone already
                closing.cancel()


_studio: list[_Studio] = []
_making = Lock()


def picture(spec: FigureSpec, kind: Format, *, dark: bool = False, size: FileFormat = FORMATS["page"]) -> bytes:
    """A figure with its caption as a PNG of twice the size, as an SVG or as a PDF.

    Raises
    ------
    NoBrowserError
        Where there is no Chromium, or it fails.
    """
    if found_browser() is None:
        raise NoBrowserError("PNG, SVG and PDF need Chromium or Chrome on the server.")
    figure = dressed(spec, dark=dark, size=size).to_plotly_json()
    options = {"format": kind, "width": figure["layout"]["width"], "height": figure["layout"]["height"], "scale": SCALE}
    if kind != "png":
        options["scale"] = 1
    with _making:
        studio = _studio[0] if _studio else _Studio()
        _studio[:] = [studio]
    try:
        drawn = studio.draw(figure, options)
    except Exception as error:
        said: object = error.args[0] if error.args else ""
        reason = " ".join(str(said[0] if isinstance(said, tuple) and said else said).split()) or type(error).__name__
        studio.trouble = f"Chromium did not draw the picture ({reason}). The HTML file does."
        raise NoBrowserError(studio.trouble) from error
    studio.trouble = ""
    return drawn


def trouble() -> str:
    """Why the last picture was not drawn; "" where it was."""
    return next((studio.trouble for studio in _studio), "")
