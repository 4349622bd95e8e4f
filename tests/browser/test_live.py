"""Dragging ε in Chromium: the picture moves while the mouse is down, and the rest of the page follows when it is up."""

import json
import re
from array import array
from base64 import b64encode
from pathlib import Path

import pytest
from waits import rest

from dashboard import server
from dashboard.components import live
from dashboard.scenario import COMMON_PARAMETERS
from dashboard.text import words
from dpgep_core.params import Xi, definition

NUMBERS = "[...document.querySelectorAll('.dpgep-numbers .value')]"
EPSILON = COMMON_PARAMETERS["epsilon"].label
LIVE = "document.querySelector('.dpgep-live')"


@pytest.fixture(scope="module")
def open_tab(profile, address):
    """Opens a tab with a scenario, and waits until every place on the axis is there."""
    tabs = []

    def opened(query):
        tab = profile.new_page()
        tabs.append(tab)
        tab.set_viewport_size({"width": 1280, "height": 1400})
        tab.complaints = []
        tab.on("console", lambda m: tab.complaints.append(m.text) if m.type == "error" else None)
        tab.on("pageerror", lambda error: tab.complaints.append(str(error)))
        tab.goto(f"{address}/?dataset=wine&{query}")
        every_place(tab)
        return tab

    yield opened
    for tab in tabs:
        tab.close()


def every_place(tab):
    """Wait until the panel has drawn and nothing is missing along its axis."""
    tab.wait_for_function(f"() => Number({LIVE}?.dataset.drawn) >= 1 && {LIVE}.dataset.missing === '0'")


@pytest.fixture
def one_method(explore_tab):
    """The tab that tests of one method share: each begins where the one before has left the slider."""
    page = explore_tab.bring("/", dataset="wine", algorithms="ssp", floor="false")
    every_place(page)
    yield page
    assert explore_tab.complaints == []


def along(page, name):
    """Choose what the panel moves along, and wait until every place is there."""
    choice = page.get_by_test_id("stMain").get_by_role("radio", name=re.compile(f"^{name.split()[-1]} ="))
    if not choice.is_checked():
        choice.click()
    page.wait_for_function(f"name => {LIVE}?.querySelector('label span').textContent === name", arg=name)
    every_place(page)
    rest(page)
    return page


def epsilon(page):
    """The ε of the address, as text."""
    return page.evaluate("() => new URL(location).searchParams.get('epsilon')")


def seen(page):
    """The table, the curve, and each picture as its pixels are."""
    return page.evaluate(
        f"""() => [document.querySelector('.dpgep-numbers').innerText,
            [...{LIVE}.querySelectorAll('svg .mark')].map(m => m.outerHTML).join(),
            ...[...{LIVE}.querySelectorAll('.points')].map(c => c.toDataURL())]"""
    )


def test_five_and_more_pictures_while_the_mouse_is_down(one_method):
    drag_through_many_pictures(along(one_method, EPSILON))


@pytest.mark.slow
def test_five_and_more_pictures_of_each_of_two_methods(open_tab):
    page = open_tab("algorithms=ssp,dprf&epsilon=4")
    drag_through_many_pictures(page)
    assert page.complaints == []


def drag_through_many_pictures(page):
    """From where the slider stands to its left end: the panel moves, and the server is asked on release alone."""
    began = epsilon(page)
    slider = page.locator(".dpgep-live input")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    share = page.evaluate(f"() => {{ const i = {LIVE}.querySelector('input'); return i.value / i.max }}")
    x, y = box["x"] + 8 + share * (box["width"] - 16), box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    pictures = []
    drawn = page.evaluate(f"() => Number({LIVE}.dataset.drawn)")
    for step in range(1, 9):
        page.mouse.move(x - step * (x - box["x"] - 10) / 8, y)
        page.wait_for_function(f"before => Number({LIVE}.dataset.drawn) > before", arg=drawn)
        drawn = page.evaluate(f"() => Number({LIVE}.dataset.drawn)")
        pictures.append(seen(page))
    assert epsilon(page) == began  # the server has not been asked yet
    numbers, curve, exact, *private = zip(*pictures, strict=True)
    assert len(set(numbers)) >= 5
    assert len(set(curve)) >= 5
    assert len(set(exact)) == 1
    assert all(len(set(points)) >= 5 for points in private)

    page.mouse.up()
    page.wait_for_function("began => new URL(location).searchParams.get('epsilon') !== began", arg=began)
    page.wait_for_function(f"() => {LIVE}.dataset.here === new URL(location).searchParams.get('epsilon')")


def said(page):
    """What the table says made the numbers of each method with a choice."""
    return page.evaluate("() => [...document.querySelectorAll('.dpgep-numbers .steps')].map(s => s.textContent)")


