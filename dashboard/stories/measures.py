"""The numbers that the stories claim, computed by the product: `measured` is what the tests compare the texts with."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from statistics import median

from dashboard.scenario import Scenario, from_query
from dashboard.stories.guarantees import GUARANTEES
from dashboard.stories.quality import QUALITY
from dashboard.stories.solved import Of
from dashboard.stories.story import Claim, Query

MEASURES: Mapping[str, Callable[[Scenario, Of], float]] = {**QUALITY, **GUARANTEES}


def measured(claim: Claim, scene: Query) -> float:
    """What the product says: one draw, or the median of several."""
    scenario, problems = from_query({**scene, **claim.at})
    if problems:
        raise ValueError("; ".join(problems))
    measure = MEASURES[claim.measure]
    return float(median(measure(replace(scenario, seed=scenario.seed + i), claim.of) for i in range(claim.draws)))
