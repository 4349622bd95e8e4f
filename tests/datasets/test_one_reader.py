"""One reader: equal bytes give the same data set from a folder, as an upload and on the command line."""

import gzip

import numpy as np
import pytest

from dpgep_core.cli import main, solving
from dpgep_core.datasets.digests import dataset_digest
from dpgep_core.datasets.files import read_file
from dpgep_core.datasets.readers.sidecar import Sidecar, read_sidecar
from dpgep_core.datasets.upload import read_upload, receive
from dpgep_core.errors import DataError, ParameterError

PLAIN = "a,b,kind\n1,2,cat\n3,4,dog\n"
ROWS, NAMES, CLASSES = [[1, 2], [3, 4]], ("a", "b"), ("cat", "dog")
GAPS = '[reading]\nmissing = "drop"\n'
DECIMAL = '[reading]\ndecimal = ","\n'
SAME = {  # bytes, sidecar: all hold ROWS, NAMES and CLASSES
    "commas": (PLAIN, ""),
    "semicolons": (PLAIN.replace(",", ";"), ""),
    "bars": (PLAIN.replace(",", "|"), ""),
    "tabs": (PLAIN.replace(",", "\t"), ""),
    "blanks": (PLAIN.replace(",", "   "), ""),
    "quotes": ('"a","b","kind"\n"1","2","cat"\n"3","4","dog"\n', ""),
    "blanks around fields": ("a, b , kind\n 1, 2 , cat\n3 ,4, dog\n", ""),
    "decimal commas": ("a;b;kind\n1,0;2,00;cat\n3;4;dog\n", DECIMAL),
    "quoted decimal commas": ('a,b,kind\n"1,0","2,00",cat\n3,4,dog\n', DECIMAL),
    "a UTF-8 mark": (b"\xef\xbb\xbf" + PLAIN.encode(), ""),
    "UTF-16": (PLAIN.encode("utf-16"), ""),
    "UTF-16 without a mark": (PLAIN.encode("utf-16-le"), ""),
    "UTF-32": (PLAIN.encode("utf-32"), ""),
    "line ends of Windows": (PLAIN.replace("\n", "\r\n"), ""),
    "line ends of old Macs": (PLAIN.replace("\n", "\r"), ""),
    "no last line end": (PLAIN.rstrip(), ""),
    "a blank first line": ("\n" + PLAIN, ""),
    "blank lines of delimiters": (",,\n , ,\n" + PLAIN, ""),
    "blank lines between": (PLAIN.replace("dog\n", "dog\n\n\n").replace("cat\n", "cat\n\n"), ""),
    "comments above": ("# made by us\n#\n" + PLAIN, ""),
    "names in a comment": ("# a,b,kind\n1,2,cat\n3,4,dog\n", ""),
    "a line that names the delimiter": ("sep=;\n" + PLAIN.replace(",", ";"), ""),
    "question marks": (PLAIN + "?,5,cat\n", GAPS),
    "NA": (PLAIN + "NA,5,cat\n5,N/A,dog\n", GAPS),
    "empty fields": (PLAIN + ",5,cat\n5,,dog\n5,6,\n", GAPS),
    "gaps late in the file": (PLAIN + "?,5,cat\n" * 300, GAPS),
    "a word that stands for a gap": (PLAIN + "-,5,cat\n", '[reading]\nmissing = "drop"\ngaps = ["-"]\n'),
    "gzip": (gzip.compress(PLAIN.encode()), ""),
    "plus signs": (PLAIN.replace("1,2", "+1,+2e0"), ""),
    "truth values": ("a,b,kind\n1,2,cat\n3,4,dog\n", ""),
    "row names": (',a,b,kind\nr1,1,2,cat\nr2,3,4,dog\n', ""),
    "row numbers": ("Unnamed: 0,a,b,kind\n0,1,2,cat\n1,3,4,dog\n", ""),
    "row names as R writes them": ('a b kind\n"1" 1 2 cat\n"2" 3 4 dog\n', ""),
}  # fmt: skip
OTHER = {  # bytes, sidecar, rows, names, classes
    "Latin-1": ("größe,b,y\n1,2,ü\n3,4,ö\n".encode("latin-1"), "", ROWS, ("größe", "b"), ("ö", "ü")),
    "thousands": (
        'a,b,y\n"1,234",2,0\n3,"12,345,678.5",1\n', '[reading]\nthousands = ","\n',
        [[1234, 2], [3, 12345678.5]], NAMES, ("0", "1"),
    ),
    "thousands of the continent": (
        "a;b;y\n1.234,5;2;0\n3;4;1\n", '[reading]\ndecimal = ","\nthousands = "."\n',
        [[1234.5, 2], [3, 4]], NAMES, ("0", "1"),
    ),
    "per cent": ("a,b,y\n50 %,2,0\n25%,4,1\n", "[reading]\npercent = true\n", [[0.5, 2], [0.25, 4]], NAMES, ("0", "1")),
    "a line break in a quoted field": (
        'a,note,y\n1,"two\nlines",u\n3,one,v\n', 'drop = ["note"]\n', [[1], [3]], ("a",), ("u", "v")
    ),
    "a line break in a quoted name": ('"a\n(cm)",b,y\n1,2,u\n3,4,v\n', "", ROWS, ("a (cm)", "b"), ("u", "v")),
    "no header": ("1,2,cat\n3,4,dog\n", "", ROWS, (), CLASSES),
    "names twice": ("a,a,kind\n1,2,cat\n3,4,dog\n", "", ROWS, ("a", "a"), CLASSES),
    "words that also stand for gaps": (
        "a,b,kind\n1,2,NA\n3,4,None\n5,6,null\n", "", [[1, 2], [3, 4], [5, 6]], NAMES, ("NA", "None", "null")
    ),
    "a declared class that also stands for a gap": (
        "a,b,kind\n1,2,NA\n3,4,1\n", 'classes = ["NA", "1"]\n', ROWS, NAMES, ("NA", "1")
    ),
    "truth values": ("a,b,y\ntrue,2,0\nFALSE,4,1\n", "", [[1, 2], [0, 4]], NAMES, ("0", "1")),
    "a word after many numbers": (
        "a,b,y\n" + "1,2,0\n" * 200 + "x,4,1\n", 'drop = ["a"]\n', [[2]] * 200 + [[4]], ("b",), ("0", "1")
    ),
}  # fmt: skip
REFUSED = {  # bytes, sidecar, what both say
    "one column": ("a\n1\n2\n", "", "fewer than 2 fields"),
    "a row too short": (PLAIN + '5,"x\ny"\n', "", "line 4 has 2 fields; 3 as in the first row"),
    "a row too short, below comments": ("#\n\n" + PLAIN + "5\n", "", "line 6 has 1 field; 3 as in the first row"),
    "a word": (PLAIN + "x,5,cat\n", "", "column 'a' holds 'x' in row 3, which is no number"),
    "a gap": (PLAIN + ",5,cat\n", "", "column 'a' is empty in row 3 (1 gap)"),
    "a point under decimal commas": ("a;b;y\n1.234;2;0\n3;4;1\n", DECIMAL, "column 'a' holds '1.234' in row 1"),
}