def test_one_step_moves_and_two_steps_stand(one_method):
    """The numbers under the mouse are those of one step, and say so; those that stay are of two."""
    page = along(one_method, EPSILON)
    rest(page)
    assert said(page) == ["two steps"]
    box, began = page.locator(".dpgep-live input").bounding_box(), epsilon(page)
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 0.4 * box["width"], middle)
    page.mouse.down()
    page.mouse.move(box["x"] + (0.6 if float(began) < 0.1 else 0.3) * box["width"], middle)
    page.wait_for_function(f"began => {LIVE}.querySelector('output').innerText !== began", arg=began)
    assert said(page) == ["one step, while dragging"]
    moved = page.evaluate(f"() => {NUMBERS}.map(c => c.innerText)")
    page.mouse.up()
    page.wait_for_function(f"() => {LIVE}.dataset.here === new URL(location).searchParams.get('epsilon')")
    page.wait_for_function("() => document.querySelector('.dpgep-numbers .steps').textContent === 'two steps'")
    rest(page)
    assert epsilon(page) != began
    assert page.evaluate(f"() => {NUMBERS}.map(c => c.innerText)") != moved
    assert not page.locator(".dpgep-numbers.waiting").count()


def test_the_curve_is_a_slider_too(one_method):
    page = along(one_method, EPSILON)
    box = page.locator(".dpgep-live .plot").bounding_box()
    began, height = epsilon(page), box["y"] + box["height"] / 2
    there = 0.05 < float(began) < 0.5  # about where the mouse would be let go: a drag that ends there changes nothing
    page.mouse.move(box["x"] + box["width"] * 0.4, height)
    page.mouse.down()
    page.wait_for_function(f"began => {LIVE}.querySelector('output').innerText !== began", arg=began)
    page.mouse.move(box["x"] + box["width"] * (0.75 if there else 0.6), height)
    page.mouse.up()
    page.wait_for_function("began => new URL(location).searchParams.get('epsilon') !== began", arg=began)
    shown = float(page.locator(".dpgep-live output").inner_text())
    assert shown == pytest.approx(float(epsilon(page)), rel=0.01)
    low, high = (0.5, 2) if there else (0.05, 0.5)  # of an axis that runs from .001 to 10
    assert low <= shown <= high


@pytest.mark.slow
def test_the_arrow_keys_move_it_too(open_tab):
    page = open_tab("algorithms=ssp,dprf&epsilon=4")
    before = page.locator(".dpgep-live output").inner_text()
    page.locator(".dpgep-live input").focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_function(f"old => {LIVE}.querySelector('output').innerText !== old", arg=before)
    page.wait_for_function("() => new URL(location).searchParams.get('epsilon') === '3'")
    assert page.locator(".dpgep-live output").inner_text() == "3"


def test_steps_in_quick_succession_are_all_counted(one_method):
    """The page answers later than one presses: the slider does not jump back to what it has just caught up with."""
    page = along(one_method, EPSILON)
    page.locator(".dpgep-live input").focus()
    page.keyboard.press("End")
    page.wait_for_function("() => new URL(location).searchParams.get('epsilon') === '10'")
    page.wait_for_function(f"() => {LIVE}.dataset.here === '10'")
    rest(page)
    start = page.evaluate(
        f"""() => {{ window.__places = []; const input = {LIVE}.querySelector('input');
            const watch = () => {{ if (!window.__places) return
                window.__places.push(Number(input.value)); requestAnimationFrame(watch) }};
            watch(); return Number(input.value) }}"""
    )
    for _ in range(6):
        page.keyboard.press("ArrowLeft")
        page.wait_for_timeout(120)  # as a hand presses: most steps come before the page has answered the one before
    page.wait_for_function("() => new URL(location).searchParams.get('epsilon') === '1'")
    page.wait_for_function(f"() => {LIVE}.dataset.here === '1'")
    rest(page)
    page.wait_for_timeout(1000)  # in which no late answer moves it
    passed = page.evaluate("() => { const seen = window.__places; window.__places = undefined; return seen }")
    assert passed == sorted(passed, reverse=True)
    assert passed[-1] == start - 6
    assert page.locator(".dpgep-live output").inner_text() == "1"


def test_a_ridge_can_be_dragged_and_costs_nothing(one_method):
    """ξ is post-processing of what was released: the accounted ε stays where it is while everything else moves."""
    page = along(one_method, definition(Xi).label)
    cells = []
    for _ in range(4):
        page.locator(".dpgep-live input").focus()
        before = page.locator(".dpgep-live output").inner_text()
        page.keyboard.press("ArrowRight")
        page.wait_for_function(f"old => {LIVE}.querySelector('output').innerText !== old", arg=before)
        cells.append(
            page.wait_for_function(  # numbers of an earlier step may come in between, and do not stay
                f"seen => {{ const now = {NUMBERS}.map(c => c.innerText); return !seen.includes(now[1]) && now }}",
                arg=[row[1] for row in cells],
            ).json_value()
        )
    _accuracy, angle, cosine, accounted, guess = zip(*cells, strict=True)
    assert len(set(angle)) == len(set(cosine)) == 4
    assert len(set(accounted)) == len(set(guess)) == 1
    assert said(page) == ["two steps"]  # they move as they are: nothing is asked of the rows again
    page.wait_for_function("() => Number(new URL(location).searchParams.get('xi')) > 0")


