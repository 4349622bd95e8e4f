"""The page Learn: a guided story, one step at a time, and the glossary."""

from typing import Any

import streamlit as st

from dashboard.components.buttons import arrows
from dashboard.pages import STORY_ANSWERS
from dashboard.panels import story_before, story_panels
from dashboard.panels import story_file as story_export
from dashboard.panels.shared import file_button, what_if
from dashboard.panels.story_sketch import BY_HAND
from dashboard.scenario import Scenario, from_query
from dashboard.sidebar.state import controls_stand_at, set_controls
from dashboard.stories import STORIES, Query, Step, Story
from dashboard.text import words
from dashboard.text.glossary import TERMS, Term, address, linked, search_terms

LOOK = """<style>
[data-testid=stMainBlockContainer] { padding-top: 4.2rem; }
[data-testid=stMainBlockContainer] h1 { font-size: 1.7rem; padding: 0; }
</style>"""
ANSWER_FIRST = """<style>
@media (max-width: 640px) { /* on a phone an answer stays in sight: what it shows stands below it */
  :is(.st-key-story_step, .st-key-story_step > div) > [data-testid=stHorizontalBlock] > :last-child { order: -1; } }
</style>"""
PICTURE_TO_WORDS = (5, 3)  # widths of the two columns of a step
KEYS = "Keys: → and ←, or a clicker."
SHOWN = "shown"  # in place of an answer: revealed without one


def story_panel(story: Story) -> None:
    """The step that the address names."""
    last = len(story.steps) + 1
    number = min(int(st.session_state.get("step") or 1), last)
    st.session_state["step"] = str(number)
    st.html(LOOK + ANSWER_FIRST * ((story.key, number) in _answers()))
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.title(story.title)
        chip = st.container(width="content")
    name = f"Step {number} of {last - 1}" if number < last else "Try it"
    st.progress(number / last, text=name)
    reads = _step(story, number) if number < last else _attempt(story)
    _steer(story, number, last)
    if reads:
        with chip:
            what_if()


def open_story(key: str, number: int = 1) -> None:
    """Go to a step, and at the beginning of a story to its scene. A callback."""
    st.session_state["story"], st.session_state["step"] = key, str(number)


def start_story(story: Story) -> None:
    """Go to the first step of a story and set its scene. A callback."""
    open_story(story.key)
    set_scene(story.steps[0].scene, story.steps[0])


def set_scene(query: Query, step: Step | None = None) -> None:
    """Do what a step's button says. A callback."""
    set_controls(scenario_of(query))
    if step is not None:
        story_panels.prepare(step.look)


def scenario_of(query: Query) -> Scenario:
    """The scenario of a scene."""
    return from_query(query)[0]


def _step(story: Story, number: int) -> bool:
    """The picture with the question beside it; once it is answered, the answer is drawn into the picture.

    Returns whether a row is read for what it shows.
    """
    step, place = story.steps[number - 1], (story.key, number)
    given = _answers().get(place)
    with st.container(key="story_step"):  # one key all along: another would take the focus from the choices
        picture, beside = st.columns(PICTURE_TO_WORDS, gap="large")
    with beside:  # first: the words need not wait for the panels
        _ask(step, place)
        if given is not None:
            _verdict(step, given)
            _scenes(story, number, step)
            st.markdown(f"**See** {linked(step.see)}")
            st.markdown(f"**Why** {linked(step.why)}")
    if given is None:
        with picture:
            story_before.before_panel(step)
        return story_before.reads_rows(step.before)
    if st.session_state.get("arranged") != place:  # opened by its address, or turned to
        st.session_state["arranged"] = place
        story_panels.arrange(step.look)
    story_panels.step_panels(step, picture)
    return story_panels.reads_rows(step)


def _answers() -> dict[tuple[str, int], Any]:
    return st.session_state.setdefault(STORY_ANSWERS, {})


def _ask(step: Step, place: tuple[str, int]) -> None:
    answers, key = _answers(), f"answer_{place[0]}_{place[1]}"

    def answer() -> None:
        answers[place] = st.session_state[key]

    given = answers.get(place)
    st.markdown(f"#### {step.question}")  # so that the reason is in the window too
    st.radio(
        words.escape_markdown(step.question), range(len(step.options)), index=given if isinstance(given, int) else None,
        key=key, format_func=lambda i: step.options[i], on_change=answer, label_visibility="collapsed",
    )  # fmt: skip
    if given is None:
        st.button("Show without an answer", on_click=lambda: answers.__setitem__(place, SHOWN), type="tertiary")


