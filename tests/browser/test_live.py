"""Dragging ε in Chromium: the picture moves while the mouse is down, and the rest of the page follows when it is up."""

from base64 import b64encode
from pathlib import Path

import pytest

from dashboard.components import live

WAIT = 90_000  # milliseconds
NUMBERS = "[...document.querySelectorAll('.dpgep-numbers .value')]"
LIVE = "document.querySelector('.dpgep-live')"


@pytest.fixture(scope="module")
def profile(chromium):
    """Someone who was here before: scripts are in the cache."""
    context = chromium.new_context(viewport={"width": 1280, "height": 1400})
    yield context
    context.close()


@pytest.fixture
def dragging(profile, address):
    """A tab with a scenario whose every place is there."""
    tabs = []

    def opened(query):
        tab = profile.new_page()
        tabs.append(tab)
        tab.complaints = []
        tab.on("console", lambda m: tab.complaints.append(m.text) if m.type == "error" else None)
        tab.on("pageerror", lambda error: tab.complaints.append(str(error)))
        tab.goto(f"{address}/?dataset=wine&{query}")
        tab.wait_for_function(f"() => Number({LIVE}?.dataset.drawn) >= 1", timeout=WAIT)
        tab.wait_for_function(f"() => {LIVE}.dataset.missing === '0'", timeout=WAIT)
        return tab

    yield opened
    for tab in tabs:
        assert tab.complaints == []
        tab.close()


def seen(page):
    """The numbers, and each picture as its pixels are while it moves: points are then on a canvas over the plot."""
    return page.evaluate(
        f"""() => [document.querySelector('.dpgep-numbers').innerText,
            ...[...{LIVE}.querySelectorAll('canvas')].map(c => c.toDataURL())]"""
    )


def settled(page):
    """The same once Plotly has drawn: numbers, and where the points are."""
    return page.evaluate(
        f"""() => [document.querySelector('.dpgep-numbers').innerText,
            ...[...{LIVE}.querySelectorAll('figure')].map(f => [...f.querySelectorAll('.point')].slice(0, 40)
                .map(p => p.getAttribute('transform')).join(''))]"""
    )


def test_five_and_more_pictures_while_the_mouse_is_down(dragging):
    page = dragging("algorithms=ssp,dprf&epsilon=4")
    slider = page.locator(".dpgep-live input")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    share = page.evaluate(f"() => {{ const i = {LIVE}.querySelector('input'); return i.value / i.max }}")
    x, y = box["x"] + 8 + share * (box["width"] - 16), box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    at_first, pictures = settled(page), []
    drawn = page.evaluate(f"() => Number({LIVE}.dataset.drawn)")
    for step in range(1, 9):
        page.mouse.move(x - step * (x - box["x"] - 10) / 8, y)
        page.wait_for_function(f"before => Number({LIVE}.dataset.drawn) > before", arg=drawn, timeout=WAIT)
        drawn = page.evaluate(f"() => Number({LIVE}.dataset.drawn)")
        pictures.append(seen(page))
    assert "epsilon=4" in page.url  # the server has not been asked yet
    numbers, curve, exact, *private = zip(*pictures, strict=True)
    assert len(set(numbers)) >= 5
    assert len(set(curve)) >= 5
    assert len(set(exact)) == 1
    assert all(len(set(points)) >= 5 for points in private)

    page.wait_for_function(f"() => !{LIVE}.classList.contains('moving')", timeout=WAIT)  # it rests: Plotly draws
    at_rest = settled(page)
    assert [a != b for a, b in zip(at_first, at_rest, strict=True)] == [True, True, False, True, True]

    page.mouse.up()
    page.wait_for_function("() => !location.search.includes('epsilon=4')", timeout=WAIT)
    value = page.evaluate("() => new URL(location).searchParams.get('epsilon')")
    page.get_by_text(f"ε={float(value):g},").first.wait_for(timeout=WAIT)


