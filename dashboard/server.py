"""The server: the Streamlit app, what its live panel needs, and the HTML document that a browser loads first.

The document is Streamlit's own, with what our pages need added to it.
"""

import gc
import time
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from importlib import import_module
from importlib.resources import as_file, files
from pkgutil import iter_modules
from threading import Thread
from typing import Any

import streamlit as st
import streamlit.delta_generator
import streamlit.runtime.runtime
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import runtime
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.media_file_storage import MediaFileStorage

from dashboard.components.served import SCRIPTS, SERVED
from dashboard.compute.first_picture import FIRST_PICTURES
from dashboard.compute.hands import HANDS
from dashboard.compute.parcels import PARCELS
from dashboard.compute.reels import REELS
from dashboard.compute.turns import TURNS
from dashboard.left_sessions import closing_left_sessions
from dashboard.memory import share_pools, tidy
from dpgep_core.errors import DpgepError

QUIET = "/lab/quiet"
DRAWN = "/lab/drawn"
RESTS_AT = "/lab/rests"
FRAMES = "/lab/frames"
MADE = "/lab/made"
LOOPBACK = ("127.0.0.1", "::1")
PAUSE = 4.0  # seconds in which the first page has the interpreter to itself
PATIENCE = 60.0  # most seconds for which its slider then has
HELD = 30.0  # seconds for which the function behind a button outlives the page that is drawn in place of its own
LONGEST = 300.0  # seconds after which it goes in any case: a page may have no buttons that would come in its place
KNOWS_ITS_PLACE = "_use_warning_has_been_displayed"  # Streamlit's mark of having looked what runs it
SCRIPT = "/lab/document.js"
FIRST = "/explore"  # Streamlit serves the first page at the root alone, and of this address it says "Page not found"
NO_TRANSLATION = b'<html lang="en" translate="no">'
HEAD = (
    # A browser that translates puts elements of its own around texts. What the page then changes would stand beside
    # what the browser kept: the privacy of one value of epsilon under another one.
    b'<head><meta name="google" content="notranslate">'
    # Streamlit asks a deep address such as /compare for two files of its own, in vain, before it asks the root.
    b"<script>window.__streamlit = { ...window.__streamlit, "
    b'BACKEND_BASE_URL: new URL("./", location.href).href }</script>'
    # One step back for each page; and where a browser translates all the same, each text goes back to its place.
    b'<script src="' + SCRIPT.encode() + b'"></script>'
)


async def _document_script(_request: Request) -> Response:
    """The script that every document loads first."""
    with as_file(files("dashboard") / "static" / "document.js") as path:
        return FileResponse(path, media_type="text/javascript", headers={"Cache-Control": "no-cache"})


async def _first(request: Request) -> Response:
    """The first page under its own name, as all other pages have one, leads to the root with the setting it names."""
    return RedirectResponse(f"./?{request.url.query}" if request.url.query else "./")


async def _quiet(request: Request) -> Response:
    """Background work waits a moment while a picture is dragged on this machine; another machine has its own
    processor, and asks in vain."""
    if request.client is not None and request.client.host in LOOPBACK:
        TURNS.hold()
    return Response(status_code=204)


async def _rests(request: Request) -> Response:
    """A hand rests at a place of the slider, or has moved on."""
    at = request.path_params["at"]
    HANDS.rest(request.path_params["name"], int(at) if at.isdecimal() else None)
    return Response(status_code=204)


async def _drawn(request: Request) -> Response:
    """A browser has drawn the picture that it was sent first, or can drag all of its slider."""
    FIRST_PICTURES.drawn(request.path_params["name"], ready=request.path_params["what"] == "ready")
    return Response(status_code=204)


async def _made(request: Request) -> Response:
    """Frames that the jobs of a live panel have made so far, by the names that its page was told."""
    found = REELS.made(request.path_params["names"].split(","))
    return JSONResponse(found, headers={"Cache-Control": "no-store"})


async def _frames(request: Request) -> Response:
    """Frames of a live panel, by the names that its page was told."""
    found = PARCELS.of(request.path_params["names"].split(","))
    told = ",".join(f'"{name}":{text}' for name, text in found.items())
    return Response(f"{{{told}}}", media_type="application/json", headers={"Cache-Control": "no-store"})


async def _component_script(request: Request) -> Response:
    """The script of a component, kept by the browser: its name is a digest of what it says."""
    text = SERVED.of(request.path_params["name"])
    if text is None:
        return Response(status_code=404)
    return Response(
        text, media_type="text/javascript", headers={"Cache-Control": "public, max-age=31536000, immutable"}
    )


def serve(host: str, port: int, *, headless: bool) -> None:
    """Serve the dashboard until it is stopped. What-if pages read private rows, so who may connect is asked for."""
    share_pools()
    Thread(target=warm_up, daemon=True, name="dpgep-warm-up").start()
    Thread(target=tidy, daemon=True, name="dpgep-tidy").start()
    FIRST_PICTURES.open()
    PARCELS.open()
    SERVED.open()
    setattr(streamlit.runtime.runtime, "MediaFileManager", PatientFiles)  # noqa: B010 (pyright sees a class there)
    # Else the first page looks, through every module there is, whether somebody runs it at a prompt: 0.2 s of its time.
    setattr(streamlit.delta_generator, KNOWS_ITS_PLACE, True)
    script, middleware = str(files("dashboard") / "app.py"), [Middleware(OwnDocument)]
    app = st.App(script, routes=list(ROUTES), middleware=middleware, lifespan=closing_left_sessions)
    app.run(config={**settings(), "server.address": host, "server.port": port, "server.headless": headless})


