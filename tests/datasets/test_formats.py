"""What a file holds comes out the same from every format, in the type it is stored in."""

import numpy as np
import pandas as pd
import pytest

from dpgep_core.datasets import dataset_names, dataset_title, load_dataset
from dpgep_core.datasets.files import read_file

from .wrappings import WRITERS, rows, sidecar, write_libsvm


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("DPGEP_DATA_DIR", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("writer", WRITERS.values(), ids=WRITERS)
def test_same_numbers_in_any_wrapping(folder, writer):
    X, y = rows()
    writer(folder, X, y)
    (folder / "toy.toml").write_text(sidecar(writer))
    dataset = load_dataset("toy")
    assert np.array_equal(dataset.X, X)
    assert dataset.X.dtype == np.uint8
    assert dataset.X.flags.c_contiguous
    assert np.array_equal(dataset.y, (y > 0).astype(int))
    assert dataset.classes == ("no", "yes")
    assert dataset.classes_declared
    assert dataset.title == dataset_title("toy") == "Toy"
    assert (dataset.preprocessing.lower, dataset.preprocessing.upper) == (0.0, 9.0)


@pytest.mark.parametrize("writer", WRITERS.values(), ids=WRITERS)
def test_without_a_sidecar_classes_are_read_off_the_rows_and_said_to_be(folder, writer):
    X, y = rows()
    writer(folder, X, y)
    dataset = load_dataset("toy")
    assert dataset.classes == ("-1", "1")
    assert not dataset.classes_declared
    assert np.array_equal(dataset.X, X)
    assert np.array_equal(dataset.y, (y > 0).astype(int))


@pytest.mark.parametrize("name", ["npz", "csv", "csv.gz without header", "libsvm", "parquet"])
def test_floats_keep_their_last_bit(folder, name):
    X = np.random.default_rng(0).standard_normal((20, 4)) * 10.0 ** np.arange(-2, 2)
    WRITERS[name](folder, X, rows()[1])
    assert np.array_equal(load_dataset("toy").X, X)


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.float32, np.float64, np.bool_])
def test_arrays_keep_their_type(folder, dtype):
    X, y = rows()
    np.savez_compressed(folder / "toy.npz", X=X.astype(dtype), y=y)
    assert load_dataset("toy").X.dtype == dtype


def test_fortran_order_does_not_show(folder):
    X, y = rows()
    np.savez(folder / "toy.npz", X=np.asfortranarray(X), y=y)
    assert load_dataset("toy").X.flags.c_contiguous


def test_an_archive_may_bring_its_test_split_and_names(folder):
    X, y = rows()
    np.savez(folder / "toy.npz", X=X, y=y, X_test=X[:5], y_test=y[:5], feature_names=np.array(list("abcd")))
    dataset = load_dataset("toy")
    assert np.array_equal(dataset.X_test, X[:5])
    assert np.array_equal(dataset.y_test, (y[:5] > 0).astype(int))
    assert dataset.feature_names == ("a", "b", "c", "d")


def test_an_archive_without_labels_has_no_classes(folder):
    np.savez(folder / "toy.npz", X=rows()[0])
    assert load_dataset("toy").y is None
    assert load_dataset("toy").n_classes == 0


def test_libsvm_test_split_and_columns_that_are_zero_everywhere(folder):
    """Zero columns leave no trace in the file, but the declared bounds count them."""
    X, y = rows()
    X[:, 3] = 0
    write_libsvm(folder, X, y)
    (folder / "toy.libsvm").rename(folder / "toy_test.libsvm")
    write_libsvm(folder, X, y)
    (folder / "toy.toml").write_text("[columns]\nlower = [0, 0, 0, 0]\nupper = [9, 9, 9, 9]\n")
    dataset = load_dataset("toy")
    assert "toy_test" not in dataset_names()
    assert np.array_equal(dataset.X_test, X)
    assert dataset.d == 4


def test_idx_images_know_their_shape(folder):
    WRITERS["idx"](folder, *rows())
    assert load_dataset("toy").image_shape == (2, 2)


