"""What-if answers: the smallest ε, the rows needed, the best ξ, each searched for step by step."""

from collections.abc import Iterator

from dashboard.compute.jobs import Job
from dpgep_core.datasets import Dataset
from dpgep_core.evaluate.threshold import Scores, Threshold, epsilon_search, rows_search
from dpgep_core.experiments.answers import BestRidge, best_ridge
from dpgep_core.release import Setting

PLACES = 13  # that a search usually visits
Found = int | Threshold | BestRidge  # releases compared so far, then the answer


def search(
    data: Dataset, setting: Setting, question: str, target: float, measure: str, draws: int, known: Scores
) -> Iterator[Found]:
    """Search for the answer to a question; ``known`` are scores by ε, which the search reads and adds to."""
    if question == "xi":
        yield best_ridge(data, setting, measure=measure)
    elif question == "n":
        yield (yield from rows_search(data, setting, target, measure=measure, draws=draws))
    else:
        yield (yield from epsilon_search(data, setting, target, measure=measure, draws=draws, known=known))


def answer_in(job: Job[Found]) -> Threshold | BestRidge | None:
    """What a search found; None while it searches."""
    found = job.look()
    return found[-1] if found and not isinstance(found[-1], int) else None
