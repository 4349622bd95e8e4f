"""Names that the files of a folder get, and when the files are read again."""

import os

import numpy as np
import pytest

from dpgep_core.datasets import dataset_names, dataset_title, load_dataset
from dpgep_core.errors import DataError, ParameterError, UnknownNameError

from .wrappings import rows, write_csv, write_idx, write_npz

N_BUNDLED = 11


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("DPGEP_DATA_DIR", str(tmp_path))
    return tmp_path


def _own_names():
    return dataset_names()[N_BUNDLED:]


def test_the_folder_is_looked_up_at_each_call(folder, monkeypatch):
    write_npz(folder, *rows())
    assert _own_names() == ["toy"]
    monkeypatch.delenv("DPGEP_DATA_DIR")
    assert _own_names() == []
    with pytest.raises(UnknownNameError):
        load_dataset("toy")


def test_a_file_named_like_a_bundled_set_gets_a_suffix(folder):
    write_npz(folder, *rows())
    (folder / "toy.npz").rename(folder / "wine.npz")
    assert _own_names() == ["wine_folder"]
    assert load_dataset("wine").n == 178
    assert load_dataset("wine_folder").n == 20


def test_files_of_the_same_name_are_all_reachable(folder):
    write_npz(folder, *rows())
    write_csv(folder, *rows())
    write_idx(folder, *rows())
    assert _own_names() == ["toy", "toy_csv", "toy_idx"]
    assert all(np.array_equal(load_dataset(name).X, rows()[0]) for name in _own_names())


def test_no_second_name_takes_the_own_name_of_another_file(folder):
    write_npz(folder, *rows())
    write_csv(folder, *rows())
    np.savez(folder / "toy_csv.npz", X=np.eye(3), y=[0, 1, 1])
    assert _own_names() == ["toy", "toy_csv", "toy_csv_csv"]
    assert load_dataset("toy_csv").n == 3


def test_other_files_are_passed_over(folder):
    for name in ("notes.txt", "toy.toml", ".hidden.npz", ".npz", "lonely-labels-idx1-ubyte"):
        (folder / name).write_bytes(b"")
    (folder / "inner").mkdir()
    assert _own_names() == []


def test_one_broken_file_keeps_no_other_from_being_listed_or_loaded(folder):
    write_npz(folder, *rows())
    (folder / "bad.npz").write_bytes(b"no archive")
    (folder / "worse.csv").write_bytes(b"")
    (folder / "worse.toml").write_text("title = ")
    assert _own_names() == ["bad", "toy", "worse"]
    assert dataset_title("worse") == "worse"
    assert load_dataset("toy").n == 20
    for name in ("bad", "worse"):
        with pytest.raises(DataError, match=name):
            load_dataset(name)


def test_names_and_titles_load_no_rows(folder, monkeypatch):
    write_npz(folder, *rows())
    monkeypatch.setattr("dpgep_core.datasets.entries.read_file", None)
    monkeypatch.setattr("dpgep_core.datasets.bundled.load_mnist", None)
    assert dataset_title(dataset_names()[0]) == "MNIST handwritten digits"
    assert dataset_title("toy") == "toy"


def test_a_changed_file_is_read_again_and_an_unchanged_one_is_not(folder):
    write_npz(folder, *rows())
    first = load_dataset("toy")
    assert load_dataset("toy") is first
    np.savez(folder / "toy.npz", X=np.eye(3), y=[0, 1, 1])
    assert load_dataset("toy").n == 3


def test_a_changed_sidecar_is_read_again(folder):
    write_npz(folder, *rows())
    assert load_dataset("toy").title == "toy"
    (folder / "toy.toml").write_text('title = "Now with a title"')
    assert load_dataset("toy").title == "Now with a title"


def test_labels_beside_images_count_as_part_of_the_set(folder):
    write_idx(folder, *rows())
    first = load_dataset("toy")
    os.utime(folder / "toy-labels-idx1-ubyte", ns=(1, 1))
    assert load_dataset("toy") is not first


@pytest.mark.parametrize("value", ["/no/such/folder", __file__])
def test_a_folder_that_is_none_is_named_but_bundled_sets_still_load(monkeypatch, value):
    monkeypatch.setenv("DPGEP_DATA_DIR", value)
    with pytest.raises(ParameterError, match="DPGEP_DATA_DIR must be an existing folder"):
        dataset_names()
    with pytest.raises(ParameterError, match="DPGEP_DATA_DIR"):
        load_dataset("a9a")
    assert load_dataset("wine").n == 178


def test_a_folder_may_be_named_from_the_home_folder(folder, monkeypatch):
    write_idx(folder, *rows())
    monkeypatch.setenv("HOME", str(folder.parent))
    monkeypatch.setenv("DPGEP_DATA_DIR", f"~/{folder.name}")
    assert "toy" in dataset_names()


def test_a_home_folder_of_nobody_is_refused_in_words(monkeypatch):
    monkeypatch.setenv("DPGEP_DATA_DIR", "~nobody-of-this-name/data")
    with pytest.raises(ParameterError, match="DPGEP_DATA_DIR must be a path that can be looked up"):
        dataset_names()


@pytest.mark.parametrize("name", ["../toy", "toy.npz", "./toy", "/etc/passwd"])
def test_names_are_no_paths(folder, name):
    write_npz(folder, *rows())
    with pytest.raises(UnknownNameError):
        load_dataset(name)
