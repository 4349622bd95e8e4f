"""What a sidecar declares is honoured or refused, in every format; what nobody declared is said."""

import io

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import dump_svmlight_file

from dpgep_core import solve
from dpgep_core.datasets.files import read_file
from dpgep_core.datasets.readers.sidecar import parse_sidecar
from dpgep_core.datasets.remarks import counts_rows, remarks
from dpgep_core.errors import DataError

from .wrappings import idx

FRAME = pd.DataFrame({"a": [1.0, 2, 4], "b": [4, 5, 7], "kind": ["u", "v", "u"], "score": [0.5, 1.5, 2.5]})


def written(folder, ending, frame=FRAME, **options):
    """One table in each format, its labels where the format has them."""
    path = folder / f"toy{ending}"
    X, y = np.array([[1, 4], [2, 5], [4, 7]], np.uint8), np.array([0, 1, 0], np.uint8)
    if ending == ".csv":
        frame.to_csv(path, index=options.get("index", False))
    elif ending == ".parquet":
        frame.to_parquet(path)
    elif ending == ".npz":
        np.savez(path, X=X, y=y)
    elif ending == ".libsvm":
        path.write_text("0 1:1 2:4\n1 1:2 2:5\n0 1:4 2:7\n")
    else:
        path = folder / "toy-images-idx3-ubyte"
        path.write_bytes(idx(X.reshape(3, 1, 2), 0x08))
        (folder / "toy-labels-idx1-ubyte").write_bytes(idx(y, 0x08))
    return path


TABLES, ARRAYS = (".csv", ".parquet"), (".npz", ".libsvm", "-images-idx3-ubyte")
UNMET = [
    *((ending, 'label = "y"\ndrop = ["kind", "score"]', "no label column 'y'; the columns are") for ending in TABLES),
    *((ending, 'label = "income"', "no label column 'income'") for ending in TABLES),
    *((ending, "label = 7", "no label column 7; columns 0 to 3") for ending in TABLES),
    *((ending, '[response]\ncolumn = "pay"', "no label column 'pay'") for ending in TABLES),
    *((ending, 'label = "kind"\ndrop = ["pay"]', "drop: there is no column 'pay'") for ending in TABLES),
    *((ending, 'label = "kind"\nclasses = ["u", "w"]', "label 'v' of row 2 is not declared") for ending in TABLES),
    *((ending, 'label = "kind"\nviews = [[0, 1], [7]]', "share out columns 0 to 2") for ending in TABLES),
    *((ending, 'label = "kind"\n[[text]]\ncolumn = "hue"\ncategories = ["x"]', "no column 'hue'") for ending in TABLES),
    *((ending, 'label = ""\ndrop = ["kind"]\nclasses = ["u"]', "there are no labels") for ending in TABLES),
    *((ending, 'label = "kind"\n[reading]\nzero_based = true', "reading.zero_based is declared") for ending in TABLES),
    (".parquet", 'label = "kind"\n[reading]\ndelimiter = ";"', "reading.delimiter is declared, which Parquet cannot"),
    (".npz", 'label = "z"', "there is no label array 'z'"),
    (".npz", "label = 1", "arrays have names, not numbers"),
    (".npz", '[response]\ncolumn = "z"', "there is no label array 'z'"),
    (".libsvm", 'label = "kind"', "no label 'kind': the label of LIBSVM text is the first field"),
    (".libsvm", "label = 3", "there is no label 3"),
    ("-images-idx3-ubyte", 'label = "kind"', "no label 'kind': the labels of IDX images are in a file of their own"),
    *((ending, "drop = [0]", "drop is declared, which") for ending in ARRAYS),
    *((ending, '[[text]]\ncolumn = 0\ncategories = ["x"]', "text is declared, which") for ending in ARRAYS),
    *((ending, '[reading]\ndecimal = ","', "reading.decimal is declared, which") for ending in ARRAYS),
    *((ending, 'label = ""\nclasses = ["0", "1"]', "there are no labels") for ending in ARRAYS),
]


@pytest.mark.parametrize(("ending", "toml", "says"), UNMET)
def test_a_declaration_that_cannot_be_honoured_is_refused(tmp_path, ending, toml, says):
    path = written(tmp_path, ending)
    (tmp_path / "toy.toml").write_text(toml)
    with pytest.raises(DataError) as caught:
        read_file(path)
    assert says in str(caught.value)


