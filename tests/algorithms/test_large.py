"""Many columns: eigenvectors from products alone, in memory that grows with d·k."""

import tracemalloc

import numpy as np
import pytest
from battery import rows

from dpgep_core import Dataset, Preprocessing, solve
from dpgep_core.models.large import leading_by_products

KEYS = ("analyze_gauss", "ssp")


@pytest.mark.parametrize("d", [6, 300])
@pytest.mark.parametrize("k", [1, 3])
def test_products_find_the_leading_eigenvectors(d: int, k: int) -> None:
    rng = np.random.default_rng(d)
    frame = np.linalg.qr(rng.standard_normal((d, d)))[0]
    values = np.concatenate([[5.0, 4, 3], rng.uniform(-1, 1, d - 3)])
    matrix = (frame * values) @ frame.T
    found = leading_by_products(lambda U: matrix @ U, rng.standard_normal((d, min(d, k + 4))), k)
    np.testing.assert_allclose(np.abs((found * frame[:, :k]).sum(axis=0)), 1, atol=1e-8)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("centred", [True, False])
def test_without_noise_it_is_the_exact_answer(key: str, centred: bool) -> None:
    settings = {"noise": False, "centred": centred, "n_components": 3}
    found = solve(rows(), "pca", key, memory="products", **settings).components
    exact = solve(rows(), "pca", key, memory="whole", **settings).components
    np.testing.assert_allclose(np.abs((found * exact).sum(axis=0)), 1, atol=1e-8)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("relation", ["replace_one", "add_remove"])
def test_the_price_is_that_of_the_whole_matrix(key: str, relation: str) -> None:
    asked = {"relation": relation, **({"steps": 1} if key == "ssp" else {})}  # by products it takes one in any case
    one, other = (solve(rows(), "pca", key, memory=m, **asked) for m in ("products", "whole"))
    assert [(e.sensitivity, e.sigma, e.count) for e in one.ledger] == [
        (e.sensitivity, e.sigma, e.count) for e in other.ledger
    ]


@pytest.mark.parametrize("key", KEYS)
def test_the_noise_is_as_large_as_that_of_the_whole_matrix(key: str) -> None:
    """Mean squared sine of the first direction over seeds, within a factor that five standard errors allow."""
    exact = solve(rows(), "pca", "exact", n_components=1).components[:, 0]
    settings = {"epsilon": 3.0, "n_components": 1, **({"calibration": "exact"} if key == "analyze_gauss" else {})}
    errors = [
        np.array([1 - (solve(rows(), "pca", key, memory=m, seed=s, **settings).components[:, 0] @ exact) ** 2
                  for s in range(150)])
        for m in ("products", "whole")
    ]  # fmt: skip
    spread = np.sqrt(sum(e.var() / e.size for e in errors))
    assert abs(errors[0].mean() - errors[1].mean()) < 5 * spread


@pytest.mark.parametrize(
    ("key", "d"), [("ssp", 8_000), ("analyze_gauss", 8_000), pytest.param("ssp", 20_000, marks=pytest.mark.slow)]
)
def test_many_columns_need_no_square_matrix(key: str, d: int) -> None:
    n = 60
    rng = np.random.default_rng(1)
    signal = rng.standard_normal((n, 1)) @ np.eye(d)[:1] * 3
    X = (signal + rng.standard_normal((n, d)) / np.sqrt(d)).astype(np.float32)
    data = Dataset("wide", "Wide", X, X_test=X[:3], preprocessing=Preprocessing(rows="clip", radius=5.0))
    tracemalloc.start()
    release = solve(data, "pca", key, n_components=2, epsilon=5000.0, delta=1e-3)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 0.15 * d * d * 8
    assert release.components.shape == (d, 2)
    assert abs(release.components[0, 0]) > 0.9


def test_two_views_still_form_their_matrices() -> None:
    one, other = (solve(rows(), "cca", "ssp", memory=m).components for m in ("products", "whole"))
    assert (one == other).all()


@pytest.mark.parametrize("s", [1, 2])
def test_sparse_components(s: int) -> None:
    found = solve(rows(), "pca", "ssp", memory="products", sparsity=s).components
    assert ((found != 0).sum(axis=0) <= s).all()