@pytest.mark.parametrize("column", ["y", "label", "Class", " target"])
def test_usual_names_of_label_columns_are_known(tmp_path, column):
    (tmp_path / "a.csv").write_text(f"{column},b,c\nu,1,2\nv,3,4\n")
    dataset = read_file(tmp_path / "a.csv")
    assert dataset.classes == ("u", "v")
    assert dataset.feature_names == ("b", "c")


@pytest.mark.parametrize(("label", "classes"), [('"b"', ("1", "3")), ("0", ("0", "8")), ('"c"', ("2", "4"))])
def test_the_label_column_may_be_declared_by_name_or_number(tmp_path, label, classes):
    (tmp_path / "a.csv").write_text("y,b,c\n8,1,2\n0,3,4\n")
    (tmp_path / "a.toml").write_text(f"label = {label}")
    assert read_file(tmp_path / "a.csv").classes == classes


def test_an_empty_label_says_that_there_are_none(tmp_path):
    (tmp_path / "a.csv").write_text("a,b\n0.5,1.25\n2,3\n")
    (tmp_path / "a.toml").write_text('label = ""')
    dataset = read_file(tmp_path / "a.csv")
    assert dataset.y is None
    assert dataset.X.tolist() == [[0.5, 1.25], [2, 3]]


@pytest.mark.parametrize(
    "text",
    [
        "a,b,kind\n1,2,cat\n3,4,NA\n",
        "1,2,cat\n3,4,NA\n",
        "\ufeffa,b,kind\r\n1,2,cat\r\n3,4,NA\r\n",
        "a;b;kind\n1;2;cat\n3;4;NA\n",
        "a\tb\tkind\n1\t2\tcat\n3\t4\tNA\n",
        '"a","b","kind"\n1, 2,"cat"\n"3", 4,"NA"\n',
        "7,8,label\n1,2,cat\n3,4,NA\n",
    ],
    ids=["header", "bare", "byte order mark", "semicolons", "tabs", "quotes", "numbers as names"],
)
def test_ways_to_write_a_table(tmp_path, text):
    (tmp_path / "a.csv").write_text(text, encoding="utf-8")
    dataset = read_file(tmp_path / "a.csv")
    assert dataset.X.tolist() == [[1, 2], [3, 4]]
    assert dataset.y.tolist() == [1, 0]
    assert dataset.classes == ("NA", "cat")


def test_a_column_may_turn_from_whole_numbers_to_fractions_late(tmp_path):
    """Types guessed from the first block of a long file would fail there."""
    lines = "1,2,0\n" * 1_200_000 + "1.5,2,1\n"
    (tmp_path / "a.csv").write_text(lines)
    dataset = read_file(tmp_path / "a.csv")
    assert dataset.n == 1_200_001
    assert dataset.X[-1].tolist() == [1.5, 2]


def test_parquet_knows_categories_truth_values_and_row_names(tmp_path):
    frame = pd.DataFrame({"a": [True, False], "b": np.array([1, 2], np.int8), "label": ["u", "v"]}, index=[5, 9])
    frame.astype({"label": "category"}).to_parquet(tmp_path / "a.parquet")
    dataset = read_file(tmp_path / "a.parquet")
    assert dataset.X.tolist() == [[1, 1], [0, 2]]
    assert dataset.classes == ("u", "v")


@pytest.mark.parametrize(
    "labels",
    [np.array([1.0, 2.0, 10.0]), np.array(["1", "2", "10"]), np.array([b"1", b"2", b"10"]), np.array([1, 2, 10])],
    ids=["floats", "texts", "bytes", "whole numbers"],
)
def test_labels_are_numbers_wherever_they_look_like_numbers(folder, labels):
    np.savez(folder / "toy.npz", X=np.eye(3), y=labels)
    assert load_dataset("toy").classes == ("1", "2", "10")


def test_declared_classes_give_the_order_of_the_codes(folder):
    np.savez(folder / "toy.npz", X=np.eye(3), y=np.array([3, 1, 3]))
    (folder / "toy.toml").write_text("classes = [3, 2, 1]")
    assert load_dataset("toy").y.tolist() == [0, 2, 0]
    assert load_dataset("toy").classes == ("3", "2", "1")
