"""Noise plan of each method at a scenario, in a model that the method solves, and its verdict. No noise is drawn."""

from dataclasses import dataclass, replace

from dashboard.scenario import Scenario
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.datasets import Dataset
from dpgep_core.errors import DpgepError
from dpgep_core.privacy import NoisePlan
from dpgep_core.protocols import noise_plan_of
from dpgep_core.solve import Plan, plan
from dpgep_core.verdict import Judgement, judge_plan


@dataclass(frozen=True, slots=True)
class StatedNoise:
    """Answers that a method will ask of the data at a setting.

    Parameters
    ----------
    algorithm, model : str
        The model is the scenario's own where the method solves it, else the first that it solves.
    answers : tuple of PlannedAnswer or None
        None where the method states no plan, or cannot be used there.
    problem : str
        Why it cannot be used there.
    """

    algorithm: str
    model: str
    answers: NoisePlan | None = None
    problem: str = ""

    @property
    def count(self) -> int:
        """Number of answers in all."""
        return sum(one.count for one in self.answers or ())


def stated_noise(scenario: Scenario, algorithm: str, data: Dataset) -> StatedNoise:
    """Bind a method to the data and read its plan."""
    model = model_for(scenario, algorithm)
    try:
        bound = _bound(scenario, algorithm, data)
        answers = noise_plan_of(bound.method, bound.public, bound.grant)
    except DpgepError as error:
        return StatedNoise(algorithm, model, problem=str(error))
    return StatedNoise(algorithm, model, answers)


def planned_verdict(scenario: Scenario, algorithm: str, data: Dataset) -> Judgement | None:
    """Judge a method's run at the scenario before it is run; None without a plan, or where it cannot be used there."""
    try:
        return judge_plan(_bound(scenario, algorithm, data))
    except DpgepError:
        return None


def model_for(scenario: Scenario, algorithm: str) -> str:
    """Key of the scenario's own model where a method solves it, else of the first that it solves."""
    models = ALGORITHMS[algorithm].models
    return scenario.model if scenario.model in models else models[0]


def _bound(scenario: Scenario, algorithm: str, data: Dataset) -> Plan:
    model = model_for(scenario, algorithm)
    at = scenario if model == scenario.model else replace(scenario, model=model, n_components=None, params=())
    return plan(data, at.setting(algorithm))