def warm_up(query: Mapping[str, str] | None = None) -> None:
    """Have ready what the first page needs, before somebody opens it: its modules, its rows and its answers.

    What cannot be had is said by the page itself, where a user sees it.
    """
    from dashboard import panels  # here: importing them takes long
    from dashboard.figures.style import Style
    from dashboard.pages import PAGES
    from dashboard.panels.shared import scene_at
    from dashboard.scenario import from_query
    from dpgep_core.datasets import load_dataset

    first, _ = from_query(PAGES["explore"].scene({}) if query is None else query)
    with suppress(DpgepError):
        scene_at(first, load_dataset(first.dataset), Style())
    _set_apart()
    time.sleep(PAUSE)
    ends = time.monotonic() + PATIENCE
    while not TURNS.idle and time.monotonic() < ends:  # the places of its slider are computed
        time.sleep(0.5)
    for module in iter_modules(panels.__path__, f"{panels.__name__}."):  # of the other pages
        import_module(module.name)
    _set_apart()


class PatientFiles(MediaFileManager):
    """Streamlit's store of files, in which a download's button works while its page is drawn anew.

    Streamlit forgets the functions behind the buttons of a page when the page's next run begins, and drops them at the
    end of any run, while the browser may still show these buttons. Here they stay for some seconds of their session,
    counted from when the page has others: until it has, which takes long on a busy machine, a user sees the old ones.
    """

    def __init__(self, storage: MediaFileStorage) -> None:
        super().__init__(storage)
        self._needed = dict[str, float]()  # by function: when a run still needed it
        self._seen = dict[str, float]()  # by function: when its session had no others yet

    def _remove_orphaned_deferred_callables(self) -> None:
        needed = {name for files_of in self._files_by_session_and_coord.values() for name in files_of.values()}
        server, now = runtime.get_instance() if runtime.exists() else None, time.monotonic()
        for name, entry in list(self._deferred_callables.items()):
            session = entry["session_id"]
            self._needed[name] = now if name in needed else self._needed.get(name, now)
            replaced = name not in needed and session in self._files_by_session_and_coord
            self._seen[name] = self._seen.get(name, now) if replaced else now
            left = server is not None and not server.is_active_session(session)
            late = now - self._seen[name] >= HELD or now - self._needed[name] >= LONGEST
            if late or (left and name not in needed):
                self._drop_deferred_id(name)
        for times in (self._needed, self._seen):
            for name in times.keys() - self._deferred_callables.keys():
                del times[name]


def _set_apart() -> None:
    """Tell the garbage collector that what is there now stays, unless rows of somebody's own are among it.

    A look among 200,000 objects of modules took 0.15 s, in which nothing else could run.
    """
    from dashboard.cache import alive  # here: importing it takes long

    if not alive():
        gc.collect()
        gc.freeze()


ROUTES = (
    Route(QUIET, _quiet, methods=["POST"]),
    Route(f"{RESTS_AT}/{{name}}/{{at}}", _rests, methods=["POST"]),
    Route(f"{DRAWN}/{{name}}/{{what}}", _drawn, methods=["POST"]),
    Route(f"{MADE}/{{names}}", _made),
    Route(f"{FRAMES}/{{names}}", _frames),
    Route(f"{SCRIPTS}/{{name}}", _component_script),
    Route(SCRIPT, _document_script),
    Route(FIRST, _first),
)


def settings() -> dict[str, Any]:
    """The package's own ``.streamlit/config.toml``, which Streamlit would look for beside the command."""
    text = (files("dashboard") / ".streamlit" / "config.toml").read_text(encoding="utf-8")
    return dict(_flat(tomllib.loads(text), ""))


def _flat(table: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


class OwnDocument:
    """ASGI middleware that changes HTML documents and passes on everything else as it is."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http" or scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        plain = {**scope, "headers": [pair for pair in scope["headers"] if pair[0] != b"accept-encoding"]}
        await self._app(plain if _wants_document(scope) else scope, receive, _Changing(send).send)


class _Changing:
    """Holds back an HTML answer until it is whole, and sends it changed."""

    def __init__(self, send: Send) -> None:
        self._send, self._start, self._body = send, dict[str, Any](), b""

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _is_document(message):
            self._start = dict(message)
        elif message["type"] == "http.response.body" and self._start:
            self._body += message.get("body", b"")
            if not message.get("more_body", False):
                body = change_document(self._body)
                rest = [pair for pair in self._start["headers"] if pair[0].lower() != b"content-length"]
                length = (b"content-length", str(len(body)).encode())
                await self._send({**self._start, "headers": [*rest, length]})
                await self._send({"type": "http.response.body", "body": body})
        else:
            await self._send(message)


def change_document(document: bytes) -> bytes:
    """The document, not to be translated, and with the address of its server."""
    return document.replace(b'<html lang="en">', NO_TRANSLATION, 1).replace(b"<head>", HEAD, 1)


def _wants_document(scope: Scope) -> bool:
    return any(name == b"accept" and b"text/html" in value for name, value in scope["headers"])


def _is_document(message: Message) -> bool:
    headers = {name.lower(): value for name, value in message["headers"]}
    return (
        message["status"] == 200
        and headers.get(b"content-type", b"").startswith(b"text/html")
        and b"content-encoding" not in headers
    )
