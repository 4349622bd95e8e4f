"""The HTML document that a browser loads first, which is Streamlit's own, with what our pages need added to it."""

from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

SCRIPT = "/lab/document.js"
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
                body = changed(self._body)
                rest = [pair for pair in self._start["headers"] if pair[0].lower() != b"content-length"]
                length = (b"content-length", str(len(body)).encode())
                await self._send({**self._start, "headers": [*rest, length]})
                await self._send({"type": "http.response.body", "body": body})
        else:
            await self._send(message)


def changed(document: bytes) -> bytes:
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