def three(tmp_path, monkeypatch, data, toml):
    """What folder, upload and command line make of the same bytes: a data set, or a message without the file's name."""
    data = data.encode() if isinstance(data, str) else data
    name = "toy.csv.gz" if data.startswith(b"\x1f\x8b") else "toy.csv"
    (tmp_path / name).write_bytes(data)
    (tmp_path / "toy.toml").write_text('title = "Toy"\nsource = "here"\n' + toml)
    monkeypatch.setenv("DPGEP_DATA_DIR", str(tmp_path))
    sidecar = read_sidecar(tmp_path / "toy.toml")
    yield lambda: read_file(tmp_path / name)
    yield lambda: read_upload(receive(name, data), sidecar, key="toy")
    yield lambda: on_the_command_line(monkeypatch)


def on_the_command_line(monkeypatch):
    found = []

    def caught(dataset, setting):
        found.append(dataset)
        raise ParameterError("this", "test", "over")

    monkeypatch.setattr(solving, "plan", caught)
    assert main(["solve", "--dataset", "toy", "--model", "pca"]) == 2
    return found[0]


@pytest.mark.parametrize(("data", "toml"), SAME.values(), ids=SAME)
def test_one_table_written_in_many_ways(tmp_path, monkeypatch, data, toml):
    check(list(three(tmp_path, monkeypatch, data, toml)), ROWS, NAMES, CLASSES)


@pytest.mark.parametrize(("data", "toml", "rows", "names", "classes"), OTHER.values(), ids=OTHER)
def test_other_tables(tmp_path, monkeypatch, data, toml, rows, names, classes):
    check(list(three(tmp_path, monkeypatch, data, toml)), rows, names, classes)


def check(ways, rows, names, classes):
    found = [way() for way in ways]
    for dataset in found:
        assert dataset.X.tolist() == rows
        assert dataset.feature_names == names
        assert dataset.classes == classes
        assert dataset.X.dtype == found[0].X.dtype
        assert dataset_digest(dataset) == dataset_digest(found[0])
        assert dataset.notes == found[0].notes
        assert dataset.learnt == found[0].learnt


@pytest.mark.parametrize(("data", "toml", "says"), REFUSED.values(), ids=REFUSED)
def test_what_one_refuses_all_refuse(tmp_path, monkeypatch, capsys, data, toml, says):
    folder, upload, _ = three(tmp_path, monkeypatch, data, toml)
    for way in (folder, upload):
        with pytest.raises(DataError) as caught:
            way()
        assert says in str(caught.value)
    assert main(["solve", "--dataset", "toy"]) == 2
    assert says in capsys.readouterr().err


def test_numbers_keep_the_last_digit_across_blocks(tmp_path, monkeypatch):
    """Rows are read in blocks, each in the type that fits it."""
    monkeypatch.setattr("dpgep_core.datasets.readers.columns._BLOCK", 1 << 10)
    X = np.arange(900) * np.pi
    lines = "".join(f"{j % 3},{x!r},{j % 2}\n" for j, x in enumerate(X.tolist()))
    for read in list(three(tmp_path, monkeypatch, f"a,b,y\n{lines}", ""))[:2]:
        assert np.array_equal(read().X[:, 1], X)
        assert read().X[:5, 0].tolist() == [0, 1, 2, 0, 1]


def test_many_columns_of_words_are_few_readings(tmp_path, monkeypatch):
    """A word late in each of many columns does not make the file be read once for each."""
    opened = []
    from dpgep_core.datasets.readers import columns

    whole = columns._open
    monkeypatch.setattr(columns, "_open", lambda *given: opened.append(1) or whole(*given))
    rows = "".join(",".join(["1"] * 60) + "\n" for _ in range(40)) + ",".join(["w"] * 60) + "\n"
    drop = Sidecar(label=0, drop=tuple(range(1, 59)), text=())
    with pytest.raises(DataError, match="column 59, counted from 0, holds 'w' in row 41"):
        read_upload(receive("a.csv", rows.encode()), drop, key="a")
    assert len(opened) <= 18
