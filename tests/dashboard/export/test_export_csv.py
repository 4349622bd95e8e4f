"""No CSV that leaves the page starts a formula in a spreadsheet, and none loses a number."""

import csv
import io

import numpy as np
import pandas as pd
import pytest

from dashboard.export.csv import safe_csv

HOSTILE = (
    '=HYPERLINK("http://evil.example","x")', "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(1)", "\t=1", "\r=1", "\n=1",
    " =1+1", "\ufeff=1", "＝1+1", "=1\n=2", "-", "-1e5x",
)  # fmt: skip


def cells(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode(), newline="")))


@pytest.mark.parametrize("text", HOSTILE)
def test_formulas_become_text(text):
    """In a cell, in a name, and as a category; the text itself is kept behind the apostrophe."""
    frame = pd.DataFrame({text: [text, "plain"], "c": pd.Categorical([text, "x"])})
    names, first, second = cells(safe_csv(frame))
    assert names == [f"'{text}", "c"]
    assert first == [f"'{text}", f"'{text}"]
    assert second == ["plain", "x"]


def test_numbers_stay_numbers():
    frame = pd.DataFrame({"v": [-1.5, np.nan], "label": ["-1", "+1"], "n": [-3, 4], "mixed": [-2, "=x"]})
    assert cells(safe_csv(frame)) == [["v", "label", "n", "mixed"], ["-1.5", "-1", "-3", "-2"], ["", "+1", "4", "'=x"]]


def test_a_cell_cannot_open_another():
    frame = pd.DataFrame([['a","=1', "b\r\n=2"]], columns=["x", "x"])
    assert cells(safe_csv(frame)) == [["x", "x"], ['a","=1', "b\r\n=2"]]


def test_the_frame_is_left_alone_and_odd_text_passes():
    frame = pd.DataFrame({"a": pd.Series(["=1", None, "\ud800"], dtype=object)})
    assert cells(safe_csv(frame))[1:] == [["'=1"], [""], ["?"]]
    assert frame["a"][0] == "=1"
