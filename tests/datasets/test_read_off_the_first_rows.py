"""How a file is read depends on declarations alone; where one row could decide it, that is learnt and named."""

import pytest

from dpgep_core.datasets.files import read_file
from dpgep_core.datasets.folders import read_folder
from dpgep_core.datasets.readers.header import HEADER_LEARNT
from dpgep_core.datasets.readers.table import DROPPED_ROWS
from dpgep_core.datasets.readers.text import ENCODING_LEARNT

BARE = ["1,2,u", "3,4,v", "5,6,u"]
GAPS = ["?,2,u", *BARE[1:]]  # the first person's gap
NAMED = ["a,b,kind", *BARE]
PUBLIC = 'classes = ["u", "v"]\n'
FILLED = "[reading]\nmissing = 0\n"


def read(folder, lines, toml):
    (folder / "t.csv").write_bytes(lines if isinstance(lines, bytes) else "\n".join(lines).encode())
    (folder / "t.toml").write_text(PUBLIC + toml, encoding="utf-8")
    return read_file(folder / "t.csv")


@pytest.mark.parametrize("lines", [BARE, GAPS, NAMED], ids=["full", "a gap", "names"])
@pytest.mark.parametrize("label", ["", "label = 2\n", 'label = 2\nfeature_names = ["1", "2"]\n'])
def test_a_header_that_nobody_declares_is_learnt(tmp_path, lines, label):
    assert HEADER_LEARNT in read(tmp_path, lines, label + FILLED).learnt


@pytest.mark.parametrize(
    ("lines", "toml", "names"),
    [
        (NAMED, 'label = "kind"\n' + FILLED, ("a", "b")),
        (NAMED, 'label = 2\ndrop = ["b"]\n' + FILLED, ("a",)),
        (NAMED, 'label = 2\n[[text]]\ncolumn = "a"\ncategories = ["1"]\n' + FILLED, ("a=1", "b")),
        (["# a,b,kind", *BARE], 'label = "kind"\n' + FILLED, ("a", "b")),
        (["# a,b,kind", *GAPS], 'label = "kind"\n' + FILLED, ("a", "b")),
        (NAMED, "label = 2\n" + FILLED + "header = true\n", ("a", "b")),
        (BARE, "label = 2\n" + FILLED + "header = false\n", ()),
        (GAPS, "label = 2\n" + FILLED + "header = false\n", ()),
        (["#N/A,2,u", *BARE[1:]], "label = 2\n" + FILLED + "header = false\n", ()),
        (["#1,2,u", *BARE[1:]], "label = 2\n" + FILLED + 'header = false\ngaps = ["#1"]\n', ()),
        (["# made by us", "", *BARE], "label = 2\n" + FILLED + "header = false\n", ()),
    ],
)
def test_a_declared_header_is_not_learnt_and_every_row_stays_a_row(tmp_path, lines, toml, names):
    dataset = read(tmp_path, lines, toml)
    assert (dataset.n, dataset.feature_names, dataset.learnt) == (3, names, ())


def test_a_first_row_of_gaps_alone_is_a_row(tmp_path):
    (tmp_path / "t.csv").write_text(",,\n1,2,3\n4,5,6\n")
    (tmp_path / "t.toml").write_text('label = ""\n[reading]\nheader = false\nmissing = 0\n')
    assert read_file(tmp_path / "t.csv").X.tolist() == [[0, 0, 0], [1, 2, 3], [4, 5, 6]]


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize(("label", "learnt"), [('"kind"', ()), ("2", (HEADER_LEARNT,))])
def test_a_folder_of_files_says_so_once(tmp_path, monkeypatch, streamed, label, learnt):
    monkeypatch.setenv("DPGEP_STREAM_BYTES", "0" if streamed else "1000000")
    (tmp_path / "t").mkdir()
    for part in "01":
        (tmp_path / "t" / f"{part}.csv").write_text("\n".join(NAMED))
    (tmp_path / "t.toml").write_text(f"{PUBLIC}label = {label}\n")
    dataset = read_folder(str(tmp_path / "t"))
    assert (dataset.streamed, dataset.learnt) == (streamed, learnt)


@pytest.mark.parametrize("row", ["5,6,u", "5,?,u"], ids=["no gap", "a gap"])
def test_dropped_rows_are_learnt_whether_any_is_dropped_or_not(tmp_path, row):
    toml = 'label = "kind"\n[reading]\nmissing = "drop"\n'
    assert read(tmp_path, ["a,b,kind", "1,2,u", "3,4,v", row], toml).learnt == (DROPPED_ROWS,)


@pytest.mark.parametrize(("declared", "learnt"), [("", (ENCODING_LEARNT,)), ('encoding = "cp1252"\n', ())])
def test_an_encoding_that_a_row_decides_is_learnt(tmp_path, declared, learnt):
    data = "a,b,kind\nü,2,u\no,4,v\n".encode("cp1252")
    toml = 'label = "kind"\n[[text]]\ncolumn = "a"\ncategories = ["ü"]\n[reading]\n' + declared
    assert read(tmp_path, data, toml).learnt == learnt
