"""A scenario is its address: there and back, whatever is typed; and the command it prints gives the same release."""

import argparse
import shlex
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard import controls
from dashboard.compute.axes import AXES, draggable
from dashboard.controls import grid, labels
from dashboard.scenario import (
    COMMON_PARAMETERS,
    LARGEST_WHOLE,
    MOST_ALGORITHMS,
    Scenario,
    as_text,
    command_line,
    fitting_algorithms,
    from_query,
)
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.cli.solving import SOLVE_FLAGS, add_command, setting_from_text
from dpgep_core.datasets import dataset_names, load_dataset
from dpgep_core.errors import show_value
from dpgep_core.models import MODELS
from dpgep_core.params import Choice, Knob
from dpgep_core.release import Setting, all_parameters
from dpgep_core.solve import plan, run

NAMES = ("dataset", "model", "algorithms", *COMMON_PARAMETERS, *all_parameters())


def values(parameter):
    """What a widget of this parameter could be set to."""
    if isinstance(parameter, Choice):
        return st.sampled_from(list(parameter.options))
    if not isinstance(parameter, Knob):
        return st.booleans()
    low, high = parameter.soft
    return st.integers(int(low), int(high)) if parameter.integer else st.floats(low, high)


@st.composite
def scenarios(draw):
    typed = {name: draw(values(COMMON_PARAMETERS[name])) for name in COMMON_PARAMETERS}
    for name in ("delta", "n_components"):
        typed[name] = draw(st.none() | st.just(typed[name]))
    names = draw(st.lists(st.sampled_from(sorted(all_parameters())), unique=True))
    model = draw(st.sampled_from(list(MODELS)))
    fitting = st.sampled_from(fitting_algorithms(model))
    return Scenario(
        dataset=draw(st.sampled_from(dataset_names())),
        model=model,
        algorithms=tuple(draw(st.lists(fitting, min_size=1, max_size=MOST_ALGORITHMS, unique=True))),
        params=tuple((name, draw(values(all_parameters()[name]))) for name in sorted(names)),
        **typed,
    )


def parsed(line: str) -> tuple[str, Setting]:
    """Data set and setting of a printed command, read as the command line reads it."""
    program, *arguments = shlex.split(line)
    assert program == "dpgep"
    parser = argparse.ArgumentParser()
    add_command(parser.add_subparsers())
    found = parser.parse_args(arguments)
    flags = {name: getattr(found, name) for name in SOLVE_FLAGS}
    return found.dataset, setting_from_text(found.model, found.algorithm, flags, found.set)


@given(scenarios())
def test_a_scenario_comes_back_from_its_address(scenario):
    again, problems = from_query(scenario.to_query())
    assert again == scenario
    assert hash(again) == hash(scenario)
    assert problems == ()


@given(scenarios())
def test_the_address_names_the_main_settings_even_at_their_defaults(scenario):
    assert {"dataset", "model", "algorithms", "epsilon", "seed"} <= scenario.to_query().keys()


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_keep_every_digit(value):
    assert float(as_text(value)) == value


@given(scenarios())
def test_the_printed_command_is_the_setting_on_screen(scenario):
    for algorithm in scenario.algorithms:
        dataset, setting = parsed(command_line(scenario, algorithm))
        shown = scenario.setting(algorithm)
        assert dataset == scenario.dataset
        assert shown.split_seed == shown.seed  # what the command line does where it is not told
        changed = {name: value for name, value in vars(shown).items() if name not in ("split_seed", "params")}
        assert changed == {name: getattr(setting, name) for name in changed}
        assert dict(shown.params) == dict(setting.params)


@pytest.mark.parametrize("algorithm", fitting_algorithms("pca"))
def test_the_printed_command_gives_the_same_release(algorithm):
    scenario = Scenario(
        dataset="wine",
        model="pca",
        algorithms=(algorithm,),
        epsilon=0.123456789012345,
        delta=1.23456789e-7,
        n_components=2,
        seed=7,
        params=tuple(sorted({"xi": 0.0333333333333, "n_iterations": 4, "calibration": "exact"}.items())),
    )
    name, setting = parsed(command_line(scenario, algorithm))
    data = load_dataset("wine")
    ours, theirs = run(plan(data, scenario.setting(algorithm))), run(plan(load_dataset(name), setting))
    assert ours.components.tobytes() == theirs.components.tobytes()
    assert list(ours.ledger) == list(theirs.ledger)


