"""Stories say what the product does: every number in their texts is computed here, and every scene is a scenario."""

import re

import numpy as np
import pytest
from story_claims import CLAIMS
from story_claims.measures import MEASURES, measured

from dashboard.pages import STORY_ANSWERS, story_follows
from dashboard.scenario import from_query
from dashboard.stories import STORIES
from dashboard.text.glossary import TERMS, linked, search_terms
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.evaluate.metrics import shang_distance

PLACES = [
    (f"{story.key}-{place}", text, scene, claims)
    for story in STORIES.values()
    for place, ((text, scene), claims) in enumerate(
        zip(
            [*((step.text, step.scene) for step in story.steps), (story.attempt, story.attempt_scene)],
            CLAIMS[story.key],
            strict=True,
        ),
        start=1,
    )
]
COMPUTED = [
    pytest.param(claim, scene, id=f"{name}-{claim.said}", marks=[pytest.mark.slow] if claim.slow else [])
    for name, _, scene, claims in PLACES
    for claim in claims
]
SCENES = [
    (story.key, scene)
    for story in STORIES.values()
    for scene in (
        story.attempt_scene,
        *(scene for step in story.steps for scene in (step.scene, *(other for _, other in step.more))),
    )
]


@pytest.mark.parametrize(("claim", "scene"), COMPUTED)
def test_the_product_gives_the_number_that_the_text_says(claim, scene):
    assert measured(claim, scene) == pytest.approx(claim.value, abs=claim.tolerance)


@pytest.mark.parametrize(("name", "text", "scene", "claims"), PLACES, ids=[name for name, *_ in PLACES])
def test_the_text_says_what_is_claimed(name, text, scene, claims):
    for claim in claims:
        assert claim.said, "a claim that the text does not make"
        assert claim.said in text
        if re.fullmatch(r"\.?\d+(\.\d+)?", claim.said):  # a bare number is the value, but for its last digit
            assert float(claim.said) == pytest.approx(claim.value, rel=0.02, abs=0.002)
        assert claim.measure in MEASURES
        assert claim.tolerance <= 0.1 or abs(claim.value) > 1 or not claim.said.startswith("0."), claim


def test_every_number_of_a_story_comes_from_the_product():
    """A decimal in what is seen is claimed: a text cannot change without a number that the product is asked for."""
    for story in STORIES.values():
        for step, claims in zip(story.steps, CLAIMS[story.key][:-1], strict=True):
            said = " ".join(claim.said for claim in claims)
            settings = r"(ε|ξ) = \d*\.\d+|(at|near|claims|n\^-)\s*\d*\.\d+"
            for number in re.findall(r"(?<![\w.,])\d*\.\d+", re.sub(settings, "", step.see)):
                assert number in said, (story.key, number, step.see)


@pytest.mark.parametrize(("key", "scene"), SCENES)
def test_every_scene_is_a_scenario_with_nothing_to_adjust(key, scene):
    scenario, problems = from_query(scene)
    assert problems == ()
    assert from_query(scenario.to_query())[0] == scenario
    for algorithm in scenario.algorithms:
        assert scenario.model in ALGORITHMS[algorithm].models


def test_each_story_asks_before_it_shows():
    for story in STORIES.values():
        assert re.fullmatch(r"[a-z]{3,6}", story.key), "typed by hand in class"
        assert story.idea
        assert story.removes
        assert story.attempt
        for step in story.steps:
            assert len(step.options) == 3
            assert 0 <= step.right < 3
            assert step.look
            assert step.why
            assert step.todo


def test_a_story_shows_the_controls_that_its_steps_move():
    assert STORIES["cliff"].moved == {"epsilon"}
    assert STORIES["rows"].moved == {"epsilon", "as_if"}
    assert STORIES["ridge"].moved == {"epsilon", "xi", "steps", "only_exact"}
    assert STORIES["worst"].moved == {"epsilon", "dataset", "bounds", "as_if"}


def test_a_step_of_made_up_rows_alone_has_no_sidebar():
    """The page said that its charts follow the sidebar, and nothing on it did."""
    assert [step.follows for step in STORIES["worst"].steps] == [True, True, True, False]
    answered = {("worst", number): 0 for number in (3, 4)}
    follows = [story_follows({"story": "worst", "step": n, STORY_ANSWERS: answered}) for n in (2, 3, 4, 5)]
    assert follows == [False, True, False, True]


@pytest.mark.parametrize("word", ["ε", "μ", "seed", "ledger", "sensitivity", "eigengap", "Wilcoxon", "curator"])
def test_a_term_is_linked_once_with_its_meaning(word):
    text = linked(f"Of {word} and {word} again.")
    assert text.count("](learn?term=") == 1
    assert any(term.meaning.split('"')[0][:20].replace("_", "") in text for term in TERMS.values())


def test_links_leave_code_badges_links_and_formulas_alone():
    for text in ("`epsilon seed`", ":gray-badge[seed known: not private]", "[the seed](x?y)", "$\\mu$", "e^ε",
                 "https://seed.example/ledger"):  # fmt: skip
        assert linked(text) == text
    assert linked("ε_0") == "ε_0"
    assert linked("resected") == "resected"


def test_a_text_stays_readable():
    text = "ε, δ, μ, ξ, seed, ledger, budget, curator, peek, audit"
    assert linked(text).count("](learn") == 4


def test_glossary_is_searched_in_names_and_meanings():
    assert search_terms("eigengap")[0].slug == "eigengap"
    assert len(search_terms("")) == len(TERMS) >= 45
    assert search_terms("no such word") == []
    assert "rho" in [term.slug for term in search_terms("rényi")]


def test_slugs_are_short_and_words_belong_to_one_term():
    words = [word.casefold() for term in TERMS.values() for word in term.words]
    assert len(words) == len(set(words))
    assert all(re.fullmatch(r"[a-z-]+", slug) for slug in TERMS)


@pytest.mark.parametrize(
    ("word", "slug"),
    [("local DP", "local"), ("Rényi DP", "renyi"), ("sub-sampling", "amplification"), ("PLD", "pld"), ("ADMM", "admm"),
     ("lower bound", "lower-bound"), ("recall", "scores")],
)  # fmt: skip
def test_words_of_the_papers_are_explained(word, slug):
    assert slug in [term.slug for term in search_terms(word)]


def test_the_distance_of_shang_is_explained_as_it_is_computed():
    """A flipped sign changes nothing, a rotation within the subspace does: what the glossary says."""
    V = np.eye(3)[:, :2]
    turned = V @ np.array([[0.6, -0.8], [0.8, 0.6]])
    assert shang_distance(V * [1.0, -1.0], V) == pytest.approx(0.0)
    assert shang_distance(turned, V) > 0.5
    assert "Signs are aligned first here" in TERMS["subspace"].meaning
