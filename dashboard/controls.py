"""From a parameter's definition to a widget. The only place that makes widgets for parameters."""

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, MutableMapping, Sequence
from typing import Any, TypeVar

import streamlit as st

from dashboard.scenario import LARGEST_WHOLE, as_text
from dpgep_core.errors import ParameterError
from dpgep_core.params import Choice, Knob, Parameter, Value

Option = TypeVar("Option")
STEPS = (1.0, 1.5, 2.0, 3.0, 5.0, 7.0)  # of each decade of a logarithmic slider
TYPED = ("n_components", "seed")  # whole numbers that one types: no picture moves with them
ALL_AT_ZERO = ("sparsity",)  # whole numbers whose 0 means all
USUAL = "usual"  # in the session, by name: the default that was shown last
EACH_OWN = "each its own"  # default of methods whose defaults differ: no parameter has this value
HELD_BACK = "held_back"  # in the session, by name: what was asked for, and what the data at hand make of it
FRACTION = re.compile(r"(\d{1,9})\s*/\s*(\d{1,9})")


def widget(
    name: str,
    parameter: Parameter,
    default: Any,
    *,
    shown: int | None = None,
    most: int | None = None,
    fits: int | None = None,
    hidden: bool = False,
) -> Any:
    """A widget for one parameter, under the key of its name; returns its value.

    The session's value of that key is the start; one that lies off the grid of a slider (from a URL) joins the grid.
    ``shown`` is where a slider of whole numbers ends unless the value is larger; ``most`` is what the data set allows,
    and ``fits`` what a value is held to, where that is less. A ``hidden`` widget is not drawn, because the page moves
    the value in another way: the value is held to the same limits.
    """
    if name not in st.session_state:
        st.session_state[name] = default
        if most is not None:  # a usual value beyond what the data allow is held back without a word
            within(st.session_state, name, min(default, most), most)
    st.session_state[name] = st.session_state[name]  # said again in each run: the browser may have missed the first
    label, help_text = parameter.label, f"{parameter.doc}  \nAllowed: {parameter.allowed}."
    if isinstance(parameter, Choice):
        if st.session_state[name] not in parameter.options:
            note_adjusted(name, st.session_state[name], parameter.allowed)
        titles = {key: key.replace("_", "-") for key in parameter.options}
        return choose(label, name, titles, usual=default, help_text=help_text)
    if isinstance(parameter, Knob):
        if parameter.scale == "log" or not parameter.integer:
            return st.session_state[name] if hidden else _steps_slider(name, parameter, label, help_text)
        low, high = int(parameter.soft[0]), most if fits is None else fits
        value = _held(name, label, low, high)
        return value if hidden else _whole_slider(name, parameter, label, help_text, shown, most, value)
    return st.toggle(label, key=name, help=help_text)


def follow_default(name: str, default: Any) -> None:
    """Move a value that nobody chose to another default: methods share a name, and have defaults of their own.

    `EACH_OWN` is the default of methods that differ: what nobody chose is then forgotten, and each keeps its own.
    """
    usual: dict[str, Any] = st.session_state.setdefault(USUAL, {})
    state = st.session_state
    if name in usual and name in state and usual[name] != default and _asked(state, name) == usual[name]:
        forget(name)
        if default not in (EACH_OWN, None):
            state[name] = default
    usual[name] = default


def forget(name: str) -> None:
    """Forget a value, and what was asked for where the data held it back."""
    st.session_state.pop(name, None)
    st.session_state.get(HELD_BACK, {}).pop(name, None)


def one_for_all(name: str, parameter: Parameter, first: Any) -> bool:
    """Switch from each method's own default to one value for all methods, which begins at ``first``.

    One source tells which it is: the session has a value where somebody, or an address, set one, and else has none.
    """
    key = f"own_{name}"
    st.session_state[key] = name in st.session_state

    def turn() -> None:
        if st.session_state[key]:
            st.session_state[name] = first
        else:
            forget(name)

    help_text = f"Off, each method keeps its own. {parameter.doc}"
    return st.toggle(f"Set {parameter.label} for all methods", key=key, on_change=turn, help=help_text)


