"""The state of the shared controls: all set at once, by an address or to a scenario, as if somebody had moved them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from dashboard import controls
from dashboard.own_data import uploads
from dashboard.pages import shared_parameters
from dashboard.scenario import LARGEST_WHOLE, Scenario, as_text, from_query
from dpgep_core.params import Delta, definition
from dpgep_core.release import COMMON_PARAMETERS, all_parameters, default_parameters

PAPERS_DELTA, COMMON_DELTA = "n^-1.1 (papers)", "1e-5 for every data set"
COMMON = 1e-5


def first_visit(query: Mapping[str, str]) -> tuple[str, ...]:
    """Fill the session from the URL at the first visit. Returns messages about what could not be used."""
    if "visited" in st.session_state:
        return ()
    return _stand_at(query)


def turn_to(query: Mapping[str, str]) -> None:
    """Set every control as an address says, and those it does not name to their usual. For callbacks alone: the
    controls must not have been drawn yet. What cannot be used is said on the next page that is drawn."""
    st.session_state.setdefault("adjusted", []).extend(_stand_at(shared_parameters(query)))


def _stand_at(query: Mapping[str, str]) -> tuple[str, ...]:
    scenario, problems = from_query(query, uploads.session_uploads())
    set_controls(scenario)
    return problems


def set_controls(scenario: Scenario) -> None:
    """Set the shared controls to a scenario. Call it before they are drawn: in a callback, or at a first visit."""
    _forget()
    values: dict[str, Any] = {
        name: getattr(scenario, name) for name in COMMON_PARAMETERS if getattr(scenario, name) is not None
    }
    values |= {"dataset": scenario.dataset, "model": scenario.model, "algorithms": list(scenario.algorithms)}
    values |= dict(scenario.params)
    usual = [default_parameters(scenario.model, algorithm) for algorithm in scenario.algorithms]
    values |= {f"own_{name}": True for name, _ in scenario.params if any(own.get(name, 0) is None for own in usual)}
    values["delta_rule"] = _rule(scenario.delta)
    st.session_state.update(values | {"visited": True, "asked": dict(scenario.params)})


def next_seed() -> None:
    """Redraw the noise on the whole page. A callback."""
    st.session_state["seed"] = (int(st.session_state.get("seed", 0)) + 1) % LARGEST_WHOLE


def controls_stand_at(scenario: Scenario) -> bool:
    """Whether the shared controls stand at a scenario."""
    now: Scenario | None = st.session_state.get("scenario")
    if now is None or (now.dataset, now.model, now.algorithms) != (
        scenario.dataset,
        scenario.model,
        scenario.algorithms,
    ):
        return False
    wanted = scenario if scenario.n_components is not None else replace(scenario, n_components=now.n_components)
    if now.n_components is None and wanted.n_components == st.session_state.get("n_components"):
        wanted = replace(wanted, n_components=None)  # the usual number, said aloud
    return _telling(wanted) == _telling(now)


def _telling(scenario: Scenario) -> Scenario:
    """Scenario without the parameters that stand at their defaults."""
    usual = [default_parameters(scenario.model, algorithm) for algorithm in scenario.algorithms]
    told = [(n, v) for n, v in scenario.params if any(n in given and given[n] != v for given in usual)]
    return replace(scenario, params=tuple(told))


def _forget() -> None:
    """Whatever was set before, apart from what belongs to a page: a scenario says all there is to set."""
    common = ("n_components", "k_for", "delta", "declared_n", "forget", "off_grid", controls.HELD_BACK, controls.USUAL)
    for name in (*common, *all_parameters(), *(f"own_{name}" for name in all_parameters())):
        st.session_state.pop(name, None)


def _rule(delta: float | None) -> str:
    if delta is None:
        return PAPERS_DELTA
    return COMMON_DELTA if definition(Delta).check("delta", delta) == COMMON else as_text(delta)
