"""Models of many columns by products alone: the answers of whole matrices, without one, from sparse rows too."""

import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from dpgep_core import Dataset, Preprocessing, evaluate, solve
from dpgep_core.algorithms.ssp import SufficientStatistics, noise_edge
from dpgep_core.datasets import sparse_rows
from dpgep_core.errors import DataError, ParameterError
from dpgep_core.evaluate.metrics import principal_angles
from dpgep_core.models import product_pencil, row_space
from dpgep_core.models.large import joint_components, joint_matrix
from dpgep_core.models.product_pencil import ProductPencil
from dpgep_core.models.queries import joint_gram
from dpgep_core.privacy import Curator
from dpgep_core.privacy.channel import LazyIsotropic
from dpgep_core.privacy.query import Array
from dpgep_core.privacy.randomness import Isotropic, stream
from dpgep_core.release import Setting
from dpgep_core.solve import plan

N, D, K = 200, 60, 4
MODELS_BY_PRODUCTS = ("pca", "fda", "sir")


def entries(n: int = N, d: int = D, share: float = 0.1) -> tuple[Any, Array]:
    """Sparse rows whose first columns tell the classes apart."""
    rng = np.random.default_rng(5)
    y = np.arange(n) % K
    noise = sparse.random_array((n, d), density=share, rng=rng, format="csr")
    told = sparse.csr_array((np.ones(2 * n), (np.tile(np.arange(n), 2), np.r_[y, y + 3])), shape=(n, d))
    return sparse.csr_array(noise + told), y


def wide(X: Any, y: Array, **more: Any) -> Dataset:
    return Dataset("wide", "Wide", X, y, classes=tuple("abcd"), preprocessing=Preprocessing(lower=0, upper=1.5), **more)


@pytest.fixture
def both(monkeypatch: pytest.MonkeyPatch) -> tuple[Dataset, Dataset]:
    """The same rows dense and sparse."""
    X, y = entries()
    monkeypatch.setattr(sparse_rows, "SPARSE_COLUMNS", 10)
    dense, thin = wide(X.toarray(), y), wide(X, y)
    assert thin.sparse
    assert not dense.sparse
    return dense, thin


@pytest.mark.parametrize("model", MODELS_BY_PRODUCTS)
@pytest.mark.parametrize(
    ("key", "more", "atol"),
    [
        ("exact", {}, 1e-10),
        ("exact", {"sparsity": 5}, 1e-10),
        ("dprf", {"epsilon": 1000.0}, 1e-10),
        ("ppi", {"epsilon": 100.0}, 1e-10),
        ("ssp", {"noise": False}, 1e-6),  # which stops where components no longer move by so much
    ],
)
def test_sparse_rows_give_what_dense_rows_give(
    model: str, key: str, more: dict[str, Any], atol: float, both: tuple[Dataset, Dataset]
) -> None:
    """Components, cosines, angles, distances, the share explained, accuracies and caveats."""
    if key == "ppi" and model != "pca":
        return
    dense, thin = both
    products = {"memory": "products"} if key == "ssp" else {}
    if key == "ssp":
        more = more | {"steps": 1, "xi": 0.01}  # by products it takes one step in any case
    one = solve(dense, model, key, n_components=3, **more)
    other = solve(thin, model, key, n_components=3, **more, **products)
    np.testing.assert_allclose(other.components, one.components, atol=atol * np.abs(one.components).max())
    first, second = evaluate(one, dense), evaluate(other, thin)
    for name in ("cosine_similarity", "subspace_distance", "explained", "shang_distance"):
        np.testing.assert_allclose(getattr(second, name), getattr(first, name), atol=10 * atol)
    np.testing.assert_allclose(second.principal_angles, first.principal_angles, atol=1e-4)
    assert second.warnings == first.warnings
    for name, scores in first.accuracy.items():
        for kind in ("private", "non_private", "random"):
            assert getattr(second.accuracy[name], kind) == getattr(scores, kind)


