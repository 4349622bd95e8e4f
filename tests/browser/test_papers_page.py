"""A paper's figure in a browser: run by one click, reloaded, drawn, and taken along."""

import re

import pytest
from waits import rest

SCROLLED = "() => document.querySelector('[data-testid=stMain]').scrollTop"


@pytest.fixture
def page(chromium, address):
    context = chromium.new_context(viewport={"width": 1280, "height": 720})
    page = context.new_page()
    page.goto(f"{address}/papers")
    yield page
    context.close()


def open_table_2(page):
    """Open an exhibit far down the list. Returns how far the list was scrolled."""
    page.get_by_role("button", name="Open table 2", exact=True).scroll_into_view_if_needed()
    rest(page)
    left = page.evaluate(SCROLLED)
    assert left > 300
    page.get_by_role("button", name="Open table 2", exact=True).click()
    page.get_by_role("heading", name="Run it again").wait_for()
    rest(page)
    return left


def test_an_exhibit_begins_at_its_title_and_a_pick_leaves_the_page_where_it_is(page):
    """It opened 700 pixels down, where the gallery had been scrolled to: title and verdict were above the window."""
    open_table_2(page)
    assert page.evaluate(SCROLLED) == 0
    page.get_by_role("combobox", name="Classifier").click()
    before = page.evaluate(SCROLLED)
    assert before > 100
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("panel="))
    rest(page)
    assert page.evaluate(SCROLLED) == before


def test_the_list_is_again_where_one_left_it(page):
    """It began at its top after each exhibit, so that a reader searched its place each time."""
    before = open_table_2(page)
    page.get_by_role("button", name="← All tables and figures").click()
    page.get_by_role("button", name="Open table 2", exact=True).wait_for()
    page.wait_for_function(f"before => Math.abs(({SCROLLED})() - before) < 2", arg=before)
    rest(page)
    assert abs(page.evaluate(SCROLLED) - before) < 2
    page.mouse.move(640, 400)
    page.mouse.wheel(0, -200)  # whoever scrolls is not put back
    page.wait_for_function(f"before => ({SCROLLED})() < before - 100", arg=before)
    page.wait_for_timeout(300)
    assert page.evaluate(SCROLLED) < before - 100


@pytest.mark.slow
def test_a_figure_is_one_click_away_and_outlives_a_reload(chromium, address):
    context = chromium.new_context(viewport={"width": 1280, "height": 1400}, accept_downloads=True)
    page = context.new_page()
    page.goto(f"{address}/papers?dataset=wine")
    page.get_by_role("button", name="Open supplement, figure 6").click()
    page.get_by_role("heading", name=re.compile("Change of the whitened scatter against ξ, a9a")).wait_for()
    page.get_by_role("button", name="Run it in full").click()
    page.wait_for_url(re.compile(r"task=[0-9a-f]{12}"))
    page.reload()
    page.get_by_text(re.compile(r"[\d,]+ cells, all computed")).wait_for()
    page.locator(".js-plotly-plot .main-svg").first.wait_for()
    with page.expect_download() as download:
        page.get_by_role("button", name="HTML, everything on this page").click()
    saved = download.value.path().read_text(encoding="utf-8")
    assert "<svg" in saved
    assert "dpgep paper chen-supplement-figure-6" in saved
    assert "--quick" not in saved
    context.close()
