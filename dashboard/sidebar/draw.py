"""Shared controls: from widgets to a scenario. The entry script draws them, so that every page keeps their state."""

from collections.abc import Collection
from decimal import Decimal, InvalidOperation
from typing import Any

import streamlit as st

from dashboard import controls, display
from dashboard.compute.axes import draggable
from dashboard.own_data import uploads
from dashboard.scenario import LARGEST_WHOLE, MOST_ALGORITHMS, Scenario, as_text, fitting_algorithms
from dashboard.sidebar.overlaid import Overlaid, overlaid
from dashboard.sidebar.state import COMMON, COMMON_DELTA, PAPERS_DELTA, next_seed
from dashboard.text.words import escape_markdown
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.datasets import Dataset, dataset_titles
from dpgep_core.datasets.readers.table import show_value
from dpgep_core.errors import DpgepError, ParameterError
from dpgep_core.models import MODELS
from dpgep_core.params import Knob
from dpgep_core.release import CLEANING, COMMON_PARAMETERS, known_parameters
from dpgep_core.wording import decimal_text

TICKS = (0.01, 0.1, 1.0, 10.0)
ENDS = (
    "<div style='display:flex;justify-content:space-between;font-size:.8rem;opacity:.8;margin-top:-.6rem'>"
    "<span>more private,<br>noisier</span><span style='text-align:right'>less private,<br>sharper</span></div>"
)
MAIN = ("xi", "sparsity")
SIZES = frozenset({"as_if", "bounds"})  # of a folded part, which stories move


def sidebar(*, dragged: bool = False, moved: Collection[str] = ()) -> tuple[Scenario, Dataset]:
    """Draw the controls; ``dragged`` leaves out what the page lets one drag, ``moved`` names those that start unfolded.

    Raises
    ------
    DpgepError
        Where the data set cannot be loaded; no other control is drawn then.
    """
    with st.sidebar:
        data = _choose_dataset()
        model = controls.choose_key(
            "Model", [key for key in MODELS if _fits(key, data)], {k: e.title for k, e in MODELS.items()}, "model",
            "What is sought: " + " ".join(f"{e.title}: {e.sentence}" for e in MODELS.values()), _why_not(data),
        )  # fmt: skip
        algorithms = _algorithms(model)
        elsewhere = draggable(Scenario(dataset=data.name, model=model, algorithms=algorithms)) if dragged else []
        values: dict[str, Any] = {
            "epsilon": controls.widget("epsilon", COMMON_PARAMETERS["epsilon"], 1.0, hidden="epsilon" in elsewhere)
        }
        if "epsilon" not in elsewhere:
            st.html(_scale())
        values["n_components"] = _components(model, data)
        params = _parameters(model, algorithms, data, elsewhere)
        st.button(
            "Redraw the noise", on_click=next_seed, width="stretch", help="The next seed: another draw, same setting."
        )
        with st.expander("Privacy and size", expanded=bool(SIZES.intersection(moved))):
            values["seed"] = controls.widget("seed", COMMON_PARAMETERS["seed"], 0)
            values["delta"] = _delta()
            values["as_if"] = controls.widget("as_if", COMMON_PARAMETERS["as_if"], 1.0, hidden="as_if" in elsewhere)
            values["relation"] = controls.widget("relation", COMMON_PARAMETERS["relation"], "replace_one")
            values["declared_n"] = _declared_n(str(values["relation"]))
            values["test_size"] = _test_size(data)
            if data.preprocessing.lower is not None:
                values["bounds"] = controls.widget("bounds", COMMON_PARAMETERS["bounds"], True)
        with st.expander("Teaching"):
            values["noise"] = controls.widget("noise", COMMON_PARAMETERS["noise"], True)
            if any("forgetful" in _calibrations(model, key) for key in algorithms) and st.toggle(
                "Forget composition", key="forget", help="Each answer calibrated as if it were the only one: watch ε."
            ):
                params["calibration"] = "forgetful"
            st.toggle(
                "Only the curve without privacy", key="only_exact",
                help="Where a curve runs along ξ or s: first what happens with no noise at all, then the rest.",
            )  # fmt: skip
            st.toggle("Hide answers", key="hidden", help="Ask first, show after: results stay covered until revealed.")
            display.choose()
    scenario = Scenario(
        dataset=data.name, model=model, algorithms=algorithms, params=tuple(sorted(params.items())), **values
    )
    return scenario, data


