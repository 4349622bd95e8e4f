"""A link that the lab once made goes on to say what it said, whatever the defaults are by now."""

import pytest

from dashboard.compute.sweeps.spec import check_sweep, kept_sweep, kept_text, toml
from dashboard.scenario import Scenario, from_query
from dpgep_core.experiments.grid import cells_of
from dpgep_core.former import FORMER, former_defaults, key_parameters

OLD = {"dataset": "wine", "model": "fda", "algorithms": "ssp,dprf", "epsilon": "0.1", "seed": "3"}


def found(query: dict[str, str], algorithm: str = "ssp") -> dict[str, object]:
    """Parameters of one method under an address, its defaults included."""
    scenario, problems = from_query(query)
    assert problems == ()
    shown = scenario.to_query()
    return {name: shown[name] for name in FORMER["ssp"]} | dict(scenario.params_of(algorithm))


def test_a_link_from_before_is_one_step_at_its_ridge() -> None:
    shown = found(OLD)
    assert shown["steps"] in (1, "1")
    assert shown["xi"] in (0.01, "0.01")


def test_what_an_old_link_names_is_kept() -> None:
    assert found({**OLD, "xi": "0.3"})["xi"] == 0.3
    assert found({**OLD, "steps": "2"})["steps"] in (2, "2")


@pytest.mark.parametrize("params", [(), (("steps", 1),), (("steps", 2),), (("xi", 0.01),), (("xi", 0.5),)])
def test_a_link_of_today_names_what_was_another_default_once(params: tuple[tuple[str, object], ...]) -> None:
    scenario = Scenario(dataset="wine", algorithms=("ssp",), params=params)
    assert FORMER["ssp"].keys() <= scenario.to_query().keys()
    assert from_query(scenario.to_query()) == (scenario, ())


def test_a_method_without_such_defaults_is_not_told_of_them() -> None:
    assert from_query({**OLD, "algorithms": "dprf"})[0].params == ()
    assert former_defaults(["dprf", "exact"]) == {}


def test_a_typed_address_takes_the_defaults_of_today() -> None:
    assert from_query({"dataset": "wine", "epsilon": "2"}) == (Scenario(dataset="wine", epsilon=2.0), ())


TODAY = {"steps": 2, "xi": 0.0}


def test_the_key_of_a_result_outlives_a_change_of_defaults() -> None:
    """What exhibits computed as one release is found under the same key; what takes two by default is not."""
    assert key_parameters("fda", "ssp", {"xi": 0.01, "steps": 1}, TODAY) == {"xi": 0.01}
    assert key_parameters("pca", "ssp", {"steps": 1}, TODAY) == {}
    assert key_parameters("fda", "ssp", {}, TODAY) == TODAY
    assert key_parameters("fda", "ssp", {"xi": 0.01}, TODAY) == {"xi": 0.01, "steps": 2}
    assert key_parameters("fda", "dprf", {"xi": 0.01}, {}) == {"xi": 0.01}


def test_a_sweep_that_a_server_kept_from_before_is_what_it_was() -> None:
    sweep, _ = check_sweep({"datasets": ["wine"], "algorithms": ["ssp", "dprf"], "epsilon": [1.0]})
    old = kept_sweep(toml(sweep))
    assert {cell.setting.params for cell in cells_of(old) if cell.setting.algorithm == "ssp"} == {
        (("steps", 1), ("xi", 0.01))
    }
    again = kept_sweep(kept_text(sweep))
    assert [cell.key("rows") for cell in cells_of(again)] == [cell.key("rows") for cell in cells_of(sweep)]


def test_steps_that_a_kept_sweep_names_are_its_own() -> None:
    sweep, _ = check_sweep({"datasets": ["wine"], "algorithms": ["ssp"], "steps": [1, 2], "xi": [0.0]})
    assert kept_sweep(kept_text(sweep)) == sweep


def test_a_kept_sweep_without_such_methods_is_as_it_was_written() -> None:
    sweep, _ = check_sweep({"datasets": ["wine"], "algorithms": ["dprf"]})
    assert kept_text(sweep) == toml(sweep)
    assert kept_sweep(toml(sweep)) == sweep
