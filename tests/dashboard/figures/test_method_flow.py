"""The diagram of a method says what its noise plan says, and marks what leaves without noise."""

import pytest

from dashboard.compute.noise_plans import stated_noise
from dashboard.figures.flow import OPEN, flow_rows, flow_sentence, noise_flow
from dashboard.figures.style import Style
from dashboard.scenario import Scenario
from dpgep_core import ALGORITHMS, load_dataset


def answers_of(key):
    stated = stated_noise(Scenario(dataset="wine", model="fda", algorithms=("ssp",)), key, load_dataset("wine"))
    assert stated.model in ALGORITHMS[key].models
    assert stated.answers
    return stated.answers


def arrows(figure):
    return [one for one in figure.layout.annotations if one.showarrow]


@pytest.mark.parametrize("key", ALGORITHMS)
def test_every_answer_has_its_two_arrows_its_row_and_its_words(key):
    answers = answers_of(key)
    figure = noise_flow(answers, Style())
    assert [(one.ax, one.x) for one in arrows(figure)] == [(0.03, 0.97), (1.03, 1.97)] * len(answers)
    rows = flow_rows(answers)
    assert rows["times"].tolist() == [one.count for one in answers]
    assert rows["σ"].tolist() == [one.sigma for one in answers]
    said = flow_sentence(answers)
    assert f"{sum(one.count for one in answers):,} time" in said
    assert all(one.name in said for one in answers)
    assert said.count("no noise") == sum(one.sigma == 0 for one in answers)


def test_what_leaves_without_protection_is_marked():
    answers = answers_of("dpsr")
    colours = [one.arrowcolor for one in arrows(noise_flow(answers, Style()))][1::2]
    assert [colour == OPEN for colour in colours] == [not one.protected for one in answers] == [False, True, False]
    assert "proves nothing" in flow_sentence(answers_of("wishart"))


def test_noise_of_each_person_is_drawn_before_the_curator():
    texts = [one.text for one in noise_flow(answers_of("local_gaussian"), Style()).layout.annotations]
    assert "as it came" in texts
    assert "exact" not in texts


def test_a_method_that_cannot_be_used_says_why():
    data = load_dataset("wine")
    stated = stated_noise(Scenario(dataset="wine", model="fda", algorithms=("ssp",), n_components=500), "ssp", data)
    assert stated.answers is None
    assert "500" in stated.problem
