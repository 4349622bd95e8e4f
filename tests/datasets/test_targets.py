"""A response with slices, and views: declared in a sidecar, the same from every format."""

import gzip
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from dpgep_core import Dataset, load_dataset, solve
from dpgep_core.datasets.files import read_file
from dpgep_core.datasets.slices import quantile_edges, slice_codes
from dpgep_core.errors import DataError, ParameterError

from .wrappings import idx

RESPONSE = '[response]\ncolumn = "score"\nedges = [10, 20.5]\n'


def table():
    rng = np.random.default_rng(0)
    X = rng.integers(1, 9, (40, 4)).astype(np.uint8)
    return X, np.round(30 * rng.random(40), 4)


def frame(X, r):
    return pd.DataFrame(X, columns=list("abcd")).assign(score=r)


def write(folder, kind, X, r):
    path = folder / f"toy.{kind}"
    if kind == "npz":
        np.savez(path, X=X, score=r)
    elif kind == "csv":
        frame(X, r).to_csv(path, index=False)
    elif kind == "csv.gz":
        path.write_bytes(gzip.compress(frame(X, r).to_csv(index=False).encode()))
    elif kind == "parquet":
        frame(X, r).to_parquet(path)
    else:
        lines = (
            f"{v!r} " + " ".join(f"{j + 1}:{x}" for j, x in enumerate(row))
            for v, row in zip(r.tolist(), X, strict=True)
        )
        path.write_text("\n".join(lines) + "\n")
    return path


class TestSidecar:
    @pytest.mark.parametrize("kind", ["npz", "csv", "csv.gz", "parquet", "libsvm"])
    def test_a_response_from_every_format(self, tmp_path, kind):
        X, r = table()
        path = write(tmp_path, kind, X, r)
        text = RESPONSE if kind != "libsvm" else RESPONSE.replace('column = "score"\n', "")
        (tmp_path / "toy.toml").write_text("views = 3\n" + text)
        dataset = read_file(path)
        assert np.array_equal(dataset.X, X)
        assert np.array_equal(dataset.response, r)
        assert np.array_equal(dataset.y, np.searchsorted([10, 20.5], r))
        assert dataset.edges == (10.0, 20.5)
        assert dataset.edges_declared
        assert dataset.classes == ("up to 10", "10 to 20.5", "above 20.5")
        assert dataset.views == ((0, 1, 2), (3,))
        assert solve(dataset, "sir", "ssp").accounted.epsilon == pytest.approx(1.0)

    def test_a_test_split_is_sliced_alike(self, tmp_path):
        X, r = table()
        np.savez(tmp_path / "toy.npz", X=X, y=r, X_test=X[:5], y_test=r[:5])
        (tmp_path / "toy.toml").write_text("[response]\nedges = [10, 20.5]\n")
        dataset = read_file(tmp_path / "toy.npz")
        assert np.array_equal(dataset.response_test, r[:5])
        assert np.array_equal(dataset.y_test, dataset.y[:5])

    def test_images_with_a_response(self, tmp_path):
        (tmp_path / "toy-images-idx3-ubyte").write_bytes(idx(np.ones((4, 2, 2), np.uint8), 0x08))
        (tmp_path / "toy-labels-idx1-ubyte").write_bytes(idx(np.array([1, 2, 3, 4], np.uint8), 0x09))
        (tmp_path / "toy.toml").write_text("[response]\nedges = [2]\n")
        assert read_file(tmp_path / "toy-images-idx3-ubyte").y.tolist() == [0, 0, 1, 1]

    def test_lists_of_columns(self, tmp_path):
        path = write(tmp_path, "npz", *table())
        (tmp_path / "toy.toml").write_text('label = ""\nviews = [[3, 0], [1, 2]]\n')
        assert read_file(path).views == ((3, 0), (1, 2))

    def test_quantiles_of_the_rows_are_for_methods_without_privacy(self, tmp_path):
        path = write(tmp_path, "csv", *table())
        (tmp_path / "toy.toml").write_text('[response]\ncolumn = "score"\nslices = 4\n')
        dataset = read_file(path)
        assert np.bincount(dataset.y).tolist() == [10] * 4
        assert solve(dataset, "sir", "exact").public.n_classes == 4
        with pytest.raises(ParameterError, match="public edges, for a private method"):
            solve(dataset, "sir", "ssp")

    def test_a_response_that_is_not_cut_has_no_classes(self, tmp_path):
        path = write(tmp_path, "csv", *table())
        (tmp_path / "toy.toml").write_text('[response]\ncolumn = "score"\n')
        dataset = read_file(path)
        assert (dataset.y, dataset.n_classes) == (None, 0)
        assert dataset.with_edges([5]).n_classes == 2

    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            ('label = ""\nviews = 4\n', "views = 4"),
            ("views = 0\n", "views = 0"),
            ('label = ""\nviews = [[0, 1], [1, 2, 3]]\n', "share out columns 0 to 3"),
            ('views = [["a"], ["b"]]\n', "two lists of column numbers"),
            ("[response]\nedges = [2, 1]\n", "increase"),
            ("[response]\nedges = [1, 1]\n", "increase"),
            ("[response]\nedges = [nan]\n", "finite"),
            ('[response]\nedges = ["low"]\n', "list of numbers"),
            ("[response]\nslices = 1\n", "from 2"),
            ("[response]\nslices = 3\nedges = [1]\n", "beside"),
            ("[response]\nedge = [1]\n", "response.edge"),
            ('label = "y"\n[response]\nedges = [1]\n', "a response, which is sliced, or labels"),
            ('classes = ["a", "b"]\n[response]\nedges = [1]\n', "a response, which is sliced, or labels"),
            ("[columns]\n", r"say .response. in the sidecar for a real-valued response"),
            ("respons = 1\n", "did you mean 'response'"),
            ("view = 2\n", "did you mean 'views'"),
        ],
    )
    def test_slips(self, tmp_path, text, problem):
        X, r = table()
        np.savez(tmp_path / "toy.npz", X=X, y=r)
        (tmp_path / "toy.toml").write_text(text)
        with pytest.raises(DataError, match=problem.replace("(", r"\(")):
            read_file(tmp_path / "toy.npz")

    @pytest.mark.parametrize(
        ("value", "problem"), [("high", "'high'"), ("", "row 2 has no response"), ("inf", "'inf'")]
    )
    def test_a_response_that_is_no_number(self, tmp_path, value, problem):
        (tmp_path / "toy.csv").write_text(f"a,b,score\n1,2,3\n1,2,{value}\n4,5,6\n")
        (tmp_path / "toy.toml").write_text(RESPONSE)
        with pytest.raises(DataError, match=problem):
            read_file(tmp_path / "toy.csv")


