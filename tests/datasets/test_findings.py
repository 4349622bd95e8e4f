"""What is said of a table before it is used: what is a feature, what is not and why, and what mends it."""

import time

import pytest

from dpgep_core.datasets.findings import Chosen, columns_in_use, findings, left_out_at_first, used_columns
from dpgep_core.datasets.glance import glance
from dpgep_core.datasets.readers.options import Reading
from dpgep_core.datasets.upload import receive


def looked(text, **reading):
    return glance(receive("a.csv", text.encode()), Reading(**reading))


def told(found, **chosen):
    first = {"label": found.label, "left_out": left_out_at_first(found)}
    chosen = Chosen(**{**first, **chosen})
    return columns_in_use(found, chosen), {finding.said: finding.fixes for finding in findings(found, chosen)}


def table(header, row, n=30):
    return header + "\n" + "".join(row(i) + "\n" for i in range(n))


CLEAN = table("a,b,y", lambda i: f"{i % 7},{i % 5}.5,{i % 2}")


def test_nothing_is_said_of_a_clean_table():
    assert told(looked(CLEAN)) == ("2 of 3 columns are used, and 'y' as label.", {})


WRITTEN = {
    "a decimal comma": (lambda i: f"{i % 9},5;1;{i % 2}", {"decimal": ","}, "Read “,” as decimal mark"),
    "thousands": (lambda i: f"{i + 1}'234;1;{i % 2}", {"thousands": "'"}, "Read “'” as thousands mark"),
    "both": (lambda i: f"{i + 1}.234,5;1;{i % 2}", {"decimal": ",", "thousands": "."}, "Read “,” as decimal mark and"),
    "per cent": (lambda i: f"{i} %;1;{i % 2}", {"percent": True}, "Read 12 % as .12"),
}


@pytest.mark.parametrize(("row", "changes", "label"), WRITTEN.values(), ids=WRITTEN)
def test_numbers_written_otherwise(row, changes, label):
    text = table("a;b;y", row)
    said, found = told(looked(text))
    assert said == "1 of 3 columns are used, and 'y' as label."
    ((what, fixes),) = found.items()
    assert what.startswith("Column 'a' holds numbers written as ")
    assert what.endswith(", so it is no feature.")
    assert fixes[0].reading == changes
    assert len(fixes) == 1  # one change that is enough is not offered with another
    assert fixes[0].label.startswith(label)
    assert fixes[0].use == (0,)
    said, found = told(looked(text, **changes), left_out=())
    assert said.startswith("2 of 3")


def test_a_word_among_numbers():
    text = table("a,b,y", lambda i: f"{'unknown' if i == 17 else i % 4},{i % 7},{i % 2}")
    said, found = told(looked(text))
    assert said.startswith("1 of 3")
    fixes = found["Column 'a' holds numbers beside 'unknown', so it is no feature."]
    assert (fixes[0].label, fixes[0].reading) == ("Read 'unknown' as a gap", {"gaps": "unknown"})
    again = looked(text, gaps=("unknown",))
    assert (again.columns[0].kind, again.columns[0].gaps) == ("numbers", 1)


def test_words_nothing_and_row_names():
    text = table(",a,hue,void,y", lambda i: f"r{i},{i % 7},{'red' if i % 3 else 'blue'},,{i % 2}")
    said, found = told(looked(text))
    assert said.startswith("1 of 5 columns are used")
    assert list(found) == [
        "Column 'number 0' is left out: a first column without a name holds row names.",
        "Column 'void' is left out: no row has a value there.",
        "Column 'hue' is left out, with words; to use words, declare categories under “Words to zeros and ones”.",
    ]


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (lambda i: i, "Column 'id' numbers the rows one by one: in a file sorted by class, that is the class."),
        (lambda i: 40 - i, "Column 'id' numbers the rows one by one: in a file sorted by class, that is the class."),
        (lambda i: 1000 + 17 * i, "Column 'id' has another whole number in every row: a number of the person?"),
    ],
)
def test_numbers_of_rows_and_of_persons(value, says):
    found = looked(table("id,b,y", lambda i: f"{value(i)},{i % 5}.5,{i % 2}"))
    (fix,) = told(found)[1][says]
    assert (fix.label, fix.leave_out) == ("Leave out 'id'", (0,))
    assert told(found, left_out=(0,))[1].keys() == {"Column 'id' is left out, with numbers."}


class TestLabel:
    def test_guessed(self):
        found = looked(table("a,b,kind", lambda i: f"{i % 7},{i % 5},{'uv'[i % 2]}"))
        assert "The label is guessed: 'kind' is the last column. Choose another under “Label column”." in told(found)[1]

    def test_guessed_never_on_an_empty_column(self):
        found = looked(table("a,kind,", lambda i: f"{i % 7},{'uv'[i % 2]},"))
        assert found.names[found.label] == "kind"

    def test_fractions(self):
        found = looked(table("a,b,score", lambda i: f"{i % 7},{i % 5},{i % 3}.25"))
        fixes = told(found)[1]["The label 'score' holds fractions, which are no classes."]
        assert [fix.purpose for fix in fixes] == ["response", "none"]

    def test_one_class(self):
        found = looked(table("a,b,y", lambda i: f"{i % 7},{i % 5},1"))
        assert "The label 'y' has one class: only models that need no classes are offered." in told(found)[1]

    def test_na_none_and_null_are_classes(self):
        found = looked(table("a,b,kind", lambda i: f"{i % 7},{i % 5},{('NA', 'None', 'null')[i % 3]}"))
        assert (found.columns[2].kind, found.columns[2].gaps) == ("text", 0)
        assert found.columns[2].categories == ("NA", "None", "null")


def seconds_for(columns):
    """Processor seconds of the findings about a table of so many columns, half of them left out."""
    names = [f"a rather long name of a column {j}" for j in range(columns)]
    line = ",".join(["1", "2"] * (columns // 2))
    found = looked("\n".join([",".join(names), *[line] * 12]))
    began = time.process_time()
    chosen = Chosen(label=found.label, left_out=range(0, columns, 2))
    assert len(used_columns(found, chosen)) == columns // 2 - 1 + (found.label % 2 == 0)
    findings(found, chosen)
    return time.process_time() - began


def test_very_many_columns_take_time_by_their_number_alone():
    """A comparison of all names with all names took minutes at 20,000 columns: the square of the number."""
    few = min(seconds_for(1_000) for _ in range(3))
    assert seconds_for(12_000) < 1 + 50 * few  # 12 times as long; 144 times as long, and 7 s, where all are compared
