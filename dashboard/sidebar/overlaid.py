"""Parameters of overlaid methods: which method has which, and with what default of its own."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dashboard import controls
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.params import Knob, Parameter
from dpgep_core.release import default_parameters, known_parameters, wider


@dataclass(frozen=True, slots=True)
class Overlaid:
    """One parameter of one or more methods.

    Parameters
    ----------
    name : str
    parameter : Parameter
        The definition that allows most: it stands for all.
    usual : mapping
        Default of each method that has it, by key.
    labels : mapping
        Label of each method's own definition: one name may stand for different quantities.
    """

    name: str
    parameter: Parameter
    usual: Mapping[str, Any]
    labels: Mapping[str, str]

    @property
    def differ(self) -> bool:
        """Whether the methods have different defaults."""
        return len(set(self.usual.values())) > 1

    @property
    def default(self) -> Any:
        """The default that a widget shows; `EACH_OWN` where none is right for all.

        A ridge of 0 is left to the noise: that place of the slider leaves the others their own numbers.
        """
        values = list(self.usual.values())
        if isinstance(self.parameter, Knob) and self.parameter.zero and 0.0 in values:
            return 0.0
        return controls.EACH_OWN if self.differ else values[0]

    @property
    def first(self) -> Any:
        """The value where one for all begins: the first method's own."""
        return next((value for value in self.usual.values() if value is not None), None)

    @property
    def sentence(self) -> str:
        """Say what each method keeps until one value is set for all, and what a bare 0 among these stands for."""
        texts = {key: controls.value_text(self.name, self.parameter, value) for key, value in self.usual.items()}
        told = ", ".join(f"{text}{self._meant(key)} for {ALGORITHMS[key].title}" for key, text in texts.items())
        zero = re.search(r"\b0 [^.]+\.", self.parameter.doc) if "0" in texts.values() else None
        said = f"{self.parameter.label}: each method keeps its own, {told}, until you set one for all."
        return f"{said} {zero[0]}" if zero else said

    def _meant(self, key: str) -> str:
        """Label of a method's own definition in brackets, where it is another one than that of the widget."""
        return "" if self.labels[key] == self.parameter.label else f" ({self.labels[key]})"


def overlaid(model: str, algorithms: Sequence[str]) -> dict[str, Overlaid]:
    """Every parameter that the algorithms or the model have, by name, in the order of the methods."""
    found: dict[str, Overlaid] = {}
    for key in algorithms:
        usual = default_parameters(model, key)
        for name, parameter in known_parameters(model, key).items():
            before = found.get(name, Overlaid(name, parameter, {}, {}))
            found[name] = Overlaid(
                name, wider(before.parameter, parameter), {**before.usual, key: usual[name]},
                {**before.labels, key: parameter.label},
            )  # fmt: skip
    return found
