"""What the server adds to Streamlit: a script from this machine, and a moment's quiet for a browser beside it."""

import asyncio
import gc
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest
import streamlit
from page import ENTRY
from starlette.requests import Request
from streamlit import config, delta_generator
from streamlit.testing.v1 import AppTest

from dashboard import memory, server
from dashboard.compute import results
from dashboard.compute.turns import TURNS
from dashboard.pages import document_title
from dashboard.scenario import Scenario
from dashboard.server import SCRIPT, OwnDocument, change_document


def answered(coroutine):
    """Result of a coroutine in a thread of its own: a browser's driver may have left a loop running in the main one."""
    with ThreadPoolExecutor(1) as one:
        return one.submit(asyncio.run, coroutine).result()


def asked_from(host):
    """`/lab/quiet` asked for by a browser at an address."""
    scope = {"type": "http", "method": "POST", "path": server.QUIET, "headers": [], "query_string": b""}
    return answered(server._quiet(Request(scope | {"client": (host, 5000) if host else None})))


@pytest.mark.parametrize(
    ("host", "held"),
    [("127.0.0.1", True), ("::1", True), ("192.168.1.7", False), ("10.0.0.1", False), ("127.evil.example", False),
     (None, False)],
)  # fmt: skip
def test_only_a_browser_on_this_machine_holds_the_jobs(monkeypatch, host, held):
    """Anybody else who can reach the server cannot stop the work of others by asking again and again."""
    monkeypatch.setattr(TURNS, "_held_until", 0.0)
    assert asked_from(host).status_code == 204
    assert (TURNS._held_until > 0) == held


def test_a_browser_that_is_several_steps_behind_still_holds_what_it_is_referred_to():
    """Six quick steps of a slider on a busy machine ended in "Cached ForwardMsg MISS": the page stood still."""
    known = config.get_config_options(force_reparse=False)
    assert known["global.maxCachedMessageAge"].default_val < 10 <= server.settings()["global.maxCachedMessageAge"]


def test_streamlit_still_marks_that_it_has_looked_what_runs_it():
    """Should the mark be gone, the first page takes a fifth of a second more again, or nothing looks any more."""
    assert isinstance(getattr(delta_generator, server.KNOWS_ITS_PLACE), bool)


def test_the_script_of_the_document_is_served_where_the_document_asks_for_it():
    assert f'src="{SCRIPT}"'.encode() in change_document(PAGE)
    assert SCRIPT in {route.path for route in server.ROUTES}
    answer = answered(server._document_script(Request({"type": "http", "headers": []})))
    assert answer.media_type == "text/javascript"
    assert Path(answer.path).read_text().startswith("//")


@pytest.mark.parametrize(("query", "there"), [(b"", "./"), (b"epsilon=0.1&tab=curves", "./?epsilon=0.1&tab=curves")])
def test_the_first_page_has_an_address_as_the_others_have(query, there):
    """`/explore` once opened with "Page not found" over the page."""
    (route,) = (one for one in server.ROUTES if one.path == "/explore")
    scope = {"type": "http", "method": "GET", "path": route.path, "headers": [], "query_string": query}
    answer = answered(route.endpoint(Request(scope | {"server": ("localhost", 80), "scheme": "http"})))
    assert (answer.status_code, answer.headers["location"]) == (307, there)


PAGE = b'<!DOCTYPE html>\n<html lang="en">\n  <head>\n    <title>Streamlit</title></head><body></body></html>'


