"""A page on a phone, where the list of pages stands in the sidebar."""

import pytest

COLUMNS = """() => {
  const boxes = [...document.querySelectorAll(".js-plotly-plot .annotation-text")]
    .map((one) => one.getBoundingClientRect())
  return boxes.length < 2 ? 0 : new Set(boxes.map((box) => Math.round((box.left + box.right) / 20))).size
}"""  # of panels, from the middles of their names
TEXTS = """() => {
  const box = (one) => one.getBoundingClientRect(), svg = document.querySelector(".dpgep-sketch svg")
  const all = [...svg.querySelectorAll("text")].map(box), invite = box(svg.querySelector(".invite"))
  const levels = [...svg.querySelectorAll(".level")].map(box)
  return {
    words: [...svg.querySelectorAll(".axis")].map((one) => one.textContent).join(" "),
    outside: all.filter((one) => one.left < box(svg).left - 1 || one.right > box(svg).right + 1).length,
    crossed: levels.filter((one) => one.bottom > invite.top && one.top < invite.bottom).length,
    levels: levels.length,
  }
}"""  # of a sketch: how many leave the picture, and how many names of levels the invitation lies on


@pytest.mark.slow
def test_pages_without_controls_lead_to_the_others_on_a_phone(chromium, address):
    """Learn, Compare, Papers and Saved hid the whole sidebar, and with it the only way to another page."""
    context = chromium.new_context(viewport={"width": 400, "height": 800})
    page = context.new_page()
    page.goto(f"{address}/saved")
    page.get_by_role("heading", name="What did I keep?").wait_for()
    page.get_by_test_id("stExpandSidebarButton").click()
    page.get_by_test_id("stSidebarNavLink").filter(has_text="Learn").wait_for()
    page.get_by_test_id("stSidebarUserContent").wait_for(state="hidden")
    page.get_by_test_id("stSidebarNavLink").filter(has_text="Learn").click()
    page.get_by_role("heading", name="Learn by predicting").wait_for()
    page.set_viewport_size({"width": 1280, "height": 800})
    page.get_by_test_id("stSidebar").wait_for(state="hidden")
    page.get_by_test_id("stExpandSidebarButton").wait_for(state="hidden")
    context.close()


@pytest.mark.slow
def test_panels_follow_the_width_of_the_window(chromium, address):
    """Three panels of a figure side by side are an inch wide each on a phone; turned, or on a desk, there is room."""
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(f"{address}/papers?exhibit=chen-figure-1")
    assert page.wait_for_function(f"({COLUMNS})() === 1").json_value()  # it began as a wide page, with 3
    page.set_viewport_size({"width": 1280, "height": 800})
    assert page.wait_for_function(f"({COLUMNS})() === 3").json_value()  # on the way there it is 2 and 1
    context.close()


@pytest.mark.slow
def test_the_words_of_a_sketch_are_whole_and_apart_on_a_phone(chromium, address):
    """The end of the axis label was cut, and the invitation lay on the name of a level."""
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(f"{address}/learn?story=rows&step=1")
    page.locator(".dpgep-sketch .invite").wait_for()
    page.locator(".dpgep-sketch .level").nth(1).wait_for()
    found = page.evaluate(TEXTS)
    assert found.pop("words").endswith("same μ →")
    assert found == {"outside": 0, "crossed": 0, "levels": 2}
    context.close()


@pytest.mark.slow
def test_no_buttons_lie_on_a_figure_where_nothing_hovers(chromium, address):
    """Without a pointer Plotly shows its buttons all the time, over the first row of the legend."""
    for touched, shown in ((True, "none"), (False, "block")):
        context = chromium.new_context(viewport={"width": 1280, "height": 800}, has_touch=touched, is_mobile=touched)
        page = context.new_page()
        page.goto(f"{address}/compare")
        page.locator(".modebar-container").first.wait_for(state="attached")
        assert page.evaluate("getComputedStyle(document.querySelector('.modebar-container')).display") == shown
        context.close()


@pytest.mark.slow
def test_pictures_of_an_attack_stand_under_each_other_on_a_magnified_page(chromium, address):
    """At 150 % a window of 1280 pixels is 853 wide: beside the sidebar, three pictures had their titles cut."""
    context = chromium.new_context(viewport={"width": 853, "height": 900})
    page = context.new_page()
    page.goto(f"{address}/privacy_lab?part=attack")
    columns = page.locator(".st-key-attack_pictures [data-testid=stColumn]")
    columns.nth(2).locator(".js-plotly-plot").wait_for()
    lefts = {round(columns.nth(number).bounding_box()["x"]) for number in range(3)}
    assert len(lefts) == 1
    context.close()
