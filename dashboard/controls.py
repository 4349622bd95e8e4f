"""From a parameter's definition to a widget. The only place that makes widgets for parameters."""

import math
import re
import time
from collections import Counter
from collections.abc import Collection, Mapping, MutableMapping, Sequence
from typing import Any, TypeVar

import streamlit as st

from dashboard.scenario import as_text
from dpgep_core.errors import ParameterError
from dpgep_core.params import Choice, Knob, Parameter, Value

Option = TypeVar("Option")
STEPS = (1.0, 1.5, 2.0, 3.0, 5.0, 7.0)  # of each decade of a logarithmic slider
PUT = "put"  # in the session: what a part of the page set in place of a widget, see `put`
HELD_BACK = "held_back"  # in the session, by name: what was asked for, and what the data at hand make of it
LATE = 4.0  # seconds after a page told a new value in which the browser may still say the one before
REMEMBERED = 30.0  # seconds after which nobody says a value of an earlier step any more, however busy the browser


FRACTION = re.compile(r"(\d{1,9})\s*/\s*(\d{1,9})")


def widget(
    name: str,
    parameter: Parameter,
    default: Any,
    *,
    shown: int | None = None,
    most: int | None = None,
    fits: int | None = None,
) -> Any:
    """A widget for one parameter, under the key of its name; returns its value.

    The session's value of that key is the start; one that lies off the grid of a slider (from a URL) joins the grid.
    ``shown`` is where a slider of whole numbers ends unless the value is larger; ``most`` is what the data set allows,
    and ``fits`` what a value is held to, where that is less.
    """
    if name not in st.session_state:
        st.session_state[name] = default
        if most is not None:  # a usual value beyond what the data allow is held back without a word
            within(st.session_state, name, min(default, most), most)
    stay_put(st.session_state, name, time.monotonic())
    st.session_state[name] = st.session_state[name]  # said again in each run: the browser may have missed the first
    label, help_text = parameter.label, f"{parameter.doc}  \nAllowed: {parameter.allowed}."
    if isinstance(parameter, Choice):
        options = list(parameter.options)
        if st.session_state[name] not in options:
            note_adjusted(name, st.session_state[name], parameter.allowed)
            st.session_state[name] = default
        return st.selectbox(label, options, key=name, help=help_text, format_func=lambda key: key.replace("_", "-"))
    if isinstance(parameter, Knob):
        if parameter.scale == "log" or not parameter.integer:
            return _steps_slider(name, parameter, label, help_text)
        return _whole_slider(name, parameter, label, help_text, shown, most, most if fits is None else fits)
    return st.toggle(label, key=name, help=help_text)


def put(name: str, value: Any) -> None:
    """Set what a widget holds, for a part of the page that moves it. To be called back, before the page runs.

    Each message of the browser tells the server every value as the browser knows it, which may be one before, or
    several where steps follow each other. None of these is taken back by a part that runs alone, nor by the page until
    it has told the new value, and for a moment after. A browser that does say so for a reason, the widget having been
    moved there by hand within that moment, is overruled.
    """
    now = time.monotonic()
    moved, last, earlier, told = st.session_state.get(PUT, ("", None, (), None))
    known = (*earlier, last) if moved == name and (told is None or now - told < REMEMBERED) else ()
    before = tuple(one for one in dict.fromkeys((*known, st.session_state.get(name))) if one != value)
    st.session_state[PUT] = (name, value, before, None)
    st.session_state[name] = value


def stay_put(state: MutableMapping[Any, Any], name: str, now: float) -> None:
    """Restore a value that was `put` and that a message of a browser that had not heard of it replaced."""
    moved, value, before, told = state.get(PUT, ("", None, (), None))
    if moved != name:
        return
    late = state[name] in before and (told is None or now - told < LATE)
    if late:
        state[name] = value
    if state[name] != value:  # moved by hand since then
        del state[PUT]
    elif told is None or late:  # a busy browser that was late once may be so again
        state[PUT] = (name, value, before, now)


def stay_put_in_part(state: MutableMapping[Any, Any]) -> None:
    """Restore such a value in a part of the page that runs alone: a control moved by hand runs the whole page."""
    moved, value, before, _ = state.get(PUT, ("", None, (), None))
    if moved and state.get(moved) in before:
        state[moved] = value


def _steps_slider(name: str, knob: Knob, label: str, help_text: str) -> float:
    options = grid(knob, st.session_state.setdefault("off_grid", {}).get(name))
    if st.session_state[name] not in options:
        st.session_state["off_grid"][name] = st.session_state[name]
        options = grid(knob, st.session_state[name])
    return st.select_slider(label, options, key=name, help=help_text, format_func=labels(options).__getitem__)


def labels(options: Sequence[float]) -> dict[float, str]:
    """Short texts of the options, all different: the browser answers with the text, and not with the number."""
    short = Counter(f"{value:.4g}" for value in options)
    return {value: text if short[text := f"{value:.4g}"] == 1 else as_text(value) for value in options}


def _whole_slider(
    name: str, knob: Knob, label: str, help_text: str, shown: int | None, most: int | None, fits: int | None
) -> int:
    low, was = int(knob.soft[0]), int(st.session_state[name])
    value = within(st.session_state, name, low, fits)
    if was < low:
        note_adjusted(name, was, f"at least {low} here")
    if fits is not None and was > fits:
        note_adjusted(name, was, f"at most {fits} here")
    beyond = st.session_state.setdefault("off_grid", {})  # the end stays where a large value once put it
    high = max(int(knob.soft[1]) if shown is None else shown, value, beyond.get(name, low))
    high = high if most is None else min(high, most)
    if shown is None and value > knob.soft[1]:
        beyond[name] = max(value, beyond.get(name, value))
    if low == high:
        st.caption(f"{label}: {low}")
        return low
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


def remember(values: Mapping[str, Any]) -> None:
    """Put values into the session before their widgets are made."""
    for name, value in values.items():
        st.session_state[name] = value


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
    if (current := st.session_state.get(key)) not in options:
        if current is not None:
            note_adjusted(key, current, f"one of {', '.join(options)} here{why}")
        st.session_state[key] = options[0]
    st.session_state[key] = st.session_state[key]  # said again, as in `widget`
    shown = distinct({option: titles.get(option, option) for option in options})
    return st.selectbox(label, options, key=key, help=help_text, format_func=shown.__getitem__)
