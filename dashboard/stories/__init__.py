"""Guided stories: question first, then the product itself, then the reason. Pure; one file per story."""

from collections.abc import Mapping

from dashboard.stories import cliff, forest, leak, leave, once, ridge, rows, sigma, sparse, worst
from dashboard.stories.story import Before, Query, Show, Step, Story

STORIES: Mapping[str, Story] = {
    module.STORY.key: module.STORY for module in (cliff, rows, once, ridge, sparse, leak, sigma, worst, forest, leave)
}
MOST_STEPS = max(len(story.steps) for story in STORIES.values())


def opening(query: Query) -> Query:
    """Scene of a story's step, for an address that names only the story and the step."""
    story = STORIES.get(query.get("story", ""))
    if story is None:
        return {}
    places = {str(number): step.scene for number, step in enumerate(story.steps, start=1)}
    place = query.get("step", "1")
    return places.get(place, story.attempt_scene if place.isdecimal() else places["1"])


__all__ = ["MOST_STEPS", "STORIES", "Before", "Query", "Show", "Step", "Story", "opening"]
