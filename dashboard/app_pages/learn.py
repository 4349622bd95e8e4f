"""Learn: guided stories and the glossary."""

import streamlit as st

from dashboard.panels import story
from dashboard.stories import STORIES, Story
from dashboard.text.glossary import linked

ACROSS = 3


def main() -> None:
    """The story that the address names, or all of them and the glossary."""
    chosen = STORIES.get(str(st.session_state.get("story") or ""))
    story.asked_term()
    if chosen is None:
        _landing()
    elif st.session_state["scenario"] is not None:  # else the reason is on the page already
        story.story_panel(chosen)


def _landing() -> None:
    st.title("Learn by predicting")
    st.markdown("Each story asks first, then shows, then says why. Move any control; a dotted word opens the glossary.")
    stories = list(STORIES.values())
    for first in range(0, len(stories), ACROSS):
        for column, one in zip(st.columns(ACROSS), stories[first : first + ACROSS], strict=False):
            with column:
                _card(first + stories[first:].index(one) + 1, one)
    story.glossary_panel()


def _card(number: int, one: Story) -> None:
    with st.container(border=True, height="stretch"):
        st.markdown(f"#### {number}. {one.title}")
        st.markdown(linked(one.idea))
        st.button("Start, 3 minutes", key=f"start_{one.key}", on_click=story.start_story, args=(one,), type="primary")


main()
