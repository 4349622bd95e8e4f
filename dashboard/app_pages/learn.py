"""Learn: guided stories and the glossary."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.panels import story
from dashboard.panels.story_pictures import story_picture
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
    st.markdown("Each story asks first, then shows, then says why. A dotted word opens the glossary.")
    stories = list(STORIES.values())
    places: list[tuple[DeltaGenerator, Story]] = []
    for first in range(0, len(stories), ACROSS):
        for column, one in zip(st.columns(ACROSS), stories[first : first + ACROSS], strict=False):
            with column:
                places.append((_card(first + stories[first:].index(one) + 1, one), one))
    st.caption("The pictures show rows and exact answers of bundled data: they are not private.")
    story.glossary_panel()
    for place, one in places:  # last: where a picture is not drawn yet, the words are there before it
        picture, alt = story_picture(one.key)
        place.image(picture, width="stretch", alt=alt)


def _card(number: int, one: Story) -> DeltaGenerator:
    """Draw a story's card, and return the place of its picture."""
    with st.container(border=True, height="stretch"):
        place = st.empty()
        st.markdown(f"#### {number}. {one.title}")
        st.markdown(linked(one.afterwards))
        st.button("Start, 3 minutes", key=f"start_{one.key}", on_click=story.start_story, args=(one,), type="primary")
    return place


main()
