"""Whatever a sidecar declares, and whatever is named like a data file: its own set is refused in words, others are not
touched."""

import os

import numpy as np
import pytest

from dpgep_core.cli import main
from dpgep_core.datasets import dataset_names, dataset_problems, dataset_title, load_dataset
from dpgep_core.datasets.readers.options import READING_KEYS, RESPONSE_KEYS, TEXT_KEYS
from dpgep_core.datasets.readers.sidecar import COLUMN_KEYS, KEYS, LARGEST_SIDECAR, ROW_KEYS, SECTIONS, read_sidecar
from dpgep_core.errors import DataError, DpgepError

from .wrappings import WRITERS, rows

NINES = "9" * 400
VALUES = (
    *(NINES, f"-{NINES}", "0x" + "f" * 5_000, "1e400", "nan", "-inf", "-0.0", "-1", "0", "1.5", "true"),
    *('""', '"text"', r'"\u001b[31m\u202e"', '"' + "x" * 100_000 + '"', "1979-05-27", "{}", "{a = 1}"),
    *("[]", "[[]]", "[[1]]", '[1, "a"]', "[true]", "[nan]", f"[{NINES}]", f"[1, {NINES}]", f"[[0], [{NINES}]]"),
    *("[1, 2]", "[2, 1, 3, 4]", "[0, 1, 2, 3]", '["a", "a"]', "[-1]", "[" * 90 + "]" * 90, "[" * 5_000 + "]" * 5_000),
    f"[{', '.join(map(str, range(999)))}]",
)
PLACES = (
    *((key, "") for key in (*KEYS, *SECTIONS)),
    *((key, "[columns]") for key in COLUMN_KEYS),
    *((key, "[columns]\nlower = 0") for key in COLUMN_KEYS if key != "lower"),
    *((key, "[columns]\nlower = [0, 0, 0]\nupper = [1, 2, 3]") for key in ("log1p", "learnt")),
    *((key, "[rows]") for key in ROW_KEYS),
    *((key, "[response]") for key in RESPONSE_KEYS),
    *((key, "[reading]") for key in READING_KEYS),
    *((key, "[[text]]\ncolumn = 0") for key in TEXT_KEYS if key != "column"),
    *((key, '[[text]]\ncategories = ["a"]') for key in TEXT_KEYS if key != "categories"),
)  # fmt: skip


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a set that is right, whatever lies beside it."""
    monkeypatch.setenv("DPGEP_DATA_DIR", str(tmp_path))
    np.savez(tmp_path / "good.npz", X=rows()[0], y=rows()[1])
    (tmp_path / "good.toml").write_text('title = "Good"\n')
    return tmp_path


def others_are_untouched(name):
    assert {"good", name} <= set(dataset_names())
    assert dataset_title("good") == "Good"
    assert isinstance(dataset_title(name), str)
    assert "good" not in dataset_problems()
    assert load_dataset("good").n == 20


def loads_or_is_refused(name):
    try:
        load_dataset(name)
    except DpgepError as error:
        said = str(error)
        assert said.isprintable()
        assert len(said) < 1_200
        assert "Traceback" not in said
        return said
    return ""


OF_TABLES = ("label", "drop", "text", "reading", "column", "feature_names", *READING_KEYS, *TEXT_KEYS)


@pytest.mark.parametrize(
    ("writer", "key", "above"),
    [
        pytest.param(
            writer, key, above, id=f"{writer} {above.splitlines()[-1:]}{key}",
            marks=() if (writer == "csv") == (key in OF_TABLES) and writer != "libsvm" else pytest.mark.slow,
        )
        for writer in ("npz", "csv", "libsvm") for key, above in PLACES
    ],
)  # fmt: skip
def test_any_value_of_any_key(folder, writer, key, above):
    WRITERS[writer](folder, *rows())
    refused = 0
    for number, value in enumerate(VALUES):
        (folder / "toy.toml").write_text(f"{above}\n{key} = {value}\n")
        os.utime(folder / "toy.toml", ns=(number, number))  # so that each is read again
        refused += bool(loads_or_is_refused("toy"))
    assert refused
    others_are_untouched("toy")


def test_bounds_of_different_lengths(folder):
    """Bounds of different lengths once ended every page of the dashboard, for every data set."""
    WRITERS["npz"](folder, *rows())
    (folder / "toy.toml").write_text("[columns]\nlower = [0, 0]\nupper = [1, 1, 1, 1]\n")
    others_are_untouched("toy")
    with pytest.raises(
        DataError, match=r"toy\.toml: upper = \(1.0, 1.0, 1.0, 1.0\); one number, or a list as long as lower, 2"
    ):
        load_dataset("toy")
    assert list(dataset_problems()) == ["toy"]
    assert dataset_title("toy") == "toy"


SIDECARS = {
    "UTF-16": "title = 'a'\n".encode("utf-16"),
    "Latin-1": b"title = '\xe9'\n",
    "zero bytes": bytes(100),
    "no TOML": b"{]",
    "cut short": b"title = ",
    "a key twice": b"title = 'a'\ntitle = 'b'\n",
    "deep": b"a = " + b"[" * 9_000,
    "6000 digits": b"label = " + b"9" * 6_000,
    "huge": b"#" * (LARGEST_SIDECAR + 1),
    "control characters": b"title = '\x1b[31m'",
}


@pytest.mark.parametrize("content", SIDECARS.values(), ids=SIDECARS)
def test_a_sidecar_that_is_none(folder, content, capsys):
    WRITERS["npz"](folder, *rows())
    (folder / "toy.toml").write_bytes(content)
    others_are_untouched("toy")
    assert "toy.toml" in loads_or_is_refused("toy")
    assert list(dataset_problems()) == ["toy"]
    assert main(["solve", "--dataset", "toy"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert main(["solve", "--dataset", "good", "--classifiers", ""]) == 0
    capsys.readouterr()
    assert main(["list"]) == 0
    assert "toy cannot be used: toy.toml" in capsys.readouterr().out


def test_a_sidecar_with_a_byte_order_mark(folder):
    WRITERS["npz"](folder, *rows())
    (folder / "toy.toml").write_bytes(b"\xef\xbb\xbftitle = 'Toy'\r\n")
    assert load_dataset("toy").title == "Toy"


THINGS = {
    "a folder": lambda path: path.mkdir(),
    "a link to nothing": lambda path: path.symlink_to("nowhere"),
    "a link to a folder": lambda path: path.symlink_to(path.parent),
    "a link to itself": lambda path: path.symlink_to(path.name),
    "a pipe": lambda path: os.mkfifo(path),
    "an empty file": lambda path: path.write_bytes(b""),
}


@pytest.mark.parametrize("make", THINGS.values(), ids=THINGS)
@pytest.mark.parametrize("name", ["toy.npz", "toy.csv", "toy.parquet", "toy.svm", "toy-images-idx3-ubyte", "toy.toml"])
def test_what_is_named_like_a_file_and_is_none(folder, name, make):
    make(folder / name)
    if name == "toy.toml":
        WRITERS["npz"](folder, *rows())
        if (folder / name).is_file():
            return  # an empty sidecar declares nothing
    others_are_untouched("toy")
    said = loads_or_is_refused("toy")
    assert said.startswith(name)
    if not (folder / name).is_file():
        assert dataset_problems() == {"toy": said}


def test_what_is_no_file_takes_no_name_from_one_that_is(folder):
    (folder / "toy.npz").mkdir()
    WRITERS["csv"](folder, *rows())
    assert load_dataset("toy").n == 20
    assert list(dataset_problems()) == ["toy_npz"]


def test_names_with_control_characters_reach_no_terminal(folder, capsys):
    name = "\x1b[31mred\u202e"
    np.savez(folder / "plain.npz", X=rows()[0], y=rows()[1])
    (folder / "plain.npz").rename(folder / f"{name}.npz")
    (folder / f"{name}.toml").write_text("title = ")
    assert main(["list"]) == 0
    assert main(["solve", "--dataset", name]) == 2
    assert main(["solve", "--dataset", "gut"]) == 2
    said = capsys.readouterr()
    assert (said.out + said.err).replace("\n", "").isprintable()


def test_a_name_that_is_no_text_is_written_out(folder):
    os.rename(folder / "good.npz", os.fsencode(folder) + b"/caf\xe9\x07.npz")
    (name,) = [name for name in dataset_names() if name.startswith("caf")]
    assert name == r"caf\udce9\x07"
    assert load_dataset(name).n == 20


def test_words_in_arrays_that_are_no_text_are_written_out(folder):
    halves = np.array(["a\ud800", "b", "c", "d"])
    np.savez(folder / "toy.npz", X=rows()[0], y=halves[np.arange(20) % 2], feature_names=halves)
    data = load_dataset("toy")
    assert (data.classes, data.feature_names) == ((r"a\ud800", "b"), (r"a\ud800", "b", "c", "d"))


def test_a_sidecar_that_cannot_be_read_is_not_taken_for_none(folder):
    (folder / "toy.toml").symlink_to(folder / "gone")
    with pytest.raises(DataError, match="a link that leads to no file"):
        read_sidecar(folder / "toy.toml")
    assert read_sidecar(folder / "none.toml").title == ""
