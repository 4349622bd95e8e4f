"""A release in two steps: both answers are paid for, told and drawn exactly, and the ridge is that of its noise."""

import math
from pathlib import Path

import numpy as np
import pytest
from made import ONE, request_for

from dpgep_core import load_dataset, load_release
from dpgep_core.models.centred_queries import CENTRED_GRAM, CLASS_SUMS
from dpgep_core.privacy import discrete
from dpgep_core.privacy.accountant import delta_of
from dpgep_core.publishing.pricing import priced_plan
from dpgep_core.publishing.releasing import publish
from dpgep_core.publishing.statement import privacy_statement
from dpgep_core.release import Setting
from dpgep_core.solve import plan, run
from dpgep_core.two_step import Cleaning

TWO = {"steps": 2}


@pytest.mark.parametrize(
    ("model", "name"), [("pca", "synthetic_pca"), ("fda", "digits"), ("cca", "synthetic_cca"), ("sir", "synthetic_sir")]
)
def test_every_model_is_released_in_two_steps_and_loaded(tmp_path: Path, model: str, name: str) -> None:
    published = publish(request_for(tmp_path, name, model=model, params=TWO))
    release, header = load_release(published.path), published.header
    assert [entry["query"] for entry in header.ledger] == [CLASS_SUMS, CENTRED_GRAM]
    assert header.mu == pytest.approx(math.hypot(*(e["sensitivity"] / e["sigma"] for e in header.ledger)), rel=1e-12)
    assert header.noise_edge is not None
    assert release.ridge(0.0) == pytest.approx(0.4 * header.noise_edge)
    assert release.ridge(1e6) == 1e6
    again = release.components(n_components=header.n_components)
    assert np.allclose(again, release.components())
    assert release.transformer().transform(load_dataset(name).X).shape[1] == header.n_components


def test_the_price_covers_the_noise_and_the_distance_of_both_answers(tmp_path: Path) -> None:
    priced = priced_plan(request_for(tmp_path, params=TWO))
    public, answers = priced.plan.public, priced.plan.noise
    assert answers is not None
    first, second = (answer.sigma for answer in answers)
    expected = discrete.entries_variation((public.d + 1) * 3, first * 2.0**18)
    expected += discrete.total_variation(public.d + 3, second * 2.0**36)
    assert priced.charge.distance == pytest.approx(expected)
    assert delta_of(priced.charge.mu, 0.5) + priced.slack <= 1e-6
    assert (1 + np.exp(0.5)) * priced.charge.distance <= priced.slack


def test_the_statement_lists_both_answers(tmp_path: Path) -> None:
    published = publish(request_for(tmp_path, params=TWO))
    text = privacy_statement(load_release(published.path).header, "a.npz", published.sha256)
    assert "Answer 1" in text
    assert "Answer 2" in text
    assert "The one answer" not in text
    assert "left in two answers" in text


def test_the_statement_lists_three_answers_and_says_who_says_the_number_of_rows(tmp_path: Path) -> None:
    request = request_for(tmp_path, params={**TWO, "steps": 3}, relation="add_remove", declared_n=200)
    published = publish(request)
    text = privacy_statement(load_release(published.path).header, "a.npz", published.sha256)
    assert "Answer 3" in text
    assert "left in three answers" in text
    assert "from all rows, of which there are 200 by declaration, in 13 columns" in text


@pytest.mark.parametrize("model", ["pca", "fda"])
def test_an_exact_run_is_the_ordinary_run_but_for_its_noise(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discrete, "whole_normals", lambda size, _: np.zeros(size, dtype=np.int64))
    data = load_dataset("wine")
    params = (("clean_eigenvalues", False), *TWO.items())
    drawn = run(plan(data, Setting(model=model, epsilon=20.0, seed=None, test_size=0.0, params=params)), exact=True)
    bound = plan(data, Setting(model=model, epsilon=20.0, seed=0, test_size=0.0, params=params))
    first, second = drawn.answers
    problem, two = bound.problem, bound.method.in_steps(bound.public, bound.grant)  # type: ignore[attr-defined]
    assert np.allclose(first[:-1].sum(axis=1), problem.moments.sums.sum(axis=1), atol=data.n * 2.0**-17)
    assert np.trace(second[: data.d, : data.d]) <= data.n
    tidy = two.tidied(drawn.answers, Cleaning(eigenvalues=False)).moments
    assert drawn.moments is not None
    assert np.array_equal(drawn.moments.gram, tidy.gram)


def test_a_file_that_does_not_say_its_noise_edge_is_one_of_one_answer(tmp_path: Path) -> None:
    published = publish(request_for(tmp_path, params=ONE))
    release = load_release(published.path)
    edge = release.header.sigma * math.sqrt(2 * release.header.d) / release.header.n
    assert release.header.noise_edge == pytest.approx(edge)
    assert release.ridge(0.0) == pytest.approx(edge)
