"""Sparse rows of many columns stay sparse, and are prepared to the numbers that dense rows are prepared to."""

from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from dpgep_core.datasets import Dataset, Preprocessing, open_dataset, sparse_rows, split
from dpgep_core.datasets.digests import dataset_digest, rows_digest
from dpgep_core.datasets.readers.source import limit_memory
from dpgep_core.datasets.remarks import remarks
from dpgep_core.datasets.sparse_rows import SPARSE_COLUMNS, SparseRows, prepare_sparse
from dpgep_core.errors import DataError

N, D = 30, 40
VIEWS = (tuple(range(15)), tuple(range(15, D)))
PREPARATIONS = (
    Preprocessing(),
    Preprocessing(rows="clip", radius=2.0),
    Preprocessing(lower=0, upper=0.5),
    Preprocessing(lower=-0.3, upper=0.2, log1p=True),
    Preprocessing(lower=0.1, upper=0.8, log1p=(0, 3), rows="clip", radius=1.5),
    Preprocessing(lower=tuple([-1.0] * 20 + [0.5] * 20), upper=tuple([-0.5] * 20 + [0.5] * 20)),
    Preprocessing(views=VIEWS),
    Preprocessing(views=VIEWS, rows="clip", radius=0.5),
)


def table(extreme: bool = False) -> np.ndarray:
    """Rows with many zeros, an empty one among them; very large and very small ones where that is wanted."""
    rng = np.random.default_rng(3)
    X = rng.standard_normal((N, D)) * (rng.random((N, D)) < 0.2)
    X[4] = 0
    if extreme:
        X[:3] *= np.array([[1e200], [1e-200], [1e-310]])
    return X


def wide_csr() -> sparse.csr_array:
    return sparse.random_array((N, SPARSE_COLUMNS), density=0.01, rng=2, format="csr")


@pytest.mark.parametrize("preprocessing", PREPARATIONS)
@pytest.mark.parametrize("extreme", [False, True])
def test_preparation_is_that_of_dense_rows(preprocessing: Preprocessing, extreme: bool) -> None:
    X = table(extreme)
    found = prepare_sparse(SparseRows.of("", sparse.csr_array(X)), preprocessing)
    np.testing.assert_allclose(np.asarray(found), preprocessing.apply(X), rtol=1e-12, atol=1e-15)
    assert found.csr.nnz <= np.count_nonzero(X)


def longest(rows: SparseRows, preprocessing: Preprocessing) -> float:
    return float(np.linalg.norm(np.asarray(prepare_sparse(rows, preprocessing)), axis=1).max())


@pytest.mark.parametrize("preprocessing", PREPARATIONS)
def test_every_row_ends_in_the_unit_ball(preprocessing: Preprocessing) -> None:
    """What every sensitivity rests on, for stored entries in any order, some of them twice."""
    X = sparse.coo_array(table(extreme=True))
    twice = sparse.coo_array(
        (np.tile(X.data, 2)[::-1], (np.tile(X.row, 2)[::-1], np.tile(X.col, 2)[::-1])), shape=X.shape
    )
    rows = SparseRows.of("", twice)
    assert rows.csr.has_canonical_format
    assert longest(rows, preprocessing) <= 1 + 1e-12


