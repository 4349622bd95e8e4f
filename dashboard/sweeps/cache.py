"""What-if answers, searched for in the background and remembered."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from dashboard.compute import results
from dashboard.compute.axes import AXES
from dashboard.compute.jobs import Job
from dashboard.memory import kept
from dashboard.scenario import Scenario
from dpgep_core.datasets import Dataset
from dpgep_core.evaluate.threshold import Scores, Threshold, epsilon_search, rows_search
from dpgep_core.experiments.answers import BestRidge, best_ridge

PLACES = 13  # that a search usually visits
Found = int | Threshold | BestRidge  # releases compared so far, then the answer


def asked(scenario: Scenario, algorithm: str, data: Dataset, question: str, target: float, measure: str) -> Job[Found]:
    """The answer to one question about one method; where the answer does not depend on ε, it is asked once for all."""
    if question == "epsilon":
        scenario = AXES["epsilon"].anywhere(scenario, algorithm)
    alone = scenario.with_algorithms(algorithm)
    return _asked(data, alone, algorithm, question, 0.0 if question == "xi" else target, measure)


def learn(scenario: Scenario, algorithm: str, data: Dataset, draws: Iterable[results.Draw]) -> None:
    """Let searches for an ε use the accuracies of a whole curve over ε, whose draws are the same ones."""
    known = _scores(data, AXES["epsilon"].anywhere(scenario, algorithm), algorithm, "accuracy")
    by_place: dict[float, list[float]] = defaultdict(list)
    for one in sorted(draws, key=lambda draw: draw.seed):
        by_place[one.at].append(one.accuracy)
    known.update({place: values for place, values in by_place.items() if len(values) > len(known.get(place, ()))})


def answer_in(job: Job[Found]) -> Threshold | BestRidge | None:
    """What a job found; None while it searches."""
    found = job.look()
    return found[-1] if found and not isinstance(found[-1], int) else None


@kept(max_entries=32)
def _asked(data: Dataset, scenario: Scenario, algorithm: str, question: str, target: float, measure: str) -> Job[Found]:
    setting, draws = scenario.setting(algorithm), results.draws_of(scenario, algorithm)
    known = _scores(data, scenario, algorithm, measure)  # here: the thread of a job belongs to no session

    def search() -> Iterator[Found]:
        if question == "xi":
            yield best_ridge(data, setting, measure=measure)
        elif question == "n":
            yield (yield from rows_search(data, setting, target, measure=measure, draws=draws))
        else:
            yield (yield from epsilon_search(data, setting, target, measure=measure, draws=draws, known=known))

    return Job(search(), 1 if question == "xi" else PLACES * draws + 1)


@kept(max_entries=32)
def _scores(data: Dataset, scenario: Scenario, algorithm: str, measure: str) -> Scores:  # noqa: ARG001  keys
    """Scores by ε that searches for several targets share."""
    return {}
