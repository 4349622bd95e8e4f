"""Dragging ε in Chromium: the picture moves while the mouse is down, and the rest of the page follows when it is up."""

import pytest

WAIT = 90_000  # milliseconds
NUMBERS = "[...document.querySelectorAll('.dpgep-numbers .value')]"
LIVE = "document.querySelector('.dpgep-live')"


@pytest.fixture
def page(chromium, address):
    context = chromium.new_context(viewport={"width": 1280, "height": 1400})
    one = context.new_page()
    one.complaints = []
    one.on("console", lambda m: one.complaints.append(m.text) if m.type == "error" else None)
    one.on("pageerror", lambda error: one.complaints.append(str(error)))
    one.goto(f"{address}/?dataset=wine&algorithms=ssp,dprf&epsilon=4")
    one.wait_for_function(f"() => Number({LIVE}?.dataset.drawn) >= 1", timeout=WAIT)
    one.wait_for_function(f"() => {LIVE}.dataset.missing === '0'", timeout=WAIT)
    yield one
    context.close()


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


def test_five_and_more_pictures_while_the_mouse_is_down(page):
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
    assert page.complaints == []


def test_the_arrow_keys_move_it_too(page):
    before = page.locator(".dpgep-live output").inner_text()
    page.locator(".dpgep-live input").focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_function(f"old => {LIVE}.querySelector('output').innerText !== old", arg=before, timeout=WAIT)
    page.wait_for_function("() => new URL(location).searchParams.get('epsilon') === '3'", timeout=WAIT)
    assert page.locator(".dpgep-live output").inner_text() == "3"


def test_a_ridge_can_be_dragged_and_costs_nothing(chromium, address):
    """ξ is post-processing of what was released: the accounted ε stays where it is while everything else moves."""
    context = chromium.new_context(viewport={"width": 1280, "height": 1400})
    page = context.new_page()
    page.goto(f"{address}/?dataset=wine&algorithms=ssp&epsilon=4&floor=false&drag=xi&seed=1")
    page.wait_for_function(f"() => Number({LIVE}?.dataset.drawn) >= 1", timeout=WAIT)
    page.wait_for_function(f"() => {LIVE}.dataset.missing === '0'", timeout=WAIT)
    cells = []
    for _ in range(4):
        page.locator(".dpgep-live input").focus()
        before = page.locator(".dpgep-live output").inner_text()
        page.keyboard.press("ArrowRight")
        page.wait_for_function(f"old => {LIVE}.querySelector('output').innerText !== old", arg=before, timeout=WAIT)
        page.wait_for_function(  # numbers of an earlier step may come in between, and do not stay
            f"seen => !seen.includes({NUMBERS}[1].innerText)", arg=[row[1] for row in cells], timeout=WAIT
        )
        cells.append(page.evaluate(f"() => {NUMBERS}.map(c => c.innerText)"))
    _accuracy, angle, cosine, sigma, accounted, guess = zip(*cells, strict=True)
    assert len(set(angle)) == len(set(cosine)) == 4
    assert len(set(accounted)) == len(set(guess)) == len(set(sigma)) == 1
    page.wait_for_function("() => Number(new URL(location).searchParams.get('xi')) > 0.01", timeout=WAIT)
    context.close()


def test_steps_in_quick_succession_are_all_counted(chromium, address):
    """The page answers later than one presses: the slider does not jump back to what it has just caught up with."""
    context = chromium.new_context(viewport={"width": 1280, "height": 1400})
    page = context.new_page()
    page.goto(f"{address}/?dataset=wine&algorithms=ssp&epsilon=1")
    page.wait_for_function(f"() => {LIVE}?.dataset.missing === '0'", timeout=WAIT)
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
    context.close()
