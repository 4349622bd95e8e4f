"""Numbers are written in one way for every reader."""

import math
import re
from importlib.resources import files
from pathlib import Path

import pytest

from dpgep_core.wording import in_a_sentence, number_text, signed_text

OWN_FORMAT = re.compile(r"""[\w\])]:,?(?:\.\d+)?[eg]}""")  # the end of a field of an f-string


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (0.0009766, 3, "0.000977"), (0.000977, 3, "0.000977"), (1000, 3, "1,000"), (4140.0, 3, "4,140"),
        (4138.6, 3, "4,139"), (60_000, 6, "60,000"), (999.6, 3, "1,000"), (0.99996, 3, "1"), (12.345, 3, "12.3"),
        (5.5e-6, 2, "5.5e-6"), (1e-7, 3, "1e-7"), (1e10, 3, "1e10"), (1e308, 3, "1e308"), (-2.5, 3, "−2.5"),
        (-0.2, 3, "−0.2"), (-4140.0, 3, "−4,140"), (-5.5e-6, 2, "−5.5e-6"),
        (0.0, 3, "0"), (-0.0, 3, "0"), (0.1, 10, "0.1"), (math.inf, 3, "∞"), (-math.inf, 3, "−∞"), (math.nan, 3, "–"),
    ],
)  # fmt: skip
def test_a_number_is_short_and_has_no_needless_exponent(value, digits, text):
    assert number_text(value, digits) == text


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("CCA: covariance", "CCA: covariance"),
        ("Rows n", "rows n"),
        ("Table 2", "table 2"),
        ("A row", "a row"),
        ("", ""),
    ],
)
def test_a_title_in_a_sentence_keeps_an_abbreviation(title, said):
    """A caption said "cCA"."""
    assert in_a_sentence(title) == said


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [(1.52, 1, "+1.5"), (-0.2, 1, "−0.2"), (-1, 2, "−1.00"), (0.0, 1, "0.0"), (-0.001, 2, "0.00")],
)
def test_a_difference_has_its_sign(value, decimals, text):
    assert signed_text(value, decimals) == text


@pytest.mark.parametrize("value", [10.0**power * lead for power in range(-12, 15) for lead in (1, 1.5, 9.996)])
def test_a_number_read_back_is_the_number(value):
    assert float(number_text(value, 3).replace(",", "")) == pytest.approx(value, rel=5.1e-3)


@pytest.mark.parametrize("room", ["app_pages", "figures", "panels", "stories", "text"])
def test_no_screen_writes_a_number_of_any_size_by_its_own_format(room):
    """``g`` and ``e`` print 4.14e+03 and 5.5e-06. Where a number is rounded and read back, nobody sees the text."""
    rounded = [
        f"{path.name}: {line.strip()}"
        for path in sorted(Path(str(files("dashboard") / room)).rglob("*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if OWN_FORMAT.search(line) and "float(f" not in line
    ]
    assert rounded == []


@pytest.mark.parametrize("line", ['f"{x:g}"', 'f"{x:.2e}"', "f'{a[0]:.3g} %'", 'f"{x:,g}"'])
def test_the_search_for_own_formats_finds_them(line):
    assert OWN_FORMAT.search(line)