def test_a_typed_value_is_the_page_s(one_method):
    page = along(one_method, EPSILON)
    for typed, shown, short in (("1/32", "0.03125", "0.0313"), ("2,5", "2.5", "2.5")):
        page.locator(".dpgep-live output").click()
        page.get_by_role("textbox", name=f"{EPSILON}, typed").fill(typed)
        page.keyboard.press("Enter")
        page.wait_for_function("shown => new URL(location).searchParams.get('epsilon') === shown", arg=shown)
        page.wait_for_function(f"shown => {LIVE}.querySelector('output').innerText === shown", arg=short)
    page.locator(".dpgep-live output").click()
    page.get_by_role("textbox", name=f"{EPSILON}, typed").fill("-1")
    page.keyboard.press("Enter")
    page.get_by_text("epsilon must be a finite number > 0; got '-1'.").wait_for()
    assert epsilon(page) == "2.5"
    page.wait_for_function(  # the panel is made anew below the warning: for a moment there are two
        "() => [...document.querySelectorAll('.dpgep-live output')].map(each => each.innerText).join() === '2.5'"
    )


def told(place, made):
    """What the panel is told, with nothing to draw."""
    return {
        "made": made, "answered": "a", "axis": {"label": "ε", "low": "", "high": "", "ticks": [], "tick_texts": []},
        "grid": [1, 2, 3], "index": place, "here": place, "tracks": [], "exact": "", "exact_images": "", "image": None,
        "hints": None, "metric": "angle", "metric_title": "", "levels": [], "limits": None, "steps": 1000,
        "labels": None, "colours": ["#ff0000"], "symbols": ["circle"], "named": 2,
        "style": {"ink": "#000000", "faint": "#eeeeee", "quiet": "#777777", "diverging": ["#0000ff"] * 3},
    }  # fmt: skip


@pytest.fixture
def panel(profile):
    """The panel alone, without a server: called with what it is told, it answers where it and its slider are."""
    script = live.script().encode()
    page = profile.new_page()
    page.set_content(f"<main>{live.HTML}</main>")
    page.evaluate(
        "async source => { window.panel = (await import(`data:text/javascript;base64,${source}`)).default }",
        b64encode(script).decode(),
    )

    def call(place, made, **more):
        page.evaluate(
            "data => panel({ data, parentElement: document.querySelector('main'), "
            "setStateValue: (_, sent) => { window.sent = sent } })",
            told(place, made) | more,
        )
        return page.evaluate(f"() => [{LIVE}.dataset.here, {LIVE}.querySelector('input').value]")

    call.page = page
    yield call
    page.close()


def test_a_ceiling_that_moves_is_drawn_over_the_places_that_are_there(panel):
    def track(ceilings):
        frames = {str(i): {"angle": 1 + i, "ceiling": c, "points": "", "exact": "", "images": "", "exact_images": "",
                           "cells": []} for i, c in ceilings.items()}  # fmt: skip
        return {"title": "a", "colour": "#0000ff", "dash": "solid", "constant": False, "frames": frames, "stands": None,
                "says": "", "stood": ""}  # fmt: skip

    levels = [{"value": 2.0, "label": "non-private", "along": True}, {"value": 0.5, "label": "low", "along": False}]
    for made, (ceilings, points) in enumerate(
        [({0: 2.0}, 1), ({0: 2.0, 2: 3.0}, 2), ({0: 2.0, 1: 2.5, 2: 3.0}, 3)], 10
    ):
        panel(0, float(made), levels=levels, tracks=[track(ceilings)], classes=["a"])
        drawn = panel.page.locator(".ceiling").get_attribute("points").split()
        assert len(drawn) == points
        heights = [float(point.split(",")[1]) for point in drawn]
        assert heights == sorted(heights, reverse=True)  # which counts from the top
        names = panel.page.locator("text.level").all_text_contents()
        assert names == (["non-private", "low"] if points > 1 else ["low"])


def test_what_was_made_earlier_does_not_replace_what_was_made_later(panel):
    """While its module is fetched, the panel is called in any order; it once stayed at its first picture."""
    assert [panel(1, 10.5), panel(2, 10.25), panel(0, 11.0)] == [["1", "1"], ["1", "1"], ["0", "0"]]