def value_text(name: str, parameter: Parameter, value: Any) -> str:
    """Write a value in words: what 0 stands for, "all" entries, on or off, or the number."""
    if value is None:
        return "the model's own"
    if isinstance(parameter, Knob) and value == 0 and (parameter.zero or name in ALL_AT_ZERO):
        return parameter.zero or "all"
    if isinstance(value, bool):
        return "on" if value else "off"
    return as_text(value)


def _steps_slider(name: str, knob: Knob, label: str, help_text: str) -> float:
    options = grid(knob, st.session_state.setdefault("off_grid", {}).get(name))
    if st.session_state[name] not in (*options, 0.0 if knob.zero else options[0]):
        st.session_state["off_grid"][name] = st.session_state[name]
        options = grid(knob, st.session_state[name])
    named = labels(options) | ({0.0: knob.zero} if knob.zero else {})
    return st.select_slider(label, sorted(named), key=name, help=help_text, format_func=named.__getitem__)


def labels(options: Sequence[float]) -> dict[float, str]:
    """Short texts of the options, all different: the browser answers with the text, and not with the number."""
    short = Counter(f"{value:.4g}" for value in options)
    return {value: text if short[text := f"{value:.4g}"] == 1 else as_text(value) for value in options}


def _held(name: str, label: str, low: int, high: int | None) -> int:
    """Hold the session's value to the limits of the data at hand, and say so where it was moved."""
    was = int(st.session_state[name])
    value = within(st.session_state, name, low, high)
    if was < low:
        note_adjusted(label, was, f"at least {low} here")
    if high is not None and was > high:
        note_adjusted(label, was, f"at most {high} here")
    return value


def _whole_slider(
    name: str, knob: Knob, label: str, help_text: str, shown: int | None, most: int | None, value: int
) -> int:
    low = int(knob.soft[0])
    if name in TYPED:
        high = LARGEST_WHOLE if most is None else most
        return int(st.number_input(label, low, high, key=name, step=1, help=help_text))
    beyond = st.session_state.setdefault("off_grid", {})  # the end stays where a large value once put it
    high = max(int(knob.soft[1]) if shown is None else shown, value, beyond.get(name, low))
    high = high if most is None else min(high, most)
    if shown is None and value > knob.soft[1]:
        beyond[name] = max(value, beyond.get(name, value))
    if low == high:
        st.caption(f"{label}: {low}")
        return low
    if name in ALL_AT_ZERO and low == 0:  # the last place, where most are kept
        return st.select_slider(
            label, [*range(1, high + 1), 0], key=name, help=help_text, format_func=lambda s: str(s or "all")
        )
    return st.slider(label, low, high, key=name, help=help_text)


def within(state: MutableMapping[Any, Any], name: str, low: int, high: int | None) -> int:
    """Hold a value to the limits of the data at hand, which is put into ``state`` and returned.

    What was asked for is kept beside it, and comes back with data that allow it: a limit is nobody's choice. A value
    that was moved by hand since then is what is asked for.
    """
    held: dict[str, tuple[int, int]] = state.setdefault(HELD_BACK, {})
    value = int(state[name])
    asked, shown = held.pop(name, (value, value))
    asked = value if value != shown else asked
    fitting = max(low, asked if high is None else min(asked, high))
    if fitting != asked:
        held[name] = (asked, fitting)
    state[name] = fitting
    return fitting


def chosen_by_hand(state: Mapping[Any, Any], name: str, usual: int) -> bool:
    """Whether a value differs from the usual one, or is held back by the data from one that does."""
    return state.get(name, usual) != usual or held_back(state, name)


def _asked(state: Mapping[Any, Any], name: str) -> Any:
    """Value that was asked for, which is not the one that is shown where the data hold it back."""
    return state[HELD_BACK][name][0] if held_back(state, name) else state[name]


def held_back(state: Mapping[Any, Any], name: str) -> bool:
    """Whether what is shown is less, or more, than what was asked for."""
    return name in state and state.get(HELD_BACK, {}).get(name, (0, None))[1] == state[name]


