"""Batches add up to one release: the same bits for any cut of the rows, and the budget is spent once, at the end."""

import copy
import gc
import pickle
import warnings
import weakref

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from dpgep_core.errors import DataError, ParameterError
from dpgep_core.estimators import DPCCA, DPFDA, DPPCA, DPSIR, PrivacyLeakWarning
from dpgep_core.privacy import Curator

ROWS, COLUMNS = 300, 5
ONE_STEP = {"params": {"steps": 1}}
MODELS = [
    (DPPCA, ONE_STEP),
    (DPCCA, {**ONE_STEP, "view_columns": 2}),
    (DPCCA, {"params": {"steps": 1, "norm": "separate"}, "view_columns": 2}),
    (DPPCA, {**ONE_STEP, "centred": False}),
    (DPFDA, {**ONE_STEP, "classes": [2, 4, 7]}),
    (DPSIR, {**ONE_STEP, "edges": [2.5, 5.0]}),
    (DPFDA, {"algorithm": "dprf", "classes": [2, 4, 7]}),
    (DPFDA, {"algorithm": "dpsr_corrected", "classes": [2, 4, 7]}),
    (DPPCA, {"algorithm": "analyze_gauss"}),
]


def _rows() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    y = rng.choice([2, 4, 7], ROWS)
    return rng.normal(size=(ROWS, COLUMNS)) + 0.3 * y[:, None] * np.eye(COLUMNS)[1], y


X, Y = _rows()


def _made(make, settings):
    return make(bounds=(-4, 6), random_state=1, **settings)


def _gathered(estimator, cuts):
    for some in np.split(np.arange(ROWS), cuts):
        if some.size:
            estimator.partial_fit(X[some], Y[some])
    return estimator


@pytest.mark.parametrize(("make", "settings"), MODELS)
def test_any_cut_into_batches_gives_the_same_bits_and_the_answer_of_fit(make, settings):
    whole = _gathered(_made(make, settings), []).release()
    rng = np.random.default_rng(0)
    for cuts in ([1, 2, 299], range(1, 60), np.sort(rng.integers(1, ROWS, 6))):
        found = _gathered(_made(make, settings), cuts).release()
        assert np.array_equal(found.components_, whole.components_)
        assert found.epsilon_ == whole.epsilon_
    fitted = _made(make, settings).fit(X, Y)
    assert (fitted.epsilon_, fitted.delta_) == (whole.epsilon_, whole.delta_)
    assert fitted.leaks_ == whole.leaks_
    if whole.release_.moments is not None:  # sums in whole numbers miss those in memory by less than 2^-32 of n
        gram = fitted.release_.moments.gram
        np.testing.assert_allclose(whole.release_.moments.gram, gram, atol=2**-32 * ROWS, rtol=0)
    np.testing.assert_allclose(whole.components_, fitted.components_, atol=1e-6 * np.abs(fitted.components_).max())


def test_batches_in_any_order_give_the_bits_of_a_folder_that_is_streamed(tmp_path, monkeypatch):
    monkeypatch.setenv("DPGEP_PASSES_DIR", "")
    monkeypatch.setenv("DPGEP_STREAM_BYTES", "1000")
    table = pa.table({**{f"c{j}": X[:, j] for j in range(COLUMNS)}, "kind": Y})
    (tmp_path / "rows").mkdir()
    for number in range(3):
        pq.write_table(table.slice(100 * number, 100), tmp_path / "rows" / f"{number}.parquet")
    (tmp_path / "rows.toml").write_text('label = "kind"\nclasses = [2, 4, 7]\n[columns]\nlower = -4\nupper = 6\n')
    wanted = DPFDA(random_state=1, **ONE_STEP).fit(tmp_path / "rows")
    found = _made(DPFDA, {**ONE_STEP, "classes": [2, 4, 7]})
    for start in (200, 0, 100):
        found.partial_fit(X[start : start + 100], Y[start : start + 100])
    found.release()
    assert np.array_equal(found.components_, wanted.components_)
    assert np.array_equal(found.release_.moments.gram, wanted.release_.moments.gram)
    assert np.array_equal(found.predict(X), wanted.predict(X))


