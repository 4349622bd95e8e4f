"""Overlaid methods keep their own defaults until one value is set for all, and the sidebar says so."""

import pytest
from lab import open_at, query, sound

from dashboard.compute.axes import draggable
from dashboard.scenario import Scenario
from dpgep_core.release import default_parameters

DIGITS = {"dataset": "digits", "model": "pca", "epsilon": "1"}
BOTH = {**DIGITS, "algorithms": "dpsr,dp_spca"}
SHARED = ("step_size", "n_iterations")


def ran_with(app, algorithm):
    """Shared parameters that a method runs with on the page."""
    scenario = app.session_state["scenario"]
    given = default_parameters(scenario.model, algorithm) | dict(scenario.params_of(algorithm))
    return tuple(given[name] for name in SHARED)


def test_a_second_method_changes_no_setting_of_the_first():
    """DP-SPCA ran with DPSR's 15 steps of size 1 beside it: it accounted ε = 241, where it has 1.65 alone."""
    app = open_at("methods", **BOTH)
    said = sound(app).replace("\\", "")
    assert ran_with(app, "dpsr") == (1.0, 15)
    assert ran_with(app, "dp_spca") == (50.0, 0)
    assert not set(SHARED) & query(app).keys()
    assert (
        "Step size η: each method keeps its own, 1 for DPSR (Chen et al.), 50 (Step size times n) for DP-SPCA" in said
    )
    assert "0 for DP-SPCA (Shang et al.), until you set one for all. 0 goes through as many rows as there are" in said
    assert {"own_step_size", "own_n_iterations"} <= {toggle.key for toggle in app.toggle}
    assert "step_size" not in {slider.key for slider in app.select_slider}


def test_an_address_that_names_a_parameter_means_it_for_all():
    """Also where it names the default of one of them, as addresses did that the lab made before."""
    app = open_at("methods", **BOTH, step_size="1", n_iterations="15")
    sound(app)
    assert ran_with(app, "dpsr") == ran_with(app, "dp_spca") == (1.0, 15)
    assert (query(app)["step_size"], query(app)["n_iterations"]) == ("1", "15")
    assert app.toggle(key="own_step_size").value is True
    assert app.select_slider(key="step_size").value == 1.0
    app.toggle(key="own_step_size").set_value(False).run()
    sound(app)
    assert ran_with(app, "dp_spca") == (50.0, 15)
    assert "step_size" not in query(app)


def test_one_value_is_set_for_all_and_taken_back():
    app = open_at("methods", **BOTH)
    app.toggle(key="own_step_size").set_value(True).run()
    assert ran_with(app, "dp_spca") == (1.0, 0)
    app.select_slider(key="step_size").set_value(2.0).run()
    assert (ran_with(app, "dpsr"), ran_with(app, "dp_spca")) == ((2.0, 15), (2.0, 0))
    app.run()
    assert query(app)["step_size"] == "2"
    app.toggle(key="own_step_size").set_value(False).run()
    assert (ran_with(app, "dpsr"), ran_with(app, "dp_spca")) == ((1.0, 15), (50.0, 0))


def test_methods_come_and_go_and_what_nobody_moved_is_each_ones_own():
    app = open_at("methods", **DIGITS, algorithms="dpsr")
    assert app.select_slider(key="step_size").value == 1.0
    app.multiselect(key="algorithms").set_value(["dpsr", "dp_spca"]).run()
    assert (ran_with(app, "dpsr"), ran_with(app, "dp_spca")) == ((1.0, 15), (50.0, 0))
    app.multiselect(key="algorithms").set_value(["dp_spca"]).run()
    assert ran_with(app, "dp_spca") == (50.0, 0)
    app.multiselect(key="algorithms").set_value(["dpsr"]).run()  # one after the other, with no step between
    assert ran_with(app, "dpsr") == (1.0, 15)
    sound(app)


def test_what_was_moved_for_one_method_holds_for_the_next_one():
    app = open_at("methods", **DIGITS, algorithms="dpsr")
    app.select_slider(key="step_size").set_value(2.0).run()
    app.multiselect(key="algorithms").set_value(["dpsr", "dp_spca"]).run()
    assert (ran_with(app, "dpsr"), ran_with(app, "dp_spca")) == ((2.0, 15), (2.0, 0))
    assert app.toggle(key="own_step_size").value is True


def test_a_ridge_by_the_noise_says_what_the_others_keep():
    app = open_at("methods", dataset="wine", model="fda", algorithms="ssp,dpsr")
    said = sound(app).replace("\\", "")
    assert "Ridge ξ: each method keeps its own, by the noise for Sufficient statistics (ours), 0.01 for DPSR" in said
    assert "by the noise for" not in sound(app.select_slider(key="xi").set_value(0.1).run())


def test_a_number_that_the_data_hold_back_was_moved_by_nobody():
    """Thirty entries are the default of DPTRF, and wine has thirteen columns."""
    app = open_at("methods", dataset="wine", model="fda", algorithms="dptrf")
    assert dict(app.session_state["scenario"].params)["sparsity"] == 13
    app.multiselect(key="algorithms").set_value(["ssp", "dptrf"]).run()
    said = sound(app)
    assert "sparsity" not in dict(app.session_state["scenario"].params)
    assert "all for Sufficient statistics (ours), 30 for DP-Truncated-Rayleigh-Flow" in said


@pytest.mark.parametrize(("params", "dragged"), [((), False), ((("sparsity", 5),), True)])
def test_methods_that_stand_apart_are_not_dragged_together(params, dragged):
    """One slider showed "all" for both, where DPTRF would have kept 30 entries."""
    scenario = Scenario(dataset="wine", algorithms=("ssp", "dptrf"), params=params)
    assert ("sparsity" in draggable(scenario)) is dragged
    assert {"epsilon", "xi"} <= set(draggable(scenario))
