"""Whatever is sent, the answer is a data set or one line that names the file, the trouble and what is allowed."""

import re
from contextlib import suppress

import numpy as np
import pytest

from dpgep_core.datasets import upload as uploading
from dpgep_core.datasets.dataset import prepared_blocks
from dpgep_core.datasets.glance import glance
from dpgep_core.datasets.preprocessing import Preprocessing
from dpgep_core.datasets.readers.options import Reading, TextColumn
from dpgep_core.datasets.readers.sidecar import Sidecar, parse_sidecar
from dpgep_core.datasets.upload import MOST_BYTES, read_upload, receive, shown_name
from dpgep_core.errors import DataError

from .bad_uploads import GOOD, HARM, REFUSED, npz, parquet, parquet_word_bomb

LITTLE = 60_000_000  # bytes: enough for every honest file here


@pytest.fixture(autouse=True)
def _little_memory(monkeypatch):
    monkeypatch.setattr(uploading, "MOST_UNPACKED", LITTLE)


def received(name, data):
    return receive(name, data() if callable(data) else data)


def taken(name, data, sidecar=None):
    return read_upload(received(name, data), sidecar or Sidecar(), key="upload_a")


def refused(name, data, says, sidecar=None):
    with pytest.raises(DataError) as caught:
        taken(name, data, sidecar)
    message = str(caught.value)
    assert says in message
    assert message.startswith(shown_name(name))
    assert "\n" not in message
    assert len(message) < 700
    assert "; " in message  # what is wrong; what is allowed
    return message


@pytest.mark.parametrize(("name", "data", "says"), REFUSED.values(), ids=REFUSED)
def test_refused_with_its_own_message(name, data, says):
    assert "Traceback" not in refused(name, data, says)
    assert not HARM.exists()


@pytest.mark.parametrize(("name", "data", "says"), REFUSED.values(), ids=REFUSED)
def test_a_glance_never_raises_anything_else(name, data, says):
    """A look before anything is declared either works or is refused in one line too."""
    with suppress(DataError):
        assert glance(received(name, data)).n >= 0