class TestDataset:
    def test_edges_alone_make_classes(self):
        X, r = table()
        dataset = Dataset("toy", "Toy", X, response=r, edges=(10.0, 20.5))
        assert np.array_equal(dataset.y, slice_codes(r, (10.0, 20.5)))
        again = replace(dataset, preprocessing=dataset.preprocessing)
        assert np.array_equal(again.y, dataset.y)
        assert dataset.with_edges([1, 2, 3, 4]).n_classes == 5

    @pytest.mark.parametrize(
        "given",
        [
            {"edges": (1.0,)},
            {"response": np.ones(3), "edges": (1.0,)},
            {"response": np.full(40, np.nan)},
            {"response": np.ones((40, 2))},
            {"response": np.array(["a"] * 40)},
            {"response": np.ones(40), "edges": (0.5,), "y": np.zeros(40, int), "classes": ("a", "b")},
            {"response": np.ones(40), "edges": (0.5,), "response_test": np.ones(3)},
            {"response": np.ones(40), "edges": (0.5,), "X_test": np.ones((3, 4))},
        ],
    )
    def test_what_does_not_fit(self, given):
        with pytest.raises(DataError):
            Dataset("toy", "Toy", table()[0], **given)

    def test_quantile_edges_with_ties(self):
        """Heavy ties give fewer slices, none of them empty."""
        response = np.array([0.0] * 30 + [1.0] * 5 + [2.0] * 5)
        edges = quantile_edges(response, 8)
        assert (np.bincount(slice_codes(response, edges)) > 0).all()
        with pytest.raises(ParameterError, match="more than one value"):
            quantile_edges(np.ones(9), 3)
        for slices in (1, 41):
            with pytest.raises(ParameterError, match="a whole number >= 2 and <= 40"):
                quantile_edges(response, slices)
        with pytest.raises(ParameterError, match="'digits' has none"):
            load_dataset("digits").with_quantile_slices(3)


def test_diabetes_is_a_regression_with_public_edges():
    dataset = load_dataset("diabetes")
    assert (dataset.n, dataset.d, dataset.n_classes) == (442, 10, 5)
    assert (dataset.response.min(), dataset.response.max()) == (25, 346)
    assert dataset.response[:3].tolist() == [151, 75, 141]
    assert np.bincount(dataset.y).min() > 60
    assert dataset.views == ((0, 1, 2, 3), (4, 5, 6, 7, 8, 9))
    assert dataset.edges_declared


@pytest.mark.parametrize(
    ("name", "n", "n_test"),
    [
        ("synthetic_pca", 20_000, 5_000),
        ("synthetic_fda", 1_000, 1_000),
        ("synthetic_cca", 20_000, 5_000),
        ("synthetic_sir", 20_000, 5_000),
        ("synthetic_sparse", 500, 500),
    ],
)
def test_generated_sets_fit_on_all_their_rows(name, n, n_test):
    dataset = load_dataset(name)
    assert (dataset.n, len(dataset.X_test)) == (n, n_test)
    assert len(np.unique(np.vstack([dataset.X, dataset.X_test]), axis=0)) == n + n_test
    assert solve(name, "pca", "exact", n_components=1).public.n == n