def test_nothing_is_asked_before_the_release_which_spends_once(monkeypatch):
    estimator, asked = _made(DPFDA, {**ONE_STEP, "classes": [2, 4, 7]}), []
    whole = Curator.ask
    monkeypatch.setattr(Curator, "ask", lambda *given, **named: asked.append(1) or whole(*given, **named))
    _gathered(estimator, [10, 200])
    assert not asked
    with pytest.raises(NotFittedError):
        estimator.transform(X)
    estimator.release()
    assert len(asked) == len(list(estimator.ledger_)) == 1
    assert estimator.epsilon_ == pytest.approx(1.0)
    with pytest.raises(DataError, match="no batch since the last release"):
        estimator.release()
    with pytest.raises(DataError, match="its budget is spent"):
        estimator.partial_fit(X, Y)
    assert len(asked) == 1


def test_a_copy_that_shares_the_sums_cannot_release_them_again():
    estimator = _gathered(_made(DPPCA, ONE_STEP), [10])
    other = copy.copy(estimator)
    estimator.release()
    with pytest.raises(DataError, match="no batch since the last release"):
        other.release()
    with pytest.raises(DataError, match="it is released"):  # it took rows, whose exact sums then stayed in memory
        other.partial_fit(X)
    with pytest.raises(DataError):
        other._gathering.rows.add(X, np.zeros(ROWS, dtype=np.intp))
    assert other._gathering.rows._sums == ()
    assert clone(_gathered(_made(DPPCA, ONE_STEP), []))._gathering is None


def test_the_sums_go_nowhere_and_are_gone_after_the_release():
    estimator = _gathered(_made(DPPCA, ONE_STEP), [10])
    for leave in (pickle.dumps, copy.deepcopy):
        with pytest.raises(DataError, match="exact sums of private rows"):
            leave(estimator)
    seen = weakref.ref(estimator._gathering.rows)
    estimator.release()
    gc.collect()
    assert seen() is None
    assert np.array_equal(pickle.loads(pickle.dumps(estimator)).components_, estimator.components_)


def test_two_steps_take_no_batches_and_say_so():
    with pytest.raises(AttributeError) as told:
        DPPCA().partial_fit(X)
    assert "reads every row once in each step" in str(told.value.__cause__)
    estimator = _gathered(_made(DPPCA, ONE_STEP), []).set_params(params=None)
    with pytest.raises(AttributeError):
        estimator.release()
    estimator.set_params(params={"steps": 1, "memory": "products"})
    with pytest.raises(ParameterError, match="gathered in batches"):
        estimator.release()
    assert estimator.set_params(params={"steps": 1}).release().components_.shape == (5, 5)


def test_what_decides_the_sums_stays_and_an_unknown_label_is_refused():
    estimator = _made(DPFDA, {**ONE_STEP, "classes": [2, 4, 7]}).partial_fit(X[:50], Y[:50])
    with pytest.raises(DataError, match="in none of the declared classes"):
        estimator.partial_fit(X[:2], [2, 9])
    with pytest.raises(ParameterError, match="as at the first batch"):
        estimator.set_params(bounds=(0, 1)).partial_fit(X[50:], Y[50:])
    with pytest.raises(ValueError, match="features"):
        estimator.set_params(bounds=(-4, 6)).partial_fit(X[50:, 1:], Y[50:])
    estimator.set_params(epsilon=2.0).partial_fit(X[50:], Y[50:]).release()  # ε is that of the release
    assert estimator.release_.public.n == ROWS
    assert estimator.epsilon_ == pytest.approx(2.0)


