"""Whether a release is made or refused follows from what is declared: no single row decides it or is told."""

from pathlib import Path
from typing import Any, NoReturn

import pytest
from made import request_for

from dpgep_core import DataError, Dataset
from dpgep_core.datasets.files import read_file
from dpgep_core.datasets.passes import RowSum, Sums
from dpgep_core.datasets.preprocessing import Preprocessing
from dpgep_core.datasets.silent import open_silently
from dpgep_core.datasets.summed_rows import SummedRows
from dpgep_core.publishing.releasing import publish

PUBLIC = 'classes = ["k0", "k1"]\n[columns]\nlower = 0\nupper = 60\n[reading]\n'
ROWS = [f"{i},{(7 * i) % 60},k{i % 2}" for i in range(40)]
GAPS = ["?" + ROWS[0][1:], *ROWS[1:]]


@pytest.mark.parametrize("rows", [ROWS, GAPS], ids=["full", "a gap"])
@pytest.mark.parametrize(
    ("top", "toml", "says"),
    [
        ([], "label = 2\n" + PUBLIC + "missing = 0\n", "whether the first line names the columns"),
        (["a,b,y"], 'label = "y"\n' + PUBLIC + 'missing = "drop"\n', "which rows are left"),
        ([], "label = 2\n" + PUBLIC + "missing = 0\nheader = false\n", ""),
        (["a,b,y"], 'label = "y"\n' + PUBLIC + "missing = 0\n", ""),
    ],
)
def test_a_gap_in_the_first_row_changes_nothing(
    tmp_path: Path, rows: list[str], top: list[str], toml: str, says: str
) -> None:
    (tmp_path / "t.csv").write_text("\n".join([*top, *rows]))
    (tmp_path / "t.toml").write_text(toml)
    request = request_for(tmp_path, dataset=read_file(tmp_path / "t.csv"), model="pca")
    if says:
        with pytest.raises(DataError, match=says):
            publish(request)
        assert not (tmp_path / "kept.ledger").exists()
    else:
        assert publish(request).header.n == len(rows)


@pytest.mark.parametrize("wrong", ["abc,1,k0", "1,2,secret", ",2,k0"])
def test_streamed_rows_that_do_not_fit_are_not_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    monkeypatch.setenv("DPGEP_STREAM_BYTES", "0")
    monkeypatch.setenv("DPGEP_PASSES_DIR", "")
    (tmp_path / "t").mkdir()
    for part, rows in (("0", ROWS), ("1", [*ROWS[:9], wrong])):
        (tmp_path / "t" / f"{part}.csv").write_text("\n".join(["a,b,y", *rows]))
    (tmp_path / "t.toml").write_text('label = "y"\n' + PUBLIC)
    with pytest.raises(DataError, match="do not fit what is declared") as caught:
        publish(request_for(tmp_path, dataset=open_silently(str(tmp_path / "t"))))
    assert not any(word in str(caught.value) for word in ("abc", "secret", "10", "row 1", "1.csv"))
    assert not (tmp_path / "kept.ledger").exists()


class Many(SummedRows):
    """More rows than any sum takes."""

    where = "many"
    shape = (1 << 40, 3)
    identity = "many"

    def content_digest(self) -> bytes:
        return bytes(32)

    def fitted_for(self, seed: int, test_size: float) -> "Many":
        return self

    def sums(self, what: str, row_sum: RowSum) -> Sums:
        raise AssertionError

    def refuse(self) -> NoReturn:
        raise AssertionError


def test_too_many_rows_are_refused_by_the_limit_alone(tmp_path: Path) -> None:
    stored: Any = Many()
    rows = Dataset("many", "", stored, classes=("a", "b"), preprocessing=Preprocessing(lower=0, upper=1))
    with pytest.raises(DataError, match=r"many: too many rows; at most [\d,]+: larger sums") as caught:
        publish(request_for(tmp_path, dataset=rows))
    assert f"{Many.shape[0]:,}" not in str(caught.value)
