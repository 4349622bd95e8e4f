"""Sparse rows of many columns on the pages: Data shows what is public, Explore goes by products."""

import numpy as np
import pytest
from lab import open_at, sound
from page import header, numbers
from scipy import sparse

from dpgep_core.datasets import sparse_rows

pytestmark = pytest.mark.usefixtures("brief")


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    d = sparse_rows.SPARSE_COLUMNS
    y = np.arange(90) % 3
    told = sparse.csr_array((np.ones(90), (np.arange(90), y)), shape=(90, d))
    X = sparse.csr_array(told + sparse.random_array((90, d), density=0.002, rng=1, format="csr"))
    np.savez(tmp_path / "thin.npz", data=X.data, indices=X.indices, indptr=X.indptr, shape=X.shape, y=y)
    (tmp_path / "thin.toml").write_text("classes = [0, 1, 2]\n")
    monkeypatch.setenv("DPGEP_DATA_DIR", str(tmp_path))


def test_data_shows_sizes_and_no_row():
    said = sound(open_at("data", dataset="thin"))
    assert "Sparse rows stay sparse" in said
    assert "The first 20 rows" not in said


def test_explore_compares_and_scores():
    app = open_at("explore", dataset="thin", model="fda", algorithms="ssp", epsilon="1000")
    sound(app)
    assert "5,000" in header(app)
    assert len(numbers(app)) > 3
