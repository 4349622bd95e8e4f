"""The form of an upload becomes a sidecar; whatever is typed, one line says what is wrong."""

import pytest

from dashboard.own_data.choices import (
    Choices,
    columns_from_text,
    features,
    outward,
    sidecar_of,
    text_from_columns,
)
from dpgep_core.datasets.glance import glance
from dpgep_core.datasets.readers.options import TextColumn
from dpgep_core.datasets.upload import read_upload, receive
from dpgep_core.errors import DataError, DpgepError

DATA = b"id,age,pay,colour,y\n" + b"".join(
    b"p%d,%d,%d,%s,%d\n" % (i, 20 + i, -i * 1000, (b"red", b"blue")[i % 2], i % 3) for i in range(30)
)
UPLOAD = receive("people.csv", DATA)
LOOKED = glance(UPLOAD)
PLAIN = {"label": 4, "drop": (0, 3)}


def declared(**choices):
    return sidecar_of("people.csv", LOOKED, LOOKED.reading, Choices(**{**PLAIN, **choices}))


def data(**choices):
    return read_upload(UPLOAD, declared(**choices), key="upload_people")


def test_defaults_learn_the_class_set_and_nothing_else():
    dataset = data()
    assert dataset.feature_names == ("age", "pay")
    assert not dataset.classes_declared
    assert dataset.learnt == ()
    assert dataset.preprocessing.lower is None


def test_everything_declared():
    dataset = data(
        classes="0, 1, 2, 3",
        drop=(0,),
        categories={3: "red, green"},
        bounds="declared",
        lower="0, -40000",
        upper="100 0",
        log1p=(),
        radius=2.0,
    )
    assert dataset.classes == ("0", "1", "2", "3")
    assert dataset.classes_declared
    assert dataset.feature_names == ("age", "pay", "colour=red", "colour=green")
    assert dataset.preprocessing.lower == (0, -40000, 0, 0)  # of a category always 0 to 1
    assert dataset.preprocessing.upper == (100, 0, 1, 1)
    assert (dataset.preprocessing.rows, dataset.preprocessing.radius) == ("clip", 2.0)
    assert dataset.learnt == ()


def test_bounds_from_the_rows_are_rounded_outwards_and_said_to_be_learnt():
    dataset = data(bounds="learnt")
    assert dataset.preprocessing.lower == (20, -29000)
    assert dataset.preprocessing.upper == (49, 0)
    assert dataset.learnt == ("the column bounds",)
    logs = data(bounds="learnt", log1p=(1, 2))
    assert logs.preprocessing.log1p is True
    assert logs.preprocessing.lower == (3.0, -11.0)


@pytest.mark.parametrize(
    ("value", "down", "rounded"),
    [
        (1234, True, 1200),
        (1234, False, 1300),
        (-1234, True, -1300),
        (-1234, False, -1200),
        (0, True, 0),
        (0.00871, False, 0.0088),
        (20, True, 20),
        (1e308, False, 1e308),
        (9.99, False, 10),
        (5e-324, True, 5e-324),
    ],
)
def test_outwards(value, down, rounded):
    assert outward(value, down=down) == pytest.approx(rounded, rel=1e-12)


def test_a_response_and_views():
    dataset = data(purpose="response", label=1, edges="25, 35", drop=(0, 3, 4))
    assert dataset.edges == (25, 35)
    assert dataset.edges_mu == 0
    assert data(purpose="response", label=1, edges="25, 35", edges_mu=0.03, drop=(0, 3, 4)).edges_mu == 0.03
    assert dataset.feature_names == ("pay",)
    assert data(purpose="none", first_view=(1,)).views == ((0,), (1, 2))


def test_columns_are_named_where_a_name_tells_them_apart():
    assert declared().label == "y"
    assert declared().drop == ("id", "colour")
    assert declared(read_off=(3,), drop=(0,)).text == (TextColumn(column="colour"),)
    twice = receive("a.csv", b"a,a,z\n1,2,0\n3,4,1\n")
    looked = glance(twice)
    assert sidecar_of("a.csv", looked, looked.reading, Choices(label=2, drop=(1,))).drop == (1,)


WRONG = {
    "lower that is no number": ({"bounds": "declared", "lower": "zero", "upper": "1"}, "lower holds 'zero'; numbers"),
    "upper that is infinite": (
        {"bounds": "declared", "lower": "0", "upper": "inf"},
        "upper holds a number that is not",
    ),
    "three bounds for two columns": (
        {"bounds": "declared", "lower": "0,0,0", "upper": "1"},
        "lower holds 3 numbers; one, or one for each of the 2",
    ),
    "no bounds typed": ({"bounds": "declared"}, "lower holds 0 numbers"),
    "lower above upper": (
        {"bounds": "declared", "lower": "2", "upper": "1"},
        "lower = 2 of column 'age'; a number below upper = 1",
    ),
    "lower equal to upper": ({"bounds": "declared", "lower": "1", "upper": "1"}, "a number below upper"),
    "edges that fall": ({"purpose": "response", "label": 1, "edges": "3, 1"}, "edges = [3.0, 1.0]; finite numbers"),
    "edges that are words": ({"purpose": "response", "label": 1, "edges": "low, high"}, "edges holds 'low'"),
    "words as numbers": ({"drop": (0,)}, "column 'colour' holds words; declare its categories, or leave it out"),
    "no categories": ({"drop": (0,), "categories": {3: " , "}}, "column 'colour' has no categories"),
    "categories twice": ({"drop": (0,), "categories": {3: "red,red"}}, "repeat one"),
    "nothing left": ({"drop": (0, 1, 2, 3)}, "every column is the label or left out"),
    "one view of all": ({"first_view": (1, 2)}, "2 and 0 columns in the two views; at least 1 in each"),
    "a radius of zero": ({"radius": 0.0}, "radius must be"),
}


@pytest.mark.parametrize(("choices", "says"), WRONG.values(), ids=WRONG)
def test_wrong_choices(choices, says):
    with pytest.raises(DpgepError) as caught:
        declared(**choices)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_classes_that_miss_a_label():
    with pytest.raises(DataError, match="label 2 of row 3 is not declared"):
        data(classes="0, 1")


def test_features_are_what_the_reader_makes():
    choices = Choices(label=4, drop=(0,), read_off=(3,))
    names = [feature.name for feature in features("people.csv", LOOKED, choices)]
    made = read_upload(UPLOAD, sidecar_of("people.csv", LOOKED, LOOKED.reading, choices), key="k")
    assert tuple(names) == made.feature_names
    assert made.learnt == ("the categories of 'colour'",)


@pytest.mark.parametrize(
    ("text", "columns"),
    [("", ()), ("age", (1,)), ("3, age", (3, 1)), ("1-3", (1, 2, 3)), (" 0 - 1 ,y, 0", (0, 1, 4)), ("4", (4,))],
)
def test_columns_may_be_typed(text, columns):
    assert columns_from_text("people.csv", LOOKED, text) == columns


@pytest.mark.parametrize("text", ["9", "3-9", "3-1", "height", "-1", "1-", "1.5", "²", "9" * 400])
def test_columns_that_are_not_there(text):
    with pytest.raises(DataError, match=r"there (is|are) no column"):
        columns_from_text("people.csv", LOOKED, text)


def test_typed_columns_read_back():
    for columns in ((), (0,), (0, 1, 2, 4), (1, 3)):
        assert columns_from_text("people.csv", LOOKED, text_from_columns(columns)) == columns
