"""What-if answers, searched for in the background and remembered."""

from collections.abc import Iterator

from dashboard.jobs import Job
from dashboard.memory import kept
from dashboard.scenario import Scenario
from dpgep_core.datasets import Dataset
from dpgep_core.experiments.answers import Answer, BestRidge, best_ridge, rows_needed, smallest_epsilon


def asked(
    scenario: Scenario, algorithm: str, data: Dataset, question: str, target: float, measure: str
) -> Job[Answer | BestRidge]:
    """The answer to one question about one method; where the answer does not depend on ε, it is asked once for all."""
    alone = scenario.with_algorithms(algorithm)
    if question == "epsilon":
        alone = alone.at(1.0)
    return _asked(data, alone, algorithm, question, 0.0 if question == "xi" else target, measure)


@kept(max_entries=32)
def _asked(
    data: Dataset, scenario: Scenario, algorithm: str, question: str, target: float, measure: str
) -> Job[Answer | BestRidge]:
    setting = scenario.setting(algorithm)

    def search() -> Iterator[Answer | BestRidge]:
        if question == "xi":
            yield best_ridge(data, setting, measure=measure)
        else:
            find = smallest_epsilon if question == "epsilon" else rows_needed
            yield find(data, setting, target, measure=measure)

    return Job(search(), 1)
