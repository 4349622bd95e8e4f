"""Switches of the two steps stand in the sidebar where there are two steps, and a link sets them."""

import pytest

from dpgep_core.release import CLEANING

WINE = {"dataset": "wine", "algorithms": "ssp", "xi": "0"}


@pytest.mark.parametrize(("steps", "shown"), [("1", set()), ("2", set(CLEANING))])
def test_switches_of_two_steps_are_shown_with_two_steps(open_page, steps, shown):
    app = open_page(**WINE, steps=steps)
    assert not app.exception
    assert {toggle.key for toggle in app.toggle} & set(CLEANING) == shown


def test_a_link_sets_a_switch_and_the_ridge_by_the_noise_is_told(open_page):
    app = open_page(**WINE, steps="2", clean_eigenvalues="false", tab="privacy")
    assert not app.exception
    (switch,) = (toggle for toggle in app.toggle if toggle.key == "clean_eigenvalues")
    assert switch.value is False
    assert app.session_state["scenario"].params_of("ssp") == (("clean_eigenvalues", False),)