def _scale() -> str:
    """Ends of the slider of ε with what they mean, and its round numbers."""
    epsilon = COMMON_PARAMETERS["epsilon"]
    assert isinstance(epsilon, Knob)
    places = controls.grid(epsilon, st.session_state.get("off_grid", {}).get("epsilon"))
    ticks = "".join(
        f"<span style='position:absolute;left:{100 * places.index(tick) / (len(places) - 1):.1f}%;"
        f"transform:translateX({'-100%' if tick == places[-1] else '-50%'})'>{tick:g}</span>"
        for tick in TICKS
        if tick in places
    )
    row = f"<div aria-hidden='true' style='position:relative;height:1.2rem;margin:-1.1rem .4rem .8rem'>{ticks}</div>"
    return f"<div style='font-size:.75rem;opacity:.8'>{row}</div>{ENDS}"


def _choose_dataset() -> Dataset:
    titles, own = dataset_titles(), uploads.session_uploads()
    if (brought := uploads.chosen_next()) in own:
        st.session_state["dataset"] = brought
    titles |= {key: f"{kept.data.title} (this session)" for key, kept in own.items()}
    name = controls.choose_key("Data set", list(titles), titles, "dataset", "The rows to look at.")
    return uploads.find_dataset(name)


def _fits(model: str, data: Dataset) -> bool:
    try:
        MODELS[model].make().check(data.n_classes, data.d)
    except DpgepError:
        return False
    return True


def _why_not(data: Dataset) -> str:
    """Reason why models that need classes are not offered."""
    if data.n_classes > 1:
        return ""
    found = f"one class, {show_value(data.classes[0])}" if data.n_classes else "no classes"
    return f", as the data set has {found}"


def _algorithms(model: str) -> tuple[str, ...]:
    keys = fitting_algorithms(model)
    for key in (asked := st.session_state.get("algorithms", [])):
        if key not in keys:
            controls.note_adjusted("algorithms", key, f"one of {', '.join(keys)} for model {model}")
    kept = [key for key in asked if key in keys]
    st.session_state["algorithms"] = kept or keys[:1]
    picked = st.multiselect(
        "Algorithms", keys, key="algorithms", max_selections=MOST_ALGORITHMS,
        format_func=controls.distinct({key: ALGORITHMS[key].title for key in keys}).__getitem__,
        help="One to three, overlaid. Ours first, then the published ones, then those without privacy.",
    )  # fmt: skip
    return tuple(picked) or (keys[0],)


def _components(model: str, data: Dataset) -> int | None:
    made, key, state = MODELS[model].make(), "n_components", st.session_state
    default = made.default_components(data.n_classes, data.d)
    of_model, of_data, usual, brought = state.get("k_for", (model, data.name, default, False))
    moved = data.name != of_data
    if model != of_model or (moved and not controls.chosen_by_hand(state, key, usual)):
        state[key] = default
    # More directions than carry anything may be asked for, and are not what another data set's number means here.
    brought = moved or (brought and controls.held_back(state, key))
    state["k_for"] = (model, data.name, default, brought)
    fits = min(made.rank(data.n_classes, data.d), data.d) if brought else data.d
    k = controls.widget(
        key, COMMON_PARAMETERS[key], default, shown=min(max(20, default), data.d), most=data.d, fits=fits
    )
    return None if k == default else int(k)


def _parameters(model: str, algorithms: tuple[str, ...], data: Dataset, elsewhere: Collection[str]) -> dict[str, Any]:
    """Widgets of every parameter that the algorithms or the model have; those that differ from a default.

    Overlaid methods share a widget: it offers what one of them has, and what it shows holds for all of them. Where
    their defaults differ, each keeps its own until somebody, or an address, sets one value for all.
    """
    found: dict[str, Any] = {}
    asked = overlaid(model, algorithms)
    for name, value in st.session_state.pop("asked", {}).items():
        if name not in asked:
            controls.note_adjusted(
                name, value, f"left out for {', '.join(algorithms)}, whose parameters are {', '.join(asked)}"
            )

    def ask(name: str) -> None:
        value = _overlaid_value(asked[name], data, hidden=name in elsewhere)
        if value != controls.EACH_OWN and any(value != usual for usual in asked[name].usual.values()):
            found[name] = value

    for name in [name for name in MAIN if name in asked]:
        ask(name)
    if others := [name for name in asked if name not in MAIN]:
        with st.expander("More of the methods"):
            for name in others:
                if name not in CLEANING or st.session_state.get("steps") != 1:
                    ask(name)
    return found


