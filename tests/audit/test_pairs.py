"""Neighbouring pairs: one row apart, inside the unit ball, and as bad as they say."""

import math

import numpy as np
import pytest

from dpgep_core import MODELS, ParameterError, Setting
from dpgep_core.audit.case import Case
from dpgep_core.audit.pairs import PAIRS, PairKind, pair_kind
from dpgep_core.models.queries import joint_gram
from dpgep_core.solve import plan

N, LARGE, D = 400, 20_000, 5


def case(key: str, model: str, algorithm: str = "ssp", n: int = N) -> Case:
    pair = PAIRS[key].build(n, D, 0)
    setting = Setting(model=model, algorithm=algorithm)
    return Case(plan(pair.one, setting), plan(pair.other, setting))


@pytest.mark.parametrize("kind", PAIRS.values(), ids=PAIRS)
@pytest.mark.parametrize(("n", "d"), [(20, 2), (401, 7)])
def test_one_row_apart(kind: PairKind, n: int, d: int) -> None:
    pair = kind.build(n, d, 3)
    assert pair.one.X.shape == (n, d)
    assert np.flatnonzero((pair.one.X != pair.other.X).any(axis=1)).tolist() == [0]
    assert set(np.flatnonzero(pair.one.y != pair.other.y)) <= {0}
    for dataset in (pair.one, pair.other):
        assert np.linalg.norm(dataset.X, axis=1).max() <= 1 + 1e-12
        assert len(np.unique(dataset.y)) == 2
    again = kind.build(n, d, 3)
    np.testing.assert_array_equal(pair.one.X, again.one.X)


@pytest.mark.parametrize(
    ("key", "model", "which"),
    [
        ("opposite", "pca", "targets"),
        ("opposite", "cca", "constraints"),
        ("opposite", "sir", "constraints"),
        ("switch", "fda", "constraints"),
        ("rare", "fda", "targets"),
        ("rare", "sir", "targets"),
    ],
)
def test_worst_cases_attain_the_proved_bound(key: str, model: str, which: str) -> None:
    found = case(key, model, "sr_dp", LARGE)
    one, other = getattr(found, which)
    proved = getattr(MODELS[model].make().sensitivity("replace_one", LARGE), which[:-1])
    assert np.linalg.norm(one - other) <= proved * (1 + 1e-9)
    assert np.linalg.norm(one - other) >= 0.98 * proved


@pytest.mark.parametrize("model", ["fda", "sir"])
def test_the_right_angle_attains_the_bound_of_the_joint_moments(model: str) -> None:
    found = case("orthogonal", model)
    query = joint_gram(found.one.public.weight, found.one.public)
    change = query.evaluate(found.one.problem) - query.evaluate(found.other.problem)
    assert np.linalg.norm(change) == pytest.approx(query.sensitivity)
    assert query.sensitivity == pytest.approx(math.sqrt(2) * (1 + found.one.public.weight))


def test_constant_classes_have_no_spread() -> None:
    found = case("constant", "fda")
    assert np.abs(found.constraints[0]).max() < 1e-15
    assert np.linalg.norm(found.constraints[1]) > 1e-4


def test_an_unknown_pair_is_named() -> None:
    with pytest.raises(ParameterError, match="did you mean 'generic'"):
        pair_kind("generik")
