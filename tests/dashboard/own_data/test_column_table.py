"""The table of an upload's columns says what the form declares, from the whole file."""

import numpy as np
import pytest
from test_choices import LOOKED, PLAIN

from dashboard.own_data.choices import Choices
from dashboard.own_data.column_table import SHARE, chosen_columns


def table(**choices):
    return chosen_columns("people.csv", LOOKED, LOOKED.reading, Choices(**{**PLAIN, **choices})).set_index("name")


def test_a_column_is_used_left_out_or_the_label():
    assert dict(table()["used"]) == {"id": "no", "age": "yes", "pay": "yes", "colour": "no", "y": "label"}
    assert table(drop=(0,), read_off=(3,)).loc["colour", "used"] == "as categories"
    assert table(purpose="response").loc["y", "used"] == "response"


def test_shares_are_of_the_squared_length_of_the_columns_in_use():
    age, pay = np.arange(20, 50.0), -1000.0 * np.arange(30)
    wanted = (pay**2).sum() / ((age**2).sum() + (pay**2).sum())
    found = table()[SHARE]
    assert found["pay"] == pytest.approx(wanted)
    assert found["age"] + found["pay"] == pytest.approx(1)
    assert found[["id", "colour", "y"]].isna().all()
    assert table(drop=(0, 2, 3))[SHARE]["age"] == 1


def test_bounds_stand_beside_their_columns_and_wrong_ones_are_left_out():
    found = table(bounds="declared", lower="0, -40000", upper="100 0")
    assert found.loc["age", ["lower", "upper"]].tolist() == [0, 100]
    assert found.loc["pay", ["lower", "upper"]].tolist() == [-40000, 0]
    assert found.loc[["id", "y"], "lower"].isna().all()
    for lower in ("1, 2, 3", "word", ""):
        assert table(bounds="declared", lower=lower, upper="100")["lower"].isna().all()
    assert table(bounds="learnt").loc["age", ["lower", "upper"]].tolist() == [20, 49]
