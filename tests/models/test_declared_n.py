"""Where records are added or removed n is what is declared, and nothing tells how many rows there are."""

import json
import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from dashboard.scenario import Scenario, command_line, from_query
from dpgep_core import ALGORITHMS, DataError, Dataset, ParameterError, Preprocessing, evaluate, load_dataset, solve
from dpgep_core.cli import main
from dpgep_core.datasets.readers.sidecar import parse_sidecar
from dpgep_core.datasets.readers.sidecar_text import sidecar_text
from dpgep_core.evaluate.metrics import cosine_similarity
from dpgep_core.learnt import NUMBER_OF_ROWS
from dpgep_core.models import Cca, Fda, Pca, Sir
from dpgep_core.models.large import joint_matrix, target_matrix
from dpgep_core.models.neighbours import STATISTICS, worst
from dpgep_core.models.neighbours.rows import rows_of_blocks
from dpgep_core.models.queries import joint_gram
from dpgep_core.release import Setting
from dpgep_core.solve import plan

ADD = "add_remove"
MODELS = (Pca(), Pca(centred=False), Fda(), Sir(), Cca(), Cca(norm="separate"))
N = 60


def circle(turn: float) -> np.ndarray:
    return np.array([math.cos(turn), math.sin(turn)])


TURNS = (0.0, math.pi / 3, math.pi / 2, 2 * math.pi / 3, math.pi)