@pytest.mark.parametrize("model", MODELS_BY_PRODUCTS)
@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.parametrize("far", [0.0, 1e4])
def test_dense_rows_go_by_products_too(model: str, kept: bool, far: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Prepared once or in each pass, near zero or far from it."""
    from dpgep_core.models import prepared_rows, problem

    X, y = entries()
    data = wide(X.toarray() + far, y)
    data = Dataset("wide", "Wide", data.X, y, classes=data.classes,
                   preprocessing=Preprocessing(rows="clip", radius=(far + 1) * D**0.5))  # fmt: skip
    setting = Setting(model=model, algorithm="exact", n_components=3, params=(("xi", 1e-2 / (far + 1) ** 2),))
    whole = plan(data, setting).problem.pencil
    monkeypatch.setattr(problem, "PRODUCT_COLUMNS", 1)
    monkeypatch.setattr(prepared_rows, "NUMBERS_AT_ONCE", 7 * D)
    if not kept:
        monkeypatch.setattr(prepared_rows, "KEPT_NUMBERS", 1)
    found = plan(data, setting).problem.pencil
    assert isinstance(found, ProductPencil)
    V = np.random.default_rng(1).standard_normal((D, 3))
    for one, other in (
        (whole.target, found.target),
        (whole.constraint_matrix, found.constraint_matrix),
        (whole.target_times(V), found.target_times(V)),
        (whole.constraint_times(V), found.constraint_times(V)),
        (whole.quotients(V, 0.1), found.quotients(V, 0.1)),
    ):
        np.testing.assert_allclose(other, one, atol=1e-7 * np.abs(one).max())
    np.testing.assert_allclose(found.variances(), np.diag(whole.target), rtol=1e-3)
    size = np.abs(whole.solve(3, 1e-2 / (far + 1) ** 2)).max()
    xi = 1e-2 / (far + 1) ** 2
    np.testing.assert_allclose(found.solve(3, xi) / size, whole.solve(3, xi) / size, atol=1e-6)


@pytest.mark.parametrize(
    ("rows", "k", "rank"),
    [
        (sparse.csr_array((40, 5200)), 3, 0),
        (sparse.csr_array(np.full((40, 5200), 0.01)), 3, 0),  # centred, nothing is left
        (sparse.csr_array(np.eye(5, 5200)[np.arange(40) % 5]), 7, 4),
        (sparse.csr_array(np.eye(40, 5200)), 2, 2),  # of 39 equal ones
    ],
)
def test_principal_components_that_are_tied_or_carry_nothing_repeat(rows: Any, k: int, rank: int) -> None:
    """Lanczos starts anew there, once from the system's entropy, and not at all from a row of zeros."""
    pencils = [plan(Dataset("tied", "", rows), Setting(model="pca", algorithm="exact")).problem.pencil for _ in "ab"]
    one, other = (pencil.solve(k, 0.0) for pencil in pencils)
    np.testing.assert_array_equal(one, other)
    np.testing.assert_allclose(one.T @ one, np.eye(k), atol=1e-9)
    carried = pencils[0].quotients(one, 0.0)
    assert (carried[:rank] > 1e-3).all()
    np.testing.assert_allclose(carried[rank:], 0, atol=1e-9)
    np.testing.assert_allclose(np.sort(pencils[0].leading_quotients(k, 0.0)), np.sort(carried), atol=1e-6)


@pytest.mark.parametrize("model", ["fda", "sir"])
def test_components_beyond_the_rank_complete_the_basis(model: str, both: tuple[Dataset, Dataset]) -> None:
    pencil = plan(both[1], Setting(model=model, algorithm="exact")).problem.pencil
    V, B = pencil.solve(9, 0.3), pencil.constraint_matrix
    np.testing.assert_allclose(V.T @ (B + 0.3 * np.eye(D)) @ V, np.eye(9), atol=1e-9)
    np.testing.assert_allclose(pencil.quotients(V, 0.3)[K - 1 :], 0, atol=1e-12)


def test_two_classes_have_one_direction_and_the_others_complete_the_basis() -> None:
    """Their means about the common one depend on each other: two columns, of rank one, once ended in LAPACK's words."""
    X, y = entries()
    release = solve(wide(X.toarray(), y % 2), "fda", "ssp", n_components=2, memory="products")
    assert np.linalg.matrix_rank(release.components) == 2


def test_a_singular_constraint_is_refused_with_its_rank() -> None:
    X, y = entries(n=20, d=6000, share=0.01)
    with pytest.raises(ParameterError, match=r"xi must be > 0 here, since B is singular \(rank 15 of 6000 at most\)"):
        solve(wide(X, y), "fda", "exact", xi=0.0)


ONE = (("steps", 1), ("xi", 0.01))


@pytest.mark.parametrize("model", MODELS_BY_PRODUCTS)
@pytest.mark.parametrize("epsilon", [1.0, 30.0])
def test_products_with_a_noisy_matrix_give_what_the_whole_of_it_gives(
    model: str, epsilon: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One and the same noisy matrix, once formed and solved as ``memory=whole`` does, once by products alone.

    With as many rounds as it takes they agree; with those that are taken, to far less than the noise moves them.
    """
    X, y = entries()
    bound = plan(
        wide(X.toarray(), y), Setting(model=model, algorithm="ssp", epsilon=epsilon, n_components=2, params=ONE)
    )
    public, method = bound.public, SufficientStatistics(memory="whole", steps=1, xi=0.01)
    weight, sigma = public.weight, method.noise_plan(public, bound.grant)[0].sigma
    gram = Curator(bound.problem, bound.grant, seed=3).reveal(joint_matrix(weight, public), sigma=sigma)
    formed = gram.times(np.eye(D + public.joint_columns))
    np.testing.assert_allclose(formed, formed.T, atol=1e-8)
    tidy = method.tidied((formed,), public, bound.grant)
    xi = method.ridge_facts(noise_edge(sigma, D, public.n))["xi_effective"]
    whole = method.components(public.pencil(tidy.moments), public, xi)
    few = joint_components(gram, weight, sigma, xi, public)
    assert principal_angles(few, whole).max() < 1.0
    monkeypatch.setattr(product_pencil, "MOST_ROUNDS", 1000)
    found = joint_components(gram, weight, sigma, xi, public)
    np.testing.assert_allclose(found, whole, atol=1e-5 * np.abs(whole).max())


@pytest.mark.parametrize("model", MODELS_BY_PRODUCTS)
@pytest.mark.parametrize("relation", ["replace_one", "add_remove"])
def test_the_question_and_its_price_are_those_of_the_whole_matrix(model: str, relation: str) -> None:
    X, y = entries()
    settings = {"relation": relation, **({"declared_n": N} if relation == "add_remove" else {})}
    one, other = (
        solve(wide(X.toarray(), y), model, "ssp", memory=m, steps=1, **settings) for m in ("products", "whole")
    )
    assert list(one.ledger) == list(other.ledger)
    bound = plan(wide(X.toarray(), y), Setting(model=model, algorithm="ssp", relation=relation))
    formed = joint_gram(0.4, bound.public).evaluate(bound.problem)
    products = joint_matrix(0.4, bound.public).multiply(bound.problem, np.eye(len(formed)))
    np.testing.assert_allclose(products, formed, atol=1e-9)


SIZE, DRAWS = 4, 1500
A = np.diag([3.0, 2.0, 1.0, 0.5])


def adaptive(times: Callable[[Array], Array]) -> list[float]:
    """Numbers of questions each of which depends on the answer before, as those of Krylov spaces do."""
    v = np.eye(SIZE)[:, :1]
    found: list[float] = []
    for _ in range(3):
        image = times(v)
        found += [float((v * image).sum()), float(np.linalg.norm(image))]
        v = image / np.linalg.norm(image)
    return found


def statistics(source: Callable[[int], Callable[[Array], Array]]) -> tuple[Array, Array]:
    drawn = np.array([adaptive(source(seed)) for seed in range(DRAWS)])
    powers = np.hstack([drawn, drawn**2])
    return powers.mean(axis=0), powers.std(axis=0) / np.sqrt(DRAWS)


def lazily(seed: int) -> Callable[[Array], Array]:
    return LazyIsotropic(stream(seed, "noise"), SIZE, 2.0).added_to(lambda U: A @ U)


def drawn_whole(seed: int) -> Callable[[Array], Array]:
    Z = A + Isotropic().draw(stream(seed, "noise", "whole"), (SIZE, SIZE), 2.0)
    return lambda U: Z @ U


def drawn_afresh(seed: int) -> Callable[[Array], Array]:
    rng = stream(seed, "noise", "afresh")
    return lambda U: (A + Isotropic().draw(rng, (SIZE, SIZE), 2.0)) @ U


def test_answers_to_adaptive_questions_have_the_law_of_one_matrix() -> None:
    """Two-sided, by means and mean squares; noise that is new in each answer is told apart by the same numbers."""
    whole, spread = statistics(drawn_whole)
    found, other = statistics(lazily)
    assert (np.abs(found - whole) <= 5 * np.hypot(spread, other)).all()
    afresh, other = statistics(drawn_afresh)
    assert (np.abs(afresh - whole) > 5 * np.hypot(spread, other)).any()


def peak(compute: Callable[[], Any]) -> tuple[Any, int]:
    tracemalloc.start()
    try:
        return compute(), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("model", "key", "d"), [("fda", "ssp", 6000), ("sir", "exact", 20_000), ("pca", "dprf", 20_000)]
)
def test_many_columns_need_no_square_matrix(model: str, key: str, d: int) -> None:
    X, y = entries(n=300, d=d, share=0.002)
    data = wide(X, y)
    settings = {"epsilon": 1e6, "delta": 1e-3, "n_components": 2}

    def both() -> tuple[Any, Any]:
        release = solve(data, model, key, **settings)
        return release, evaluate(release, data, classifiers=("lda", "linear_svm"))

    (release, diagnostic), most = peak(both)
    assert most < 0.5 * 8 * d * d
    assert release.components.shape == (d, 2)
    assert diagnostic.subspace_distance < 0.5
    assert diagnostic.accuracy["lda"].private.accuracy > 0.6


@pytest.mark.parametrize(
    ("model", "key", "more"),
    [
        ("fda", "ssp", {"memory": "whole"}),
        ("cca", "ssp", {}),
        ("fda", "sr_dp", {}),
        ("pca", "wishart", {}),
        ("fda", "dpsr", {}),
    ],
)
def test_what_does_not_fit_is_refused_before_it_is_formed(model: str, key: str, more: dict[str, Any]) -> None:
    d = 100_000
    X, y = entries(n=60, d=d, share=0.001)

    def refused() -> None:
        with pytest.raises(DataError, match=r"columns: matrices of 100,0\d\d × 100,0\d\d take about 37\d GiB"):
            solve(wide(X, y), model, key, **more)

    assert peak(refused)[1] < 0.01 * 8 * d * d


def test_the_row_space_is_for_few_rows() -> None:
    assert row_space.is_wide(2000, 20_000)
    assert not row_space.is_wide(2001, 20_000)
    assert row_space.is_wide(2001, 4999)