def test_classes_that_are_not_declared_are_those_of_the_first_batch_and_it_is_said():
    estimator = _made(DPFDA, ONE_STEP).partial_fit(X[:50], Y[:50]).partial_fit(X[50:51], Y[50:51])
    with pytest.warns(PrivacyLeakWarning, match=r"Read off the rows.*the class set"):
        estimator.release()
    assert estimator.classes_.tolist() == [2, 4, 7]


def test_fit_drops_what_was_gathered():
    estimator = _gathered(_made(DPPCA, ONE_STEP), [])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        estimator.fit(X[:100])
    assert estimator.release_.public.n == 100
    assert not hasattr(estimator.partial_fit(X), "release_")  # and a batch drops what was fitted
    assert estimator.release().release_.public.n == ROWS
    with pytest.raises(DataError, match="no batch since the last release"):
        estimator.release()


def test_a_later_batch_of_one_column_is_told_how_many_there_were():
    """Not how few there may be: of canonical correlations that is two, and two are as wrong here."""
    rows = np.random.default_rng(0).normal(size=(30, 4))
    gathered = DPCCA(algorithm="dprf", view_columns=2).partial_fit(rows)
    with pytest.raises(ValueError, match="X has 1 features, but DPCCA is expecting 4 features"):
        gathered.partial_fit(rows[:, :1])
    with pytest.raises(ValueError, match="minimum of 2"):
        DPCCA(algorithm="dprf", view_columns=1).partial_fit(rows[:, :1])


def test_a_release_that_ends_in_a_warning_as_an_error_is_whole_and_spent():
    """The warning came before the classifier was made, and the estimator then took other rows."""
    gathered = _gathered(DPFDA(bounds=(-4, 6), random_state=1, **ONE_STEP), [100])  # its classes are read off the rows
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(PrivacyLeakWarning):
            gathered.release()
    assert set(gathered.predict(X)) <= {2, 4, 7}
    with pytest.raises(DataError, match="it is released"):
        gathered.partial_fit(X, Y)


def test_entries_that_the_columns_do_not_have_lose_no_batch():
    gathered = _gathered(DPPCA(bounds=(-4, 6), sparsity=COLUMNS + 1, random_state=1, **ONE_STEP), [100])
    with pytest.raises(ParameterError, match="sparsity must be at most the number of columns, 5; 0 keeps all"):
        gathered.release()
    assert gathered.set_params(sparsity=2).release().components_.shape[1] == COLUMNS


def test_parameters_of_the_model_that_change_lose_no_batch():
    gathered = _gathered(_made(DPCCA, {**ONE_STEP, "view_columns": 2}), [100])
    gathered.set_params(params={"steps": 1, "norm": "separate"})
    with pytest.raises(ParameterError, match="as at the first batch"):
        gathered.release()
    assert gathered.set_params(**ONE_STEP).release().components_.shape[1] == COLUMNS


def test_edges_that_were_paid_for_are_refused_where_their_price_would_be_lost(tmp_path):
    """Sums of batches, a sidecar and declared classes have no place for what such edges have cost."""
    settings = {**ONE_STEP, "edges": [2.5, 5.0], "edges_mu": 0.2}
    paid = _made(DPSIR, settings)
    assert next(iter(paid.fit(X, Y).ledger_)).mu == 0.2
    with pytest.raises(ParameterError, match="edges_mu must be 0 for rows in batches"):
        _made(DPSIR, settings).partial_fit(X, Y)
    late = _made(DPSIR, {**settings, "edges_mu": 0}).partial_fit(X, Y).set_params(edges_mu=0.2)
    with pytest.raises(ParameterError, match="edges_mu must be 0 for rows in batches"):
        late.release()
    assert late.set_params(edges_mu=0).release().leaks_ == paid.leaks_
    with pytest.raises(DataError, match=r"edges_mu = 0.2 without edges"):
        DPSIR(edges_mu=0.2, classes=[2, 4, 7]).fit(X, Y)
    with pytest.raises(ParameterError, match="edges_mu must be left out beside a path"):
        DPSIR(edges_mu=0.2).fit(tmp_path / "rows.csv")