def pairs(others: int):
    """Groups at places on the circle, and a record more in a class of its own, the first or the second."""
    for first, turn in product({0, 1, others // 8, others // 2, others - 1}, TURNS):
        groups = ((first, circle(0.0), 0), (others - first, circle(turn), 1))
        records = (rows_of_blocks(*groups, (1, circle(place), label)) for place, label in product(TURNS, range(3)))
        yield rows_of_blocks(*groups), records


@pytest.mark.parametrize("model", MODELS, ids=repr)
@pytest.mark.parametrize("others", [9, N // 2, N - 1, N, 3 * N])
def test_one_record_more_moves_everything_within_its_sensitivity(model, others):
    """However many rows there are beside the declared n, for A, B and the joint release alike."""
    largest = np.zeros(3)
    for rows, records in pairs(others):
        fewer = replace(rows.problem(model), declared_n=N)
        public = fewer.public(k=1, relation=ADD, seed=0)
        joint = joint_gram(public.weight, public)
        bounds = (public.sensitivity.target, public.sensitivity.constraint, joint.sensitivity)
        before = (fewer.pencil.target, fewer.pencil.constraint_matrix, joint.evaluate(fewer))
        for longer in records:
            more = replace(longer.problem(model), declared_n=N)
            assert replace(more.public(k=1, relation=ADD, seed=0), pencil=len) == replace(public, pencil=len)
            after = (more.pencil.target, more.pencil.constraint_matrix, joint.evaluate(more))
            moved = [float(np.linalg.norm(a - b)) for a, b in zip(after, before, strict=True)]
            largest = np.maximum(largest, [m / b if b else m for m, b in zip(moved, bounds, strict=True)])
    assert (largest <= 1 + 1e-12).all()
    if model != Cca(norm="separate"):  # whose rows on an axis are shorter
        assert largest[2] == pytest.approx(1)
    if model == Pca(centred=False):
        assert largest[0] == pytest.approx(1)  # it was 1.414 while the rows that are there were counted


@pytest.mark.parametrize("key", STATISTICS)
@pytest.mark.parametrize("others", [10, 80])
def test_no_worse_neighbour_is_found_at_another_number_of_rows(key, others):
    found = worst(key, ADD, 40, rows=others, starts=1)
    assert found.change <= found.bound * (1 + 1e-9)


def unsplit(n: int, **more) -> Dataset:
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((n, 4)), np.arange(n) % 3
    data = Dataset("u", "U", X, y, X[:9], y[:9], tuple("abc"), preprocessing=Preprocessing(rows="clip", radius=3.0))
    return replace(data, **more)


def test_nothing_public_follows_the_rows_that_are_there():
    setting = Setting(relation=ADD)
    one, other = (plan(unsplit(n, declared_n=100), setting) for n in (80, 97))
    assert one.public.n == 100
    assert replace(one.public, pencil=len) == replace(other.public, pencil=len)
    assert one.grant == other.grant
    assert one.grant.delta == pytest.approx(100**-1.1)
    assert one.warnings == other.warnings == ()


def test_the_declared_number_is_that_of_the_file_and_a_fifth_of_it_is_held_out():
    data = replace(unsplit(90), X_test=None, y_test=None)
    assert plan(data, Setting(relation=ADD, declared_n=100)).public.n == 80
    assert plan(data, Setting(relation=ADD, declared_n=100, test_size=0)).public.n == 100


def test_a_number_that_is_read_off_the_rows_is_said():
    (said,) = plan(unsplit(60), Setting(relation=ADD)).warnings
    assert NUMBER_OF_ROWS in said
    assert plan(unsplit(60), Setting(relation=ADD)).learnt == (NUMBER_OF_ROWS,)
    assert plan(unsplit(60), Setting()).warnings == ()
    (said,) = plan(load_dataset("wine"), Setting(relation=ADD, declared_n=178)).warnings
    assert "who is held out" in said
    assert plan(load_dataset("wine"), Setting(relation=ADD, declared_n=178, test_size=0)).warnings == ()


def test_beside_replaced_records_it_is_refused():
    with pytest.raises(ParameterError, match=r'declared_n must be beside relation "add_remove" alone; got 90'):
        plan(unsplit(60), Setting(declared_n=90))
    assert plan(unsplit(60, declared_n=90), Setting()).public.n == 60  # what a sidecar declares waits for its relation


@pytest.mark.parametrize("key", ALGORITHMS)
@pytest.mark.parametrize("declared", [40, 100])
def test_every_method_runs_with_fewer_and_with_more_rows_than_declared(key, declared):
    model = "pca" if "pca" in ALGORITHMS[key].models else "fda"
    release = solve(unsplit(60), model, key, relation=ADD, declared_n=declared, n_components=2)
    assert release.public.n == declared
    assert np.isfinite(release.components).all()
    assert np.isfinite(evaluate(release, unsplit(60), classifiers=()).cosine_similarity).all()


def test_without_noise_the_number_of_rows_cancels():
    """A, B and so the exact answer only change their scale; ξ follows."""
    data = unsplit(60)
    one = solve(data, "fda", "exact", xi=0.02)
    other = solve(data, "fda", "exact", xi=0.01, relation=ADD, declared_n=120)
    assert np.allclose(cosine_similarity(one.components, other.components), 1)
    pencils = [plan(data, Setting(**more)).problem.pencil for more in ({}, {"relation": ADD, "declared_n": 120})]
    assert np.allclose(pencils[0].target, 2 * pencils[1].target)
    assert np.allclose(pencils[0].constraint_matrix, 2 * pencils[1].constraint_matrix)


@pytest.mark.parametrize("centred", [True, False])
def test_products_divide_by_it_too(centred):
    bound = plan(unsplit(60), Setting(model="pca", relation=ADD, declared_n=100, params=(("centred", centred),)))
    eye = np.eye(4)
    assert np.allclose(target_matrix(bound.public).multiply(bound.problem, eye), bound.problem.pencil.target)
    whole = joint_gram(0.3, bound.public).evaluate(bound.problem)[:, :4]
    assert np.allclose(joint_matrix(0.3, bound.public).multiply(bound.problem, np.eye(5)[:, :4]), whole)


def test_places_without_a_row_are_drawn_as_zeros_and_rows_beyond_never():
    problem = plan(unsplit(60), Setting(model="pca", relation=ADD, declared_n=100)).problem
    assert problem.population == 100
    found = problem.rows(np.array([3, 59, 60, 99]))
    assert np.array_equal(found[:2], problem.preprocessing.apply(problem.sample.X[[3, 59]]))
    assert not found[2:].any()
    assert replace(problem, declared_n=40).population == 40


def test_it_is_declared_in_a_sidecar_a_command_and_an_address(capsys):
    declared = parse_sidecar("a.toml", {"declared_n": 200})
    assert declared.declared_n == 200
    assert "declared_n = 200" in sidecar_text(declared)
    for bad in (1, -5, 2.5, "many", True):
        with pytest.raises(DataError, match="declared_n"):
            parse_sidecar("a.toml", {"declared_n": bad})
    options = ["--set", "relation=add_remove", "--set", "declared_n=200", "--test-size", "0"]
    assert main(["solve", "--dataset", "wine", *options, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["n"], report["warnings"]) == (200, [])
    scenario, problems = from_query({"dataset": "wine", "relation": ADD, "declared_n": "200"})
    assert problems == ()
    assert scenario == Scenario(dataset="wine", relation=ADD, declared_n=200)
    assert "--set declared_n=200" in command_line(scenario, "ssp")


@pytest.mark.parametrize("n", [1, 0, -3, 2.5, "60", 2**53 + 1])
def test_a_number_of_rows_that_is_none_is_refused_where_the_data_set_is_made(n):
    """Averages were over it, and sensitivities over the least number of rows."""
    with pytest.raises(DataError, match="declared_n = "):
        Dataset("rows", "", np.eye(3), X_test=np.eye(3), declared_n=n)
