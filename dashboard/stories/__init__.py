"""Guided stories: question first, then the product itself, then the reason. Pure; one file per story."""

from collections.abc import Mapping

from dashboard.stories import cliff, forest, leak, once, ridge, rows, sigma, sparse, worst
from dashboard.stories.story import Claim, Query, Show, Step, Story

STORIES: Mapping[str, Story] = {
    module.STORY.key: module.STORY for module in (cliff, rows, once, ridge, sparse, leak, sigma, worst, forest)
}
MOST_STEPS = max(len(story.steps) for story in STORIES.values())

__all__ = ["MOST_STEPS", "STORIES", "Claim", "Query", "Show", "Step", "Story"]