def test_a_data_set_named_for_mischief_is_quoted_for_the_shell():
    line = command_line(Scenario(dataset="x; rm -rf ~ $(id) `id`"), "ssp")
    assert shlex.split(line)[3] == "x; rm -rf ~ $(id) `id`"


GARBAGE = {
    "epsilon": ["", "x", "nan", "inf", "-inf", "-1", "0", "1e999", "1,5", "١e", "0x1", "[1]", "None"],
    "delta": ["0", "1", "2", "-1e-9", "nan", "tiny"],
    "n_components": ["0", "-1", "1.5", "²", "9" * 6000, "ten"],
    "seed": ["-1", "1.5", "nan", str(2**63), str(2**53), "--5"],
    "relation": ["", "replace", "REPLACE_ONE", "add-remove"],
    "as_if": ["0", "-3", "nan"],
    "noise": ["", "maybe", "2"],
    "dataset": ["", "mnist2", "../../etc/passwd", "<script>alert(1)</script>", "MNIST"],
    "model": ["", "svm", "fda,pca"],
    "algorithms": ["", "ssp,", "ssp;dpsr", "sspp", "ssp,dpsr,dprf,sr_dp"],
    "xi": ["-1e-9", "nan", "inf", "x"],
    "sparsity": ["-1", "1.5"],
    "n_iterations": ["-1", "1000001", "1e99"],
    "calibration": ["", "lenient"],
    "floor": ["up"],
}


@pytest.mark.parametrize(
    ("name", "text"),
    [(name, text) for name, texts in GARBAGE.items() for text in texts],
    ids=lambda word: word[:20] or "-",
)
def test_garbage_is_left_at_its_default_and_named(name, text):
    scenario, problems = from_query({name: text})
    assert scenario == Scenario()
    assert len(problems) == 1
    said = problems[0]
    wrong = text if name != "algorithms" or "," not in text else text.split(",")[-1]
    assert said.startswith(f"{name} must be ")
    assert any(said.endswith(f"got {show_value(typed)}.") for typed in (wrong, text))
    assert any(word in said for word in ("finite number", "whole number", "one of ", "true or false", "at most "))


def test_an_unknown_parameter_is_named_with_the_nearest_one():
    scenario, (said,) = from_query({"epsilom": "2"})
    assert scenario == Scenario()
    assert "'epsilom'" in said
    assert "did you mean 'epsilon'?" in said


def test_what_other_sites_add_to_an_address_is_no_mistake():
    assert from_query({"utm_source": "x", "fbclid": "1", "epsilon": "2"}) == (Scenario(epsilon=2.0), ())


def test_unknown_parameters_take_one_short_line():
    _, problems = from_query({"foo": "x" * 5_000, "\x1b[31m": "y", "n" * 9_000: ""})
    (said,) = problems
    assert len(said) < 300
    assert "'foo'" in said
    assert "\x1b" not in said


def test_what_is_right_is_kept_beside_what_is_wrong():
    scenario, problems = from_query({"epsilon": "0.5", "delta": "7", "xi": "x", "dataset": "wine"})
    assert (scenario.epsilon, scenario.delta, scenario.dataset, scenario.params) == (0.5, None, "wine", ())
    assert len(problems) == 2


@given(st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=8), st.text(max_size=12), max_size=8))
def test_no_address_raises(query):
    scenario, problems = from_query(query)
    assert len(problems) <= len(query)
    assert from_query(scenario.to_query()) == (scenario, ())
    assert all((" must be " in said and "; got " in said) or "no parameter here: " in said for said in problems)


def test_whole_numbers_stop_where_a_browser_rounds_them():
    assert from_query({"seed": str(LARGEST_WHOLE)}) == (Scenario(seed=LARGEST_WHOLE), ())
    _, (said,) = from_query({"seed": str(LARGEST_WHOLE + 1)})
    assert str(LARGEST_WHOLE) in said


def test_overlaid_algorithms_take_the_values_they_offer():
    scenario = Scenario(
        model="pca",
        algorithms=("dprf", "analyze_gauss", "rayleigh_flow"),
        params=(("calibration", "forgetful"), ("n_iterations", 3), ("start", "private")),
    )
    got = {key: dict(scenario.setting(key).params) for key in scenario.algorithms}
    assert got["dprf"] == {"calibration": "forgetful", "n_iterations": 3, "start": "private"}
    assert got["analyze_gauss"] == {}
    assert got["rayleigh_flow"] == {"n_iterations": 3}
    for key in scenario.algorithms:
        plan(load_dataset("wine"), scenario.setting(key))  # raises where a method gets what it does not have


