"""An upload in Chromium: hostile names are text, Explore shows its numbers, and the rows go when the page is closed."""

import os
import subprocess
import sys
import textwrap
import time
import urllib.request

import pytest
from playwright.sync_api import TimeoutError
from serving import free_port, wait_until_it_answers
from waits import rest

NAMES = (
    "<script>alert(1)</script>",
    "=cmd|'/C calc'!A0",
    "![p](http://evil.example/p.png)",
    "<img src=x onerror=alert(1)>",
)
ALLOWED = ("data:", "blob:", "about:")
SERVER = """
    import gc, sys
    from importlib.resources import files
    import streamlit as st
    from starlette.responses import PlainTextResponse
    from starlette.routing import Route
    from dashboard import cache
    from dashboard.server import settings

    async def alive(_request):
        gc.collect()
        return PlainTextResponse(str(cache.alive()))

    app = st.App(str(files("dashboard") / "app.py"), routes=[Route("/alive", alive)])
    own = {"server.address": "127.0.0.1", "server.port": int(sys.argv[1]), "server.headless": True}
    app.run(config={**settings(), **own})
"""


def hostile() -> bytes:
    rows = [f"{i % 7},{i * i % 11},{i % 3},{i % 5},{('<i>yes</i>', 'no')[i % 2]}" for i in range(80)]
    return "\n".join([",".join([*NAMES, "the label"]), *rows]).encode()


@pytest.fixture
def page(profile):
    one = profile.new_page()
    one.set_viewport_size({"width": 1280, "height": 1400})
    one.complaints, one.requests = [], []
    one.on("pageerror", lambda error: one.complaints.append(str(error)))
    one.on("dialog", lambda dialog: (one.complaints.append(dialog.message), dialog.dismiss()))
    one.on("request", lambda request: one.requests.append(request.url))
    one.on("console", lambda m: one.complaints.append(m.text) if m.type == "error" else None)
    yield one
    one.close()


def send(page, address, name="hostile.csv", data=None):
    """Open the page, send a file, and use it."""
    page.goto(f"{address}/data?dataset=wine&rows=upload")
    page.locator("input[type=file]").wait_for(state="attached")
    rest(page)
    payload = {"name": name, "mimeType": "text/csv", "buffer": data or hostile()}
    page.locator("input[type=file]").set_input_files(payload)
    page.get_by_role("button", name="Use this data").wait_for()
    rest(page)


def choose(page, menu, option):
    """Choose by keyboard: a list may open below the window, and closes where the page is drawn anew just then."""
    for _ in range(6):
        page.get_by_role("combobox", name=menu).click()
        page.keyboard.type(option)
        try:
            page.get_by_role("option", name=option).wait_for(timeout=20_000)
        except TimeoutError:
            page.keyboard.press("Escape")
            rest(page)
        else:
            page.keyboard.press("Enter")
            return rest(page)
    raise AssertionError(f"{menu} never offered {option}")


@pytest.mark.slow
def test_hostile_names_from_the_file_to_explore(page, address):
    send(page, address, "<img src=x onerror=alert(1)>.csv")
    choose(page, "Label column", "the label")
    page.get_by_role("textbox", name="Classes, separated by commas").fill("<i>yes</i>, no")
    page.get_by_role("radio", name="declared here").locator("xpath=ancestor::label").click()
    page.get_by_role("textbox", name="Lower").fill("0")
    page.get_by_role("textbox", name="Lower").press("Enter")
    page.get_by_role("textbox", name="Upper").fill(
        "10"
    )  # and at once to the button: what was typed comes with the click
    page.get_by_role("button", name="Use this data").click()
    page.get_by_text("is the data set of this session now").wait_for()
    assert page.get_by_text("<img src=x onerror=alert(1)>.csv").count() >= 1
    rest(page)
    page.get_by_role("link", name="Explore it").click()
    page.locator(".dpgep-table").wait_for()
    rest(page)
    assert "dataset=upload_img_src_x_onerror_alert_1" in page.url
    page.get_by_text("Accuracy (LDA)").first.wait_for()
    page.get_by_role("link", name="Data").first.click()
    page.get_by_text("The current rows").click()
    page.get_by_role("heading", name="The first rows").wait_for()
    rest(page)
    assert page.locator("main img[src*=evil], main img[src=x], main script").count() == 0
    outside = [url for url in page.requests if not url.startswith((address, *ALLOWED))]
    assert outside == []
    assert page.complaints == []


@pytest.mark.slow
def test_another_session_is_told_where_uploads_are(page, address):
    page.goto(f"{address}/data?dataset=upload_secret")
    page.get_by_text("uploads stay in the session that made them").wait_for()


@pytest.fixture
def counted(tmp_path):
    """A server of its own that tells how many uploaded sets are in memory."""
    port, script = free_port(), tmp_path / "serve.py"
    script.write_text(textwrap.dedent(SERVER))
    environment = {k: v for k, v in os.environ.items() if k != "DPGEP_DATA_DIR"} | {"OPENBLAS_NUM_THREADS": "1"}
    with (tmp_path / "log").open("wb") as log:
        server = subprocess.Popen(
            [sys.executable, str(script), str(port)], env=environment, cwd=tmp_path, stdout=log, stderr=log
        )
        try:
            wait_until_it_answers(server, f"http://127.0.0.1:{port}", tmp_path / "log")
            yield f"http://127.0.0.1:{port}"
        finally:
            server.kill()
            server.wait()


def alive(address) -> int:
    with urllib.request.urlopen(f"{address}/alive", timeout=20) as answer:
        return int(answer.read())


@pytest.mark.slow
def test_rows_go_when_the_page_is_closed(chromium, counted):
    """Through the whole of Explore, whose answers, curves and pictures all hold on to the rows while they are open."""
    context = chromium.new_context()
    page = context.new_page()
    send(page, counted)
    page.get_by_role("button", name="Use this data").click()
    page.get_by_role("link", name="Explore it").click()
    page.locator(".dpgep-table").wait_for()
    assert alive(counted) == 1
    context.close()
    ends = time.monotonic() + 30  # a job ends its current item first, and waits six seconds for someone to look
    while alive(counted) and time.monotonic() < ends:
        time.sleep(0.5)
    assert alive(counted) == 0
