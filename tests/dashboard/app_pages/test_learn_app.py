"""Learn from its addresses to its words, without a browser: every story, every step, garbage."""

import pytest
from lab import open_at, query, sound
from page import GLOSSARY, figures, numbers

from dashboard.compute import results
from dashboard.compute.axes import AXES
from dashboard.display import WITHOUT_CONTROLS
from dashboard.pages import PARTS
from dashboard.panels import story_before, story_panels
from dashboard.scenario import from_query
from dashboard.stories import MOST_STEPS, STORIES
from dashboard.text import words
from dashboard.text.glossary import TERMS, linked

STEPS = [(key, number) for key, story in STORIES.items() for number in range(1, len(story.steps) + 2)]
QUICK = ("worst", "leak")
SLOW = ("cliff", "once", "forest")  # on all of MNIST


@pytest.fixture(autouse=True)
def _few_draws(monkeypatch):
    monkeypatch.setattr(results, "SEARCH_DRAWS", 1)
    for axis in AXES.values():  # frozen: the page must not wait for what runs beside it
        assert axis.points


@pytest.fixture
def covered(monkeypatch):
    """The panels left out: what is around them is looked at."""
    monkeypatch.setattr(story_panels, "step_panels", lambda *_: None)
    monkeypatch.setattr(story_before, "before_panel", lambda _step: None)


def press(app, label):
    next(button for button in app.button if button.label == label).click().run()
    return app


def test_the_list(covered):
    app = open_at("learn", dataset="wine")
    said = sound(app)
    for story in STORIES.values():
        assert story.title in said
        assert linked(story.afterwards) in said or story.afterwards in said
        assert story.idea not in said  # the answer comes after the question
        assert story.removes not in said  # named only after the story
        assert app.button(key=f"start_{story.key}").label == "Start"
    for term in TERMS.values():
        assert f"**{term.name}**" in said


def hides_controls(app):
    return any(WITHOUT_CONTROLS in element.proto.body for element in app.get("html"))


@pytest.mark.parametrize(
    ("page", "hides"),
    [("learn", True), ("saved", True), ("papers", True), ("compare", True), ("methods", False), ("data", False)],
)
def test_the_sidebar_is_away_where_its_controls_act_on_nothing(page, hides):
    app = open_at(page, dataset="wine")
    assert hides_controls(app) is hides
    assert app.selectbox(key="dataset").value == "wine"  # and keeps what was set


def test_a_story_has_the_controls_and_leads_to_the_next(covered):
    keys = list(STORIES)
    for place, key in enumerate(keys):
        app = open_at("learn", story=key, step=str(len(STORIES[key].steps) + 1))
        assert not hides_controls(app)
        onward = [button for button in app.button if button.key == "story_after"]
        assert len(onward) == (place + 1 < len(keys))
        if onward and place == 0:
            onward[0].click().run()
            assert query(app)["story"] == keys[1]
            assert from_query(STORIES[keys[1]].steps[0].scene)[0].dataset == query(app)["dataset"]


@pytest.mark.parametrize(("key", "number"), STEPS)
def test_an_address_of_two_words_opens_the_step_with_its_scene(covered, key, number):
    story = STORIES[key]
    app = open_at("learn", story=key, step=str(number))
    said = sound(app)
    assert [w.value for w in app.warning] == []
    assert story.title in said
    if number <= len(story.steps):
        step = story.steps[number - 1]
        assert f"### {step.question}" in said
        assert step.see not in said  # asked first
        assert list(app.radio[0].options) == list(step.options)
        scene = step.scene
    else:
        assert "### Try it" in said
        assert story.removes in said
        scene = story.attempt_scene
    shown, problems = from_query({n: t for n, t in query(app).items() if n not in ("story", "step")})
    wanted, _ = from_query(scene)
    assert problems == ()
    assert (shown.dataset, shown.model, shown.algorithms) == (wanted.dataset, wanted.model, wanted.algorithms)
    assert (shown.epsilon, shown.as_if, shown.noise, shown.bounds) == (
        wanted.epsilon, wanted.as_if, wanted.noise, wanted.bounds,
    )  # fmt: skip


@pytest.mark.parametrize("key", STORIES)
def test_the_buttons_go_where_they_say(covered, key):
    story = STORIES[key]
    app = open_at("learn", dataset="wine", epsilon="0.7", xi="0.5", as_if="3", story=key)
    for number, step in enumerate(story.steps, start=1):
        app.session_state["step"] = str(number)
        press(app.run(), "Show without an answer")
        for label, scene in ((step.todo, step.scene), *step.more):
            press(app, label)
            sound(app)
            assert [w.value for w in app.warning] == []
            place = query(app)
            wanted = from_query(scene)[0].to_query()
            for name, text in place.items():
                if name not in ("story", "step"):
                    assert wanted.get(name, text) == text, (label, name)
            for name in ("dataset", "model", "algorithms", "epsilon", "as_if", "bounds", "noise"):
                assert place.get(name) == wanted.get(name), (label, name)
            assert "xi" not in place or place["xi"] == wanted.get("xi")
            assert "sidebar holds another setting" not in sound(app)


