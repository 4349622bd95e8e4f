"""The cell of the ε for most of the gain says what the entry says, the proved ε where it is another one."""

import math

import pytest

from dashboard.text import gains
from dpgep_core.evaluate.gain import GainEntry


def entry(epsilon, accounted):
    return GainEntry(dataset="wine", model="fda", algorithm="ssp", epsilon=epsilon, accounted=accounted, least=0.01,
                     most=100.0, seeds=5)  # fmt: skip


@pytest.mark.parametrize(
    ("epsilon", "accounted", "cell"),
    [
        (0.1834, 0.1834, "ε 0.18"),
        (0.1834, 0.36, "ε 0.18  \n:small[proved 0.36]"),
        (0.1834, math.inf, "ε 0.18  \n:small[no bound]"),
        (math.inf, math.nan, "ε > 100"),
        (0.0, math.nan, "ε < 0.01"),
    ],
)
def test_cells(monkeypatch, epsilon, accounted, cell):
    monkeypatch.setattr(gains, "gain_table", lambda: {("wine", "fda", "ssp"): entry(epsilon, accounted)})
    assert gains.gain_cell("wine", "fda", "ssp") == cell
    assert gains.gain_cell("wine", "fda", "dprf") == "–"


def test_a_name_from_a_file_is_never_read_as_markup():
    said = gains.gain_help("<b>", "fda")
    assert r"\<b\>" in said
    assert "<b>" not in said
