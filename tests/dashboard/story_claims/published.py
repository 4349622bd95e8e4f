"""What a release costs and what a seed gives away: the measures of the story about publishing."""

from collections.abc import Callable, Mapping

from dashboard.compute.publishing import asked_release, crashes, second_budget, statement_header, subtracted_seed
from dashboard.scenario import Scenario
from dpgep_core.datasets import load_dataset
from dpgep_core.privacy.accountant import best_guess
from story_claims.solved import Of


def _error(scenario: Scenario, _of: Of) -> float:
    return subtracted_seed(scenario, load_dataset(scenario.dataset)).error


def _budget(scenario: Scenario, of: Of) -> float:
    """``spent``, ``left`` or ``together``: ε of a budget after two releases."""
    budget, refusal = second_budget(scenario, load_dataset(scenario.dataset))
    assert not refusal
    numbers = {"spent": budget.spent_epsilon, "left": budget.left.epsilon, "together": budget.accounted_epsilon}
    return float(numbers[str(of[0])])


def _right(scenario: Scenario, _of: Of) -> float:
    """Right guesses of 1,000 on the statement, which are those of the price."""
    data = load_dataset(scenario.dataset)
    header = statement_header(scenario, data)
    assert header.mu == asked_release(scenario, data).charge.mu
    return 1000 * best_guess(header.mu)


def _uncounted(_scenario: Scenario, of: Of) -> float:
    """Crashes of an order of steps that leave noise uncounted."""
    return float(sum(not crash.honest for crash in crashes([str(step) for step in of])))


PUBLISHED: Mapping[str, Callable[[Scenario, Of], float]] = {
    "error of the subtraction": _error,
    "ε of the budget": _budget,
    "right of 1,000 released": _right,
    "crashes uncounted": _uncounted,
}
