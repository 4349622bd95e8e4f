"""Scripts of components: sent whole without a server, fetched once by address from one."""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.requests import Request

from dashboard import server
from dashboard.components import live, served, sketch


def asked(name):
    """The answer to a browser that asks for a script."""
    with ThreadPoolExecutor(1) as one:
        scope = {"type": "http", "headers": [], "path_params": {"name": name}}
        return one.submit(asyncio.run, server._component_script(Request(scope))).result()


@pytest.mark.parametrize("one", [live, sketch])
def test_a_server_sends_a_few_lines_that_fetch_what_was_sent_before(monkeypatch, one):
    """The panel sent 45 kB with each step of the slider that the browser had already."""
    scripts = served.Scripts()
    monkeypatch.setattr(server, "SERVED", scripts)
    whole = (one.script(), one.CSS)
    assert scripts.sent(*whole) == whole
    scripts.open()
    sent, style = scripts.sent(*whole)
    assert len(sent) + len(style) < 600
    (path,) = re.findall(r'"(/lab/scripts/[^"]*)"', sent)
    answer = asked(path.removeprefix(f"{served.SCRIPTS}/"))
    assert answer.media_type == "text/javascript"
    assert answer.body.decode().endswith(one.script())
    assert "immutable" in answer.headers["Cache-Control"]
    changed, _ = scripts.sent(f"{one.script()}\n", one.CSS)
    assert changed != sent  # a browser that keeps a script never has an old one
    assert f"{served.SCRIPTS}/{{name}}" in {route.path for route in server.ROUTES}


def test_a_name_that_nobody_was_told_has_no_script():
    assert asked("../server.py").status_code == 404
