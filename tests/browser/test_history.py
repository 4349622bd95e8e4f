"""Back and forward in Chromium: one step for each page, with the setting that the page had."""

import pytest
from waits import move, rest

EPSILON = "new URL(location).searchParams.get('epsilon')"


@pytest.fixture
def tab(reading_tab):
    """A tab on Methods, at ε = 1, with the view that shows ε in the sidebar."""
    page = reading_tab.bring("/methods", dataset="wine", algorithms="ssp", epsilon="1", view="epsilon")
    at(page, "/methods", "1")
    yield page
    assert reading_tab.complaints == []


def step(page, key, epsilon):
    """Move the slider of ε in the sidebar."""
    move(page, page.locator("[data-testid=stSidebar] input[type=range]").first, key, epsilon)
    at(page, "", epsilon)


def go(page, name, epsilon):
    """Go to a page by the menu, which keeps ε."""
    page.get_by_role("link", name=name, exact=True).first.click()
    at(page, f"/{name.lower()}", epsilon)


def at(page, name, epsilon):
    """Wait until a page is there, at an ε in its address and in the sidebar."""
    page.wait_for_function(
        f"([name, epsilon]) => location.pathname.endsWith(name) && {EPSILON} === epsilon && "
        "document.querySelector('[data-testid=stSidebar] input[type=range]')?.ariaValueText === epsilon",
        arg=[name, epsilon],
    )
    rest(page)


def test_back_restores_the_page_and_its_setting(tab):
    """Each page once took two steps, each move of a slider one more, and going back over them changed nothing."""
    first = tab.evaluate("() => history.length")
    step(tab, "ArrowLeft", "0.3")
    go(tab, "Data", "0.3")
    step(tab, "ArrowRight", "0.7")
    go(tab, "Learn", "0.7")
    assert tab.evaluate("() => history.length") == first + 2
    tab.go_back()
    at(tab, "/data", "0.7")
    tab.get_by_role("heading", name="What are the rows").wait_for()
    tab.go_back()
    at(tab, "/methods", "0.3")
    tab.get_by_role("heading", name="What does each method ask").wait_for()
    tab.go_forward()
    at(tab, "/data", "0.7")
    assert tab.evaluate("() => history.length") == first + 2
    go(tab, "Methods", "0.7")
    go(tab, "Data", "0.7")
    step(tab, "ArrowRight", "1")


@pytest.mark.slow
def test_back_twice_in_a_row_keeps_the_way_forward(tab):
    """The answer of the page in between comes late; it once made a step of its own and cut off what lay ahead."""
    for name in ("Data", "Learn"):
        go(tab, name, "1")
    length = tab.evaluate("() => history.length")
    tab.evaluate("() => { history.back(); setTimeout(() => history.back(), 45) }")
    at(tab, "/methods", "1")
    tab.get_by_role("heading", name="What does each method ask").wait_for()
    for name in ("data", "learn"):
        tab.go_forward()
        at(tab, f"/{name}", "1")
    assert tab.evaluate("() => history.length") == length
