"""Rows are known by their numbers, however they are stored: they have one budget and not one for each way."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from dpgep_core.datasets import Dataset, digests, load_dataset
from dpgep_core.datasets.digests import dataset_digest, rows_digest

RNG = np.random.default_rng(0)
WHOLE = RNG.integers(-100, 100, size=(60, 3))
CODES = RNG.integers(0, 2, size=60)


def rows_of(X, **more):
    return Dataset("rows", "", X, CODES, **{"classes": ("0", "1"), **more})


@pytest.mark.parametrize("kind", ["int8", "int16", "int64", "float16", "float32", "float64"])
@pytest.mark.parametrize("block", [1 << 22, 7])
def test_no_number_type_tells_rows_apart(kind, block, monkeypatch):
    wanted = rows_digest(rows_of(WHOLE))
    monkeypatch.setattr(digests, "DIGEST_BLOCK", block)
    assert rows_digest(rows_of(WHOLE.astype(kind))) == wanted
    assert rows_digest(rows_of(np.asfortranarray(WHOLE.astype(kind)))) == wanted
    assert rows_digest(rows_of(sparse.csr_array(WHOLE.astype(kind if kind != "float16" else "float32")))) == wanted


def test_rounding_and_signs_of_zero_make_no_other_rows():
    X = RNG.normal(size=(60, 3))
    X[0] = 0.0
    wanted = rows_digest(rows_of(X))
    assert rows_digest(rows_of(np.where(X == 0, -0.0, X))) == wanted
    assert rows_digest(rows_of(X.astype(np.float32))) == wanted
    assert rows_digest(rows_of(X + 1e-15 * np.abs(X))) == wanted


def test_what_is_declared_makes_no_other_rows():
    """The order of the classes, other labels and the rows of a test split are about the same people."""
    data = rows_of(WHOLE)
    for other in (
        Dataset("rows", "", WHOLE, 1 - CODES, classes=("1", "0")),
        Dataset("rows", "", WHOLE),
        Dataset("rows", "", WHOLE, response=RNG.normal(size=60), edges=(0.0,)),
        replace(data, X_test=WHOLE, y_test=CODES),
    ):
        assert rows_digest(other) == rows_digest(data)
        assert dataset_digest(other) != dataset_digest(data)


def test_other_rows_are_told_apart():
    wanted, other = rows_digest(rows_of(WHOLE)), WHOLE.copy()
    other[3, 1] += 1
    assert rows_digest(rows_of(other)) != wanted
    assert rows_digest(rows_of(WHOLE[::-1])) != wanted
    assert rows_digest(Dataset("rows", "", WHOLE.reshape(30, 6))) != wanted
    huge = [rows_digest(rows_of(WHOLE.astype(float) + far)) for far in (0.0, 1e300)]
    assert len({*huge, rows_digest(rows_of(WHOLE - 1e300))}) == 3


def test_one_table_has_one_digest_as_csv_as_parquet_and_streamed(tmp_path, monkeypatch):
    table = pd.DataFrame(WHOLE, columns=list("abc")).assign(kind=CODES)
    table.to_csv(tmp_path / "one.csv", index=False)
    table.to_parquet(tmp_path / "two.parquet")
    table.astype({"a": float, "b": "float32"}).to_parquet(tmp_path / "three.parquet")
    monkeypatch.setenv("DPGEP_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("DPGEP_PASSES_DIR", "")
    for name, ending in (("four", "csv"), ("five", "parquet")):
        (tmp_path / name).mkdir()
        for number, part in enumerate((table[:10], table[10:])):
            file = tmp_path / name / f"{number}.{ending}"
            part.to_csv(file, index=False) if ending == "csv" else part.to_parquet(file)
    for name in ("one", "two", "three", "four", "five"):
        (tmp_path / f"{name}.toml").write_text('label = "kind"\nclasses = ["0", "1"]\n')
    monkeypatch.setenv("DPGEP_STREAM_BYTES", "10")
    stored = [load_dataset(name) for name in ("one", "two", "three", "four", "five")]
    assert [each.streamed for each in stored] == [False] * 3 + [True] * 2
    assert len({rows_digest(each) for each in stored}) == 1