def test_right_after_a_step_the_slider_waits_before_it_follows_the_page(panel):
    panel(2, 10.0)
    panel.page.locator("input").focus()
    panel.page.keyboard.press("ArrowLeft")
    panel.page.evaluate("data => panel({ data, parentElement: document.querySelector('main') })",
                        told(0, 11.0) | {"answered": "another"})  # fmt: skip
    slider = f"{LIVE}.querySelector('input').value"
    assert panel.page.evaluate(f"() => {slider}") == "1"
    panel.page.wait_for_function(f"() => {slider} === '0'")


def test_a_slow_answer_of_one_step_does_not_take_back_the_next(panel):
    """The slider went back to the step before where the page took more than a second to answer."""
    page = panel.page
    page.clock.install()
    panel(2, 10.0)
    page.locator("input").focus()
    page.keyboard.press("ArrowLeft")
    step = page.evaluate("() => window.sent[1]")
    page.keyboard.press("ArrowLeft")
    panel(1, 11.0, answered=step)  # the first step's answer, while the second one waits for its own
    second = page.evaluate("() => window.sent[1]")
    slider = f"() => {LIVE}.querySelector('input').value"
    page.clock.run_for(10_000)
    assert page.evaluate(slider) == "0"
    panel(0, 12.0, answered=second)
    page.keyboard.press("ArrowRight")
    third = page.evaluate("() => window.sent[1]")
    panel(1, 13.0, answered=third)  # within a moment of the press: looked at again when the hand rests
    page.keyboard.press("ArrowRight")
    page.clock.run_for(10_000)
    assert page.evaluate(slider) == "2"


def made_anew(page):
    """Another panel in the place of the one that is there, as where a run ends."""
    page.evaluate("html => { document.querySelector('main').innerHTML = html }", live.HTML)


def test_a_step_that_the_former_panel_told_is_told_again_by_the_new_one(panel):
    page = panel.page
    page.clock.install()
    page.evaluate("document.body.dataset.testid = 'stApp'; document.body.dataset.testScriptState = 'notRunning'")
    panel(2, 10.0, answered="before")
    page.locator("input").focus()
    page.keyboard.press("ArrowLeft")
    first = page.evaluate("() => window.sent")
    made_anew(page)
    panel(2, 11.0, answered="before")
    page.clock.run_for(4_000)
    second = page.evaluate("() => window.sent")
    assert second[0] == first[0] == 2
    assert second[1] != first[1]
    panel(1, 12.0, answered=second[1])
    page.clock.run_for(10_000)
    assert page.evaluate("() => window.sent") == second


@pytest.mark.parametrize("released_in_between", [False, True])
@pytest.mark.parametrize("pressed", [".plot", "input"])
def test_a_drag_outlives_the_panel_in_which_it_began(panel, pressed, released_in_between):
    page, slider = panel.page, f"() => {LIVE}.querySelector('input').value"
    panel(0, 10.0)
    box = page.locator(f".dpgep-live {pressed}").bounding_box()
    height = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * 0.5, height)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.95, height)
    assert page.evaluate(slider) == "2"
    made_anew(page)
    if released_in_between:
        page.mouse.up()
    panel(0, 11.0)
    assert page.evaluate(slider) == "2"
    if not released_in_between:
        page.wait_for_timeout(50)
        page.mouse.move(box["x"] + box["width"] * 0.5, height)  # the hand moves on
        assert page.evaluate(slider) == "1"
        assert pressed == "input" or page.evaluate("() => window.sent ?? null") is None  # a browser lets a slider go
        page.mouse.up()
    assert page.evaluate("() => window.sent[0]") == (3 if released_in_between else 2)
    page.mouse.move(box["x"], height)
    assert page.evaluate(slider) == ("2" if released_in_between else "1")  # nothing is held any more


def test_a_slider_does_not_grow_while_it_is_dragged(panel):
    """Beside a shorter number it grew, and the same place of the mouse was another ε before the panel was drawn."""
    grid, slider = [0.0009765625, 1, 2], panel.page.locator("input")
    panel.page.add_style_tag(content=live.CSS)
    widths = []
    for index, value in enumerate(grid):
        panel(index, 10.0 + index, grid=grid, here=value)
        widths.append(slider.bounding_box()["width"])
    assert panel.page.locator("output").inner_text() == "2"
    assert len(set(widths)) == 1


def test_the_server_is_told_where_a_hand_rests_and_that_it_moved_on(panel):
    page = panel.page
    page.evaluate("() => { window.asked = []; window.fetch = async (url) => { window.asked.push(url) } }")
    page.clock.install(time=0)
    panel(0, 10.0, hand="mine")
    page.clock.pause_at(60_000)  # seconds that pass on a busy machine do not count
    try:
        rests_and_moves(page)
    finally:
        page.clock.resume()  # a clock is that of all tabs


