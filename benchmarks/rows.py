"""Figures about rows: sums over them, what a page compares with, and released peers."""

import importlib
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks.core import K_PCA, K
from benchmarks.paired import Comparison
from benchmarks.scene import Scene
from dpgep_core.evaluate.metrics import cosine_similarity
from dpgep_core.models.moments import moments_of
from dpgep_core.numerics import unit_columns

MEGABYTE = 2**20
PEER_ROWS = 20_000


def comparisons(scene: Scene) -> Iterator[Comparison]:
    """Every figure about rows."""
    data = scene.dataset

    def moments(rows: int = data.n) -> Any:
        y = None if data.y is None else data.y[:rows]
        return moments_of(data.X[:rows], y, data.n_classes, data.preprocessing)

    real = data.X.astype(float)
    yield Comparison(
        name="moments", ours=moments, other=lambda: real.T @ real, target=1 / 1.5,
        note=f"{data.n:,} x {data.d} rows as stored, {_peak(moments):.0f} MB above them; the bare float64 product",
    )  # fmt: skip
    yield _comparison(scene)
    yield from _peers(scene, moments)


def _peak(work: Callable[[], Any]) -> float:
    """Most memory that is allocated at one time beside what was there before, in MB."""
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / MEGABYTE


def _comparison(scene: Scene) -> Comparison:
    """What every move of a slider asks for besides the solution."""
    bound = scene.bound("fda", "ssp", K)
    release, reference = scene.solved(bound), scene.reference(bound)
    exact = reference.exact(K, 0.01)
    rows, V = reference.test_rows, unit_columns(exact)

    def ours() -> None:
        cosine_similarity(release.components, exact)
        reference.instant_scores(release)

    return Comparison(
        name="comparison", ours=ours, other=lambda: rows @ V,
        note="cosines with the exact answer and both scores of LDA; the bare projection of the test rows",
    )  # fmt: skip


def _peers(scene: Scene, moments: Callable[[int], Any]) -> Iterator[Comparison]:
    from sklearn.decomposition import PCA
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    data = scene.dataset
    rows, labels = data.preprocessing.apply(data.X[:PEER_ROWS]), np.asarray(data.y)[:PEER_ROWS]
    principal, discriminant = (scene.bound(model, "exact", k).problem for model, k in (("pca", K_PCA), ("fda", K)))
    yield Comparison(
        name="scikit-learn PCA",
        ours=lambda: principal.model.pencil(moments(PEER_ROWS)).solve(K_PCA, 0.0),
        other=lambda: PCA(K_PCA, svd_solver="covariance_eigh").fit(rows),
        note=f"exact answer from {PEER_ROWS:,} rows as stored; PCA(svd_solver='covariance_eigh') of prepared rows",
    )
    yield Comparison(
        name="scikit-learn LDA",
        ours=lambda: discriminant.model.pencil(moments(PEER_ROWS)).solve(K, 0.01),
        other=lambda: LinearDiscriminantAnalysis(solver="eigen", shrinkage=0.01).fit(rows, labels),
        note=f"exact answer from {PEER_ROWS:,} rows as stored; LinearDiscriminantAnalysis(solver='eigen')",
    )
    yield from (_private_peer(name, module, rows, scene) for name, module in PRIVATE_PEERS)


PRIVATE_PEERS = (("OpenDP PCA", "opendp"), ("diffprivlib PCA", "diffprivlib.models"))


def _private_peer(name: str, module: str, rows: np.ndarray, scene: Scene) -> Comparison:
    """Differentially private PCA of another library, at ε = 1, where it is installed."""
    bound = scene.bound("pca", "ssp", K_PCA)

    def ours() -> Any:
        return scene.solved(bound)

    try:
        library: Any = importlib.import_module(module)
    except ImportError:
        return Comparison(name=name, ours=ours, other=None, note=f"{module.split('.')[0]} is not installed")
    if module == "opendp":
        other = _opendp(library, rows)
    else:
        peer = library.PCA(K_PCA, epsilon=1.0, data_norm=1.0, centered=True)
        other = lambda: peer.fit(rows)  # noqa: E731
    return Comparison(name=name, ours=ours, other=other, note=f"one private release against {name} of prepared rows")


def _opendp(library: Any, rows: np.ndarray) -> Callable[[], Any]:
    from opendp.extras.sklearn.decomposition import PCA  # pyright: ignore[reportMissingImports]

    library.prelude.enable_features("contrib", "floating-point", "honest-but-curious")
    size = {"n_samples": len(rows), "n_features": rows.shape[1], "n_components": K_PCA}
    return lambda: PCA(epsilon=1.0, row_norm=1.0, **size).fit(rows)
