"""The Privacy lab and the method pages in Chromium: they draw, and the console stays quiet."""

from collections.abc import Iterator

import pytest


@pytest.fixture
def page(profile) -> Iterator[object]:
    """A new tab."""
    tab = profile.new_page()
    yield tab
    tab.close()


@pytest.mark.parametrize(
    ("title", "says", "charts"),
    [
        ("Privacy lab", "Is that ε true?", 3),
        pytest.param("Methods", "What does each method do", 0, marks=pytest.mark.slow),
    ],
)
def test_by_the_menu(page, address, title, says, charts):
    errors = watched(page)
    page.goto(f"{address}/?dataset=wine")
    page.get_by_role("heading", name="What does privacy cost here?").wait_for()
    page.get_by_role("link", name=title).first.click()
    page.get_by_role("heading", name=says).wait_for()
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    if charts:
        page.locator(".js-plotly-plot .main-svg").first.wait_for()
    assert errors == []


@pytest.mark.parametrize(
    "where",
    [
        "privacy_lab?part=attack&",
        pytest.param("privacy_lab?part=neighbours&", marks=pytest.mark.slow),
        pytest.param("methods?method=dpsr&", marks=pytest.mark.slow),  # the tests of history open it too
    ],
)
def test_by_its_address(page, address, where):
    errors = watched(page)
    page.goto(f"{address}/{where}dataset=wine")
    page.get_by_role("heading", level=1).wait_for()
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    assert page.locator("[data-testid=stException]").count() == 0
    assert errors == []


def watched(page):
    """Errors of the page from now on, as they come."""
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    return errors
