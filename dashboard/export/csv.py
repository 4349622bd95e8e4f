"""Tables as CSV that a spreadsheet reads as text and numbers, never as formulas."""

import re

import pandas as pd

FORMULA_STARTS = frozenset("=+-@\t\r\n＝＋－＠")  # the wide forms too: some spreadsheets take them for the narrow ones
UNSEEN = "\ufeff\u200b \x00"  # skipped before a cell's first character is looked at
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def safe_csv(frame: pd.DataFrame) -> bytes:
    """UTF-8 CSV of a table without its index.

    Text cells and column names that a spreadsheet would take for a formula get a leading apostrophe. Numbers stay as
    they are, also those stored as text: ``-1`` is a class label, and no formula.

    Column names may repeat. Lines end in CR LF.
    """
    return safe_frame(frame).to_csv(index=False, lineterminator="\r\n").encode("utf-8", "replace")


def safe_frame(frame: pd.DataFrame) -> pd.DataFrame:
    """Make a table on screen as safe as a CSV file: its toolbar saves it as CSV too."""
    safe = frame.copy(deep=False)
    safe.columns = pd.Index([harmless(str(name)) for name in frame.columns], dtype=object)
    for place, kind in enumerate(frame.dtypes):
        if kind.kind not in "biuf":
            cells = [harmless(cell) if isinstance(cell, str) else cell for cell in frame.iloc[:, place]]
            safe.isetitem(place, pd.Series(cells, index=frame.index, dtype=object))
    return safe


def harmless(cell: str) -> str:
    """Text of a cell, with a leading apostrophe if a spreadsheet would take it for a formula."""
    seen = cell.lstrip(UNSEEN)
    if not seen or seen[0] not in FORMULA_STARTS or _NUMBER.fullmatch(cell):
        return cell
    return f"'{cell}"