def rests_and_moves(page):
    """With the mouse on the slider: shortly, long enough, and away."""
    box = page.locator(".dpgep-live input").bounding_box()
    height = box["y"] + box["height"] / 2
    rests = "() => window.asked.filter(url => url.includes('rests'))"
    page.mouse.move(box["x"] + box["width"] * 0.5, height)
    page.mouse.down()
    page.clock.run_for(140)
    assert page.evaluate(rests) == []
    page.mouse.move(box["x"] + box["width"] * 0.95, height)
    page.clock.run_for(140)
    assert page.evaluate(rests) == []
    page.clock.run_for(20)
    assert page.evaluate(rests) == ["/lab/rests/mine/2"]
    page.mouse.move(box["x"] + box["width"] * 0.5, height)
    assert page.evaluate(rests) == ["/lab/rests/mine/2", "/lab/rests/mine/no"]
    page.mouse.up()
    page.clock.run_for(1000)
    assert len(page.evaluate(rests)) == 2  # who has let go is answered by the page


def test_a_value_is_typed_where_the_number_stands(panel):
    """What was typed goes to the server as it is, which says what it means; nothing goes where nothing was changed."""
    panel(2, 10.0)
    page, sent = panel.page, "() => window.sent?.[0] ?? null"
    page.get_by_role("button", name="Type ε").click()
    field = page.get_by_role("textbox", name="ε, typed")
    assert field.input_value() == "3"
    field.press("Enter")
    assert page.evaluate(sent) is None
    page.keyboard.press("Enter")  # the number has the focus again
    field.fill("9")
    field.press("Escape")
    assert page.evaluate(sent) is None
    assert field.count() == 0
    page.locator("output").click()
    field.fill(" 1/32 ")
    panel(1, 11.0)  # the page fills while one types
    assert field.input_value() == " 1/32 "
    field.press("Enter")
    assert page.evaluate(sent) == "1/32"
    assert field.count() == 0
    page.locator("output").click()
    field.fill("0,5")
    field.blur()
    assert page.evaluate(sent) == "0,5"


def one(value):
    """A frame whose numbers and points say where it was computed."""
    points = b64encode(array("h", [value, 0]).tobytes()).decode()
    return {"accuracy": value / 10, "angle": value, "points": points, "exact": points, "images": "",
            "exact_images": "", "cells": [[f"value {value}", f"note {value}", None, ""]]}  # fmt: skip


def track(title, places, **more):
    """A method of which only some places are there."""
    return {"title": title, "colour": "#123456", "dash": "solid", "constant": False,
            "frames": {str(place): one(450 * place) for place in places}} | more  # fmt: skip


CELLS = "<td><span class='value'>?</span><span class='note'>?</span></td>"
ROW = f"<table><tbody><tr class='dpgep-numbers'>{CELLS}</tr></tbody></table>"
SEEN = """() => [...document.querySelectorAll('.pictures figure')].map(f => {
    const canvas = f.querySelector('.points'), pen = canvas.getContext('2d')
    const { data, width } = pen.getImageData(0, 0, canvas.width, canvas.height)
    const red = [...Array(data.length / 4).keys()].filter(i => data[4 * i] > 200 && data[4 * i + 1] < 120)
    const across = red.reduce((sum, i) => sum + i % width, 0) / red.length
    return red.length ? Math.round((across - width / 2) / (width / 2) * 1000) : null
})"""  # where the middle of the red points is, in thousandths of the half axis
MARKS = """() => [...document.querySelectorAll('svg .mark')].map(m => m.classList.contains('hollow'))"""


def test_the_rest_of_the_page_comes_when_the_slider_is_ready_and_no_hand_drags_it(panel):
    """Reading the charts below stopped a hand for seconds, in the first moments of a page."""
    page, said = panel.page, "() => window.asked.filter(url => url.includes('drawn'))"
    page.evaluate("() => { window.asked = []; window.fetch = async (url) => { window.asked.push(url) } }")
    page.clock.install(time=0)
    panel(0, 10.0, awaited="mine", tracks=[track("coarse", [0])])
    page.clock.pause_at(60_000)
    try:
        assert page.evaluate(said) == ["/lab/drawn/mine/picture"]
        panel(0, 11.0, awaited="mine", tracks=[track("coarse", [0, 2])])
        page.locator(".dpgep-live input").hover()
        page.mouse.down()
        page.mouse.move(400, page.locator(".dpgep-live input").bounding_box()["y"] + 5)
        page.clock.run_for(3000)
        assert page.evaluate(said) == ["/lab/drawn/mine/picture"]
        page.mouse.up()
        page.clock.run_for(500)
        assert page.evaluate(said) == ["/lab/drawn/mine/picture", "/lab/drawn/mine/ready"]
    finally:
        page.clock.resume()


