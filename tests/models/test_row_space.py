"""Many more columns than rows: the same answers as from whole matrices, in memory that grows with d·n."""

import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dashboard.compute import results
from dashboard.scenario import Scenario
from dpgep_core import evaluate, solve
from dpgep_core.datasets import Dataset, Preprocessing
from dpgep_core.errors import DataError, ParameterError
from dpgep_core.evaluate import Reference
from dpgep_core.models import MODELS, Model, Pca, row_space, size
from dpgep_core.models.problem import Problem, Sample
from dpgep_core.models.row_space import WidePencil
from dpgep_core.reuse import keeping_one

D = 6000
WHOLE = 8 * D * D  # bytes of one matrix


def wide(d: int = D, n: int = 40, mean: float = 0.0) -> Dataset:
    """Three classes that some columns tell apart."""
    rng = np.random.default_rng(0)
    y = np.arange(n) % 3
    X = mean + rng.normal(size=(n, d))
    told = min(100, d // 2)
    X[:, :told] += 3 * rng.normal(size=(3, told))[y]
    return Dataset(name="wide", title="wide", X=X, y=y, classes=("a", "b", "c"),
                   preprocessing=Preprocessing(rows="clip", radius=1.2 * (mean + 1.5) * d**0.5))  # fmt: skip


def peak(compute: Callable[[], Any]) -> tuple[Any, int]:
    """The result, and the most memory that was held on the way."""
    tracemalloc.start()
    try:
        return compute(), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


FORMS = [*((MODELS[name].make(), None) for name in MODELS), (Pca(centred=False), None)]


@pytest.mark.parametrize(("model", "declared"), [*FORMS, *((made, n) for made, _ in FORMS for n in (30, 7, 900))])
@pytest.mark.parametrize("mean", [0.0, 1e6])
def test_the_space_of_the_rows_gives_what_whole_matrices_give(
    model: Model, declared: int | None, mean: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where n is declared too: noise is made for averages over it, however many rows are there."""
    data = wide(120, 30, mean)
    sample = Sample(data.X, data.y, 3, data.preprocessing)
    whole = Problem(sample, model, 2.0, declared_n=declared)
    assert whole.row_space is None
    monkeypatch.setattr(row_space, "MANY_COLUMNS", 1)
    turned = replace(whole, sample=Sample(data.X, data.y, 3, data.preprocessing))
    one, other = whole.pencil, turned.pencil
    assert isinstance(other, WidePencil)
    rtol = 1e-9
    V = np.random.default_rng(1).standard_normal((120, 4))
    for first, second in (
        (one.target, other.target),
        (one.constraint_matrix, other.constraint_matrix),
        (one.target_times(V), other.target_times(V)),
        (one.constraint_times(V), other.constraint_times(V)),
        (np.diag(one.target), other.variances()),
        (one.quotients(V, 0.1), other.quotients(V, 0.1)),
        (whole.moments_along(V).within, turned.moments_along(V).within),
        (whole.moments_along(V).between_factor, turned.moments_along(V).between_factor),
    ):
        np.testing.assert_allclose(second, first, atol=rtol * np.abs(first).max())
    assert turned.moments_along(V).n == whole.moments_along(V).n
    xi = 0.01 * float(np.trace(one.constraint_matrix)) / 120
    exact, same = one.solve(2, xi), other.solve(2, xi)
    far = mean > 0 and model == Pca(centred=False)  # the second is rounding beside a mean so far out
    told = 1 if far else 2
    exact, same = np.abs(exact[:, :told]), np.abs(same[:, :told])
    np.testing.assert_allclose(exact, same, atol=1e-6 * exact.max())


@pytest.mark.parametrize("model", ["pca", "fda"])
def test_components_beyond_the_rank_complete_the_basis(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_space, "MANY_COLUMNS", 1)
    data = wide(60, 8)
    pencil = Problem(Sample(data.X, data.y, 3, data.preprocessing), MODELS[model].make()).pencil
    V = pencil.solve(20, 0.5)
    ridged = np.eye(60) if model == "pca" else pencil.constraint_matrix + 0.5 * np.eye(60)
    np.testing.assert_allclose(V.T @ ridged @ V, np.eye(20), atol=1e-9)
    falling = pencil.quotients(V, 0.5)
    assert (np.diff(falling) < 1e-9).all()
    np.testing.assert_allclose(falling[9:], 0, atol=1e-12)
    if model == "fda":
        with pytest.raises(ParameterError, match="rank 5 of 60"):
            pencil.solve(1, 0.0)


def test_sparse_components_are_those_of_the_whole_search() -> None:
    data = wide(1200, 40)
    pencil = Problem(Sample(data.X, data.y, 3, data.preprocessing), MODELS["fda"].make()).pencil
    assert isinstance(pencil, WidePencil)
    release = solve(data, "fda", "exact", sparsity=10, xi=0.001)
    assert (np.count_nonzero(release.components, axis=0) == 10).all()
    found = evaluate(release, data, classifiers=("lda",))
    assert found.explained == pytest.approx(1.0)
    assert found.accuracy["lda"].private.accuracy == 1.0


@pytest.mark.parametrize(
    ("model", "algorithm"),
    [("pca", "exact"), ("pca", "ssp"), ("pca", "ppi"), ("pca", "dp_spca"), ("fda", "exact"), ("cca", "exact"),
     ("sir", "exact")],
)  # fmt: skip
def test_no_square_matrix_is_formed(model: str, algorithm: str) -> None:
    data = wide()

    def compute() -> Any:
        release = solve(data, model, algorithm, n_components=2, epsilon=1e9)
        return evaluate(release, data, classifiers=("lda",))

    found, most = peak(compute)
    assert most < 0.4 * WHOLE
    assert 0 <= found.explained <= 1
    if algorithm == "exact" and model in ("fda", "sir"):
        assert found.accuracy["lda"].private.accuracy == 1.0


def test_the_services_of_the_page_form_none_either() -> None:
    data = wide()
    scenario = Scenario(dataset="wide", model="pca", algorithms=("ssp",))
    reference = Reference.of(data, scenario.setting("ssp"))

    def compute() -> Any:
        item = results.answer(scenario, "ssp", data, reference, keeping_one())
        return results.layout(item, reference, 0, 1, aligned=True), results.by_iteration(item)

    (layout, _), most = peak(compute)
    assert most < 0.4 * WHOLE
    assert layout.exact.shape == layout.private.shape


@pytest.mark.parametrize(
    ("model", "algorithm"), [("cca", "ssp"), ("pca", "dpsr"), ("pca", "wishart"), ("fda", "sr_dp")]
)
def test_what_needs_a_square_matrix_says_how_much_it_takes(
    model: str, algorithm: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = wide()
    monkeypatch.setattr(size, "machine_memory", lambda: 2.0**30)
    words = r"matrices of 6,000 × 6,000 take about 1\.34 GiB of memory; 0\.5 GiB may be used here"

    def compute() -> None:
        with pytest.raises(DataError, match=words):
            solve(data, model, algorithm)

    assert peak(compute)[1] < 0.2 * WHOLE


def test_the_memory_of_the_machine_or_of_its_container(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    (tmp_path / "memory.max").write_text("1000\n")
    monkeypatch.setattr(size, "CONTAINER", tmp_path / "memory.max")
    assert size.machine_memory() == 1000
    (tmp_path / "memory.max").write_text("max\n")
    assert size.machine_memory() > 2**20
    size.check_memory(100, 100)