def test_messages_differ():
    """Each says what is wrong with its own file: no catch-all stands for many."""
    messages = {}
    for kind, (name, data, _) in REFUSED.items():
        with pytest.raises(DataError) as caught:
            taken(name, data)
        messages.setdefault(re.sub(r"\d", "#", str(caught.value)), []).append(kind)
    most = max(map(len, messages.values()))
    assert most <= 3
    assert len(messages) >= 40


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ("../../etc/passwd.csv", "passwd.csv"),
        ("/etc/shadow.csv", "shadow.csv"),
        ("C:\\Windows\\system32\\x.csv", "x.csv"),
        ("..\\..\\x.csv", "x.csv"),
        ("a\x00b.csv", "ab.csv"),
        ("a\r\nSet-Cookie: x.csv", "aSet-Cookie: x.csv"),
        ("\u202excsv.exe.csv", "xcsv.exe.csv"),
        ("a\u200b\ufeff.csv", "a.csv"),
        ("", "data"),
        ("...", "data"),
        ("<img src=x onerror=alert(1)>.csv", "<img src=x onerror=alert(1)>.csv"),
    ],
)
def test_a_file_name_is_only_a_name(sent, shown, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert shown_name(sent) == shown
    if shown.endswith(".csv"):
        upload = receive(sent, GOOD)
        assert re.fullmatch(r"[a-z0-9_]{1,40}", upload.slug)
        assert read_upload(upload, Sidecar(), key="upload_a").title == shown
    assert list(tmp_path.iterdir()) == []  # nothing was written anywhere near


def test_a_long_name_is_cut_and_keeps_its_ending():
    name = receive("x" * 5_000 + ".csv", GOOD).name
    assert len(name) <= 80
    assert name.endswith(".csv")


def test_larger_than_the_limit():
    refused("a.csv", b"1," * (MOST_BYTES // 2) + b"11", "200.0 MB; at most 200 MB can be uploaded")


def test_line_ends_by_the_million_are_counted_and_not_walked(monkeypatch):
    """Memory is reckoned from lines and columns before the parser is let at them."""
    refused("a.csv", b"a,b\n" + b"\n" * 5_000_000, "would take 80.0 MB in memory; at most 60.0 MB")
    refused("a.csv", b"a,b\n" + b'"\n' * 5_000_000, "would take 80.0 MB in memory")


@pytest.mark.parametrize("padding", [0, 10, 2**22 - 40, 2**22 - 12])
def test_the_line_of_an_open_quote_is_found_wherever_it_is(padding):
    """Text is looked through in stretches; an honest quoted line end before it does not mislead."""
    head = b'a,b\n"x\ny",2\n' + b"1," + b"2" * min(padding, 10)
    lines = head + b"\n" + b"1,2\n" * ((padding - min(padding, 10)) // 4) + b'3,"4\n5,6\n'
    wanted = lines[: lines.rindex(b'"')].count(b"\n") + 1
    refused("a.csv", lines, f"a quote opened in line {wanted} is never closed")


def test_endless_names_do_not_make_endless_messages():
    name = "n" * 90_000
    refused("a.csv", f"{name},b,y\nx,1,0\n1,2,1\n".encode(), "column 'nnnn")
    refused("a.csv", f"{name},{name},y\n1,1,0\n1,2,1\n".encode(), "are all called 'nnn", Sidecar(drop=(name,)))
    refused("a.csv", f"{name},b,y\n1,1,0\n1,2,1\n".encode(), "the columns are 'nnn", Sidecar(label="z"))
    twice, ones = ",".join(["a"] * 5_000), ",".join(["1"] * 5_000)
    assert len(glance(receive("a.csv", f"{twice}\n{ones}\n{ones}\n".encode())).warnings[0]) < 200


def test_words_stored_once_are_not_written_out():
    """A word of 100 kB in 2,000 rows would take 200 MB as text; it stays one word, looked at, left out or used."""
    data = parquet_word_bomb()
    assert glance(receive("a.parquet", data)).columns[1].distinct == 1
    assert taken("a.parquet", data, Sidecar(drop=("b",))).d == 1
    assert taken("a.parquet", data, Sidecar(text=(TextColumn(column="b"),))).d == 2
    assert taken("a.parquet", data, Sidecar(drop=("y",), label="b")).n_classes == 1


class TestTaken:
    """What looks hostile and is only text, or only extreme."""

    def test_names_are_kept_as_text(self):
        names = ("<script>alert(1)</script>", "=cmd|'/C calc'!A0", "![x](http://evil.example/p.png)")
        data = ",".join([*names, "y"]).encode() + b"\n" + b"1,2,3,0\n4,5,6,1\n"
        assert taken("a.csv", data).feature_names == names

    def test_duplicate_names_are_told_apart_by_number(self):
        data = b"a,a,y\n1,2,0\n3,4,1\n"
        assert taken("a.csv", data).d == 2
        assert "'a' stands for columns 0, 1" in glance(receive("a.csv", data)).warnings[0]
        refused("a.csv", data, "columns [0, 1] are all called 'a'", Sidecar(drop=("a",)))
        refused("a.csv", b"a,b,b\n1,2,0\n3,4,1\n", "columns [1, 2] are all called 'b'", Sidecar(label="b"))
        assert taken("a.csv", data, Sidecar(drop=(1,))).X.ravel().tolist() == [1, 3]

    def test_enormous_values(self):
        dataset = taken("a.csv", b"a,b,y\n1e308,-1e308,0\n1,2,1\n1e-308,0,1\n")
        rows = next(prepared_blocks(dataset.X, dataset.preprocessing))[1]
        assert np.allclose(np.linalg.norm(rows, axis=1), 1)

    def test_one_class_and_constant_columns(self):
        dataset = taken("a.csv", b"a,b,y\n1,2,x\n1,3,x\n")
        assert dataset.classes == ("x",)

    def test_truth_values(self):
        assert taken("a.csv", b"a,b,y\ntrue,1,0\nFALSE,2,1\n").X[:, 0].tolist() == [1, 0]

    def test_mixed_encodings(self):
        """UTF-8 and Latin-1 in one file: read byte by byte, with a warning, and never refused in the middle."""
        data = "é,b,y\n".encode() + "1,2,ü\n3,4,ö\n".encode("latin-1")
        assert "no UTF-8; read as" in glance(receive("a.csv", data)).warnings[0]
        assert taken("a.csv", data).n == 2

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"])
    def test_encodings(self, encoding):
        dataset = taken("a.csv", "größe,b,y\n1,2,ü\n3,4,ö\n".encode(encoding), Sidecar(classes=("ü", "ö")))
        assert dataset.feature_names == ("größe", "b")
        assert dataset.classes == ("ü", "ö")

    @pytest.mark.parametrize("delimiter", [",", ";", "\t", "|", " "])
    @pytest.mark.parametrize("header", [True, False])
    def test_delimiters(self, delimiter, header):
        lines = ["name,of;it other y".replace(" ", delimiter)] if header and delimiter not in ",;" else []
        lines += [delimiter.join(("1.5", "2", "0")), delimiter.join(("3", "4.5", "1"))]
        gap = "   " if delimiter == " " else delimiter
        looked = glance(receive("a.txt", "\n".join(lines).replace(delimiter, gap).encode()))
        assert looked.reading.delimiter == delimiter
        assert (looked.n, len(looked.columns)) == (2, 3)
        assert looked.reading.header is bool(len(lines) == 3)

    def test_decimal_commas(self):
        reading = Reading(decimal=",")
        assert taken("a.csv", b"a;b;y\n1,5;2;0\n2;3;1\n", Sidecar(reading=reading)).X[:, 0].tolist() == [1.5, 2]

    def test_quoted_line_ends(self):
        data = b'a,note,y\n1,"two\nlines",0\n2,"one, line",1\n'
        assert taken("a.csv", data, Sidecar(drop=("note",))).n == 2


DECLARED = {
    "wrong label column": ({"label": "income"}, "there is no label column 'income'; the columns are 'a', 'b', 'y'"),
    "label number beyond": ({"label": 9}, "no label column 9; columns 0 to 2"),
    "classes that miss a label": ({"classes": ["0"]}, "is not declared; the declared classes are 0"),
    "lower above upper": ({"columns": {"lower": 2, "upper": 1}}, "lower = 2.0; at most upper"),
    "bounds of the wrong count": ({"columns": {"lower": [0, 0, 0], "upper": [1, 1, 1]}}, "3 numbers; one number, or"),
    "bounds that are words": ({"columns": {"lower": "a", "upper": 1}}, "columns.lower = 'a'"),
    "bounds alone": ({"columns": {"lower": 0}}, "given together"),
    "edges that fall": ({"response": {"column": "b", "edges": [3, 1]}}, "edges = [3.0, 1.0]; finite numbers that incr"),
    "edges that repeat": ({"response": {"column": "b", "edges": [1, 1]}}, "finite numbers that increase"),
    "edges that are words": ({"response": {"edges": ["a"]}}, "response.edges = ['a']"),
    "views that overlap": ({"views": [[0, 1], [1]]}, "two lists that share out columns 0 to 1"),
    "views that leave one out": ({"views": [[0], []]}, "two lists that share out columns 0 to 1"),
    "a first view of all columns": ({"views": 2}, "a number of columns below all 2"),
    "a radius below zero": ({"rows": {"radius": -1}}, "radius = -1"),
    "a column to leave out that is not there": ({"drop": ["z"]}, "drop: there is no column 'z'"),
    "a column number to leave out beyond": ({"drop": [9]}, "drop: there is no column 9; 0 to 2 are there"),
    "everything left out": ({"drop": ["a", "b"]}, "no column of numbers is left"),
    "categories that repeat": ({"text": [{"column": "a", "categories": ["u", "u"]}]}, "repeat one; each category once"),
    "too many categories": ({"text": [{"column": "a", "categories": list("0123456789" * 30)}]}, "each category once"),
    "categories that are numbers": ({"text": [{"column": "a", "categories": [1]}]}, "text.categories = [1]"),
    "a gap filled with a word": ({"reading": {"missing": "often"}}, "reading.missing = 'often'; 'refuse', 'drop' or"),
    "an unknown encoding": ({"reading": {"encoding": "rot13"}}, "reading.encoding = 'rot13'; one of 'utf-8'"),
    "an unknown delimiter": ({"reading": {"delimiter": "x"}}, "reading.delimiter = 'x'; one of ','"),
    "one mark for two things": ({"reading": {"decimal": ",", "thousands": ","}}, "two marks are needed"),
    "an unknown thousands mark": ({"reading": {"thousands": "x"}}, "reading.thousands = 'x'; one of ','"),
    "percent that is no truth value": ({"reading": {"percent": 1}}, "reading.percent = 1; true or false"),
    "gaps that are no list": ({"reading": {"gaps": "-"}}, "reading.gaps = '-'; a list of words"),
    "the wrong encoding": ({"reading": {"encoding": "utf-32"}}, "is no utf-32; choose another encoding"),
}  # fmt: skip


@pytest.mark.parametrize(("toml", "says"), DECLARED.values(), ids=DECLARED)
def test_declarations_that_do_not_fit(toml, says):
    with pytest.raises(DataError) as caught:
        taken("a.csv", GOOD, parse_sidecar("a.toml", toml))
    message = str(caught.value)
    assert says in message
    assert message.startswith(("a.csv", "a.toml"))
    assert "\n" not in message


def test_bounds_below_zero_are_allowed():
    dataset = taken("a.csv", GOOD, Sidecar(preprocessing=Preprocessing(lower=-9, upper=-1)))
    assert np.isfinite(next(prepared_blocks(dataset.X, dataset.preprocessing))[1]).all()


class TestGaps:
    DATA = b"a,b,c,y\n1,,red,0\n2,5,blue,1\n?,6,,0\n4,7,red,\n5,8,blue,1\n"

    def test_filled_with_a_declared_number(self):
        sidecar = Sidecar(reading=Reading(missing=-1.0), drop=("c", "y"), label="")
        dataset = taken("a.csv", self.DATA, sidecar)
        assert dataset.X.tolist() == [[1, -1], [2, 5], [-1, 6], [4, 7], [5, 8]]
        assert dataset.learnt == ()

    def test_dropped_and_said_to_be(self):
        text = (TextColumn(column="c", categories=("red", "blue")),)
        dataset = taken("a.csv", self.DATA, Sidecar(reading=Reading(missing="drop"), text=text))
        assert dataset.X.tolist() == [[2, 5, 0, 1], [5, 8, 0, 1]]
        assert dataset.feature_names == ("a", "b", "c=red", "c=blue")
        assert any("n, which is public" in what for what in dataset.learnt)

    def test_in_arrays_and_sparse_text(self):
        X = np.array([[1, np.nan], [2, 3], [4, 5]])
        filled = Sidecar(reading=Reading(missing=0.0))
        assert taken("a.npz", npz(X=X, y=[0, 1, 0]), filled).X[0, 1] == 0
        assert taken("a.npz", npz(X=X, y=[0, 1, 0]), Sidecar(reading=Reading(missing="drop"))).n == 2
        assert taken("a.libsvm", b"1 1:nan 2:1\n0 1:2\n", filled).X[0, 0] == 0

    def test_nothing_left(self):
        refused(
            "a.csv", b"a,b,y\n,1,0\n2,,1\n3,4,1\n", "1 of 3 rows have no gap", Sidecar(reading=Reading(missing="drop"))
        )


def test_categories_read_off_the_rows_are_said_to_be():
    data = b"a,c,y\n1,red,0\n2,blue,1\n"
    dataset = taken("a.csv", data, Sidecar(text=(TextColumn(column="c"),)))
    assert dataset.feature_names == ("a", "c=blue", "c=red")
    assert dataset.learnt == ("the categories of 'c'",)
    other = taken("a.csv", data, Sidecar(text=(TextColumn(column="c", categories=("red", "green")),)))
    assert other.X.tolist() == [[1, 1, 0], [2, 0, 0]]
    assert other.learnt == ()


def test_parquet_with_words_and_gaps():
    table = {"a": [1, None, 3], "c": ["u", "v", "u"], "t": [True, False, True], "y": ["p", "q", "p"]}
    sidecar = Sidecar(reading=Reading(missing=0.0), text=(TextColumn(column="c", categories=("u",)),), label="y")
    dataset = taken("a.parquet", parquet(table), sidecar)
    assert dataset.X.tolist() == [[1, 1, 1], [0, 0, 0], [3, 1, 1]]
    assert dataset.classes == ("p", "q")
