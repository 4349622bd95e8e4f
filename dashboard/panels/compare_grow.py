"""How would this grow? Minutes and memory of a sweep that is only planned, and how they move with its sizes."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from dashboard.compute.growth import FIELDS, TIMES, GrowthLine, growth_lines, line_rows
from dashboard.controls import distinct, hold_choice, kept_widget
from dashboard.export import FigureSpec
from dashboard.figures.growth import growth_figure
from dashboard.panels.shared import show_figure, style
from dashboard.scenario import Scenario, fitting_algorithms
from dashboard.text.sentences import forecast_sentence, method_sentence
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.datasets import Dataset
from dpgep_core.evaluate.forecast import PlannedRun, forecast, machine_speed, measured_algorithms
from dpgep_core.evaluate.growth import growth_of
from dpgep_core.growth import SIZES
from dpgep_core.wording import in_a_sentence, plural

KEPT = "grow"  # what was entered, in the session
_widget = partial(kept_widget, KEPT)
WIDE = f"From {FIELDS['d'][2] + 1:,} columns on, methods go by products and grow otherwise: docs/large.md."
USUAL: dict[str, Any] = {
    "n": 10_000, "d": 100, "classes": 3, "k": 2, "m": 15, "seeds": 5, "values": 5, "one_split": False,
    "entry": 8, "algorithms": ["ssp", "dprf"],
}  # fmt: skip


def grow_panel(scenario: Scenario | None, data: Dataset | None) -> None:
    """The sizes, the prediction and its picture."""
    kept: dict[str, Any] = st.session_state.setdefault(KEPT, {**USUAL, **_present(scenario, data)})
    planned = _planned(kept)
    if not planned.algorithms:
        st.info("Choose a method.")
        return
    with st.spinner("Measuring how fast this server is …"):
        speed = machine_speed()
    st.markdown(forecast_sentence(forecast(planned, speed)))
    hold_choice("grow_along", FIELDS)
    along = st.segmented_control("Against", list(FIELDS), key="grow_along", required=True,
                                 format_func=lambda name: FIELDS[name][0])  # fmt: skip
    show_figure(_spec(planned, str(along), growth_lines(planned, str(along), speed)))
    st.caption(method_sentence(speed))


def _present(scenario: Scenario | None, data: Dataset | None) -> dict[str, Any]:
    """Sizes of the data set and the methods at hand."""
    if scenario is None or data is None:
        return {}
    found: dict[str, Any] = {
        "n": data.n,
        "d": data.d,
        "k": scenario.components(data),
        "one_split": data.X_test is not None,
        "entry": 8 if data.sparse else data.X.dtype.itemsize,
    }
    found |= {"classes": data.n_classes} if data.n_classes else {}
    found["algorithms"] = [key for key in scenario.algorithms if key in measured_algorithms()]
    limits = {name: (least, most) for name, (_, least, most) in FIELDS.items()}
    return {name: min(max(value, limits[name][0]), limits[name][1]) if name in limits else value
            for name, value in found.items()}  # fmt: skip


def _planned(kept: dict[str, Any]) -> PlannedRun:
    with st.container(horizontal=True):
        for name, (words, least, most) in (*FIELDS.items(), *TIMES.items()):
            make = partial(st.number_input, words, least, most, width=130, help=WIDE if name == "d" else None)
            _widget(name, make, kept)
    offered = dict.fromkeys([*fitting_algorithms("fda"), *fitting_algorithms("pca")])  # those of PCA alone come last
    options = [key for key in offered if key in measured_algorithms()]
    titles = distinct({key: _title(key) for key in options})
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _widget("algorithms", partial(st.multiselect, "Methods", options, format_func=titles.__getitem__), kept)
        _widget("one_split", partial(
            st.toggle, "One split for all seeds", help="As where a test split is published. Sums and exact answers are "
            "then made once, and not for every seed."), kept)  # fmt: skip
    sizes = {name: int(kept[name]) for name in (*FIELDS, *TIMES)} | {"k": min(int(kept["k"]), int(kept["d"]))}
    return PlannedRun(**sizes, algorithms=tuple(kept["algorithms"]), one_split=bool(kept["one_split"]),
                      entry=int(kept["entry"]))  # fmt: skip


def _title(key: str) -> str:
    entry = ALGORITHMS[key]
    return entry.title if "fda" in entry.models else f"{entry.title}: PCA"


def _spec(planned: PlannedRun, along: str, lines: Sequence[GrowthLine]) -> FigureSpec:
    words = FIELDS[along][0]
    title = f"Predicted time against {in_a_sentence(words)}"
    sizes = ", ".join(f"{letter} = {int(planned.sizes[letter]):,}" for letter in SIZES)
    terms = "; ".join(f"{ALGORITHMS[key].title}: {growth_of(key).time}" for key in planned.algorithms)
    times = f"{plural(planned.seeds, 'seed')}, {plural(planned.values, 'value')} of ε"
    return FigureSpec(
        key="growth", title=title, alt=f"{title}, a line for each method, both axes logarithmic.",
        caption=f"{sizes}; {times}. Where problems are large, a run grows as: {terms}.",
        draw=partial(growth_figure, lines, float(getattr(planned, along)), words), style=style(),
        rows=pd.DataFrame(line_rows(lines, along)), stem="growth",
    )  # fmt: skip
