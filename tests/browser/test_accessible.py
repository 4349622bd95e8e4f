"""Axe finds nothing serious on any page, in light and dark: names, contrast, roles, nesting."""

import pytest
from accessible import at_rest, violations

from dashboard.pages import PAGES


def opened(profile, url, scheme="light"):
    page = profile.new_page()
    page.emulate_media(color_scheme=scheme)
    page.goto(url)
    return at_rest(page)


OFTEN = (("learn", "light"),)  # the tests of Explore look at Explore in the dark, which takes long to open
PAIRS = [
    pytest.param(key, scheme, marks=[] if (key, scheme) in OFTEN else pytest.mark.slow)
    for key in PAGES
    for scheme in ("light", "dark")
]


@pytest.mark.parametrize(("key", "scheme"), PAIRS)
def test_nothing_serious_on_any_page(profile, address, key, scheme):
    page = opened(profile, f"{address}/{'' if key == 'explore' else key}?dataset=wine&algorithms=ssp,dprf", scheme)
    assert violations(page) == []
    page.close()


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
def test_it_finds_it_on_a_page_of_ours_too(profile, address):
    page = opened(profile, f"{address}/methods")
    page.evaluate(
        "() => document.querySelector('h1').insertAdjacentHTML('afterend',"
        " '<button></button><p style=\"color:#ccc;background:#fff\">hard to read</p>')"
    )
    assert {found.split(":")[0] for found in violations(page)} == {"button-name", "color-contrast"}
    page.close()
