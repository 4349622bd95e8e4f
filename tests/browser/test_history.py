"""Back and forward in Chromium: one step for each page, with the setting that the page had."""

from pathlib import Path

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from waits import move, rest

from dashboard import server

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


STORY = "/learn?dataset=digits&model=pca&algorithms=ssp&story=cliff&step=4"
TITLE = "What ε does to a picture"
AT_STORY = """() => location.pathname.endsWith('/learn') && new URL(location).searchParams.get('story') === 'cliff'
  && new URL(location).searchParams.get('step') === '4' """


class LateAddresses:
    """Holds back the addresses that the server sends to a page, which are late where a page computes."""

    def __init__(self, page):
        self.held, self.holds = [], False
        page.route_web_socket("**/_stcore/stream", self._join)

    def _join(self, browser):
        self._browser, far = browser, browser.connect_to_server()
        far.on_message(self._pass)

    def _pass(self, message):
        late = self.holds and isinstance(message, bytes)
        if late and ForwardMsg.FromString(message).WhichOneof("type") == "page_info_changed":
            self.held.append(message)
        else:
            self._browser.send(message)

    def release(self):
        self.holds = False
        while self.held:
            self._browser.send(self.held.pop(0))


@pytest.fixture
def story(chromium, address):
    """A tab of its own on step 4 of a story, with the addresses on their way to it."""
    context = chromium.new_context()
    page = context.new_page()
    late = LateAddresses(page)
    page.goto(address + STORY)
    page.get_by_role("heading", name=TITLE).wait_for()
    rest(page, filling=False)
    yield page, late
    context.close()


def test_an_address_that_comes_after_one_went_back_is_not_that_of_the_page(story):
    """It took the place of the address of the page to which one had gone back: the story, or the sweep, was lost."""
    page, late = story
    late.holds = True
    page.get_by_role("link", name="Methods", exact=True).first.click()
    page.wait_for_function("() => location.pathname.endsWith('/methods')")
    while not late.held:
        page.wait_for_timeout(50)
    page.go_back(wait_until="commit")
    page.wait_for_function(AT_STORY)
    late.release()
    page.get_by_role("heading", name=TITLE).wait_for()
    rest(page, filling=False)
    assert page.evaluate(AT_STORY), page.url
    page.go_forward(wait_until="commit")  # to an address that was left before it was whole: the settings stay
    page.wait_for_function("() => new URL(location).searchParams.get('dataset') === 'digits'")
    assert page.evaluate("() => location.pathname.endsWith('/methods')")
    rest(page)


def test_a_button_to_another_page_leaves_the_address_of_its_own(story):
    """The server empties the address when a button leads to another page, and Back came to the list of stories."""
    page, _ = story
    page.get_by_role("button", name="Explore it").first.click()
    page.wait_for_function("() => !location.pathname.endsWith('/learn')")
    page.go_back(wait_until="commit")
    page.wait_for_function(AT_STORY)
    page.get_by_role("heading", name=TITLE).wait_for()
    rest(page, filling=False)
    assert page.evaluate(AT_STORY), page.url


def test_only_the_address_of_a_page_is_written_into_its_entry(profile, address):
    """The answer of the next page may overtake its step, by milliseconds: here all of it is done in that order."""
    page = profile.new_page()
    page.goto(f"{address}/lab/document.js")
    page.evaluate("() => history.replaceState({}, '', '/compare?dataset=wine&run=0123456789ab')")
    page.add_script_tag(path=Path(server.__file__).parent / "static" / "document.js")
    put = "([how, address]) => { history[how]({}, '', address); return location.pathname + location.search }"
    first = "/compare?dataset=wine&run=0123456789ab"
    for how in ("pushState", "replaceState"):
        assert page.evaluate(put, [how, "/compare?at=methods&dataset=wine"]) == first
        assert page.evaluate(put, [how, "/compare"]) == first
    length = page.evaluate("() => history.length")
    assert page.evaluate(put, ["pushState", "/compare?at=compare&run=ba9876543210"]) == "/compare?run=ba9876543210"
    assert page.evaluate("() => history.length") == length
    assert page.evaluate(put, ["pushState", "/methods?at=methods&dataset=wine"]) == "/methods?dataset=wine"
    assert page.evaluate(put, ["pushState", "/?at=explore&dataset=a%2Cb"]) == "/?dataset=a%2Cb"
    assert page.evaluate(put, ["replaceState", "/?at=explore&dataset=c"]) == "/?dataset=c"
    assert page.evaluate("() => history.length") == length + 2
    page.close()
