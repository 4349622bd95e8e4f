"""What axe finds on a page that has come to rest."""

from axe_playwright_python.sync_playwright import Axe
from waits import rest

SERIOUS = ("serious", "critical")


def violations(page):
    """What axe calls serious, as texts that say where."""
    return [
        f"{found['id']}: {node['html'][:200]} {[check['message'] for check in (*node['any'], *node['all'])][:1]}"
        for found in Axe().run(page).response["violations"]
        if found["impact"] in SERIOUS
        for node in found["nodes"]
    ]


def at_rest(page):
    """Wait until the page has its style sheet, and nothing of it moves."""
    page.locator("h1").first.wait_for()
    # Streamlit fetches what draws our style sheet when it is first needed; until then captions are as pale as its own.
    page.wait_for_function(
        "() => [...document.querySelectorAll('style')].some(s => s.textContent.includes('stCaptionContainer] p'))",
    )
    rest(page)  # parts that fill are drawn paler whenever they are asked again: looked at is what stays
    page.wait_for_function("() => document.getAnimations().every(each => each.playState !== 'running')")
    return page
