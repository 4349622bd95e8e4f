"""One real row for another: what moves stays inside what is proved, on every model and on wide data."""

import numpy as np
import pytest

from dashboard.compute.exchanges import energy, measure_membership, measure_swaps
from dashboard.scenario import Scenario
from dpgep_core.datasets import load_dataset
from dpgep_core.evaluate import Reference
from dpgep_core.solve import plan, run


@pytest.mark.parametrize(("dataset", "model"), [("wine", "fda"), ("synthetic_cca", "cca"), ("synthetic_sir", "sir")])
def test_no_exchange_passes_the_proof(dataset, model):
    found = measure_swaps(Scenario(dataset=dataset, model=model), load_dataset(dataset), 200)
    assert 0 < np.median(found.changes) <= found.changes.max() <= found.proved * (1 + 1e-9)
    assert found.changes.max() * 0.5 < found.made_up <= found.proved * (1 + 1e-9)


def test_the_change_is_that_of_the_data_with_the_row_exchanged():
    data, scenario = load_dataset("wine"), Scenario(dataset="wine")
    problem = plan(data, scenario.setting("exact")).problem
    X, y = problem.sample.X.copy(), problem.sample.y.copy()
    from dashboard.compute.exchanges import _change, records
    from dpgep_core.models.moments import moments_of

    X[3], y[3] = problem.sample.X[90], problem.sample.y[90]
    other = moments_of(X, y, problem.sample.n_classes, problem.preprocessing)
    one, two = (problem.model.pencil(m).constraint_matrix for m in (problem.moments, other))
    expected = len(X) * np.linalg.norm(one - two)
    assert _change(problem, problem.moments, *records(problem, 3, 90)) == pytest.approx(expected, rel=1e-6)


def test_shares_of_energy_add_up():
    shares = energy(Scenario(dataset="wine", bounds=False), load_dataset("wine"))
    assert shares.sum() == pytest.approx(1)
    assert (shares >= 0).all()


def test_a_forest_knows_its_own_rows_and_a_wide_one_is_asked_about_as_many_others():
    data, scenario = load_dataset("digits"), Scenario(dataset="digits", epsilon=0.1)
    setting = scenario.setting("ssp")
    release = run(plan(data, setting))
    found = measure_membership(release, Reference.of(data, setting), 300)
    assert found.trained_on == 300
    assert found.asked == 600
    assert found.right > found.allowed + 0.03 > 0.53
    assert found.inside > found.outside
