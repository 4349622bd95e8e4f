"""A sweep in a browser: started, reloaded while it runs, seen to its end, and taken along."""

import io
import re

import pandas as pd
import pytest

SPEC = 'datasets = ["digits"]\nalgorithms = ["ssp", "dprf"]\nepsilon = [0.1, 1, 10]\nxi = [0.01, 0.1]\nseeds = 12\n'


@pytest.mark.slow
def test_a_sweep_outlives_a_reload_and_is_taken_along(chromium, address):
    context = chromium.new_context(viewport={"width": 1280, "height": 1400}, accept_downloads=True)
    page = context.new_page()
    page.goto(f"{address}/compare?dataset=wine&algorithms=ssp")
    page.get_by_role("button", name="TOML", exact=True).or_(page.get_by_role("radio", name="TOML", exact=True)).click()
    box = page.get_by_label("The sweep as TOML")
    box.fill(SPEC)
    box.press("Control+Enter")
    page.get_by_text("144 cells").first.wait_for()
    page.get_by_role("button", name="Start the sweep").click()
    page.wait_for_url(re.compile(r"run=[0-9a-f]{12}"))
    page.get_by_text(re.compile("of 144 cells")).first.wait_for()
    page.reload()
    page.get_by_text(re.compile("of 144 cells")).first.wait_for()  # it runs on, and is found
    assert page.get_by_role("button", name="Cancel").is_visible()
    page.get_by_text("144 cells, all computed").wait_for(timeout=300_000)  # on a busy machine
    page.locator(".js-plotly-plot .main-svg").first.wait_for()
    with page.expect_download() as download:
        page.get_by_role("button", name="Parquet, every cell").click()
    table = pd.read_parquet(io.BytesIO(download.value.path().read_bytes()))
    assert len(table) == 144
    assert set(table["algorithm"]) == {"ssp", "dprf"}
    assert set(table["epsilon"]) == {0.1, 1.0, 10.0}
    assert table["lda_accuracy"].between(0, 1).all()
    context.close()
