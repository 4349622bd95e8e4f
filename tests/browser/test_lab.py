"""The Privacy lab and the method pages in Chromium: they draw, and the console stays quiet."""

import pytest
from waits import rest


@pytest.mark.parametrize(
    ("title", "says", "charts"),
    [
        ("Privacy lab", "Is that ε true?", 3),
        pytest.param("Methods", "What does each method ask of the data?", 0, marks=pytest.mark.slow),
    ],
)
def test_by_the_menu(reading_tab, title, says, charts):
    page = reading_tab.bring("/learn", dataset="wine")
    page.get_by_role("link", name=title).first.click()
    page.get_by_role("heading", name=says).wait_for()
    rest(page)
    if charts:
        page.locator(".js-plotly-plot .main-svg").first.wait_for()
    assert reading_tab.complaints == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "where",
    [
        {"path": "/privacy_lab", "part": "attack"},
        {"path": "/privacy_lab", "part": "neighbours"},
        {"path": "/methods", "method": "dpsr"},
    ],
)
def test_by_its_address(reading_tab, where):
    page = reading_tab.bring(dataset="wine", **where)
    page.get_by_role("heading", level=1).first.wait_for()
    rest(page)
    assert page.locator("[data-testid=stException]").count() == 0
    assert reading_tab.complaints == []