def grid(knob: Knob, extra: float | None = None) -> list[float]:
    """Round numbers over the soft bounds of a knob, with its ends and ``extra``: tenths unless it is logarithmic."""
    low, high = knob.soft
    if knob.scale == "linear":
        tenths = {step / 10 for step in range(math.ceil(10 * low), math.floor(10 * high) + 1)}
        return sorted(tenths | {low, high} | ({float(extra)} if extra is not None else set()))
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    values = {float(f"{step * 10.0**decade:.3g}") for decade in decades for step in STEPS}
    values = {value for value in values if low <= value <= high} | {low, high}
    return sorted(values | ({float(extra)} if extra is not None else set()))


def typed_value(name: str, knob: Knob, text: str) -> Value:
    """A number as people type it: with a decimal comma, or as a fraction such as 1/32.

    Raises
    ------
    ParameterError
        Where it is no number, or outside the bounds; it shows what was typed.
    """
    plain = text.strip().replace(",", ".")
    if match := FRACTION.fullmatch(plain):
        over, under = map(float, match.groups())
        plain = str(over / under) if under else plain
    try:
        return knob.parse(name, plain)
    except ParameterError as error:
        raise ParameterError(name, text, error.allowed) from None


def note_adjusted(name: str, value: Any, allowed: str) -> None:
    """Note a value that does not fit here and was replaced: the page says so."""
    st.session_state.setdefault("adjusted", []).append(str(ParameterError(name, value, allowed)))


def distinct(texts: Mapping[Option, str]) -> dict[Option, str]:
    """Texts of options for a menu, all different: a browser answers with the text, and of two alike the last would win.

    What several options share, in a reader's eyes, is followed by the option itself: "Clinic (clinic_a)".
    """
    found = {option: " ".join(text.split()) or str(option) for option, text in texts.items()}
    while True:
        seen = Counter(text.casefold() for text in found.values())
        if len(seen) == len(found):
            return found
        found = {o: text if seen[text.casefold()] == 1 else f"{text} ({o})" for o, text in found.items()}


def hold_choice(key: str, options: Collection[str], usual: str | None = None) -> None:
    """Keep a widget's choice while another part of the page is shown; one that does not fit becomes the usual one."""
    if st.session_state.get(key) not in options:
        st.session_state[key] = next(iter(options)) if usual is None else usual
    st.session_state[key] = st.session_state[key]  # said again, as in `widget`


def choose(
    label: str, key: str, titles: Mapping[str, str], *, usual: str | None = None, help_text: str | None = None
) -> str:
    """A select box whose choice is kept while another part of the page is shown."""
    hold_choice(key, titles, usual)
    return st.selectbox(label, list(titles), key=key, help=help_text, format_func=titles.__getitem__)


def kept_widget(page: str, name: str, make: Callable[..., Any], kept: dict[str, Any], usual: Any = None) -> Any:
    """A widget that starts where it was left: widgets of a page that is not shown are forgotten, ``kept`` is not."""
    key = f"{page}_{name}"
    if key not in st.session_state:
        st.session_state[key] = kept.get(name, usual)
    kept[name] = make(key=key)
    return kept[name]


def choose_part(label: str, key: str, titles: Mapping[str, str]) -> str:
    """The part of a page that is shown, as a row of buttons."""
    hold_choice(key, titles)
    st.segmented_control(
        label, list(titles), key=key, required=True, format_func=titles.__getitem__, label_visibility="collapsed"
    )
    return str(st.session_state[key])


def choose_key(
    label: str, options: Sequence[str], titles: Mapping[str, str], key: str, help_text: str, why: str = ""
) -> str:
    """A select box of registry keys shown by title; ``why`` says what keeps others out."""
    if (current := st.session_state.get(key)) not in (None, *options):
        note_adjusted(key, current, f"one of {', '.join(options)} here{why}")
    return choose(label, key, distinct({each: titles.get(each, each) for each in options}), help_text=help_text)
