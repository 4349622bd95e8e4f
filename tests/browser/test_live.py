"""Dragging ε in Chromium: the picture moves while the mouse is down, and the rest of the page follows when it is up."""

import pytest

WAIT = 90_000  # milliseconds
LIVE = "document.querySelector('.dpgep-live')"


@pytest.fixture
def page(chromium, address):
    context = chromium.new_context(viewport={"width": 1280, "height": 1400})
    one = context.new_page()
    one.complaints = []
    one.on("console", lambda m: one.complaints.append(m.text) if m.type == "error" else None)
    one.on("pageerror", lambda error: one.complaints.append(str(error)))
    one.goto(f"{address}/?dataset=digits&algorithms=ssp,dprf&epsilon=4")
    one.wait_for_function(f"() => Number({LIVE}?.dataset.drawn) >= 1", timeout=WAIT)
    one.wait_for_function("() => !document.body.innerText.includes('Preparing the other values')", timeout=WAIT)
    yield one
    context.close()


def seen(page):
    """The numbers, the marker of the curve and the private points, as they are drawn."""
    return page.evaluate(
        f"""() => [{LIVE}.querySelector('tbody').innerText,
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
    pictures = [seen(page)]
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
