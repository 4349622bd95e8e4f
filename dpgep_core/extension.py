"""Names that an algorithm from outside this package is written with, in one place: see docs/plugins.md."""

from dpgep_core.method import Growth, Guarantee, Source, Verdict, register
from dpgep_core.models.pencil import Pencil
from dpgep_core.models.problem import Problem
from dpgep_core.models.public import PublicFacts
from dpgep_core.models.queries import constraint, target
from dpgep_core.params import Checked, Choice, Iterations, Knob, Sparsity, StepSize, Switch, Xi
from dpgep_core.privacy import Curator, Grant, NoisePlan, PlannedAnswer
from dpgep_core.privacy.calibration import exact as exact_sigma
from dpgep_core.privacy.query import Array
from dpgep_core.privacy.randomness import Independent, Isotropic, UpperTriangle

__all__ = [
    "Array",
    "Checked",
    "Choice",
    "Curator",
    "Grant",
    "Growth",
    "Guarantee",
    "Independent",
    "Isotropic",
    "Iterations",
    "Knob",
    "NoisePlan",
    "Pencil",
    "PlannedAnswer",
    "Problem",
    "PublicFacts",
    "Source",
    "Sparsity",
    "StepSize",
    "Switch",
    "UpperTriangle",
    "Verdict",
    "Xi",
    "constraint",
    "exact_sigma",
    "register",
    "target",
]