def test_the_panel_asks_for_places_that_are_made_and_draws_them_without_the_page(panel):
    page, whole = panel.page, track("late", [0, 1, 2])
    page.evaluate(
        """frames => {
          window.asked = []
          window.job = [[1, "a"]]
          window.fetch = async (url) => {
            window.asked.push(url)
            const names = url.split("/").at(-1).split(",")
            const fetched = names.map(name => [name, frames["abc".indexOf(name)]])
            return { json: async () => (url.includes("/made/") ? { mine: window.job } : Object.fromEntries(fetched)) }
          }
        }""",
        whole["frames"],
    )
    panel(0, 10.0, tracks=[track("late", [0]) | {"job": "mine"}])
    assert page.evaluate(f"() => {LIVE}.dataset.missing") == "2"
    page.wait_for_function("() => window.asked.includes('/lab/made/mine')")
    page.evaluate("() => { window.job = [[1, 'a'], [3, 'c'], [2, 'b']] }")
    page.wait_for_function(f"() => {LIVE}.dataset.missing === '0'")
    assert page.evaluate(f"() => {LIVE}.dataset.beyond") == "0"
    assert page.evaluate("() => window.sent") is None
    asked = page.evaluate("() => window.asked.length")
    page.wait_for_timeout(1000)
    assert page.evaluate("() => window.asked.length") == asked  # nothing more is to come


def test_a_drag_moves_the_marks_and_leaves_the_curve(panel):
    """Drawing it anew took half of the time of a picture."""
    page, curve = panel.page, f"{LIVE}.querySelector('.curve svg')"
    panel(0, 10.0, tracks=[track("ready", [0, 1, 2])])
    page.evaluate(f"() => {{ window.before = {curve} }}")
    marks = "() => [...document.querySelectorAll('.mark')].map(each => Number(each.getAttribute('cx')))"
    lines = "() => Number(document.querySelector('.here').getAttribute('x1'))"
    (first,), stood = page.evaluate(marks), page.evaluate(lines)
    assert first == stood
    page.locator(".dpgep-live input").press("ArrowRight")
    page.wait_for_function(f"() => {LIVE}.dataset.frame === '1'")
    (second,), stands = page.evaluate(marks), page.evaluate(lines)
    assert second == stands > first
    assert page.evaluate(f"() => window.before === {curve}")
    panel(1, 11.0, tracks=[track("ready", [0, 2])])
    assert page.evaluate(f"() => window.before !== {curve}")  # other places, another line


def test_a_place_that_is_not_computed_shows_no_number_of_another(panel):
    """While places are prepared, the numbers of the nearest ε once stood under this ε."""
    tracks = [track("ready", [0, 1, 2]), track("late", [0]), track("fixed", [0], constant=True), track("none", [])]
    page = panel.page
    page.evaluate(f"() => document.body.insertAdjacentHTML('afterbegin', {json.dumps(ROW * 4)})")
    panel(2, 10.0, tracks=tracks)
    assert page.evaluate(
        "() => [...document.querySelectorAll('.dpgep-numbers')].map(row => [row.classList.contains('waiting'), "
        "...[...row.querySelectorAll('span')].map(cell => cell.textContent)])"
    ) == [[False, "value 900", "note 900"], [True, "…", "being computed"], [False, "value 0", "note 0"],
          [True, "…", "being computed"]]  # fmt: skip
    assert page.evaluate(
        "() => [...document.querySelectorAll('.pictures figure')].map(f => [f.classList.contains('waiting'), "
        "f.querySelector('figcaption').textContent])"
    ) == [[False, "Exact, no privacy"], [False, "ready"], [True, "late: still at 1, being computed"],
          [False, "fixed"], [True, "none: being computed"]]  # fmt: skip
    assert page.evaluate(MARKS) == [False, False]  # of the two methods that are there
    exact, ready, late, fixed, none = page.evaluate(SEEN)
    assert exact == pytest.approx(900, abs=20)  # the exact picture follows a method that is there
    assert ready == pytest.approx(900, abs=20)
    assert (late, fixed, none) == (pytest.approx(0, abs=20), pytest.approx(0, abs=20), None)


def test_between_two_places_the_picture_goes_from_one_to_the_other_and_says_so(panel):
    """So the whole axis can be dragged when a few of its places are there; numbers wait for their own place."""
    tracks = [track("coarse", [0, 2]), track("ready", [0, 1, 2]), track("fixed", [0], constant=True)]
    page = panel.page
    page.evaluate(f"() => document.body.insertAdjacentHTML('afterbegin', {json.dumps(ROW)})")
    panel(1, 10.0, tracks=tracks, grid=[1, 10, 100])
    assert page.evaluate("() => [...document.querySelectorAll('td span')].map(cell => cell.textContent)") == [
        "…", "being computed",
    ]  # fmt: skip
    assert page.evaluate(
        "() => [...document.querySelectorAll('.pictures figure')].slice(1)"
        ".map(f => [f.className, f.firstChild.textContent])"
    ) == [["between", "coarse: between 1 and 100, being computed"], ["", "ready"], ["", "fixed"]]
    _, coarse, ready, fixed = page.evaluate(SEEN)
    assert coarse == pytest.approx(450, abs=20)
    assert ready == pytest.approx(450, abs=20)
    assert fixed == pytest.approx(0, abs=20)
    assert page.evaluate(MARKS) == [True, False, False]