def test_every_private_side_is_shared_by_all_noise():
    one = Scenario(dataset="wine", epsilon=0.1, algorithms=("ssp",), params=(("xi", 0.1),))
    other = Scenario(dataset="wine", epsilon=9.0, algorithms=("dprf", "sr"), noise=False)
    assert one.rows(published=False) == other.rows(published=False)
    declared = replace(one, relation="add_remove", declared_n=200)  # which every average is then divided by
    assert declared.rows(published=False) != one.rows(published=False)
    assert declared.rows(published=False).setting("exact").declared_n == 200
    assert Scenario(seed=3).rows(published=True) == Scenario(seed=4).rows(published=True)
    assert Scenario(seed=3).rows(published=False) != Scenario(seed=4).rows(published=False)


def test_curves_do_not_depend_on_the_current_epsilon():
    keys = {AXES["epsilon"].anywhere(Scenario(epsilon=float(e)), "ssp") for e in np.geomspace(0.01, 10, 7)}
    assert len(keys) == 1


@pytest.mark.parametrize("key", AXES)
def test_a_curve_does_not_depend_on_where_one_stands_on_its_axis_and_does_on_all_else(key):
    algorithm = "dptrf" if key in ("sparsity", "n_iterations") else "ssp"
    axis, one = AXES[key], Scenario(dataset="wine", algorithms=("ssp", "dptrf"))
    assert axis.belongs(one, algorithm)
    moved = {axis.anywhere(axis.at(one, value), algorithm) for value in axis.grid(13)}
    assert len(moved) == 1
    assert [axis.value(axis.at(one, value), algorithm, 13) for value in axis.grid(13)] == list(axis.grid(13))
    assert axis.anywhere(replace(one, seed=1), algorithm) not in moved
    assert axis.anywhere(one, "dprf") not in moved


def test_only_what_costs_nothing_and_epsilon_can_be_dragged():
    assert draggable(Scenario(algorithms=("ssp",))) == ["epsilon", "xi", "sparsity", "as_if"]
    assert draggable(Scenario(algorithms=("dpsr",))) == [
        "epsilon",
        "as_if",
    ]  # its noise grows with 1/ξ: nothing is free
    assert draggable(Scenario(algorithms=("exact",))) == []


def test_every_registered_name_is_known_to_the_address():
    for key in ALGORITHMS:
        assert from_query({"algorithms": key})[0].algorithms == (key,)
    for key in MODELS:
        assert from_query({"model": key})[0].model == key


@given(st.floats(2**-10, 10) | st.sampled_from([1.00001, 0.0009766, 0.29999999, 10.000001]))
def test_every_step_of_a_slider_has_a_text_of_its_own(extra):
    options = grid(COMMON_PARAMETERS["epsilon"], extra)
    texts = labels(options)
    assert extra in options
    assert len(set(texts.values())) == len(options)
    assert all(float(text) == pytest.approx(value, rel=1e-3) for value, text in texts.items())


def moves(*steps, start):
    """A value held to the limits of one data set after the other; a pair is a value set by hand, and limits."""
    state, seen = {"sparsity": start}, []
    for step in steps:
        by_hand, low, high = step if len(step) == 3 else (None, *step)
        if by_hand is not None:
            state["sparsity"] = by_hand
        seen.append(controls.within(state, "sparsity", low, high))
        assert controls.within(state, "sparsity", low, high) == seen[-1] == state["sparsity"]  # said again: no change
    return seen


def test_a_limit_of_the_data_is_not_what_was_asked_for():
    """19 entries on digits became 13 on wine, and stayed 13 on a set with more columns, chosen by nobody."""
    assert moves((0, 64), (0, 13), (0, 40), start=19) == [19, 13, 19]
    assert moves((0, 64), (0, 13), (0, 5), (0, 16), (0, 64), start=19) == [19, 13, 5, 16, 19]
    assert moves((0, 13), (7, 0, 13), (0, 64), start=19) == [13, 7, 7]  # moved by hand since
    assert moves((1, 64), (0, 64), start=0) == [1, 0]
    assert moves((0, None), start=10**6) == [10**6]


def test_what_was_chosen_by_hand_is_told_from_what_is_usual():
    state = {"n_components": 5}
    assert controls.chosen_by_hand(state, "n_components", 10)
    assert not controls.chosen_by_hand(state, "n_components", 5)
    state["n_components"] = 15
    controls.within(state, "n_components", 1, 5)
    assert controls.chosen_by_hand(state, "n_components", 5)  # 15 was asked for, though 5 is shown
