"""Noise plan of each method at a scenario, in a model that the method solves. No noise is drawn."""

from dataclasses import dataclass, replace

from dashboard.scenario import Scenario
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.datasets import Dataset
from dpgep_core.errors import DpgepError
from dpgep_core.privacy import Claim, NoisePlan
from dpgep_core.privacy.ledger import Ledger, ledger_of
from dpgep_core.protocols import noise_plan_of
from dpgep_core.solve import plan


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
    accounted : Claim or None
        What the ledger will prove, at the scenario's δ; None where there is no plan.
    """

    algorithm: str
    model: str
    answers: NoisePlan | None = None
    problem: str = ""
    accounted: Claim | None = None

    @property
    def count(self) -> int:
        """Number of answers in all."""
        return sum(one.count for one in self.answers or ())


def stated_noise(scenario: Scenario, algorithm: str, data: Dataset) -> StatedNoise:
    """Bind a method to the data and read its plan."""
    models = ALGORITHMS[algorithm].models
    model = scenario.model if scenario.model in models else models[0]
    at = scenario if model == scenario.model else replace(scenario, model=model, n_components=None, params=())
    try:
        bound = plan(data, at.setting(algorithm))
        answers = noise_plan_of(bound.method, bound.public, bound.grant)
    except DpgepError as error:
        return StatedNoise(algorithm, model, problem=str(error))
    proved = None if answers is None else Ledger((*bound.paid, *ledger_of(answers))).accounted(bound.grant.delta)
    return StatedNoise(algorithm, model, answers, accounted=proved)
