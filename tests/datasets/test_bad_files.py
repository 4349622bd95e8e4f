"""Whatever is wrong with a file, the error is a `DataError` that names the file and says what is allowed."""

import gzip
import io
import zipfile

import numpy as np
import pandas as pd
import pytest

from dpgep_core.datasets.files import read_file
from dpgep_core.errors import DataError

from .wrappings import SIDECAR, WRITERS, idx, rows


def _refused(path, match):
    with pytest.raises(DataError, match=match) as caught:
        read_file(path)
    assert path.name in str(caught.value) or path.stem in str(caught.value)


def _npz(path, **arrays):
    np.savez(path, **arrays)
    return path


@pytest.mark.parametrize("writer", WRITERS.values(), ids=WRITERS)
@pytest.mark.parametrize("damage", ["empty", "cut", "noise"])
def test_damaged_files(tmp_path, writer, damage):
    """Text cut after a line is still a table, and nothing could tell; anything else must be refused."""
    writer(tmp_path, *rows())
    path = next(file for file in sorted(tmp_path.iterdir()) if "labels" not in file.name)
    whole = path.read_bytes()
    path.write_bytes({"empty": b"", "cut": whole[: len(whole) // 2 - 1], "noise": bytes(range(256)) * 4}[damage])
    if damage == "cut" and path.suffix in (".csv", ".libsvm", ".svm"):
        path.write_bytes(whole[: whole.rindex(b"\n", 0, len(whole) // 2) + 1])
        assert read_file(path).n < 20
    else:
        _refused(path, path.name)


@pytest.mark.parametrize("ending", [".npz", ".csv", ".csv.gz", ".parquet", ".libsvm"])
def test_a_missing_file(tmp_path, ending):
    _refused(tmp_path / f"gone{ending}", "cannot be read")


def test_an_unknown_ending(tmp_path):
    _refused(tmp_path / "a.xlsx", "one of .npz")


def test_pickled_arrays_are_never_loaded(tmp_path):
    """Unpickling runs code."""
    X = np.array([[1, "a"], [2, None]], dtype=object)
    _refused(_npz(tmp_path / "a.npz", X=X, y=np.arange(2)), "pickled")
    _refused(_npz(tmp_path / "b.npz", X=np.eye(2), y=np.array([{}, {}], dtype=object)), "pickled")


@pytest.mark.parametrize(
    ("arrays", "match"),
    [
        ({"data": np.eye(2)}, "no array 'X'"),
        ({"X": np.arange(4)}, "shape"),
        ({"X": np.zeros((2, 2, 2))}, "shape"),
        ({"X": np.zeros((1, 2))}, "at least 2 rows"),
        ({"X": np.zeros((2, 0))}, "1 column"),
        ({"X": np.array([["a", "b"], ["c", "d"]])}, "real numbers"),
        ({"X": np.eye(2) * 1j}, "real numbers"),
        (
            {"X": np.array([[1, np.nan], [1, 1]])},
            r'column 1, counted from 0, .* row 1 \(1 gap\); say missing = "drop"',
        ),
        ({"X": np.array([[1, 1], [-np.inf, 1]])}, "column 0, counted from 0, is -inf in row 2"),
        ({"X": np.eye(2), "y": np.arange(3)}, r"\(3,\) labels for 2 rows"),
        ({"X": np.eye(2), "y": np.eye(2)}, "labels of shape"),
        ({"X": np.eye(2), "y": np.array([0.5, 1])}, "label 0.5 is not a class"),
        ({"X": np.eye(2), "y": np.array([0, np.nan])}, "label of row 2 is nan"),
        ({"X": np.eye(2), "y": np.array([0, 1j])}, "labels of type complex128"),
        ({"X": np.eye(2), "y": np.arange(2), "X_test": np.eye(2)}, "no array 'y_test'"),
        ({"X": np.eye(2), "y": np.arange(2), "y_test": np.arange(2)}, "without 'X_test'"),
        ({"X": np.eye(2), "y": [0, 1], "X_test": np.eye(3), "y_test": [0, 1, 1]}, "3 columns"),
        (
            {"X": np.eye(2), "y": [0, 1], "X_test": np.full((2, 2), np.nan), "y_test": [0, 1]},
            "test split: column 0, .* every row",
        ),
    ],
)
def test_arrays_that_are_no_data_set(tmp_path, arrays, match):
    _refused(_npz(tmp_path / "a.npz", **arrays), match)


def test_too_many_classes_are_no_classes(tmp_path):
    path = _npz(tmp_path / "a.npz", X=np.ones((2_000, 1)), y=np.arange(2_000))
    _refused(path, "2000 distinct labels; 1000 at most")


def test_one_class_alone_is_no_error_of_the_file(tmp_path):
    """Models that need two say so themselves; others do not."""
    assert read_file(_npz(tmp_path / "a.npz", X=np.eye(2), y=np.zeros(2, int))).n_classes == 1


def test_an_array_in_a_plain_file_is_no_archive(tmp_path):
    with (tmp_path / "a.npz").open("wb") as file:
        np.save(file, np.eye(3))
    _refused(tmp_path / "a.npz", "those of a NumPy array")


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("a,b,y\n1,red,0\n2,3,1\n", "column 'b'.*'red'"),
        ("a,b,y\n1,2,0\n2,blue,1\n", "column 'b'.*'blue'"),
        ("a,b,y\n1,2,0\n2,,1\n", "column 'b' is empty in row 2"),
        ("a,b,y\n1,2,0\n2,inf,1\n", "column 'b' is inf in row 2"),
        ("a,b,y\n1,2,0\n2,3\n", "line 3 has 2 fields; 3 as in the first row"),
        ("a,b,y\n1,2,0\n2,3,4,5\n", "line 3 has 4 fields; 3 as in the first row"),
        ("a,b,y\n1,2,\n2,3,4\n", "row 1 has no label"),
        ("a,b,y\n1,2,.5\n2,3,4\n", "label 0.5 is not a class"),
        ("a,b,y\n", "no rows"),
        ("a,b,y\n1,2,0\n", "at least 2 rows"),
        ("only\n1\n2\n", "fewer than 2 fields"),
        ("\n\n", "fewer than 2 fields"),
    ],
)
def test_tables_that_are_no_data_set(tmp_path, text, match):
    (tmp_path / "a.csv").write_text(text)
    _refused(tmp_path / "a.csv", match)


def test_parquet_columns_of_text_and_gaps_are_named(tmp_path):
    pd.DataFrame({"a": [1, 2], "b": ["x", "y"], "y": [0, 1]}).to_parquet(tmp_path / "a.parquet")
    _refused(tmp_path / "a.parquet", "column 'b' holds 'x' in row 1")
    pd.DataFrame({"a": pd.array([1, None], "Int64"), "y": [0, 1]}).to_parquet(tmp_path / "b.parquet")
    _refused(tmp_path / "b.parquet", "column 'a' is empty in row 2")
    pd.DataFrame({"y": [0, 1]}).to_parquet(tmp_path / "c.parquet")
    _refused(tmp_path / "c.parquet", "no column of numbers")


@pytest.mark.parametrize(
    ("text", "match"),
    [
        (
            "1 0:1\n-1 1:2\n",
            "line 1: index 0: .*as scikit-learn writes them; say zero_based = true",
        ),
        ("cat 1:1\ndog 1:2\n", "line 1: label 'cat' is no number"),
        ("1 1:1\n-1 1:nan\n", "column 0, counted from 0, is empty in row 2"),
        ("1 99999999999:1\n-1 1:1\n", "line 1: index '99999999999'; column numbers from 1 to"),
        ("1 2000000000:1\n-1 1:300\n", "in memory"),
    ],
)
def test_sparse_text_that_is_no_data_set(tmp_path, monkeypatch, text, match):
    monkeypatch.setattr("dpgep_core.datasets.readers.source.memory_limit", lambda: 10**8)
    (tmp_path / "a.libsvm").write_text(text)
    _refused(tmp_path / "a.libsvm", match)


def test_images_need_their_labels_and_as_many(tmp_path):
    images, labels = tmp_path / "a-images-idx3-ubyte", tmp_path / "a-labels-idx1-ubyte"
    images.write_bytes(idx(np.zeros((3, 2, 2), np.uint8), 0x08))
    _refused(images, "no labels-idx1-ubyte file beside it")
    labels.write_bytes(idx(np.zeros(2, np.uint8), 0x08))
    _refused(images, r"\(2,\) labels for 3 rows")
    labels.write_bytes(b"\x00\x00\x77\x01" + b"\x00" * 8)
    with pytest.raises(DataError, match=r"labels.*first bytes"):
        read_file(images)


class TestMemory:
    """Sizes are checked before anything is unpacked."""

    @pytest.fixture(autouse=True)
    def _little_memory(self, monkeypatch):
        monkeypatch.setattr("dpgep_core.datasets.readers.source.memory_limit", lambda: 5_000)

    def test_archive(self, tmp_path):
        np.savez_compressed(tmp_path / "a.npz", X=np.zeros((100, 100), np.uint8))
        _refused(tmp_path / "a.npz", "would take 0.0 MB in memory; at most 0.0 MB")

    def test_archive_whose_header_promises_more_than_it_holds(self, tmp_path):
        header = io.BytesIO()
        np.lib.format.write_array_header_1_0(header, {"descr": "|u1", "fortran_order": False, "shape": (10**9, 10**9)})
        with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
            archive.writestr("X.npy", header.getvalue())
        _refused(tmp_path / "a.npz", "in memory")

    def test_packed_table_that_unpacks_to_much_more(self, tmp_path):
        (tmp_path / "a.csv.gz").write_bytes(gzip.compress(b"a,b,y\n" + b"1,2,0\n" * 100_000))
        _refused(tmp_path / "a.csv.gz", "in memory")

    def test_packed_images_that_promise_much(self, tmp_path):
        (tmp_path / "a-images-idx3-ubyte.gz").write_bytes(gzip.compress(idx(np.zeros((2, 99, 99), np.uint8), 0x08)))
        _refused(tmp_path / "a-images-idx3-ubyte.gz", "in memory")

    def test_columnar_table(self, tmp_path):
        pd.DataFrame({"a": np.zeros(10_000), "y": 0}).to_parquet(tmp_path / "a.parquet")
        _refused(tmp_path / "a.parquet", "in memory")

    def test_sparse_text_that_is_dense_in_memory(self, tmp_path):
        (tmp_path / "a.libsvm").write_text("1 9999:1\n0 1:1\n")
        _refused(tmp_path / "a.libsvm", "in memory")


@pytest.mark.parametrize(
    ("toml", "match"),
    [
        ("title = ", "cannot be read"),
        ("title = 3", "title = 3; a text"),
        ("classes = 3", "classes = 3; a list"),
        ("classes = [1, 1]", "repeats"),
        ('classes = ["1", "1.0"]', "repeat one"),
        ("classes = [1, 2]", "label -1 of row 2 is not declared; the declared classes are 1, 2"),
        ('class_names = ["a"]', "1 class name; one for each of 2"),
        ('classes = [-1, 1]\nclass_names = ["a"]', "1 class_names"),
        ("label = 1.5", "label = 1.5"),
        ('label = "income"', "no label array 'income'"),
        ("image_shape = [2, 3]", "for 4 columns"),
        ('image_shape = "2x2"', "image_shape = '2x2'"),
        ('feature_names = ["a"]', "1 feature name"),
        ("columns = 3", "columns = 3"),
        ("[columns]\nlower = 0", "given together"),
        ("[columns]\nlower = 2\nupper = 1", "at most upper"),
        ("[columns]\nlower = [0, 0]\nupper = [1, 1]", "lower = 2 numbers.*4 columns"),
        ('[columns]\nlower = "a"\nupper = 1', "columns.lower = 'a'"),
        ("[columns]\nlower = nan\nupper = 1", "columns.lower"),
        ("[columns]\nlower = []\nupper = 1", "columns.lower"),
        ("[columns]\nlog1p = [9]", "log1p"),
        ('[columns]\nlog1p = "yes"', "columns.log1p = 'yes'"),
        ("[columns]\nlowest = 1", "no key columns.lowest; lower, upper, log1p"),
        ("[rows]\nradius = -1", "radius = -1"),
        ('[rows]\nrows = "whole"', "rows = 'whole'"),
        ("clases = [1]", "did you mean 'classes'"),
    ],
)
def test_sidecars_that_say_something_impossible(tmp_path, toml, match):
    WRITERS["npz"](tmp_path, *rows())
    (tmp_path / "toy.toml").write_text(toml)
    _refused(tmp_path / "toy.npz", match)


def test_a_sidecar_of_bytes_that_are_no_text(tmp_path):
    WRITERS["npz"](tmp_path, *rows())
    (tmp_path / "toy.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DataError, match=r"toy\.toml: cannot be read"):
        read_file(tmp_path / "toy.npz")


def test_a_sidecar_may_hold_remarks_and_declare_rows(tmp_path):
    WRITERS["npz"](tmp_path, *rows())
    (tmp_path / "toy.toml").write_text('url = "https://example.org"\n' + SIDECAR + "[rows]\nradius = 4\n")
    preprocessing = read_file(tmp_path / "toy.npz").preprocessing
    assert (preprocessing.rows, preprocessing.radius, preprocessing.upper) == ("clip", 4.0, 9.0)
