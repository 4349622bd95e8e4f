"""Warnings, errors and refusals of an estimator follow from what is declared, and tell of no single row."""

import warnings

import numpy as np
import pytest

from dpgep_core.errors import DataError
from dpgep_core.estimators import DPCCA, DPFDA, DPPCA, DPSIR
from dpgep_core.estimators.leaks import PrivacyLeakWarning

X = np.random.default_rng(0).random((60, 3))
PUBLIC = 'label = "y"\nclasses = ["k0", "k1"]\n[columns]\nlower = 0\nupper = 60\n'
ROWS = ["a,b,y", *(f"{i},{(7 * i) % 60},k{i % 2}" for i in range(40))]


def outcome(make, settings, y, batches):
    """What a fit says: its warnings, or its error."""
    estimator = make(bounds=(0, 1), random_state=0, **settings)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            estimator.partial_fit(X, y).release() if batches else estimator.fit(X, y)
        except ValueError as error:
            return str(error)
    return [str(each.message) for each in said]


@pytest.mark.parametrize("make", [DPFDA, DPSIR])
@pytest.mark.parametrize("batches", [False, True])
@pytest.mark.parametrize(
    ("classes", "one", "other"),
    [
        (range(40), np.arange(60) % 30, np.arange(60) % 31),  # more than half of the labels are distinct
        ([0, 1, 1.5, 2], np.arange(60) % 3.0, np.append(1.5, np.arange(1, 60) % 3.0)),  # a label is no whole number
        ([0, 1, 2], np.append(9, np.arange(1, 60) % 3), np.append(1.5, np.arange(1, 60) % 3)),
    ],
)
def test_what_labels_look_like_is_not_asked_where_they_are_declared(make, batches, classes, one, other):
    settings = {"classes": classes, "params": {"steps": 1}} if batches else {"classes": classes}
    first, second = (outcome(make, settings, y, batches) for y in (one, other))
    assert first == second
    assert isinstance(first, str) == (9 in one and len(classes) == 3)


def test_without_declared_classes_a_response_is_still_told_from_labels():
    assert "edges" in outcome(DPSIR, {}, X[:, 0], False)
    assert "continuous" in outcome(DPFDA, {}, X[:, 0], False)


def test_a_response_that_is_no_number_is_refused_without_its_row():
    y = X[:, 0].astype(object)
    y[7] = "secret"
    said = outcome(DPSIR, {"edges": [0.5]}, y, False)
    assert said == "DPSIR: an entry of y is no real number; real numbers are needed."


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("wrong", ["abc,1,k0", "1,2,secret", ",2,k0", "inf,2,k0"])
@pytest.mark.parametrize("make", [DPFDA, DPPCA, DPCCA, DPSIR])
def test_a_file_that_does_not_load_is_refused_without_its_rows(tmp_path, monkeypatch, make, wrong, streamed):
    monkeypatch.setenv("DPGEP_STREAM_BYTES", "0" if streamed else "1000000")
    monkeypatch.setenv("DPGEP_PASSES_DIR", "")
    (tmp_path / "t").mkdir()
    (tmp_path / "t" / "0.csv").write_text("\n".join(ROWS))
    (tmp_path / "t" / "1.csv").write_text("\n".join([*ROWS[:7], wrong]))
    (tmp_path / "t.toml").write_text(PUBLIC)
    with pytest.raises(DataError, match="do not fit what is declared") as caught:
        make().fit(tmp_path / "t")
    assert not any(word in str(caught.value) for word in ("abc", "secret", "row 7", "inf", "gap"))


@pytest.mark.parametrize(
    ("sidecar", "says"),
    [("label = [", "t.toml: cannot be read"), ("clases = [1, 2]", "did you mean 'classes'"), (None, "t.csv: ")],
)
def test_what_is_wrong_with_a_file_or_its_declarations_is_told(tmp_path, sidecar, says):
    if sidecar is not None:
        (tmp_path / "t.csv").write_text("\n".join(ROWS))
        (tmp_path / "t.toml").write_text(sidecar)
    with pytest.raises(DataError, match=says) as caught:
        DPPCA().fit(tmp_path / "t.csv")
    assert "do not fit" not in str(caught.value)


@pytest.mark.parametrize("rows", [ROWS[1:], ["?" + ROWS[1][1:], *ROWS[2:]]], ids=["full", "a gap"])
def test_a_header_that_nobody_declares_is_warned_of(tmp_path, rows):
    (tmp_path / "t.csv").write_text("\n".join(rows))
    (tmp_path / "t.toml").write_text(PUBLIC.replace('"y"', "2") + "[reading]\nmissing = 0\n")
    with pytest.warns(PrivacyLeakWarning, match="whether the first line names the columns"):
        DPPCA().fit(tmp_path / "t.csv")


@pytest.mark.parametrize("there", [3, 498, 499, 500, 501])
def test_the_number_of_rows_that_are_there_decides_nothing(there):
    settings = {"relation": "add_remove", "bounds": (0, 1), "random_state": 0, "n_components": 2}
    batch = np.random.default_rng(1).random((there, 1000))
    made = DPPCA(declared_n=500, params={"steps": 1}, **settings).partial_fit(batch).release()
    assert made.components_.shape == (2, 1000)
    wide = DPPCA(declared_n=499, params={"steps": 1}, **settings).partial_fit(batch)
    with pytest.raises(DataError, match="1,000 columns of rows that are gathered in batches") as caught:
        wide.release()
    products = DPPCA(declared_n=500, params={"steps": 1, "memory": "products"}, **settings).partial_fit(batch)
    with pytest.raises(ValueError, match="whole for rows that are gathered in batches") as other:
        products.release()
    assert not any(str(there) in str(each.value) for each in (caught, other))