STEPS = "<tr class='dpgep-numbers'><th><small class='steps'></small></th>" + CELLS + "</tr>"


def test_what_stands_is_shown_where_the_page_stands_alone(panel):
    """Elsewhere the numbers that move are shown, and say what made them; let go, they wait in grey for the others."""
    held = track("both", [0, 1, 2], stands=one(300), says="one step", stood="two steps")
    page = panel.page
    page.evaluate(f"() => document.body.insertAdjacentHTML('afterbegin', '<table>' + {json.dumps(STEPS)} + '</table>')")
    seen = """() => [document.querySelector('.steps').textContent, document.querySelector('.value').textContent,
        document.querySelector('.dpgep-numbers').classList.contains('waiting'),
        document.querySelectorAll('.held')[1].dataset.steps]"""
    panel(1, 10.0, tracks=[held])
    assert page.evaluate(seen) == ["two steps", "value 300", False, "two steps"]
    assert page.evaluate(SEEN)[1] == pytest.approx(300, abs=20)
    page.evaluate(f"() => {{ const s = {LIVE}.querySelector('input'); s.value = 2; s.oninput() }}")
    page.wait_for_function(f"() => {LIVE}.dataset.frame === '2'")
    assert page.evaluate(seen) == ["one step, while dragging", "value 900", False, "one step, while dragging"]
    page.evaluate(f"() => {LIVE}.querySelector('input').onchange()")
    page.wait_for_function("() => document.querySelector('.dpgep-numbers').classList.contains('waiting')")
    assert page.evaluate(seen) == ["one step, two steps …", "value 900", True, "one step, two steps …"]


def test_a_place_without_a_logarithm_has_a_name(panel):
    panel(
        0, 10.0, tracks=[track("ready", [0, 1, 2])], grid=[0, 1, 10], places=[0.3, 1, 10], names={"0": "by the noise"}
    )
    assert panel.page.inner_text("output") == "by the noise"
    assert panel.page.evaluate("() => Number(document.querySelector('svg .mark').getAttribute('cx')) > 0")


@pytest.mark.parametrize(("width", "methods"), [(390, 2), (390, 1), (1280, 1), (1280, 2), (1280, 3)])
def test_classes_are_named_at_every_width(panel, width, methods):
    """They were named in the free corner of a wide page alone: not on a phone, nor beside two or four pictures."""
    page, names = panel.page, ["first", "second", "third"]
    page.add_style_tag(content=live.CSS)
    page.set_viewport_size({"width": width, "height": 844})
    tracks = [track(f"method {i}", [0, 1, 2]) for i in range(methods)]
    look = {"colours": ["#ff0000", "#00ff00", "#0000ff"], "symbols": ["circle", "square", "star"], "named": 3}
    panel(1, 10.0, tracks=tracks, labels=[0, 1, 2], classes=names, dot="A dot is a held-out row.", **look)
    legend = page.locator(".dpgep-live .legend")
    assert legend.locator("span").all_inner_texts() == names
    assert legend.locator("small").inner_text() == "A dot is a held-out row."
    box = legend.bounding_box()
    for other in (*page.locator(".dpgep-live .points").all(), page.locator(".dpgep-live .curve")):
        one = other.bounding_box()
        beside = one["x"] + one["width"] <= box["x"] + 1 or one["x"] >= box["x"] + box["width"] - 1
        assert beside or one["y"] + one["height"] <= box["y"] + 1 or one["y"] >= box["y"] + box["height"] - 1
    panel(1, 11.0, tracks=tracks, classes=names, **look)
    assert not legend.is_visible()  # rows without classes


def test_component_images_move_too(panel):
    """Strokes dissolve into static: the images of a place are drawn from its own bytes, mixed between two places."""

    def shown(value):
        return one(0) | {"images": b64encode(array("b", [127, value, 0, -127]).tobytes()).decode()}

    tracks = [track("moving", []) | {"frames": {"0": shown(127), "2": shown(-127)}}]
    page = panel.page
    style = {"ink": "#000000", "faint": "#eeeeee", "quiet": "#777777", "diverging": ["#0000ff", "#ffffff", "#ff0000"]}
    colours = """() => { const tile = document.querySelectorAll('.pictures figure')[1].querySelector('.tile')
        const { data } = tile.getContext('2d').getImageData(0, 0, 2, 2)
        return [0, 1, 2, 3].map(i => [data[4 * i], data[4 * i + 1], data[4 * i + 2]].join()) }"""
    red, white, blue = "255,0,0", "255,255,255", "0,0,255"
    for place, made, second in ((0, 10.0, red), (1, 11.0, white), (2, 12.0, blue)):
        panel(place, made, tracks=tracks, grid=[1, 10, 100], image=[2, 2], style=style)
        assert page.evaluate(colours) == [red, second, white, blue]


