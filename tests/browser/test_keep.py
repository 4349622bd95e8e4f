"""Keep, share, export in Chromium: saved and opened again, every file downloaded and looked into, a link shared."""

import io
import re
from xml.etree import ElementTree

import pandas as pd
import pytest
from waits import rest

SCENE = {"dataset": "wine", "algorithms": "ssp", "epsilon": "0.7", "floor": "false", "seed": "5", "tab": "components"}


@pytest.fixture(scope="module")
def page(explore_tab):
    """One tab on one scenario; the tests follow each other."""
    page = explore_tab.bring("/", **SCENE)
    page.locator(".dpgep-table").wait_for()
    rest(page)
    return page


def numbers(page):
    """The headline, as text."""
    shown = page.locator(".dpgep-numbers")
    shown.first.wait_for()
    return shown.all_inner_texts()


def opened(page):
    """The popover that is open."""
    body = page.get_by_test_id("stPopoverBody")
    body.wait_for()
    return body


def downloads_of(page, place):
    """Open the downloads of one figure, in the order of the page."""
    page.keyboard.press("Escape")
    button = page.get_by_role("button", name="Download", exact=True).nth(place)
    button.scroll_into_view_if_needed()
    button.click()
    return opened(page)


STEM = "dpgep-wine-fda-ssp-eps0.7-seed5"


def got(page, button):
    with page.expect_download() as found:
        button.click()
    name, path = found.value.suggested_filename, found.value.path()
    return name, path.read_bytes()


def files_of(page, *kinds):
    """Files of the first figure of the tab, the components."""
    body = downloads_of(page, 0)
    return dict(got(page, body.get_by_role("button", name=kind, exact=False)) for kind in kinds)


@pytest.fixture(scope="module")
def files(page):
    """The files that the server writes by itself."""
    return files_of(page, "HTML", "CSV")


@pytest.mark.slow
def test_pictures(page):
    """The server starts a browser of its own for them, as tests of exports do."""
    files = files_of(page, "PNG", "SVG")
    png = files[STEM + "-components.png"]
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    assert int.from_bytes(png[16:20]) == 1800
    assert len(png) > 20_000
    svg = ElementTree.fromstring(files[STEM + "-components.svg"])
    text = "".join(svg.itertext())
    assert "seed 5" in text
    assert "seed known: not private" in text


def test_the_table_is_that_of_the_page(files, page):
    frame = pd.read_csv(io.BytesIO(files[STEM + "-components.csv"]))
    assert len(frame) == 13
    assert list(frame.columns) == ["feature", "exact 1", "exact 2", "ssp 1", "ssp 2", "settings"]
    assert "wine, fda" in frame["settings"].iloc[-1]
    assert "seed known: not private" in frame["settings"].iloc[-1]
    assert (frame[["exact 1", "ssp 2"]] ** 2).sum().round(9).tolist() == [1.0, 1.0]


def stand_alone(chromium, tmp_path, content):
    """A file in a browser that has never seen the server: its page, and everything it asked for."""
    path = tmp_path / "file.html"
    path.write_bytes(content)
    context = chromium.new_context(accept_downloads=True)
    tab, asked, complaints = context.new_page(), [], []
    tab.on("request", lambda request: asked.append(request.url))
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    tab.goto(path.as_uri())
    tab.locator(".js-plotly-plot .main-svg").first.wait_for()
    return context, tab, asked, complaints


def test_html_stands_alone(chromium, tmp_path, files):
    context, tab, asked, complaints = stand_alone(chromium, tmp_path, files[STEM + "-components.html"])
    assert "seed 5" in tab.locator("figcaption").inner_text()
    assert "seed known: not private" in tab.locator("figcaption").inner_text()
    tab.get_by_text("The numbers behind it").click()
    assert tab.locator("table tbody tr").count() == 13
    with tab.expect_download() as found:
        tab.get_by_role("button", name="PNG", exact=True).click()
    assert found.value.path().read_bytes().startswith(b"\x89PNG")
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    assert complaints == []
    context.close()


def keep_or_share(page):
    page.keyboard.press("Escape")
    button = page.get_by_role("button", name="Share", exact=True)
    button.scroll_into_view_if_needed()
    button.click()
    return opened(page)


@pytest.mark.slow
def test_reports(chromium, tmp_path, page):
    body = keep_or_share(page)
    name, content = got(page, body.get_by_role("button", name="Report as HTML"))
    assert name == STEM + ".html"
    context, tab, asked, complaints = stand_alone(chromium, tmp_path, content)
    text = tab.locator("main").inner_text()
    for words in ("Headline numbers", "Is that ε true?", "Ledger", "dpgep solve", "load_dataset", "scikit-learn",
                  "epsilon=0.7", "no private release", "What it costs a classifier"):  # fmt: skip
        assert words in text, words
    assert tab.locator(".js-plotly-plot").count() >= 5
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    assert complaints == []
    context.close()
    body.get_by_role("button", name="Make the report as PDF").click()
    ready = body.get_by_role("button", name="Report as PDF", exact=True)
    ready.wait_for()
    name, made = got(page, ready)
    assert name == STEM + ".pdf"
    assert made.startswith(b"%PDF-")
    assert len(made) > 50_000


def link_of(page):
    """The link to exactly this, with its popover left open."""
    return keep_or_share(page).get_by_test_id("stCode").inner_text().replace("\n", "")


def test_the_link_is_that_of_the_settings_and_is_copied(page):
    """That an address gives the same numbers in another profile is shown on Explore, by default."""
    link = link_of(page)
    assert link.endswith(
        "/?dataset=wine&model=fda&algorithms=ssp&epsilon=0.7&seed=5&steps=2&xi=0&floor=false&tab=components"
    )
    page.bring_to_front()
    page.get_by_role("button", name="Copy link").click()
    page.get_by_role("status").get_by_text("Copied.").wait_for()
    page.keyboard.press("Escape")
    assert page.evaluate("() => navigator.clipboard.readText()") == link
    here = numbers(page)
    assert len(here) == 1
    assert all(re.search(r"\d+\.\d+", each) for each in here)


@pytest.mark.slow
def test_a_shared_link_gives_the_same_numbers_elsewhere(chromium, page):
    link = link_of(page)
    page.keyboard.press("Escape")
    context = chromium.new_context()
    other = context.new_page()
    other.goto(link)
    other.locator(".dpgep-table").wait_for()
    rest(other)
    assert numbers(other) == numbers(page)
    context.close()


@pytest.mark.slow
def test_save_open_delete_and_undo(page, address, explore_tab):
    before = numbers(page)
    body = keep_or_share(page)
    body.get_by_label("Name").fill("Seventh <b>of ten</b>")
    body.get_by_role("button", name="Save this scenario").click()
    page.get_by_text("Saved as “Seventh <b>of ten</b>”").wait_for()
    page.keyboard.press("Escape")

    page.goto(f"{address}/saved?dataset=digits")
    page.get_by_text("1 saved").wait_for()
    rest(page)
    page.get_by_role("button", name="More").click()
    opened(page).get_by_role("button", name="Delete").click()
    page.get_by_text("Nothing is saved yet").wait_for()
    rest(page)
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("1 saved").wait_for()
    rest(page)

    page.get_by_test_id("stBaseButton-primary").filter(has_text="Open").click()  # select boxes have an "Open" too
    page.locator(".dpgep-table").wait_for()
    page.wait_for_function("() => new URL(location).searchParams.get('epsilon') === '0.7'")
    rest(page)
    assert "dataset=wine" in page.url
    assert numbers(page) == before
    assert page.locator("[data-testid=stException]").count() == 0
    assert explore_tab.complaints == []
