"""The table of docs/growth.md says what the kept measurements say, and every exponent that is off has its reason."""

from benchmarks.growth_report import FIGURE, PAGE, TABLE, is_off, picture, reason_of_exponent, table_lines
from dpgep_core.evaluate.growth import exponents, growth_table


def test_the_page_and_the_figure_show_the_kept_measurements() -> None:
    found = exponents(growth_table())
    shown = TABLE.search(PAGE.read_text("utf-8"))
    assert shown is not None
    assert shown[0].split("\n")[1:-1] == list(table_lines(found))
    assert FIGURE.read_text("utf-8") == picture(found)


def test_every_exponent_that_is_off_is_explained_on_the_page() -> None:
    page = " ".join(PAGE.read_text("utf-8").split())
    for exponent in filter(is_off, exponents(growth_table())):
        reason = reason_of_exponent(exponent)
        assert reason, exponent
        assert reason in page