def test_a_row_that_left_the_ball_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same check, with entries that are there twice and were not added up, and with rows that are not shortened."""
    doubled = sparse.csr_array((np.ones(4), np.array([0, 0, 1, 1]), np.array([0, 4])), shape=(1, D))
    assert longest(SparseRows(doubled), Preprocessing()) > 1.4
    assert longest(SparseRows.of("", doubled), Preprocessing()) == pytest.approx(1)
    monkeypatch.setattr(sparse_rows, "_shortened", lambda x, *_: x)
    assert longest(SparseRows.of("", sparse.csr_array(table())), Preprocessing()) > 1.4


def test_only_many_columns_stay_sparse() -> None:
    data = Dataset("few", "Few", sparse.csr_array(table()))
    assert isinstance(data.X, np.ndarray)
    wide = Dataset("wide", "Wide", wide_csr())
    assert wide.sparse
    assert wide.X.shape == (N, SPARSE_COLUMNS)
    part = split(wide, 0)
    assert isinstance(part.X, SparseRows)
    assert len(part.X) + len(part.X_test) == N
    np.testing.assert_array_equal(np.asarray(part.X[:3]), part.X.csr[:3].toarray())


def test_dense_copies_that_do_not_fit_are_refused() -> None:
    rows = SparseRows.of("", wide_csr())
    with limit_memory(1e5), pytest.raises(DataError, match=r"30 sparse rows of 5,000 columns made dense: would take"):
        np.asarray(rows)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_entries_are_finite(bad: float) -> None:
    X = table()
    X[7, 5] = bad
    with pytest.raises(DataError, match=f"row 7, column 5 is {bad}"):
        SparseRows.of("rows", sparse.csr_array(X))


def test_digests_tell_rows_apart() -> None:
    one, same, other = (Dataset("w", "W", wide_csr()) for _ in range(3))
    changed = wide_csr()
    changed.data[3] += 1
    other = Dataset("w", "W", changed)
    for digest in (dataset_digest, rows_digest):
        assert digest(one) == digest(same) != digest(other)


def test_a_column_that_numbers_the_rows_is_named() -> None:
    X = wide_csr().tolil()
    X[:, 17] = np.arange(N)[:, None]
    assert list(remarks(Dataset("w", "W", sparse.csr_array(X)))) == [
        "Column 17, counted from 0, numbers the rows: if it is no feature, leave it out, in a table by drop = [17]."
    ]


class TestFiles:
    def rows(self) -> tuple[sparse.csr_array, np.ndarray]:
        return wide_csr(), np.arange(N) % 3

    def test_libsvm_text(self, tmp_path: Path) -> None:
        from sklearn.datasets import dump_svmlight_file

        X, y = self.rows()
        X = sparse.csr_matrix(X + sparse.csr_array(([1.0], ([0], [SPARSE_COLUMNS - 1])), shape=X.shape))
        X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)  # as scikit-learn wants them
        dump_svmlight_file(X, y, str(tmp_path / "wide.svm"), zero_based=False)
        dump_svmlight_file(X[:5], y[:5], str(tmp_path / "wide_test.svm"), zero_based=False)
        found = open_dataset(str(tmp_path / "wide.svm"))
        assert isinstance(found.X, SparseRows)
        np.testing.assert_allclose(np.asarray(found.X), X.toarray(), rtol=1e-12)
        assert found.X_test is not None
        assert found.X_test.shape == (5, SPARSE_COLUMNS)

    def test_the_number_of_columns_is_declared(self, tmp_path: Path) -> None:
        """Of text, where columns without an entry leave no trace; what is stored with its columns is held to it."""
        (tmp_path / "thin.svm").write_text("0 1:1\n1 3:1\n0 1:1\n")
        (tmp_path / "thin.toml").write_text("classes = [0, 1]\ndeclared_d = 70000\n")
        found = open_dataset(str(tmp_path / "thin.svm"))
        assert isinstance(found.X, SparseRows)
        assert (found.d, found.learnt) == (70_000, ())
        sparse.save_npz(tmp_path / "stored.npz", wide_csr())
        (tmp_path / "stored.toml").write_text("declared_d = 70000\n")
        with pytest.raises(DataError, match="columns; declared_d = 70000 columns are needed"):
            open_dataset(str(tmp_path / "stored.npz"))
        (tmp_path / "thin.toml").write_text("declared_d = 2\n")
        with pytest.raises(DataError, match="the sidecar declares 2 columns"):
            open_dataset(str(tmp_path / "thin.svm"))

    @pytest.mark.parametrize("names", [True, False])
    def test_an_archive_of_scipy(self, names: bool, tmp_path: Path) -> None:
        X, y = self.rows()
        arrays = {"data": X.data, "indices": X.indices, "indptr": X.indptr, "shape": X.shape}
        test = {"data_test": X.data[: X.indptr[5]], "indices_test": X.indices[: X.indptr[5]]}
        test |= {"indptr_test": X.indptr[:6], "shape_test": np.array([5, X.shape[1]]), "y_test": y[:5]}
        np.savez(tmp_path / "wide.npz", **arrays, y=y, **(test if names else {}))
        found = open_dataset(str(tmp_path / "wide.npz"))
        np.testing.assert_array_equal(np.asarray(found.X), X.toarray())
        assert found.classes == ("0", "1", "2")
        if names:
            np.testing.assert_array_equal(np.asarray(found.X_test), X[:5].toarray())

    def test_what_save_npz_writes(self, tmp_path: Path) -> None:
        X, _ = self.rows()
        sparse.save_npz(tmp_path / "rows.npz", X)
        np.testing.assert_array_equal(np.asarray(open_dataset(str(tmp_path / "rows.npz")).X), X.toarray())
        sparse.save_npz(tmp_path / "few.npz", sparse.csr_array(table()))
        np.testing.assert_array_equal(open_dataset(str(tmp_path / "few.npz")).X, table())

    @pytest.mark.parametrize(
        ("change", "said"),
        [
            ({"indices": None}, "there is no array 'indices'"),
            ({"format": b"csc"}, "a sparse table of format"),
            ({"shape": (N, 10)}, "does not hold together"),
            ({"shape": (N, -1)}, "two whole numbers above 0"),
            ({"indptr": np.zeros(4, int)}, "does not hold together"),
            ({"indices": np.full(10**4, 10**7)}, "does not hold together"),
            ({"data": np.full(1500, np.nan)}, "is nan"),
        ],
    )
    def test_arrays_that_are_no_table(self, change: dict[str, object], said: str, tmp_path: Path) -> None:
        X, _ = self.rows()
        arrays = {"data": X.data, "indices": X.indices, "indptr": X.indptr, "shape": X.shape} | change
        np.savez(tmp_path / "wide.npz", **{name: each for name, each in arrays.items() if each is not None})
        with pytest.raises(DataError, match=said):
            open_dataset(str(tmp_path / "wide.npz"))
