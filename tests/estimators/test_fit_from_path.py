"""An estimator that is fitted on a path gives what `solve` gives for the data set there."""

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from dpgep_core import solve
from dpgep_core.datasets import Preprocessing, open_dataset
from dpgep_core.errors import DataError, ParameterError
from dpgep_core.estimators import DPCCA, DPFDA, DPPCA, DPSIR
from dpgep_core.estimators.declared import labels_of_names

SIDECAR = 'label = "kind"\nclasses = [4, 2]\n[columns]\nlower = -3\nupper = 3\n'


def _columns(rows):
    t = np.arange(rows)
    return {f"c{j}": np.sin((j + 2) * t + j).astype(np.float32) for j in range(4)}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    import pyarrow as pa

    monkeypatch.setenv("DPGEP_PASSES_DIR", "")
    table = pa.table({**_columns(400), "kind": 2 + 2 * (np.arange(400) % 2)})
    (tmp_path / "rows").mkdir()
    for number in range(4):
        pq.write_table(table.slice(100 * number, 100), tmp_path / "rows" / f"{number}.parquet")
    (tmp_path / "rows.toml").write_text(SIDECAR)
    return tmp_path / "rows"


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize(("make", "model"), [(DPPCA, "pca"), (DPFDA, "fda"), (DPCCA, "cca"), (DPSIR, "sir")])
def test_components_are_those_of_solve(folder, monkeypatch, make, model, streamed):
    monkeypatch.setenv("DPGEP_STREAM_BYTES", "1000" if streamed else "1000000")
    fitted = make(epsilon=2.0, random_state=5).fit(folder)
    dataset = open_dataset(str(folder))
    assert dataset.streamed == streamed
    wanted = solve(dataset, model, "ssp", epsilon=2.0, seed=5, test_size=0.0)
    assert np.array_equal(fitted.components_, wanted.components.T)
    assert fitted.n_features_in_ == 4
    assert fitted.transform(np.ones((3, 4))).shape == (3, wanted.public.k)


def test_a_table_goes_by_the_names_of_the_file(folder):
    """Columns in another order were taken by position; a table in memory was refused."""
    fitted = DPFDA(random_state=0).fit(folder)
    table = pd.DataFrame(np.arange(12.0).reshape(3, 4), columns=list(_columns(1)))
    assert np.array_equal(fitted.transform(table), fitted.transform(table.to_numpy()))
    with pytest.raises(DataError, match="its column 1 is named"):
        fitted.predict(table[table.columns[::-1]])
    fitted.set_params(classes=[0, 1]).fit(pd.DataFrame(np.eye(6, 4), columns=list("wxyz")), [0, 1] * 3)
    with pytest.raises(ValueError, match="feature names should match"):
        fitted.transform(table)


def test_a_classifier_answers_with_the_labels_of_the_file(folder):
    fitted = DPFDA(random_state=0).fit(str(folder))
    assert fitted.classes_.tolist() == [4, 2]
    assert set(fitted.predict(np.ones((3, 4))).tolist()) <= {2, 4}
    assert labels_of_names(("a", "2")).tolist() == ["a", "2"]


def test_bounds_of_the_estimator_take_the_place_of_the_sidecars(folder):
    assert DPPCA(random_state=0).fit(folder).preprocessing_ == Preprocessing(lower=-3.0, upper=3.0)
    assert DPPCA(random_state=0, bounds=(0, 9), norm=2).fit(folder).preprocessing_ == Preprocessing(
        lower=0.0, upper=9.0, rows="clip", radius=2.0
    )


def test_what_the_sidecar_declares_is_not_said_twice(folder):
    with pytest.raises(ParameterError, match="y must be left out beside a path"):
        DPFDA().fit(folder, [0, 1])
    with pytest.raises(ParameterError, match="classes must be left out beside a path"):
        DPFDA(classes=[0, 1]).fit(folder)
    folder.with_suffix(".toml").write_text('label = ""\ndrop = ["kind"]\n')
    with pytest.raises(DataError, match="no classes"):
        DPFDA().fit(folder)