def test_without_a_header_no_column_has_the_name(tmp_path):
    (tmp_path / "toy.csv").write_text("1,4,0\n2,5,1\n4,7,0\n")
    (tmp_path / "toy.toml").write_text('label = "y"')
    with pytest.raises(DataError, match="no line names the columns; a number from 0 to 2"):
        read_file(tmp_path / "toy.csv")


@pytest.mark.parametrize("ending", ARRAYS)
def test_where_labels_have_no_name_y_means_them(tmp_path, ending):
    path = written(tmp_path, ending)
    (tmp_path / "toy.toml").write_text('label = "y"')
    assert read_file(path).y.tolist() == [0, 1, 0]


@pytest.mark.parametrize("toml", ['label = "kind"', ""])
def test_of_two_label_columns_none_is_taken(tmp_path, toml):
    name = "kind" if toml else "y"
    (tmp_path / "toy.csv").write_text(f"{name},a,{name}\nu,1,v\nw,2,u\n")
    (tmp_path / "toy.toml").write_text(toml)
    with pytest.raises(DataError, match=rf"label: columns \[0, 2\] are all called '{name}'"):
        read_file(tmp_path / "toy.csv")


@pytest.mark.parametrize("key", ["decimal", "missing", "zero_based", "lower", "log1p", "radius", "edges"])
def test_a_key_of_a_section_at_the_top_is_no_remark(key):
    with pytest.raises(DataError, match=rf"there is no key '{key}' at the top; it belongs under \["):
        parse_sidecar("a.toml", {key: 1})


class TestRowNames:
    """A column that by its name numbers the rows is no feature, and every release says that it was left out."""

    @pytest.mark.parametrize("name", ["", "Unnamed: 0", "Unnamed: 0.1"])
    def test_in_text(self, tmp_path, name):
        (tmp_path / "toy.csv").write_text(f"{name},a,y\n" + "".join(f"{i},{i % 3},{int(i > 15)}\n" for i in range(30)))
        dataset = read_file(tmp_path / "toy.csv")
        assert dataset.feature_names == ("a",)
        said = f"Column {name!r} (number 0, counted from 0) is left out: a first column without a name holds row names."
        assert dataset.notes == (said,)
        assert said in solve(dataset, "pca", "ssp", seed=0).warnings

    @pytest.mark.parametrize("name", [None, "pid", "index"])
    def test_in_parquet(self, tmp_path, name):
        frame = pd.DataFrame({"a": [1, 2, 4], "y": [0, 1, 1]}, index=pd.Index([5, 3, 4], name=name))
        frame.to_parquet(tmp_path / "toy.parquet")
        dataset = read_file(tmp_path / "toy.parquet")
        assert dataset.feature_names == ("a",)
        assert dataset.classes == ("0", "1")
        assert len(dataset.notes) == (name is not None)
        assert all(f"Column {name!r}" in note and "index of the rows" in note for note in dataset.notes)

    def test_the_index_is_not_the_last_column_taken_for_the_label(self, tmp_path):
        frame = pd.DataFrame({"a": [1, 2, 4], "kind": ["u", "v", "u"]}, index=pd.Index([5, 3, 4], name="pid"))
        frame.to_parquet(tmp_path / "toy.parquet")
        dataset = read_file(tmp_path / "toy.parquet")
        assert dataset.classes == ("u", "v")
        assert "column 'kind', the last, is taken for it" in dataset.notes[0]

    def test_one_that_is_declared_is_used(self, tmp_path):
        (tmp_path / "toy.csv").write_text(",a\nu,1\nv,2\nu,3\n")
        (tmp_path / "toy.toml").write_text("label = 0")
        dataset = read_file(tmp_path / "toy.csv")
        assert (dataset.classes, dataset.feature_names, dataset.notes) == (("u", "v"), ("a",), ())

    def test_only_the_rows_show_a_counter_with_a_name(self, tmp_path, capsys, monkeypatch):
        from dpgep_core.cli import main

        lines = "".join(f"{100 + (i * 7) % 30},{i % 3},{i % 2}\n" for i in range(30))
        (tmp_path / "toy.csv").write_text("id,a,y\n" + lines)
        dataset = read_file(tmp_path / "toy.csv")
        assert dataset.notes == ()  # what a release says is public, and this is read off the rows
        assert list(remarks(dataset)) == [
            "Column 'id' numbers the rows: if it is no feature, leave it out, in a table by drop = [\"id\"]."
        ]
        monkeypatch.setenv("DPGEP_DATA_DIR", str(tmp_path))
        assert main(["solve", "--dataset", "toy", "--model", "pca", "--classifiers", ""]) == 0
        assert "Column 'id' numbers the rows" in capsys.readouterr().out

    @pytest.mark.parametrize(
        ("values", "counts"),
        [
            (np.arange(40), True),
            (np.arange(40)[::-1] + 7.0, True),
            (np.arange(9), False),
            (np.arange(40) * 2, False),
            (np.r_[np.arange(39), 0], False),
            (np.r_[0.5, np.arange(38), 39], False),
            (np.r_[np.nan, np.arange(39)], False),
            (np.arange(300, dtype=np.uint16), True),
        ],
    )
    def test_counters(self, values, counts):
        assert counts_rows(values) is counts