def _overlaid_value(shared: Overlaid, data: Dataset, *, hidden: bool) -> Any:
    """Value of one parameter for all methods that have it, or `EACH_OWN`; a caption says what each then keeps."""
    name, default = shared.name, shared.default
    controls.follow_default(name, default)
    if default != controls.EACH_OWN:
        value = _parameter(name, shared.parameter, default, data, hidden=hidden)
    elif controls.one_for_all(name, shared.parameter, shared.first):
        value = _parameter(name, shared.parameter, shared.first, data, hidden=hidden)
    else:
        value = default
    if shared.differ and value == default:  # at ξ by the noise, too, others keep a number of their own
        st.caption(escape_markdown(shared.sentence))
    return value


def _parameter(name: str, parameter: Any, default: Any, data: Dataset, *, hidden: bool) -> Any:
    if default is None:  # None stands for the model's own value
        own = st.toggle(f"Set {parameter.label}", key=f"own_{name}", value=name in st.session_state, help=parameter.doc)
        return controls.widget(name, parameter, 0.5) if own else None
    if name == "sparsity":
        return controls.widget(name, parameter, default, shown=min(data.d, 200), most=data.d, hidden=hidden)
    return controls.widget(name, parameter, default, hidden=hidden)


def _calibrations(model: str, algorithm: str) -> tuple[str, ...]:
    parameter = known_parameters(model, algorithm).get("calibration")
    return tuple(getattr(parameter, "options", ()))


def _test_size(data: Dataset) -> float:
    """Share of the rows held out. A data set with a published test split has no such control."""
    usual = Scenario().test_size
    if data.X_test is None:
        return controls.widget("test_size", COMMON_PARAMETERS["test_size"], usual)
    if (asked := st.session_state.pop("test_size", usual)) != usual:
        controls.note_adjusted("test_size", asked, f"left out for {data.name}, which publishes its test split")
    return usual


def _declared_n(relation: str) -> int | None:
    """The public number of rows, where records may be added or removed; empty takes what the data set declares."""
    knob = COMMON_PARAMETERS["declared_n"]
    assert isinstance(knob, Knob)
    if relation != "add_remove":
        if (asked := st.session_state.pop("declared_n", None)) is not None:
            controls.note_adjusted("declared_n", asked, "left out: beside replaced rows n is public as it is")
        return None
    st.session_state["declared_n"] = st.session_state.get("declared_n")  # said again, as in `controls.widget`
    return st.number_input(
        knob.label, int(knob.low), LARGEST_WHOLE, value=None, step=1, key="declared_n", placeholder="not declared here",
        help=f"{knob.doc} Empty takes what the data set declares.",
    )  # fmt: skip


def _fitting_delta(rule: str, options: Collection[str]) -> str:
    """A rule for δ, or a number as it was typed; what is no δ is said, and the papers' rule stands in its place."""
    if rule in options:
        return rule
    knob = COMMON_PARAMETERS["delta"]
    assert isinstance(knob, Knob)
    try:
        return as_text(controls.typed_value("delta", knob, rule))
    except ParameterError as error:
        controls.note_adjusted("delta", error.value, error.allowed)
        return PAPERS_DELTA


def _delta_title(rule: str) -> str:
    """A rule as it is named, and a number as all numbers are written."""
    try:
        return decimal_text(Decimal(rule))
    except InvalidOperation:
        return rule


def _delta() -> float | None:
    options = [PAPERS_DELTA, COMMON_DELTA, "0.001", "1e-06", "1e-08"]
    current = _fitting_delta(st.session_state.get("delta_rule") or PAPERS_DELTA, options)
    if current not in options:
        options.append(current)
    st.session_state["delta_rule"] = current
    rule = st.selectbox(
        "Slack δ", options, key="delta_rule", accept_new_options=True, format_func=_delta_title,
        help=f"{COMMON_PARAMETERS['delta'].doc} A number can be typed. One δ for every data set makes the same ε mean "
        "the same.",
    )  # fmt: skip
    return {PAPERS_DELTA: None, COMMON_DELTA: COMMON}[rule] if rule in (PAPERS_DELTA, COMMON_DELTA) else float(rule)