def served(content, content_type, *, pieces=2, more=(), accept=b"text/html"):
    """What a browser gets of an answer that is sent in pieces: its headers and its body."""

    async def app(scope, receive, send):
        headers = [(b"content-type", content_type), (b"content-length", str(len(content)).encode()), *more]
        assert not any(name == b"accept-encoding" for name, _ in scope["headers"]) or b"html" not in accept
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        step = -(-len(content) // pieces)
        for start in range(0, len(content), step):
            last = start + step >= len(content)
            await send({"type": "http.response.body", "body": content[start : start + step], "more_body": not last})

    async def ask():
        sent = []

        async def send(message):
            sent.append(message)

        scope = {"type": "http", "method": "GET", "headers": [(b"accept", accept), (b"accept-encoding", b"gzip")]}
        await OwnDocument(app)(scope, None, send)
        return dict(sent[0]["headers"]), b"".join(message.get("body", b"") for message in sent[1:])

    return answered(ask())


@pytest.mark.parametrize("pieces", [1, 2, 7])
def test_the_document_is_not_translated_and_knows_its_server(pieces):
    """A translated page would keep the privacy of one ε beside another one."""
    headers, body = served(PAGE, b"text/html; charset=utf-8", pieces=pieces)
    assert int(headers[b"content-length"]) == len(body)
    assert body.count(b'<html lang="en" translate="no">') == 1
    assert body.count(b'<meta name="google" content="notranslate">') == 1
    assert b'BACKEND_BASE_URL: new URL("./", location.href).href' in body
    assert body.endswith(b"<title>Streamlit</title></head><body></body></html>")


@pytest.mark.parametrize(
    ("content_type", "more"), [(b"text/javascript", ()), (b"text/html", ((b"content-encoding", b"gzip"),))]
)
def test_other_answers_pass_as_they_are(content_type, more):
    headers, body = served(PAGE, content_type, more=more, accept=b"*/*")
    assert body == PAGE
    assert headers[b"content-length"] == str(len(PAGE)).encode()


def test_the_document_of_the_streamlit_that_is_installed_is_the_kind_that_is_changed():
    document = (Path(streamlit.__file__).parent / "static" / "index.html").read_bytes()
    assert change_document(document) != document
    for added in (b'translate="no"', b"notranslate", b"BACKEND_BASE_URL"):
        assert change_document(document).count(added) == 1


def test_tabs_are_told_apart():
    pages = [
        ("explore", {}, "Wine, PCA"),
        ("explore", {}, ""),
        ("learn", {"story": "cliff"}, ""),
        ("learn", {}, ""),
        ("papers", {"exhibit": "chen-table-2"}, ""),
        ("methods", {"method": "dpsr"}, ""),
        ("saved", {}, ""),
    ]
    titles = [document_title(*page) for page in pages]
    assert len(set(titles)) == len(titles)
    assert titles[0] == "Wine, PCA · Explore · DP-GEP Lab"
    assert titles[1] == "Explore · DP-GEP Lab"
    assert document_title("learn", {"story": "<none such>"}) == "Learn · DP-GEP Lab"


def test_the_first_page_finds_its_answer_ready(monkeypatch):
    """A server makes it while the browser opens; a first visitor once waited for imports, rows and answer."""
    server.warm_up({"dataset": "wine", "epsilon": "0.77"})

    def again(*_given):
        raise AssertionError("solved again")

    monkeypatch.setattr(results, "answer", again)
    page = AppTest.from_file(ENTRY, default_timeout=120)
    page.query_params["dataset"], page.query_params["epsilon"] = "wine", "0.77"
    page.run()
    assert [error.value for error in page.exception] == []
    assert page.session_state["scenario"] == Scenario(dataset="wine", epsilon=0.77)


def test_a_first_page_that_cannot_be_made_ready_is_left_to_the_page():
    query = {"dataset": "wine", "xi": "0", "algorithms": "dpsr"}
    server.warm_up(query)
    page = AppTest.from_file(ENTRY, default_timeout=120)
    for name, text in query.items():
        page.query_params[name] = text
    page.run()
    assert any("xi must be" in error.value for error in page.error)


def test_threads_share_few_pools_of_memory_where_the_c_library_lets_them(monkeypatch):
    """After a class had left, two thirds of the memory of its server held nothing: each thread's pool kept some."""
    chosen = []
    monkeypatch.setattr(memory.sys, "platform", "linux")
    monkeypatch.setattr(
        memory.ctypes, "CDLL", lambda _name: SimpleNamespace(mallopt=lambda *given: chosen.append(given))
    )
    memory.share_pools()
    assert chosen == [(-8, memory.ARENAS)]
    monkeypatch.setattr(memory.ctypes, "CDLL", lambda _name: object())
    memory.share_pools()  # another C library has no such setting
    assert len(chosen) == 1


class _Loop:
    """Something that only a look for garbage frees."""

    def __init__(self):
        self.itself = self


@pytest.mark.parametrize(("drawn", "own"), [(True, 0), (False, 1), (False, 0)])
def test_garbage_goes_after_a_page_was_drawn_or_with_own_rows_and_an_idle_server_rests(drawn, own, monkeypatch):
    """Streamlit's own look after each run is off: it took half of a class's time. What it freed must still go."""
    assert server.settings()["runner.postScriptGC"] is False
    monkeypatch.setattr("dashboard.cache.alive", lambda: own)
    gc.disable()
    try:
        there = weakref.ref(_Loop())

        def looks():
            if drawn:
                with TURNS.drawing():
                    pass
            yield

        memory.tidy(looks())
        assert (there() is None) == (drawn or own > 0)
        memory.tidy(iter([None] * memory.RESTS))  # of a session that ended when nobody drew any more
        assert there() is None
    finally:
        gc.enable()