class TestSparseText:
    def data(self, zero_based):
        out = io.BytesIO()
        dump_svmlight_file(np.array([[1, 0, 3], [0, 5, 0], [7, 0, 9.0]]), [0, 1, 0], out, zero_based=zero_based)
        return out.getvalue()

    @pytest.mark.parametrize("zero_based", [True, False])
    def test_columns_counted_from_0_or_1(self, tmp_path, zero_based):
        (tmp_path / "toy.libsvm").write_bytes(self.data(zero_based))
        (tmp_path / "toy.toml").write_text(f"[reading]\nzero_based = {str(zero_based).lower()}\n")
        assert read_file(tmp_path / "toy.libsvm").X.tolist() == [[1, 0, 3], [0, 5, 0], [7, 0, 9]]

    def test_what_scikit_learn_writes_is_refused_with_the_key(self, tmp_path):
        (tmp_path / "toy.libsvm").write_bytes(self.data(zero_based=True))
        with pytest.raises(DataError, match=r"as scikit-learn writes them; say zero_based = true under \[reading\]"):
            read_file(tmp_path / "toy.libsvm")

    def test_more_columns_than_declared(self, tmp_path):
        (tmp_path / "toy.libsvm").write_bytes(self.data(zero_based=False))
        (tmp_path / "toy.toml").write_text("[columns]\nlower = [0, 0]\nupper = [9, 9]\n")
        with pytest.raises(DataError, match="line 1: index 3 is beyond the last column; the sidecar declares 2"):
            read_file(tmp_path / "toy.libsvm")


class TestRemedies:
    """A message names what can be done, in the words of the sidecar here."""

    @pytest.mark.parametrize(
        ("text", "remedy"),
        [
            ("a;b;y\n23,8;1;0\n3;4;1\n", 'say decimal = "," under [reading]'),
            ('a,b,y\n"1,234",1,0\n3,4,1\n', 'say thousands = "," under [reading]'),
            ("a;b;y\n1.234,5;1;0\n3;4;1\n", 'decimal = "," under [reading] in the sidecar and say thousands = "."'),
            ("a,b,y\n12 %,1,0\n3 %,4,1\n", "say percent = true under [reading]"),
            ("a,b,y\n1,1,0\n" + "3,4,1\n" * 9 + "unknown,1,0\n", 'say gaps = ["unknown"] under [reading]'),
            ("a,b,y\nred,1,0\nblue,4,1\n", "declare its categories under [[text]]"),
            ("a,b,y\n,1,0\n2,4,1\n", 'say missing = "drop", or missing = 0'),
            ("a,b,y\n1,1,0\n2,4,\n", 'say missing = "drop"'),
            ("a,b,y\n1,1,.5\n2,4,1\n", "say [response] in the sidecar"),
        ],
    )
    def test_in_a_folder(self, tmp_path, text, remedy):
        (tmp_path / "toy.csv").write_text(text)
        with pytest.raises(DataError) as caught:
            read_file(tmp_path / "toy.csv")
        assert remedy in str(caught.value)

    def test_gaps_of_an_archive_are_told_by_name(self, tmp_path):
        X = np.array([[1, 2], [np.nan, 3], [4, 5]])
        np.savez(tmp_path / "toy.npz", X=X, feature_names=np.array(["height", "width"]))
        with pytest.raises(DataError, match="column 'height' is empty in row 2"):
            read_file(tmp_path / "toy.npz")
