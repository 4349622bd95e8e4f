"""Rows and labels as users have them: converted by position, or refused in one sentence."""

import decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from scipy import sparse

from dpgep_core import DataError, Dataset, ParameterError, Preprocessing, evaluate, solve
from dpgep_core.evaluate.classify import score

N, D, K = 60, 3, 20
CLASSES = tuple(f"c{k}" for k in range(K))
X = np.random.default_rng(5).integers(0, 200, (N, D)).astype(np.float64)
CODES = np.arange(N) % K
SHUFFLED = np.random.default_rng(6).permutation(N)


class Foreign:
    """A column or frame of a library that is not installed here: it has ``to_numpy`` and nothing else."""

    def __init__(self, values, gaps=None):
        self.values, self.gaps = np.asarray(values), gaps

    def to_numpy(self):
        return self.values if self.gaps is None else np.where(self.gaps, np.nan, self.values.astype(float))


class Streams:
    """A table that is only told through Arrow's stream interface."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


class Fails:
    def to_numpy(self):
        raise RuntimeError("a device that is busy")


def dataset(rows=X, y=CODES, **more):
    return Dataset("toy", "Toy", rows, y, classes=CLASSES, **more)


FRAME = pd.DataFrame(X.astype(int), index=SHUFFLED, columns=["a", "b", "a"])
TABLES = {
    "list of lists": X.tolist(),
    "list of arrays": list(X),
    "tuple of tuples": tuple(map(tuple, X.tolist())),
    "list of series": [pd.Series(row, index=[2, 0, 1]) for row in X],
    "frame with shuffled index": FRAME,
    "frame of floats and bytes": FRAME.set_axis([*"abc"], axis=1).astype({"a": "uint8", "b": "float32"}),
    "frame of nullable integers": FRAME.astype("Int64"),
    "frame of nullable floats": FRAME.astype("Float32"),
    "frame on Arrow": FRAME.astype("int64[pyarrow]"),
    "frame of sparse columns": FRAME.astype(pd.SparseDtype("float64", 0.0)),
    "frame of categories that are numbers": FRAME.set_axis([*"abc"], axis=1).astype("category"),
    "frame of decimals on Arrow": FRAME.astype(pd.ArrowDtype(pa.decimal128(25, 2))),
    "Arrow table": pa.table({"a": X[:, 0], "b": X[:, 1].astype(int), "c": X[:, 2]}),
    "Arrow batch": pa.record_batch({"a": X[:, 0], "b": X[:, 1].astype(int), "c": X[:, 2]}),
    "Arrow stream": Streams(pa.table({"a": X[:, 0], "b": X[:, 1], "c": X[:, 2]})),
    "CSR matrix": sparse.csr_matrix(X),
    "COO array": sparse.coo_array(X),
    "matrix": X.view(np.matrix),
    "masked, nothing masked": np.ma.masked_array(X, mask=np.zeros_like(X, bool)),
    "big-endian": X.astype(">i4"),
    "long double": X.astype(np.longdouble),
    "half": X.astype(np.float16),
    "column order": np.asfortranarray(X),
    "upside down": X[::-1][::-1],
    "foreign": Foreign(X),
}  # fmt: skip


@pytest.mark.parametrize("given", TABLES.values(), ids=TABLES)
def test_rows_are_taken_by_position(given):
    """Any wrapping gives the same numbers, of training and of test rows."""
    made = dataset(given, X_test=given, y_test=CODES)
    for rows in (made.X, made.X_test):
        assert type(rows) is np.ndarray
        assert rows.dtype.kind in "iuf"
        assert rows.dtype.isnative
        np.testing.assert_array_equal(rows, X)


LABELS = {
    **{f"{kind}": CODES.astype(kind) for kind in ("int8", "uint8", "int16", "uint16", "uint32", "uint64", "int64")},
    "whole floats": CODES.astype(float),
    "half": CODES.astype(np.float16),
    "big-endian": CODES.astype(">u2"),
    "list": CODES.tolist(),
    "tuple": tuple(CODES.tolist()),
    "range": None,
    "series with shuffled index": pd.Series(CODES, index=SHUFFLED),
    "index": pd.Index(CODES),
    "nullable": pd.Series(CODES, index=SHUFFLED, dtype="Int8"),
    "nullable array": pd.array(CODES, dtype="UInt8"),
    "on Arrow": pd.Series(CODES, index=SHUFFLED, dtype="uint8[pyarrow]"),
    "category": pd.Series(CODES, index=SHUFFLED, dtype="category"),
    "categorical": pd.Categorical(CODES),
    "sparse series": pd.Series(pd.arrays.SparseArray(CODES), index=SHUFFLED),
    "Arrow array": pa.array(CODES),
    "Arrow chunks": pa.chunked_array([CODES[:7], CODES[7:]]),
    "masked, nothing masked": np.ma.masked_array(CODES, mask=False),
    "foreign": Foreign(CODES),
}


@pytest.mark.parametrize("given", [value for value in LABELS.values() if value is not None],
                         ids=[name for name, value in LABELS.items() if value is not None])  # fmt: skip
def test_codes_are_taken_by_position_and_counted_in_a_wide_type(given):
    made = dataset(y=given, X_test=X, y_test=given)
    for codes in (made.y, made.y_test):
        assert type(codes) is np.ndarray
        assert codes.dtype == np.intp
        np.testing.assert_array_equal(codes, CODES)


def test_truth_values_are_two_classes():
    made = Dataset("toy", "Toy", X > 90, CODES % 2 == 1, classes=("no", "yes"))
    assert made.y is not None
    np.testing.assert_array_equal(made.y, CODES % 2)
    assert made.X.dtype == bool


GAPPED = CODES.astype(float)
GAPPED[3] = np.nan
HOLE = np.arange(N) == 3
BAD_LABELS = {
    "masked": (np.ma.masked_array(CODES, mask=HOLE), "masked, in row 3"),
    "list with a masked part": ([*CODES[:3].tolist(), np.ma.masked, *CODES[4:].tolist()], "masked"),
    "NaN": (GAPPED, "label of row 3 is nan"),
    "inf": (np.where(HOLE, np.inf, CODES), "label of row 3 is inf"),
    "fraction": (np.where(HOLE, 2.5, CODES), "label of row 3 is 2.5"),
    "negative": (np.where(HOLE, -1, CODES), "-1 in row 3; codes 0 to 19"),
    "too large": (np.where(HOLE, K, CODES), "20 in row 3; codes 0 to 19"),
    "wraps in int64": (np.where(HOLE, 2**64 - 1, CODES.astype(np.uint64)), "label of row 3 is 18446744073709551615"),
    "wraps in int8": (np.where(HOLE, 256, CODES), "256 in row 3"),
    "nullable with a gap": (pd.array(GAPPED, dtype="Int64"), "missing, in row 3"),
    "on Arrow with a gap": (pd.Series(GAPPED, dtype="int64[pyarrow]"), "missing, in row 3"),
    "Arrow with a gap": (pa.array([None if hole else int(c) for c, hole in zip(CODES, HOLE, strict=True)]), "in row 3"),
    "category with a gap": (pd.Series(GAPPED, dtype="category"), "missing, in row 3"),
    "foreign with a gap": (Foreign(CODES, HOLE), "label of row 3 is nan"),
    "foreign that fails": (Fails(), "a device that is busy"),
    "words": (np.array(CLASSES)[CODES], "labels of type <U3"),
    "series of words": (pd.Series(CLASSES * 3), "labels of type"),
    "category of words": (pd.Series(CLASSES * 3, dtype="category"), "labels of type"),
    "objects": (np.array([*CODES[:-1], None], dtype=object), "None in row 59"),
    "complex": (CODES.astype(complex), "complex"),
    "dates": (pd.date_range("2020", periods=N), "labels of type datetime64"),
    "records": (np.zeros(N, [("a", int)]), "labels of type"),
    "two columns": (np.c_[CODES, CODES], r"\(60, 2\) labels for 60 rows"),
    "a column": (pd.DataFrame({"y": CODES}), r"\(60, 1\) labels"),
    "too short": (CODES[:-1], r"\(59,\) labels for 60 rows"),
    "sparse": (sparse.csr_matrix(CODES), r"\(1, 60\) labels"),
    "a number": (3, "labels that are 3"),
    "a word": ("3", "labels that are '3'"),
    "a set": (set(range(N)), "labels that are"),
    "a mapping": (dict(enumerate(CODES)), "labels that are"),
    "an iterator": (iter(CODES), "labels that are"),
    "ragged": ([[1], [1, 2]], "different lengths"),
    "400 digits": ([10**400] * N, "too large"),
}  # fmt: skip


@pytest.mark.parametrize(("given", "said"), BAD_LABELS.values(), ids=BAD_LABELS)
@pytest.mark.parametrize("part", ["y", "y_test"])
def test_labels_that_are_no_codes(given, said, part):
    with pytest.raises(DataError, match=said) as caught:
        dataset(**({"y": given} if part == "y" else {"X_test": X, "y_test": given}))
    assert str(caught.value).startswith("toy")
    assert ("test split" in str(caught.value)) == (part == "y_test")
    assert len(str(caught.value)) < 400


HOLES = np.zeros_like(X, bool)
HOLES[3, 1] = True
BAD_ROWS = {
    "masked": (np.ma.masked_array(X, HOLES), "masked, in row 3"),
    "list of masked rows": ([np.ma.masked_array(row, hole) for row, hole in zip(X, HOLES, strict=True)], "masked"),
    "NaN": (np.where(HOLES, np.nan, X), "row 3, column 1 is nan"),
    "-inf": (np.where(HOLES, -np.inf, X), "row 3, column 1 is -inf"),
    "long double that is no double": (np.where(HOLES, np.longdouble("1e4000"), X), "row 3, column 1 is inf"),
    "nullable": (pd.DataFrame(X).mask(HOLES).astype("Int64"), "column 1: entries that are missing, in row 3"),
    "on Arrow": (pd.DataFrame(X).mask(HOLES).astype("float64[pyarrow]"), "column 1.* in row 3"),
    "Arrow table": (pa.table({"a": [1, None, 3]}), "column 0.* in row 1"),
    "a column of words": (pd.DataFrame(X).assign(w="red"), "column 3"),
    "a column of dates": (pd.DataFrame(X).assign(w=pd.Timestamp(0)), "column 3: entries of type datetime64"),
    "decimals": ([[decimal.Decimal(1)] * 2] * 3, "object"),
    "complex": (X * 1j, "complex"),
    "words": (np.full((3, 2), "a"), "entries of type <U1"),
    "ragged": ([[1, 2], [3]], "different lengths"),
    "one row": (X[:1], "at least 2 rows"),
    "flat": (X[0], r"shape \(3,\)"),
    "a series": (pd.Series(X[0]), r"shape \(3,\)"),
    "cube": (np.zeros((2, 2, 2)), r"shape \(2, 2, 2\)"),
    "no columns": (pd.DataFrame(index=range(5)), "shape"),
    "nothing": (None, "entries that are None"),
    "sparse with NaN": (sparse.csr_matrix(np.where(HOLES, np.nan, X)), "row 3, column 1 is nan"),
    "sparse that fits nowhere": (sparse.csr_matrix((10**7, 4000)), "in memory"),
}


@pytest.mark.parametrize(("given", "said"), BAD_ROWS.values(), ids=BAD_ROWS)
def test_rows_that_are_no_table_of_numbers(given, said):
    with pytest.raises(DataError, match=said) as caught:
        Dataset("toy", "Toy", given)
    assert str(caught.value).startswith("toy")
    if given is not None:  # no test split
        with pytest.raises(DataError, match="toy, test split"):
            Dataset("toy", "Toy", X, X_test=given)


def test_images_of_bytes_stay_bytes_and_are_not_copied():
    images = np.zeros((500, 784), np.uint8)
    made = Dataset("toy", "Toy", images)
    assert np.shares_memory(made.X, images)
    assert made.X.dtype == np.uint8


@pytest.mark.parametrize("kind", [np.uint8, np.int8, np.uint64, float])
def test_narrow_codes_give_the_accuracy_of_wide_ones(kind):
    """With 20 classes, truth · 20 + predicted passes 255: counted in bytes, .65 was told for 1."""
    rows = np.repeat(np.eye(K), 6, axis=0)
    codes = np.repeat(np.arange(K), 6)
    more = {"classes": CLASSES, "preprocessing": Preprocessing(rows="clip")}
    wide, narrow = (
        Dataset("toy", "Toy", rows, y, rows, y, **more) for y in (codes, codes.astype(kind))
    )  # fmt: skip
    found = [
        evaluate(solve(data, "fda", "exact", n_components=19, xi=0.1), data, classifiers=["lda"]).accuracy["lda"]
        for data in (wide, narrow)
    ]
    assert found[0].private == found[1].private
    assert found[1].private.accuracy == 1.0
    everything = score(codes.astype(np.uint8), codes.astype(np.uint8), codes.size)
    assert (everything.accuracy, everything.precision, everything.recall) == pytest.approx((1.0, 1.0, 1.0))


@pytest.mark.parametrize("wrap", [list, tuple, pd.Series, lambda v: pd.Series(v, index=SHUFFLED), pa.array, np.float32,
                                  lambda v: pd.array(v, dtype="Float64")])  # fmt: skip
def test_a_response_is_taken_by_position(wrap):
    response = np.linspace(0, 1, N).astype(np.float32).astype(float)
    made = Dataset("toy", "Toy", X, response=wrap(response), edges=np.array([0.25, 0.75]))
    np.testing.assert_array_equal(made.response, response)
    assert made.edges == (0.25, 0.75)
    np.testing.assert_array_equal(made.y, np.searchsorted([0.25, 0.75], response))
    assert made.with_edges(pd.Series([0.5])).n_classes == 2


@pytest.mark.parametrize(
    ("response", "said"),
    [
        (np.ma.masked_array(X[:, 0], HOLES[:, 1]), "masked, in row 3"),
        (pd.Series(X[:, 0], dtype="Float64").mask(HOLE), "missing, in row 3"),
        (X[:, 0] * 1j, "complex"),
        (["a"] * N, "of type <U1"),
    ],
)
def test_a_response_with_gaps_is_refused(response, said):
    with pytest.raises(DataError, match=said):
        Dataset("toy", "Toy", X, response=response)


@pytest.mark.parametrize("edges", [["a"], [None], [10**400], 3, "12", [[1.0]], [np.nan], [2.0, 1.0], np.ma.masked])
def test_edges_that_are_none(edges):
    with pytest.raises(DataError, match="toy"):
        Dataset("toy", "Toy", X, response=X[:, 0]).with_edges(edges)
    if edges != 3:
        with pytest.raises(ParameterError, match="slices"):
            Dataset("toy", "Toy", X, response=X[:, 0]).with_quantile_slices(edges)


def test_names_may_be_lists_and_indexes():
    made = Dataset("toy", "Toy", X, CODES % 2, classes=np.array(["no", "yes"]), feature_names=pd.Index([*"abc"]))
    assert (made.classes, made.feature_names) == (("no", "yes"), ("a", "b", "c"))


def test_labels_need_names_and_a_test_split_needs_rows():
    with pytest.raises(DataError, match="labels without classes"):
        Dataset("toy", "Toy", X, CODES)
    with pytest.raises(DataError, match="without its rows"):
        dataset(y_test=CODES)


@pytest.mark.parametrize("bound", [[0, 0, 0], (0.0, 0, 0), np.zeros(3), pd.Series([0, 0, 0], index=[2, 0, 1])])
def test_bounds_may_be_arrays(bound):
    made = Preprocessing(lower=bound, upper=np.array([1, 2, 3]))
    assert (made.lower, made.upper) == ((0.0, 0.0, 0.0), (1.0, 2.0, 3.0))
    assert hash(made) == hash(Preprocessing(lower=(0.0,) * 3, upper=(1.0, 2.0, 3.0)))
    assert Preprocessing(lower=np.float64(0), upper=np.uint8(9)) == Preprocessing(lower=0.0, upper=9.0)


@pytest.mark.parametrize(
    "given",
    [
        {"lower": [0, 0], "upper": [1, 1, 1]},
        {"lower": 0.0},
        {"lower": "a", "upper": 1},
        {"lower": 0, "upper": 10**400},
        {"lower": [0, None], "upper": 1},
        {"lower": np.nan, "upper": 1},
        {"lower": [[0]], "upper": 1},
        {"lower": [], "upper": []},
        {"lower": True, "upper": 1},
        {"lower": np.ma.masked_array([0, 1], [True, False]), "upper": 2},
        {"lower": 2, "upper": 1},
        {"lower": [0, 2], "upper": [1, 1]},
        {"log1p": "yes"},
        {"log1p": [0.5]},
        {"log1p": [-1]},
        {"log1p": 1},
        {"log1p": [True]},
        {"views": 3},
        {"views": [0, 1]},
        {"views": [[0], ["a"]]},
        {"radius": 10**400},
        {"rows": ["unit"]},
    ],
)
def test_preprocessing_that_cannot_be(given):
    with pytest.raises(ParameterError):
        Preprocessing(**given)


@pytest.mark.parametrize("given", [X, FRAME, None, 3, ["wine"]])
def test_what_is_no_data_set_is_refused_by_name(given):
    with pytest.raises(ParameterError, match="dataset must be a Dataset"):
        solve(given)
    with pytest.raises(ParameterError, match="dataset must be a Dataset"):
        evaluate(solve("wine", "pca", "exact"), given)


class TestPolars:
    """Run where polars is installed; `Foreign` and `Streams` stand in for it elsewhere."""

    def test_frames_and_series(self):
        pl = pytest.importorskip("polars")
        frame = pl.DataFrame({"a": X[:, 0].astype(np.uint8), "b": X[:, 1], "c": X[:, 2].astype(np.int64)})
        for codes in (pl.Series(CODES, dtype=pl.UInt8), pl.Series(CODES), pl.Series(CODES.astype(float))):
            made = dataset(frame, codes)
            np.testing.assert_array_equal(made.X, X)
            np.testing.assert_array_equal(made.y, CODES)

    def test_gaps_and_words(self):
        pl = pytest.importorskip("polars")
        codes = [None, *CODES[1:].tolist()]
        for y, said in (
            (pl.Series(codes), "label of row 0 is nan"),
            (pl.Series([str(code) for code in codes]), "labels of type"),
            (pl.Series([str(code) for code in codes], dtype=pl.Categorical), "labels of type"),
            (pl.Series(codes, dtype=pl.Boolean, strict=False), "object"),
        ):
            with pytest.raises(DataError, match=said):
                dataset(y=y)
        with pytest.raises(DataError, match="row 1, column 0 is nan"):
            Dataset("toy", "Toy", pl.DataFrame({"a": [1, None, 3]}))
