"""A story by keyboard alone, and its offline copy from a file, in Chromium."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from waits import rest

MAKE = (
    "import sys; from pathlib import Path; from dashboard.stories import STORIES; "
    "from dashboard.panels.story_file import story_html; "
    "Path(sys.argv[2]).write_text(story_html(STORIES[sys.argv[1]]), encoding='utf-8')"
)


@pytest.fixture
def page(profile):
    one = profile.new_page()
    one.complaints = []
    one.on("console", lambda m: one.complaints.append(m.text) if m.type == "error" else None)
    one.on("pageerror", lambda error: one.complaints.append(str(error)))
    yield one
    one.close()


def settled(page):
    """Nothing is drawn anew any more. Comes after a wait for what the run shows; the bar of a story stays."""
    rest(page, filling=False)


def tab_to(page, text, most=120):
    """Press Tab until what has the focus says a text."""
    for _ in range(most):
        page.keyboard.press("Tab")
        said = page.evaluate(
            "() => { const e = document.activeElement; "
            "return e.matches('button, input, a') ? (e.closest('label') ?? e).innerText : '' }"
        )
        if text in said:
            return
    raise AssertionError(f"Tab never came to {text!r}")


@pytest.mark.slow
def test_a_story_by_keyboard_alone(page, address):
    page.goto(f"{address}/learn?story=worst&step=2")
    page.get_by_text("Step 2 of 4").wait_for()
    settled(page)
    picture = page.locator(".js-plotly-plot").first.bounding_box()
    question = page.get_by_text("how many of the 13 columns").first.bounding_box()
    assert picture["x"] + picture["width"] <= question["x"]  # side by side, and in the window at once
    assert max(picture["y"], question["y"]) < 400
    assert "bounds=false" in page.url  # two words are enough to open the scene
    assert page.get_by_text("Proline carries").count() == 0  # asked before it is shown

    tab_to(page, "Show without an answer")
    page.keyboard.press("Enter")
    page.get_by_text("Proline carries").wait_for()
    page.locator(".js-plotly-plot .main-svg").first.wait_for()
    settled(page)

    page.evaluate("() => document.activeElement.blur()")
    page.keyboard.press("ArrowRight")
    page.get_by_text("Step 3 of 4").wait_for()
    settled(page)
    assert "step=3" in page.url
    assert "bounds=false" in page.url  # turning a page moves no control

    tab_to(page, "Nothing")  # the first choice; ↓ and ↑ choose, and turn no page
    page.keyboard.press("Space")
    page.get_by_text("You said: Nothing").wait_for()
    settled(page)
    page.keyboard.press("ArrowDown")
    page.get_by_text("As you said").wait_for()
    assert page.get_by_text("Step 3 of 4").count() == 1
    settled(page)

    for key, step in (("ArrowRight", 4), ("PageUp", 3)):  # the choice has the focus, as after every answer in class
        page.keyboard.press(key)
        page.get_by_text(f"Step {step} of 4").wait_for()
        settled(page)
        if step == 4:
            tab_to(page, "Show without an answer")
    page.get_by_text("As you said").wait_for()  # the answer is as it was

    tab_to(page, "Column bounds on")
    page.keyboard.press("Enter")
    page.wait_for_function("() => !location.search.includes('bounds=false')")
    settled(page)
    page.evaluate("() => document.activeElement.blur()")
    page.keyboard.press("ArrowLeft")
    page.get_by_text("Step 2 of 4").wait_for()
    assert page.complaints == []


def test_a_prediction_is_drawn_with_the_mouse_or_a_finger(page, address):
    """Strokes of both kinds are kept, and the true curve comes into the same picture."""
    page.goto(f"{address}/learn?story=ridge&step=1")
    page.locator(".dpgep-sketch svg").wait_for()
    settled(page)
    compare = page.get_by_role("button", name="Compare with the true curve")
    assert compare.is_disabled()
    box = page.locator(".dpgep-sketch .plot").bounding_box()
    left, middle, right = (box["x"] + share * box["width"] for share in (0.1, 0.5, 0.9))
    high, low = (box["y"] + share * box["height"] for share in (0.2, 0.7))
    page.mouse.move(left, high)
    page.mouse.down()
    page.mouse.move(middle, low, steps=4)
    page.mouse.up()
    finger = page.context.new_cdp_session(page)
    for kind, places in (("touchStart", [(middle, low)]), ("touchMove", [(right, high)]), ("touchEnd", [])):
        points = [{"x": x, "y": y} for x, y in places]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    page.wait_for_function(
        "() => document.querySelector('.dpgep-sketch .sketch').getAttribute('points').split(' ').length > 45"
    )
    settled(page)
    compare.click()
    page.get_by_text("Your curve is dotted").wait_for()
    page.locator(".js-plotly-plot .legendtext", has_text="Drawn by hand").first.wait_for()
    page.locator(".js-plotly-plot .legendtext", has_text="Exact, no privacy").first.wait_for()
    assert page.complaints == []


@pytest.mark.slow
def test_arrows_belong_to_a_slider_that_has_the_focus(page, address):
    page.goto(f"{address}/learn?story=rows")
    page.get_by_text("Step 1 of 3").wait_for()
    page.locator(".dpgep-sketch svg").wait_for()  # the question has its picture, to be drawn into
    assert page.get_by_role("slider", name="Privacy loss ε").count() == 0
    page.get_by_role("button", name="Show without an answer").click()
    page.get_by_text("Ten times the rows give").wait_for()
    settled(page)
    assert page.get_by_text("Data set", exact=True).count() == 1
    assert not page.get_by_text("Data set", exact=True).is_visible()  # no step of this story moves it
    assert page.get_by_text("Privacy and size").is_visible()  # it holds the number of rows
    page.get_by_role("slider", name="Privacy loss ε").first.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => !location.search.includes('epsilon=0.1&')")
    settled(page)
    assert page.get_by_text("Step 1 of 3").count() == 1


def test_a_term_says_its_meaning_and_leads_to_it(reading_tab):
    page = reading_tab.bring("/privacy_lab", dataset="wine")
    page.get_by_role("button", name="What-if").click()
    link = page.locator("a[href='learn?term=seed']").first
    link.wait_for()
    assert "subtract the noise" in link.get_attribute("title")
    before = page.url
    with page.context.expect_page() as opened:
        link.click()
    opened.value.get_by_role("heading", name="Seed").first.wait_for()
    opened.value.close()
    assert page.url == before  # nothing that was set here is lost


@pytest.mark.slow
@pytest.mark.parametrize("story", ["worst"])
def test_the_offline_copy_from_a_file(page, story, tmp_path):
    path = tmp_path / "story.html"
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    subprocess.run([sys.executable, "-c", MAKE, story, str(path)], check=True, env=environment, capture_output=True)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(Path(path).as_uri())
    page.get_by_text("MIT licence").wait_for()
    folds = page.locator("main > details")
    assert folds.count() == 4
    assert not page.get_by_text("The guarantee covers" if story == "worst" else "a rotation cannot").is_visible()
    for fold in folds.all():
        fold.locator("> summary").click()
    assert page.get_by_text("The guarantee covers" if story == "worst" else "a rotation cannot").is_visible()
    page.locator(".plot .main-svg").first.wait_for()
    width = page.locator(".plot .main-svg").first.bounding_box()["width"]
    assert width == pytest.approx(page.locator(".plot").first.bounding_box()["width"], abs=2)  # drawn while folded
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    assert page.complaints == []
