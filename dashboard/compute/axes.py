"""Axes: one setting of a scenario that a curve runs along, or that can be dragged, with its grid."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dashboard.scenario import Scenario
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.params import Iterations, Knob, NoiseXi, Parameter, Sparsity, definition
from dpgep_core.release import COMMON_PARAMETERS, POSTPROCESSING, default_parameters, known_parameters
from dpgep_core.wording import number_text

ROUND = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)  # few: sparse components of many columns take seconds each


@dataclass(frozen=True, slots=True)
class Axis:
    """One setting.

    Parameters
    ----------
    key : str
        Field of the scenario, or parameter of a method.
    parameter : Parameter
        Its definition.
    points : tuple of float
        Where curves are drawn, in the order of the axis.
    low, high : str
        What the left and the right end mean.
    """

    key: str
    parameter: Parameter
    points: tuple[float, ...]
    low: str
    high: str

    @property
    def knob(self) -> Knob:
        """The definition: every axis is a number."""
        assert isinstance(self.parameter, Knob)
        return self.parameter

    @property
    def zero(self) -> str:
        """Word for 0, where it is a place of its own before the others: "by the noise"; else ""."""
        return self.knob.zero

    def drawn(self, value: float) -> float:
        """Where a value is drawn on the logarithmic axis: 0, which has no logarithm, a third below the least point."""
        return self.points[0] / 3 if value == 0 and self.zero else value

    def text(self, value: float, digits: int = 3) -> str:
        """A value in words."""
        return self.zero if value == 0 and self.zero else number_text(value, digits)

    @property
    def symbol(self) -> str:
        """The letter that ends its label, as "ε" ends "Privacy loss ε", before an equals sign; else the whole label."""
        last = self.knob.label.split()[-1]
        if last == "×":
            return " ".join(self.knob.label.split()[-2:])
        return f"{last} =" if len(last) == 1 and last.isalpha() else self.knob.label

    @property
    def own(self) -> bool:
        """Whether it belongs to the scenario itself, and so to every method."""
        return self.key in COMMON_PARAMETERS

    def belongs(self, scenario: Scenario, algorithm: str) -> bool:
        """Whether an algorithm has it. Only noise knows ε and n."""
        if self.own:
            return ALGORITHMS[algorithm].private
        return self.key in known_parameters(scenario.model, algorithm)

    def free(self, scenario: Scenario, algorithm: str) -> bool:
        """Whether moving it is post-processing of what an algorithm already released."""
        return self.key in POSTPROCESSING and ALGORITHMS[algorithm].spends_once and self.belongs(scenario, algorithm)

    def value(self, scenario: Scenario, algorithm: str, d: int) -> float:
        """Where a scenario stands on it, d columns being all; NaN for a method that does not have it."""
        if self.own:
            return float(getattr(scenario, self.key))
        usual = default_parameters(scenario.model, algorithm).get(self.key)
        found = dict(scenario.params_of(algorithm)).get(self.key, usual)
        if self.key == "sparsity" and found in (0, None):
            return float(d) if found == 0 else float("nan")
        return float("nan") if found is None else float(found)

    def at(self, scenario: Scenario, value: float) -> Scenario:
        """The scenario moved to a value. Left to the noise, each method keeps its own default."""
        number: Any = int(value) if self.knob.integer else float(value)
        if self.own:
            return replace(scenario, **{self.key: number})
        if value == 0 and self.zero:
            return replace(scenario, params=tuple(pair for pair in scenario.params if pair[0] != self.key))
        return replace(scenario, params=tuple(sorted({**dict(scenario.params), self.key: number}.items())))

    def anywhere(self, scenario: Scenario, algorithm: str) -> Scenario:
        """The scenario that a curve over the axis depends on: one algorithm, wherever the axis stands."""
        alone = replace(scenario, algorithms=(algorithm,), params=scenario.params_of(algorithm))
        if self.own:
            return replace(alone, **{self.key: 1.0})
        return replace(alone, params=tuple((name, value) for name, value in alone.params if name != self.key))

    def places(self, scenario: Scenario, algorithm: str, d: int) -> tuple[float, ...]:
        """The points of one algorithm's curve: with 0 where it stands for something."""
        parameter = known_parameters(scenario.model, algorithm).get(self.key)
        return ((0.0,) if isinstance(parameter, Knob) and parameter.zero else ()) + self.grid(d)

    def grid(self, d: int) -> tuple[float, ...]:
        """The points that a data set of d columns allows."""
        if self.key != "sparsity":
            return self.points
        return (*(point for point in self.points if point < d), float(d))


AXES: Mapping[str, Axis] = {
    axis.key: axis
    for axis in (
        Axis(
            "epsilon", COMMON_PARAMETERS["epsilon"], (*(2.0**power for power in range(-10, 4)), 10.0),
            "more private, noisier", "less private, sharper",
        ),
        Axis(
            "xi", definition(NoiseXi), tuple(float(f"{x:.4g}") for x in np.geomspace(1e-4, 10, 16)),
            "closer to the exact problem", "tamer, less noise",
        ),
        Axis("sparsity", definition(Sparsity), tuple(map(float, ROUND)), "looks in few places", "keeps all entries"),
        Axis(
            "n_iterations", definition(Iterations), (1, 2, 3, 5, 7, 10, 15, 20, 30, 45, 60),
            "few answers, little noise in each", "many answers, much noise in each",
        ),
        Axis(
            "as_if", COMMON_PARAMETERS["as_if"], (1, 1.5, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100),
            "the rows there are", "many more rows, same μ",
        ),
    )
}  # fmt: skip
DRAGGED = ("epsilon", "xi", "sparsity", "as_if")


def offered_axes(scenario: Scenario) -> list[str]:
    """Axes that at least one of the algorithms has."""
    return [key for key, axis in AXES.items() if any(axis.belongs(scenario, a) for a in scenario.algorithms)]


def draggable(scenario: Scenario) -> list[str]:
    """Axes along which the picture may move while one drags: ε and n, which scale the noise, and what costs nothing.

    Methods that stand at different places, each at its own default, cannot be dragged together.
    """
    return [
        key
        for key in DRAGGED
        if any(
            AXES[key].free(scenario, a) or (AXES[key].own and AXES[key].belongs(scenario, a))
            for a in scenario.algorithms
        )
        and _stand_together(AXES[key], scenario)
    ]


def _stand_together(axis: Axis, scenario: Scenario) -> bool:
    """Whether all methods that have an axis stand at one place of it, or at the place where each keeps its own."""
    if axis.own:
        return True
    own = {a: dict(scenario.params_of(a)) for a in scenario.algorithms if axis.belongs(scenario, a)}
    places = {some.get(axis.key, default_parameters(scenario.model, a)[axis.key]) for a, some in own.items()}
    return len(places) == 1 or (bool(axis.zero) and 0.0 in places)
