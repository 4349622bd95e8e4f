"""A paper's figure in a browser: run by one click, reloaded, drawn, and taken along."""

import re

import pytest


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
