"""The numbers that the stories claim, computed by the product: `measured` is what the tests compare the texts with."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from statistics import median

from dashboard.scenario import Scenario, from_query
from dashboard.stories import Query
from story_claims.claim import Claim
from story_claims.guarantees import GUARANTEES
from story_claims.published import PUBLISHED
from story_claims.quality import QUALITY
from story_claims.solved import Of

MEASURES: Mapping[str, Callable[[Scenario, Of], float]] = {**QUALITY, **GUARANTEES, **PUBLISHED}


def measured(claim: Claim, scene: Query) -> float:
    """What the product says: one draw, or the median of several."""
    scenario, problems = from_query({**scene, **claim.at})
    if problems:
        raise ValueError("; ".join(problems))
    measure = MEASURES[claim.measure]
    return float(median(measure(replace(scenario, seed=scenario.seed + i), claim.of) for i in range(claim.draws)))