def test_a_translator_and_a_number_that_moves(panel):
    """Texts in elements of a translator: the whole content is set, so that no earlier number stays."""
    panel.page.evaluate(f"() => document.body.insertAdjacentHTML('afterbegin', {json.dumps(ROW)})")
    panel.page.evaluate(
        "() => document.querySelectorAll('td span').forEach(cell => "
        "{ cell.innerHTML = '<font><font>alt</font></font>' })"
    )
    panel(1, 10.0, tracks=[track("ready", [0, 1, 2])])
    cells = panel.page.evaluate("() => [...document.querySelectorAll('td span')].map(cell => cell.innerText)")
    assert cells == ["value 450", "note 450"]


TRANSLATE = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), texts = []
  while (walker.nextNode()) if (walker.currentNode.nodeValue.trim()) texts.push(walker.currentNode)
  texts.forEach((text, i) => {
    const font = document.createElement("font"), inner = font.appendChild(document.createElement("font"))
    inner.textContent = text.nodeValue.toUpperCase()
    if (i % 2) text.replaceWith(font)
    else { text.parentNode.insertBefore(font, text); text.remove() }
  })
}"""


def test_text_goes_back_to_where_the_page_changes_it(profile):
    page = profile.new_page()
    page.set_content("<p>at <b>one</b> place<i>,</i></p>")
    page.evaluate("() => { window.last = document.querySelector('p').childNodes[2] }")
    page.add_script_tag(path=Path(server.__file__).parent / "static" / "document.js")
    page.evaluate(TRANSLATE)
    page.evaluate("() => { window.last.nodeValue = ' and another' }")
    assert page.inner_text("p") == "at one and another,"
    assert page.locator("font").count() == 0
    page.close()


def test_a_page_that_is_translated_tells_the_guarantee_of_the_new_epsilon(one_method):
    """After a translation the page once kept "Claimed … ε = 1" while ε moved to 1.5. The last test of this tab."""
    page = along(one_method, EPSILON)
    assert page.evaluate("() => document.documentElement.translate") is False
    assert page.get_attribute("meta[name=google]", "content") == "notranslate"
    before, claimed = (
        epsilon(page),
        "ε => [...document.querySelectorAll('p')].some(p => p.innerText.includes(`ε = ${ε} at`))",
    )
    page.get_by_role("tab", name="Is that ε true?").click()
    page.wait_for_function(claimed, arg=before)
    rest(page)
    page.evaluate(TRANSLATE)
    page.locator(".dpgep-live input").focus()
    page.keyboard.press("ArrowLeft" if float(before) > 1 else "ArrowRight")
    page.wait_for_function("before => new URL(location).searchParams.get('epsilon') !== before", arg=before)
    page.wait_for_function(claimed, arg=epsilon(page))
    assert not page.evaluate(claimed, before)


def test_a_tour_goes_from_one_thing_to_the_next_and_ends(one_method):
    page = along(one_method, EPSILON)
    page.get_by_role("button", name="Tour", exact=True).click()
    card = page.get_by_role("dialog", name="Tour")
    for number, (selector, sentence) in enumerate(words.TOUR, start=1):
        card.get_by_text(sentence).wait_for()
        assert f"{number} of {len(words.TOUR)}" in card.inner_text()
        assert page.locator(f"{selector}.dpgep-toured").count() == 1
        assert page.locator(".dpgep-toured").evaluate("one => getComputedStyle(one).outlineStyle") == "solid"
        box = card.bounding_box()
        size = page.viewport_size
        assert 0 <= box["x"] <= size["width"] - box["width"]
        assert 0 <= box["y"] <= size["height"] - box["height"]
        card.get_by_role("button", name="Done" if number == len(words.TOUR) else "Next").click()
    assert card.count() == 0
    assert page.locator(".dpgep-toured").count() == 0
    page.get_by_role("button", name="Tour", exact=True).click()
    card.wait_for()
    page.keyboard.press("Escape")
    assert card.count() == 0


@pytest.mark.slow
def test_a_step_that_got_lost_is_told_again(profile, address):
    """A run of the page that ended as the hand let go took the part with it that was told: the page stood still."""
    tab, lose = profile.new_page(), []

    def between(socket):
        server = socket.connect_to_server()
        socket.on_message(lambda message: lose.pop() if lose else server.send(message))
        server.on_message(socket.send)

    tab.route_web_socket("**/_stcore/stream", between)
    tab.goto(f"{address}/?dataset=wine&algorithms=ssp&floor=false&epsilon=2")
    every_place(tab)
    rest(tab)
    lose.append(True)
    tab.locator(".dpgep-live input").focus()
    tab.keyboard.press("ArrowRight")
    tab.wait_for_function("() => location.search.includes('epsilon=3')", timeout=30_000)
    assert not lose
    tab.close()
