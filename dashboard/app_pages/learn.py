"""Learn: guided stories and the glossary."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.panels import story
from dashboard.panels.shared import card, card_grid
from dashboard.panels.story_pictures import story_picture
from dashboard.stories import STORIES, Story
from dashboard.text.glossary import linked

WIDE = 240  # pixels of a card


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
    st.markdown(
        "Each story takes three minutes. It asks first, then shows, then says why. Its card says what you can do "
        "afterwards. A dotted word opens the glossary."
    )
    with card_grid("stories", WIDE):
        places = [(_card(number, one), one) for number, one in enumerate(STORIES.values(), start=1)]
    st.caption("The pictures show rows and exact answers of bundled data: they are not private.")
    story.glossary_panel()
    for place, one in places:  # last: where a picture is not drawn yet, the words are there before it
        picture, alt = story_picture(one.key)
        place.image(picture, width="stretch", alt=alt)


def _card(number: int, one: Story) -> DeltaGenerator:
    """Draw a story's card, and return the place of its picture."""
    with card(one.key):
        place = st.empty()
        st.markdown(f"#### {number}. {one.title}")
        st.markdown(linked(one.afterwards))
        st.button("Start", key=f"start_{one.key}", on_click=story.start_story, args=(one,), type="primary")
    return place


main()
