"""A folder of files is the data set that one file with the same rows in the same order is."""

import json

import fsspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpgep_core.cli import main
from dpgep_core.datasets import dataset_names, load_dataset, open_dataset
from dpgep_core.datasets.digests import dataset_digest
from dpgep_core.datasets.readers import parts as parts_module
from dpgep_core.errors import DataError, UnknownNameError

SIDECAR = 'label = "kind"\nclasses = ["a", "b", "c"]\n[columns]\nlower = 0\nupper = 40\n'


def _table(rows=60):
    t = np.arange(rows)
    numbers = {f"c{j}": ((t * (j + 3)) % 37).astype(np.float32) for j in range(4)}
    return pa.table({**numbers, "kind": [("a", "b", "c")[k] for k in (t * t) % 3]})


def _write(folder, table, sizes, ending=".parquet"):
    folder.mkdir(parents=True)
    first = 0
    for number, size in enumerate(sizes):
        _write_one(folder / f"part-{number:02}{ending}", table.slice(first, size), ending)
        first += size
    assert first == table.num_rows


def _write_one(path, table, ending):
    pq.write_table(table, path) if ending == ".parquet" else table.to_pandas().to_csv(path, index=False)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("DPGEP_DATA_DIR", str(tmp_path))
    return tmp_path


def _both(folder, ending):
    table = _table()
    _write(folder / "many", table, (7, 33, 20), ending)
    _write_one(folder / f"one{ending}", table, ending)
    for name in ("many", "one"):
        (folder / f"{name}.toml").write_text(SIDECAR)
    return load_dataset("many"), load_dataset("one")


@pytest.mark.parametrize("ending", [".parquet", ".csv", ".csv.gz"])
def test_rows_labels_and_declarations_are_those_of_one_file(folder, ending):
    many, one = _both(folder, ending)
    assert dataset_names()[-2:] == ["many", "one"]
    assert dataset_digest(many) == dataset_digest(one)
    assert (many.X.dtype, many.classes, many.feature_names) == (one.X.dtype, one.classes, one.feature_names)


def test_the_answer_of_a_command_is_that_of_one_file(folder, capsys):
    _both(folder, ".parquet")
    reports = []
    for name in ("many", "one", str(folder / "many")):
        assert main(["solve", "--dataset", name, "--json"]) == 0
        reports.append(json.loads(capsys.readouterr().out))
    assert reports[0]["metrics"] == reports[1]["metrics"] == reports[2]["metrics"]
    assert [report["dataset"] for report in reports] == ["many", "one", "many"]


def test_files_stand_in_the_order_of_their_names(folder):
    table = _table(6)
    (folder / "many").mkdir()
    for name, first in (("b", 2), ("a", 0), ("c", 4)):
        pq.write_table(table.slice(first, 2), folder / "many" / f"{name}.parquet")
    assert load_dataset("many").X[:, 0].tolist() == table["c0"].to_pylist()


def test_another_order_of_rows_is_another_data_set(folder):
    many, _ = _both(folder, ".parquet")
    (folder / "many" / "part-00.parquet").rename(folder / "many" / "part-09.parquet")
    assert load_dataset("many") is not many
    assert not np.array_equal(load_dataset("many").X, many.X)


def test_whole_numbers_of_two_widths_become_the_wider(folder):
    (folder / "many").mkdir()
    for name, kind in (("a", pa.int32()), ("b", pa.int64())):
        pq.write_table(pa.table({"u": pa.array([1, 2], kind), "y": ["p", "q"]}), folder / "many" / f"{name}.parquet")
    assert load_dataset("many").X.dtype == np.int64


def test_other_columns_in_one_file_are_refused_by_its_name(folder):
    _write(folder / "many", _table(), (30, 30))
    pq.write_table(_table(5).rename_columns(["c0", "c1", "odd", "c3", "kind"]), folder / "many" / "z.parquet")
    with pytest.raises(DataError, match=r"z\.parquet: its columns are .*'odd'.*part-00\.parquet"):
        load_dataset("many")


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda folder: (folder / "in").mkdir(), "folder 'in'"),
        (lambda _: None, "no data files"),
        (lambda folder: [(folder / f"x{e}").write_text("a,b\n1,2\n") for e in (".csv", ".parquet")], "one format"),
    ],
)
def test_what_is_no_table_is_refused(tmp_path, make, says):
    (tmp_path / "odd").mkdir()
    make(tmp_path / "odd")
    with pytest.raises(DataError, match=says):
        open_dataset(str(tmp_path / "odd"))


def test_folders_without_data_files_and_hidden_files_are_passed_over(folder):
    (folder / "notes").mkdir()
    (folder / "notes" / "readme.md").write_text("")
    _write(folder / "many", _table(), (60,))
    for name in ("_SUCCESS", "_half.parquet", ".part-00.parquet.crc", "notes.txt"):
        (folder / "many" / name).write_bytes(b"")
    assert dataset_names()[-1:] == ["many"]
    assert load_dataset("many").n == 60


def test_a_file_keeps_its_name_beside_a_folder(folder):
    _write(folder / "one", _table(), (60,))
    pq.write_table(_table(20), folder / "one.parquet")
    assert dataset_names()[-2:] == ["one", "one_parts"]
    assert (load_dataset("one").n, load_dataset("one_parts").n) == (20, 60)


def test_a_file_that_changes_while_it_is_read_is_named(folder, monkeypatch):
    _write(folder / "many", _table(), (30, 30))
    open_part = parts_module.Part.content.fget

    def content(part):
        found = open_part(part)
        if part.name == "part-01.parquet":
            pq.write_table(_table(31), part.address)
        return found

    monkeypatch.setattr(parts_module.Part, "content", property(content))
    with pytest.raises(DataError, match=r"part-01\.parquet: it changed while the folder was read"):
        load_dataset("many")


def test_a_path_that_is_not_there_is_an_error_that_names_it(folder):
    with pytest.raises(DataError, match="nowhere"):
        open_dataset(str(folder / "nowhere"))
    with pytest.raises(UnknownNameError):
        open_dataset("nowhere")


def test_a_url_that_fsspec_knows_is_a_folder_too(folder):
    many, _ = _both(folder, ".parquet")
    memory = fsspec.filesystem("memory")
    memory.put(str(folder / "many"), "/large/many", recursive=True)
    memory.pipe("/large/many.toml", SIDECAR.encode())
    try:
        assert dataset_digest(open_dataset("memory://large/many")) == dataset_digest(many)
    finally:
        memory.rm("/large", recursive=True)


def test_the_command_line_names_a_folder_that_cannot_be_used(folder, capsys):
    (folder / "odd").mkdir()
    assert main(["solve", "--dataset", str(folder / "odd")]) == 2
    assert "odd: it holds no data files" in capsys.readouterr().err