@pytest.mark.parametrize(("key", "number"), [("worst", 1), ("worst", 3), ("leak", 1), ("sigma", 1), ("ridge", 1)])
def test_a_question_has_its_picture_and_the_controls_come_with_the_answer(key, number, monkeypatch):
    app = open_at("learn", story=key, step=str(number), dataset="wine")  # and stands at the question's own scene
    assert STORIES[key].steps[number - 1].see not in sound(app)
    by_hand = STORIES[key].steps[number - 1].before.by_hand is not None  # then it is the axes to draw on
    assert app.get("bidi_component") if by_hand else figures(app)
    assert hides_controls(app)
    monkeypatch.setattr(story_panels, "step_panels", lambda *_: None)
    assert not hides_controls(press(app, "Show without an answer"))


def test_predict_first_then_the_reason(covered):
    step = STORIES["rows"].steps[0]
    app = open_at("learn", story="rows")
    app.radio[0].set_value(0).run()
    said = sound(app)
    assert "You said: 0.74. The answer: **0.92**" in said
    assert "**See**" in said
    assert step.why.split(",")[0] in said
    app = press(app, "Next →")
    assert "Step 2 of 3" in "".join(p.proto.text for p in app.get("progress"))
    app = press(app, "← Back")
    assert app.radio[0].value == 0  # still answered


@pytest.mark.parametrize(("key", "number"), [(k, n) for k, n in STEPS if k in QUICK])
def test_every_panel_of_a_step_draws(key, number):
    app = open_at("learn", story=key, step=str(number))
    if number <= len(STORIES[key].steps):
        press(app, "Show without an answer")
    sound(app)
    assert figures(app) or numbers(app) or app.dataframe or app.subheader  # an attack fills later


@pytest.mark.parametrize(
    "key",
    [pytest.param(key, marks=[pytest.mark.slow] if key in SLOW else []) for key in STORIES if key not in QUICK],
)
def test_the_panels_of_the_first_step_draw(key):
    app = press(open_at("learn", story=key), "Show without an answer")
    sound(app)
    assert figures(app) or numbers(app) or app.dataframe or app.subheader  # an attack fills later


@pytest.mark.parametrize("look", sorted({look.panel for s in STORIES.values() for p in s.steps for look in p.look}))
def test_every_panel_can_be_put_into_the_offline_copy(look):
    from dashboard.panels.story_file import DRAWN

    assert look in story_panels.LOOKS
    assert look in DRAWN


@pytest.mark.parametrize("story", ["rows", "ridge", "worst"])
def test_controls_stay_live_and_a_scene_that_does_not_fit_says_so(story):
    app = press(open_at("learn", story=story), "Show without an answer")
    app.selectbox(key="dataset").select("synthetic_pca").run()
    assert [e.value for e in app.exception] == []
    assert "sidebar holds another setting" in sound(app)


def test_garbage(covered):
    app = open_at("learn", story="clif", step="99", term="<script>", dataset="wine")
    said = sound(app)
    assert "did you mean 'cliff'?" in said
    assert "'99'" in said
    assert "<script>alert" not in said
    assert "Glossary" in "".join(h.value for h in app.header)
    app = open_at("learn", story="cliff", step=str(MOST_STEPS + 1), dataset="wine")
    assert "### Try it" in sound(app)  # a step beyond the last is the last


@pytest.mark.parametrize("slug", ["mu", "noise-edge", "tests"])
def test_a_term_is_opened_by_its_address(covered, slug):
    said = sound(open_at("learn", term=slug, dataset="wine"))
    assert f"#### {TERMS[slug].name}" in said


def test_terms_are_searched(covered):
    app = open_at("learn", dataset="wine")
    app.text_input(key="glossary_search").set_value("eigengap").run()
    said = sound(app)
    assert TERMS["eigengap"].meaning in said
    assert TERMS["curator"].meaning not in said
    app.text_input(key="glossary_search").set_value("*no* <b>").run()
    assert "No term holds" in sound(app)


@pytest.mark.parametrize(
    ("page", "more"),
    [
        ("explore", {}),
        ("data", {}),
        ("methods", {"method": "ssp"}),
        *(("privacy_lab", {"part": part}) for part in PARTS),
    ],
)
def test_terms_lead_to_the_glossary_from_every_page(page, more):
    """Each page explains its words, and no paragraph is peppered with links."""
    app = open_at(page, dataset="wine", **more)
    texts = [e.value for kind in ("markdown", "caption", "info") for e in getattr(app, kind)]
    assert sum("](learn?term=" in text for text in texts) >= 1
    assert all(text.count("](learn?term=") <= 4 for text in texts)
    words = [len(text.split()) for text in texts if "](learn?term=" in text]
    assert all(count >= 5 for count in words)


@pytest.mark.parametrize(
    "text", [words.WHAT_IF, words.LAB, words.THREE_WORDS, words.WHITENED, words.LEDGER, words.WORST]
)
def test_links_leave_a_text_as_it_reads(text):
    assert GLOSSARY.sub(r"\1", linked(text)) == text