@pytest.mark.slow
def test_the_arrow_keys_move_it_too(dragging):
    page = dragging("algorithms=ssp,dprf&epsilon=4")
    before = page.locator(".dpgep-live output").inner_text()
    page.locator(".dpgep-live input").focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_function(f"old => {LIVE}.querySelector('output').innerText !== old", arg=before, timeout=WAIT)
    page.wait_for_function("() => new URL(location).searchParams.get('epsilon') === '3'", timeout=WAIT)
    assert page.locator(".dpgep-live output").inner_text() == "3"


def test_a_ridge_can_be_dragged_and_costs_nothing(dragging):
    """ξ is post-processing of what was released: the accounted ε stays where it is while everything else moves."""
    page = dragging("algorithms=ssp&epsilon=4&floor=false&drag=xi&seed=1")
    cells = []
    for _ in range(4):
        page.locator(".dpgep-live input").focus()
        before = page.locator(".dpgep-live output").inner_text()
        page.keyboard.press("ArrowRight")
        page.wait_for_function(f"old => {LIVE}.querySelector('output').innerText !== old", arg=before, timeout=WAIT)
        cells.append(
            page.wait_for_function(  # numbers of an earlier step may come in between, and do not stay
                f"seen => {{ const now = {NUMBERS}.map(c => c.innerText); return !seen.includes(now[1]) && now }}",
                arg=[row[1] for row in cells],
                timeout=WAIT,
            ).json_value()
        )
    _accuracy, angle, cosine, sigma, accounted, guess = zip(*cells, strict=True)
    assert len(set(angle)) == len(set(cosine)) == 4
    assert len(set(accounted)) == len(set(guess)) == len(set(sigma)) == 1
    page.wait_for_function("() => Number(new URL(location).searchParams.get('xi')) > 0.01", timeout=WAIT)


def test_steps_in_quick_succession_are_all_counted(dragging):
    """The page answers later than one presses: the slider does not jump back to what it has just caught up with."""
    page = dragging("algorithms=ssp&epsilon=1")
    page.locator(".dpgep-live input").focus()
    start = page.evaluate(
        f"""() => {{ window.__places = []; const input = {LIVE}.querySelector('input');
            const watch = () => {{ window.__places.push(Number(input.value)); requestAnimationFrame(watch) }};
            watch(); return Number(input.value) }}"""
    )
    for _ in range(6):
        page.keyboard.press("ArrowLeft")
        page.wait_for_timeout(120)
    page.wait_for_function("() => new URL(location).searchParams.get('epsilon') === '0.1'", timeout=WAIT)
    page.wait_for_function(f"() => {LIVE}.dataset.here === '0.1'", timeout=WAIT)
    page.wait_for_timeout(1000)
    passed = page.evaluate("() => window.__places")
    assert passed == sorted(passed, reverse=True)
    assert passed[-1] == start - 6
    assert page.locator(".dpgep-live output").inner_text() == "0.1"


def told(place, made):
    """What the panel is told, with nothing to draw."""
    return {
        "made": made, "answered": "a", "axis": {"label": "ε", "low": "", "high": ""}, "grid": [1, 2, 3], "index": place,
        "here": place, "tracks": [], "exact": "", "metric_title": "",
    }  # fmt: skip


@pytest.fixture
def panel(chromium):
    """The panel alone, without a server: called with what it is told, it answers where it and its slider are."""
    script = Path(live.__file__).with_suffix(".js").read_bytes()
    page = chromium.new_page()
    page.set_content(f"<main>{live.HTML}</main>")
    page.evaluate(
        "async source => { window.panel = (await import(`data:text/javascript;base64,${source}`)).default }",
        b64encode(script).decode(),
    )

    def call(place, made):
        page.evaluate(
            "data => panel({ data, parentElement: document.querySelector('main'), setStateValue: () => {} })",
            told(place, made),
        )
        return page.evaluate(f"() => [{LIVE}.dataset.here, {LIVE}.querySelector('input').value]")

    call.page = page
    yield call
    page.close()


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
    panel.page.wait_for_function(f"() => {slider} === '0'", timeout=WAIT)
