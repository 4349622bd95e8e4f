"""The server: the Streamlit app, and what its live panel needs beside it."""

import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import as_file, files
from typing import Any

import streamlit as st
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from dashboard.compute.jobs import hold
from dashboard.document import SCRIPT, OwnDocument

PLOTLY, QUIET = "/lab/plotly.min.js", "/lab/quiet"
LOOPBACK = ("127.0.0.1", "::1")
A_DAY = {"Cache-Control": "public, max-age=86400"}


async def _plotly(_request: Request) -> Response:
    """Plotly's own script, from the package that draws the figures: no page of ours asks another host for it."""
    with as_file(files("plotly") / "package_data" / "plotly.min.js") as path:
        return FileResponse(path, media_type="text/javascript", headers=A_DAY)


async def _document_script(_request: Request) -> Response:
    """The script that every document loads first."""
    with as_file(files("dashboard") / "static" / "document.js") as path:
        return FileResponse(path, media_type="text/javascript", headers={"Cache-Control": "no-cache"})


async def _quiet(request: Request) -> Response:
    """Background work waits a moment while a picture is dragged on this machine; another machine has its own
    processor, and asks in vain."""
    if request.client is not None and request.client.host in LOOPBACK:
        hold()
    return Response(status_code=204)


def serve(host: str, port: int, *, headless: bool) -> None:
    """Serve the dashboard until it is stopped. What-if pages read private rows, so who may connect is asked for."""
    app = st.App(str(files("dashboard") / "app.py"), routes=list(ROUTES), middleware=[Middleware(OwnDocument)])
    app.run(config={**settings(), "server.address": host, "server.port": port, "server.headless": headless})


ROUTES = (
    Route(PLOTLY, _plotly),
    Route(QUIET, _quiet, methods=["POST"]),
    Route(SCRIPT, _document_script),
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
