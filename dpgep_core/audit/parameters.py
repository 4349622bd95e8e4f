"""The parameters of an attack, in the vocabulary of `dpgep_core.params`."""

from typing import Annotated

from dpgep_core.params import Knob

Trials = Annotated[
    int,
    Knob(symbol="N", label="Trials", integer=True, low=20, high=1_000_000, high_open=False, soft=(100, 20_000),
         scale="log", doc="Runs of an attack on each of two neighbouring data sets. More runs can show a larger ε."),
]  # fmt: skip
Confidence = Annotated[
    float,
    Knob(symbol=r"1-\alpha", label="Confidence", low=0.5, high=1, soft=(0.8, 0.999),
         doc="How sure a lower bound is to be: in this share of repetitions it does not pass the truth."),
]  # fmt: skip
AttackRows = Annotated[
    int,
    Knob(symbol="n", label="Rows of the pair", integer=True, low=20, high=1_000_000, high_open=False,
         soft=(100, 10_000), scale="log", doc="Rows of the two neighbouring data sets."),
]  # fmt: skip
AttackColumns = Annotated[
    int,
    Knob(symbol="d", label="Columns of the pair", integer=True, low=2, high=100, high_open=False, soft=(2, 20),
         doc="Columns of the two neighbouring data sets."),
]  # fmt: skip
