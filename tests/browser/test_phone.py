"""A page on a phone, where the list of pages stands in the sidebar."""

import pytest


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
