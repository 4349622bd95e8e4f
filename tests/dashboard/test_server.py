"""What the server adds to Streamlit: a script from this machine, and a moment's quiet for a browser beside it."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.requests import Request

from dashboard import jobs, server


def answered(coroutine):
    """What it gives, in a thread of its own: this one may already have a loop that a browser's driver left running."""
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
    monkeypatch.setattr(jobs, "_held_until", 0.0)
    assert asked_from(host).status_code == 204
    assert (jobs._held_until > 0) == held


def test_plotly_comes_from_the_package():
    answer = answered(server._plotly(Request({"type": "http", "headers": []})))
    assert answer.media_type == "text/javascript"
    assert str(answer.path).endswith("plotly.min.js")
