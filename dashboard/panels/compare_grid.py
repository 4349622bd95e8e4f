"""Build a sweep: lists for every setting, how many cells and how long, its TOML and its command."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import streamlit as st

from dashboard.compute.sweeps import spec
from dashboard.compute.sweeps.estimate import estimate_time
from dashboard.compute.task_kinds import sweep_tasks
from dashboard.compute.titles import title_of
from dashboard.controls import distinct, kept_widget
from dashboard.panels.shared import errors_on_page
from dashboard.scenario import UPLOAD, Scenario, fitting_algorithms
from dashboard.text.words import escape_markdown
from dpgep_core.datasets import dataset_names, dataset_title
from dpgep_core.errors import DpgepError, ParameterError
from dpgep_core.evaluate.classify import CLASSIFIER_NAMES
from dpgep_core.experiments.grid import Cell, Sweep, known_axes
from dpgep_core.experiments.store import cell_store
from dpgep_core.models import MODELS
from dpgep_core.params import Knob, Parameter
from dpgep_core.wording import plural

KEPT = "grid"  # what was entered, in the session: widgets of a page that is not shown are forgotten
MAIN = ("xi", "sparsity", "n_iterations", "n_components", "n", "step_size")
CHOICES = {"datasets": "Data sets", "models": "Models", "algorithms": "Methods"}
WAYS = {"lists": "Lists", "toml": "TOML"}
LISTS = "Write values between commas. 0.01 .. 10 x 7 means seven numbers, evenly spaced in the logarithm."
SESSION_ONLY = (
    "Data sets that you uploaded stay in your session, and a sweep outlives it: they are left out here. Put the file "
    "in the folder DPGEP_DATA_DIR to sweep over it."
)
NEW = "Empty means the usual value. "
_widget = partial(kept_widget, "grid")


@errors_on_page()
def grid_panel(scenario: Scenario | None) -> None:
    """The form, what it comes to, and the button that starts it."""
    kept: dict[str, Any] = st.session_state.setdefault(KEPT, {} if scenario is None else _start(scenario))
    with st.container(horizontal=True, vertical_alignment="center"):
        way = _widget("way", lambda key: st.segmented_control(
            "Build it from", list(WAYS), key=key, format_func=WAYS.__getitem__, required=True,
            label_visibility="collapsed"), kept, "lists")  # fmt: skip
        if way == "lists" and scenario is not None:
            st.button("Start from the present setting", on_click=_again, args=(scenario,), type="tertiary")
    table = _from_toml(kept) if way == "toml" else _from_lists(kept, scenario)
    if any(isinstance(value, DpgepError) for value in table.values()):
        st.caption("Nothing is started before the list with the error is mended.")
        return
    if lacking := [words for name, words in CHOICES.items() if way == "lists" and not table[name]]:
        st.info(f"Choose one or more: {', '.join(lacking)}.")
        return
    sweep, cells = spec.check_sweep(table)
    kept["toml"] = kept["toml"] if way == "toml" else spec.toml(sweep)
    _ready(sweep, cells)


def fill(sweep: Sweep) -> None:
    """Put a sweep into the form. For callbacks alone."""
    _forget()
    table = {"datasets": sweep.datasets, "models": sweep.models, "algorithms": sweep.algorithms,
             "classifiers": sweep.classifiers, "seeds": sweep.seeds, **dict(sweep.axes)}  # fmt: skip
    st.session_state[KEPT] = _form_values({n: list(v) if isinstance(v, tuple) else v for n, v in table.items()})


def _start(scenario: Scenario) -> dict[str, Any]:
    return _form_values(spec.from_scenario(scenario))


def _form_values(table: dict[str, Any]) -> dict[str, Any]:
    """A table as the widgets hold it: numbers as text."""
    axes = known_axes()
    return {name: spec.text_of(value) if isinstance(axes.get(name), Knob) else value for name, value in table.items()}


def _forget() -> None:
    for name in [name for name in st.session_state if str(name).startswith("grid_")]:
        del st.session_state[name]


def _from_lists(kept: dict[str, Any], scenario: Scenario | None) -> dict[str, Any]:
    if scenario is not None and scenario.dataset.startswith(UPLOAD):
        st.caption(SESSION_ONLY)
    left, middle, right = st.columns(3)
    with left:
        datasets = _many("datasets", CHOICES["datasets"], dataset_names(), kept, dataset_title)
    with middle:
        models = _many("models", CHOICES["models"], list(MODELS), kept, partial(title_of, "model"))
    fitting = list(dict.fromkeys(a for model in models for a in fitting_algorithms(model)))
    with right:
        algorithms = _many("algorithms", CHOICES["algorithms"], fitting, kept, partial(title_of, "algorithm"))
    table: dict[str, Any] = {"datasets": datasets, "models": models, "algorithms": algorithms}
    left, middle, right = st.columns(3)
    with left:
        own = spec.settings_of(models, algorithms)
        table |= _epsilon(own["epsilon"], kept)
    with middle:
        table["seeds"] = int(_widget("seeds", lambda key: st.number_input(
            "Seeds", 1, 1000, key=key, help="A seed draws the noise, the start, and the split where none is published: "
            "the same rows, not new ones. 20 or more for bands, 6 or more for a test."), kept, 5))  # fmt: skip
    with right:
        table["classifiers"] = _many(
            "classifiers", "Classifiers", list(CLASSIFIER_NAMES), kept, partial(title_of, "classifier")
        )
    own.pop("epsilon")
    main = [name for name in MAIN if name in own]
    columns = st.columns(min(max(len(main), 3), 4))  # four settings stand in one line
    for number, name in enumerate(main):
        with columns[number % len(columns)]:
            table |= _list(name, own[name], kept)
    with st.expander("More settings"):
        columns = st.columns(3)
        for number, name in enumerate(name for name in own if name not in main):
            with columns[number % 3]:
                table |= _list(name, own[name], kept)
    return {name: value for name, value in table.items() if value != [] or name in ("datasets", "models", "algorithms")}


def _again(scenario: Scenario) -> None:
    _forget()
    st.session_state[KEPT] = _start(scenario)


def _many(
    name: str, label: str, options: Sequence[str], kept: dict[str, Any], title: Callable[[str], str]
) -> list[str]:
    key, shown = f"grid_{name}", distinct({option: title(option) for option in options})
    if not options:  # without a model there are no methods: those that were chosen come back with one
        st.multiselect(label, [], key=f"{key}_none", disabled=True)
        return []
    if key in st.session_state:
        st.session_state[key] = [value for value in st.session_state[key] if value in options]
    else:
        kept[name] = [value for value in kept.get(name, options[:1]) if value in options]
    return list(
        _widget(name, partial(st.multiselect, label, options, format_func=shown.__getitem__), kept, options[:1])
    )


def _epsilon(parameter: Parameter, kept: dict[str, Any]) -> dict[str, Any]:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        found = _list("epsilon", parameter, kept)
        with st.popover("Usual lists", type="tertiary"):
            for words, text in spec.PRESETS.items():
                st.button(words, on_click=st.session_state.__setitem__, args=("grid_epsilon", text), type="tertiary")
    return found


def _list(name: str, parameter: Parameter, kept: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(parameter, Knob):
        options = list(spec.choices(parameter))
        chosen = _widget(name, lambda key: st.multiselect(
            parameter.label, options, key=key, format_func=_spoken, help=NEW + parameter.doc), kept, [])  # fmt: skip
        return {name: list(chosen)} if chosen else {}
    text = _widget(name, lambda key: st.text_input(
        parameter.label, key=key, max_chars=2000, placeholder="" if name == "epsilon" else "the usual",
        help=f"{NEW}{LISTS}  \n{parameter.doc}  \nAllowed: {parameter.allowed}."), kept, "")  # fmt: skip
    try:
        values = spec.parsed_list(name, text)
    except DpgepError as error:  # said under its field; the fields after it stay
        st.error(escape_markdown(f"{parameter.label}: {str(error).rstrip('.')}. {LISTS}"))
        return {name: error}
    return {name: values} if values else {}


def _spoken(value: Any) -> str:
    return {True: "on", False: "off"}.get(value, str(value).replace("_", "-"))


def _from_toml(kept: dict[str, Any]) -> dict[str, Any]:
    sent = st.file_uploader("A TOML file", key="grid_file", help="As for  dpgep sweep; it is read into the box below.")
    if sent is not None and st.session_state.get("grid_read") != sent.file_id:
        st.session_state["grid_read"] = sent.file_id
        st.session_state["grid_toml"] = _decode(sent.getvalue())
    text = _widget("toml", lambda key: st.text_area("The sweep as TOML", key=key, height=260), kept, "")
    return spec.table_of(text)


def _decode(content: bytes) -> str:
    if len(content) > spec.LONGEST:
        raise ParameterError("TOML file", f"{len(content):,} bytes", f"at most {spec.LONGEST:,} bytes")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ParameterError("TOML file", "its bytes", "UTF-8 text") from error


def _ready(sweep: Sweep, cells: Sequence[Cell]) -> None:
    """How much it is, how to have it elsewhere, and go."""
    store = sweep_tasks().store
    with cell_store(store) as opened:
        typical = opened.typical_seconds()
    text = spec.toml(sweep)
    with st.spinner("Looking at the sizes of the data …"):
        takes = escape_markdown(estimate_time(cells, typical).words)
    st.markdown(f"**{plural(len(cells), 'cell')}**: {takes}.")
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Start the sweep", type="primary", help="Cells kept from earlier sweeps are not computed again."):
            begin(sweep)
        with st.popover("As TOML and command"):
            st.code(text, language="toml", wrap_lines=True)
            st.download_button("Download the TOML", text.encode(), "sweep.toml", "application/toml", on_click="ignore",
                               key="grid_download")  # fmt: skip
            st.code(spec.command(str(store)), language="shell", wrap_lines=True)
            st.caption("The command uses the same store: what is computed here is not computed again there.")


@errors_on_page()
def begin(sweep: Sweep, *, retry: bool = False) -> None:
    """Start or resume a sweep and look at it."""
    with st.spinner("Counting what is there already …"):
        st.session_state["run"] = sweep_tasks().start(sweep, retry=retry)
    st.rerun()
