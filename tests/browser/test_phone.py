"""A page on a phone, where the list of pages stands in the sidebar."""

import pytest

COLUMNS = """() => {
  const boxes = [...document.querySelectorAll(".js-plotly-plot .annotation-text")]
    .map((one) => one.getBoundingClientRect())
  return boxes.length < 2 ? 0 : new Set(boxes.map((box) => Math.round((box.left + box.right) / 20))).size
}"""  # of panels, from the middles of their names


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