def _verdict(step: Step, given: Any) -> None:
    right = f"**{step.options[step.right]}**"
    if given == BY_HAND:
        st.info(f"Your curve is dotted. The answer: {right}.")
    elif given == SHOWN:
        st.info(f"The answer: {right}.")
    elif given == step.right:
        st.success(f"As you said: {right}.")
    else:
        st.info(f"You said: {step.options[given]}. The answer: {right}.")


def _scenes(story: Story, number: int, step: Step) -> None:
    choices = ((step.todo, step.scene), *step.more)
    ready = story_panels.ready(step.look)
    now = [ready and controls_stand_at(scenario_of(query)) for _, query in choices]
    if step.follows and not any(now):
        st.caption("The sidebar holds another setting now; the charts follow it.")
    with st.container(key="story_do", horizontal=True, vertical_alignment="center"):
        st.markdown("**Do**", width="content")
        for place, (label, query) in enumerate(choices):
            st.button(
                label, key=f"do_{story.key}_{number}_{place}", on_click=set_scene, args=(query, step),
                type="secondary" if now[place] else "primary", help="Sets the sidebar; everything stays movable.",
            )  # fmt: skip


def _attempt(story: Story) -> bool:
    """Correct an idea, and give something to try. Returns whether a row is read for what it shows."""
    st.markdown(f"**{linked(story.idea)}** *Not so:* “{story.removes}”")
    st.markdown("### Try it")
    st.markdown(linked(story.attempt))
    last = story.steps[-1]
    with st.container(horizontal=True):
        st.button(
            "Set the scene", key=f"try_{story.key}", on_click=set_scene, args=(story.attempt_scene, last),
            type="secondary" if controls_stand_at(scenario_of(story.attempt_scene)) else "primary",
        )  # fmt: skip
        if st.button("Explore it", key=f"explore_{story.key}", help="The same setting on the Explore page."):
            st.switch_page("app_pages/explore.py")
    story_panels.step_panels(last)
    return story_panels.reads_rows(last)


def _steer(story: Story, number: int, last: int) -> None:
    def turn(by: int) -> None:
        open_story(story.key, min(max(number + by, 1), last))

    st.divider()
    arrows(turn)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "← Back", key="story_back", on_click=open_story, args=(story.key, max(number - 1, 1)), disabled=number == 1
        )
        if number < last:
            st.button(
                "Next →", key="story_next", on_click=open_story, args=(story.key, number + 1), type="primary",
                help=KEYS,
            )  # fmt: skip
        else:
            _next_story(story)
        st.button("All stories", key="story_all", on_click=open_story, args=("",), type="tertiary")
        file_button(
            "Offline copy (HTML)", lambda: story_export.story_html(story).encode(), f"dpgep-story-{story.key}.html",
            "text/html", key="story_html", type="tertiary",
            help="The whole story with its figures and folded answers, in one file that needs no network. "
            "Making it takes up to half a minute.",
        )  # fmt: skip
        st.markdown(f"[Link](learn?story={story.key}&step={number})", help="The address of this step.")


def _next_story(story: Story) -> None:
    stories = list(STORIES.values())
    place = stories.index(story) + 1
    if place < len(stories):
        st.button(
            f"Next story: {stories[place].title}", key="story_after", on_click=start_story, args=(stories[place],),
            type="primary",
        )  # fmt: skip


def glossary_panel() -> None:
    """All terms, or those that hold what is looked for."""
    st.header("Glossary", anchor="glossary")
    wanted = st.text_input("Look for a term", key="glossary_search", placeholder="sensitivity, μ, ridge …")
    terms = search_terms(wanted)
    if not terms:
        st.caption(f"No term holds “{words.escape_markdown(wanted)}”.")
        return
    shown = st.container() if wanted else st.expander(f"All {len(terms)} terms")
    left, right = shown.columns(2, gap="large")
    half = (len(terms) + 1) // 2
    left.markdown(_term_list(terms[:half]))
    right.markdown(_term_list(terms[half:]))


def asked_term() -> None:
    """The term that the address names."""
    term = TERMS.get(str(st.session_state.get("term") or ""))
    if term is None:
        return
    with st.container(border=True):
        st.markdown(f"#### {term.name}")
        st.markdown(term.meaning)
        close, args = st.session_state.__setitem__, ("term", "")
        st.button("Close", key="term_close", on_click=close, args=args, type="tertiary")


def _term_list(terms: list[Term]) -> str:
    return "\n\n".join(f"**{term.name}** [§]({address(term)})  \n{term.meaning}" for term in terms)
