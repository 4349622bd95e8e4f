"""The fast pass over rows about centres gives the sums as they are written, whatever the rows and the centres."""

import numpy as np
import pytest

from dpgep_core.datasets import Preprocessing
from dpgep_core.models import centred_sums as pass_
from dpgep_core.models.centring import Centring, about_centres
from dpgep_core.models.problem import Sample
from dpgep_core.models.row_groups import GROUP_ROWS, row_groups
from dpgep_core.wanted import NotWantedError, while_wanted

N, D, K = 5000, 90, 4
RNG = np.random.default_rng(0)
CODES = RNG.integers(K, size=N)
BYTES = np.where(np.abs(np.arange(D) - RNG.uniform(0, D, (N, 1))) < 20, RNG.integers(1, 256, (N, D)), 0).astype("u1")
DENSE = RNG.standard_normal((N, D)) + 2
OFFSET = DENSE + np.where(np.arange(D) == 3, 1e7, 0.0)  # a column far from zero, which spreads little
HEAVY = np.where(np.arange(N) < 3, 0.0, np.where(np.arange(N) < 6, 1e-200, 1.0))[:, None] * DENSE  # extreme rows
BOUNDS = {"lower": tuple([0.0] * D), "upper": tuple(np.linspace(100, 255, D))}


def written(sample, preprocessing, centres, radius):
    u = about_centres(preprocessing.apply(sample.X), centres.T[sample.y], radius)
    return u.T @ u, u.T @ np.eye(K)[sample.y]


@pytest.mark.parametrize(
    ("X", "preprocessing"),
    [
        (BYTES, Preprocessing(lower=0.0, upper=255.0)),
        (BYTES, Preprocessing(**BOUNDS, log1p=(0, 5, 80))),
        (BYTES, Preprocessing(rows="clip", radius=900.0)),
        (BYTES, Preprocessing(views=(tuple(range(30)), tuple(range(30, D))))),
        (DENSE, Preprocessing()),
        (OFFSET, Preprocessing()),
        (HEAVY, Preprocessing(rows="clip", radius=20.0)),
        (HEAVY, Preprocessing()),
    ],
)
@pytest.mark.parametrize("radius", [0.0, 0.01, 0.6])
@pytest.mark.parametrize("noise", [0.0, 0.05])
def test_the_sums_are_those_that_are_written(X, preprocessing, radius, noise):
    sample = Sample(X, CODES, K, preprocessing)
    prepared = preprocessing.apply(X)
    means = np.stack([prepared[k == CODES].mean(axis=0) for k in range(K)], axis=1)
    centres = means + noise * np.random.default_rng(1).standard_normal((D, K))
    centres[:, 1] = prepared[np.flatnonzero(CODES == 1)[0]]  # a row on its centre
    gram, sums = written(sample, preprocessing, centres, radius)
    found = pass_.centred_sums(sample, CODES, preprocessing, Centring(centres, radius))
    assert np.abs(found.gram - gram).max() <= 1e-11 * np.abs(gram).max()
    assert np.abs(found.sums - sums).max() <= 1e-10 * np.abs(prepared).sum() / max(radius, 0.05)
    assert (found.gram == found.gram.T).all()
    assert (found.counts == np.bincount(CODES)).all()


def test_a_pass_that_is_not_wanted_any_more_ends_between_two_groups(monkeypatch):
    asked, added, add = iter([True, True]), [], pass_._add_group
    monkeypatch.setattr(pass_, "PARTS", 1)
    monkeypatch.setattr(pass_, "_add_group", lambda *given: added.append(given) or add(*given))
    sample, centres = Sample(BYTES, CODES, K, Preprocessing(lower=0.0, upper=255.0)), np.zeros((D, K))
    with pytest.raises(NotWantedError), while_wanted(lambda: next(asked, False)):
        pass_.centred_sums(sample, CODES, sample.preprocessing, Centring(centres, 0.6))
    assert len(added) == 2 < len(sample.groups)
    pass_.centred_sums(
        sample, CODES, sample.preprocessing, Centring(centres, 0.6)
    )  # nobody is asked outside of the block


def test_a_pass_over_whitened_rows_ends_between_two_blocks():
    sample, asked = Sample(BYTES, CODES, K, Preprocessing(lower=0.0, upper=255.0)), []
    about = Centring(np.zeros((D, K)), whitening=np.eye(D))
    with pytest.raises(NotWantedError), while_wanted(lambda: asked.append(1) or False):
        pass_.centred_sums(sample, CODES, sample.preprocessing, about)
    assert len(asked) == 1


def test_each_row_is_in_one_group_with_all_columns_that_it_needs():
    groups = row_groups(BYTES, CODES)
    assert len(groups) == -(-N // GROUP_ROWS)
    assert (np.sort(np.concatenate([group.rows for group in groups])) == np.arange(N)).all()
    assert sum(len(group.columns) for group in groups) < 0.9 * D * len(groups)  # zeros are made use of
    for group in groups:
        assert (np.concatenate(list(group.chunks())) == group.rows).all()
        rest = np.setdiff1d(np.arange(D), group.columns)
        assert not BYTES[np.ix_(group.rows, rest)].any()


def test_dense_rows_stay_in_their_order():
    assert (np.concatenate([group.rows for group in row_groups(DENSE, CODES)]) == np.arange(N)).all()


@pytest.mark.parametrize("processors", [1, 2, 7])
def test_the_bits_do_not_depend_on_the_processors(processors, monkeypatch):
    centres, preprocessing = np.full((D, K), 0.05), Preprocessing(lower=0.0, upper=255.0)
    sample = Sample(BYTES, CODES, K, preprocessing)
    first = pass_.centred_sums(sample, CODES, preprocessing, Centring(centres))
    monkeypatch.setattr(pass_, "cores", lambda: processors)
    again = pass_.centred_sums(sample, CODES, preprocessing, Centring(centres))
    assert (again.gram == first.gram).all()
    assert (again.sums == first.sums).all()


@pytest.mark.parametrize("preprocessing", [Preprocessing(**BOUNDS, log1p=(0, 5, 80)), Preprocessing(log1p=True)])
def test_preprocessing_of_some_columns_is_that_of_all(preprocessing):
    columns = np.array([0, 5, 7, 80])
    there = preprocessing.of_columns(columns)
    assert (there.bounded(BYTES[:, columns]) == preprocessing.bounded(BYTES)[:, columns]).all()


@pytest.mark.parametrize("dtype", ["u1", "i2", "f8"])
@pytest.mark.parametrize(("lower", "upper"), [(0.0, 255.0), (3.0, 250.0), (-7.0, 9.0), (-40_000.0, 40_000.0)])
def test_entries_outside_the_bounds_are_clipped_whatever_their_type(dtype, lower, upper):
    X = np.array([[0, 2, 200, 255]], dtype=dtype)
    end = upper if lower >= 0 else max(-lower, upper)
    start = max(lower, 0.0)
    clipped = np.clip(X.astype(float), lower if lower >= 0 else -end, end)
    assert Preprocessing(lower=lower, upper=upper).bounded(X).tolist() == ((clipped - start) / (end - start)).tolist()
