"""Axe finds nothing serious on any page, in light and dark: names, contrast, roles, nesting."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from dashboard.pages import PAGES

SERIOUS = ("serious", "critical")


def violations(page):
    """What axe calls serious, as texts that say where."""
    return [
        f"{found['id']}: {node['html'][:200]} {[check['message'] for check in (*node['any'], *node['all'])][:1]}"
        for found in Axe().run(page).response["violations"]
        if found["impact"] in SERIOUS
        for node in found["nodes"]
    ]


def opened(chromium, url, scheme="light", width=1280):
    page = chromium.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme).new_page()
    page.goto(url)
    page.locator("h1").first.wait_for()
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
    # Streamlit fetches what draws our style sheet when it is first needed; until then captions are as pale as its own.
    page.wait_for_function(
        "() => [...document.querySelectorAll('style')].some(s => s.textContent.includes('stCaptionContainer] p'))",
    )
    # Parts that fill are drawn paler whenever they are asked again: looked at is what stays.
    page.wait_for_function("() => !document.querySelector('[data-testid=stProgress], [data-stale=true]')")
    page.wait_for_function("() => document.getAnimations().every(each => each.playState !== 'running')")
    return page


OFTEN = (("explore", "dark"), ("learn", "light"))  # the pages most people see
PAIRS = [
    pytest.param(key, scheme, marks=[] if (key, scheme) in OFTEN else pytest.mark.slow)
    for key in PAGES
    for scheme in ("light", "dark")
]


@pytest.mark.parametrize(("key", "scheme"), PAIRS)
def test_nothing_serious_on_any_page(chromium, address, key, scheme):
    page = opened(chromium, f"{address}/{'' if key == 'explore' else key}?dataset=wine&algorithms=ssp,dprf", scheme)
    assert violations(page) == []
    page.context.close()


def test_the_checker_finds_what_is_planted(profile):
    """A page with a nameless button and letters hard to read is reported: an empty list above means something."""
    page = profile.new_page()
    page.set_content(
        "<html lang='en'><head><title>Planted</title></head><body><main><h1>Planted</h1>"
        "<button></button><p style='color:#ccc;background:#fff'>hard to read</p></main></body></html>"
    )
    assert {found.split(":")[0] for found in violations(page)} == {"button-name", "color-contrast"}
    page.close()


@pytest.mark.slow
def test_it_finds_it_on_a_page_of_ours_too(chromium, address):
    page = opened(chromium, f"{address}/methods")
    page.evaluate(
        "() => document.querySelector('h1').insertAdjacentHTML('afterend',"
        " '<button></button><p style=\"color:#ccc;background:#fff\">hard to read</p>')"
    )
    assert {found.split(":")[0] for found in violations(page)} == {"button-name", "color-contrast"}
    page.context.close()
