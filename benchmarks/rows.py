"""Figures about rows: sums over them, what a page compares with, and released peers."""

import importlib
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from importlib import metadata
from typing import Any

import numpy as np

from benchmarks.core import K_PCA, K
from benchmarks.paired import Comparison
from benchmarks.scene import Scene
from dpgep_core.evaluate.metrics import cosine_similarity
from dpgep_core.models.moments import Moments, moments_of
from dpgep_core.models.problem import Problem, Sample
from dpgep_core.numerics import unit_columns
from dpgep_core.solve import run

MEGABYTE = 2**20
PEER_ROWS = 20_000


def comparisons(scene: Scene) -> Iterator[Comparison]:
    """Every figure about rows."""
    data = scene.dataset
    moments = partial(_moments, scene, data.n)
    real = data.X.astype(float)
    yield Comparison(
        name="moments", ours=moments, other=lambda: real.T @ real, target=1 / 1.5,
        note=f"{data.n:,} x {data.d} rows as stored, {_peak(moments):.0f} MB above them; the bare float64 product",
    )  # fmt: skip
    yield _comparison(scene)
    yield from _peers(scene)


def _moments(scene: Scene, rows: int) -> Moments:
    data = scene.dataset
    y = None if data.y is None else data.y[:rows]
    return moments_of(data.X[:rows], y, data.n_classes, data.preprocessing)


def _peak(work: Callable[[], Any]) -> float:
    """Most memory that is allocated at one time beside what was there before, in MB."""
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / MEGABYTE


def _comparison(scene: Scene) -> Comparison:
    """What every move of a slider asks for besides the solution."""
    bound = scene.bound("fda", "ssp", K, steps=1, xi=0.01)
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


def _peers(scene: Scene) -> Iterator[Comparison]:
    from sklearn.decomposition import PCA
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    data = scene.dataset
    rows, labels = data.preprocessing.apply(data.X[:PEER_ROWS]), np.asarray(data.y)[:PEER_ROWS]
    principal, discriminant = (scene.bound(model, "exact", k).problem for model, k in (("pca", K_PCA), ("fda", K)))
    yield Comparison(
        name="scikit-learn PCA",
        ours=lambda: principal.model.pencil(_moments(scene, PEER_ROWS)).solve(K_PCA, 0.0),
        other=lambda: PCA(K_PCA, svd_solver="covariance_eigh").fit(rows),
        note=f"exact answer from {PEER_ROWS:,} rows as stored; PCA(svd_solver='covariance_eigh') of prepared rows",
    )
    yield Comparison(
        name="scikit-learn LDA",
        ours=lambda: discriminant.model.pencil(_moments(scene, PEER_ROWS)).solve(K, 0.01),
        other=lambda: LinearDiscriminantAnalysis(solver="eigen", shrinkage=0.01).fit(rows, labels),
        note=f"exact answer from {PEER_ROWS:,} rows as stored; LinearDiscriminantAnalysis(solver='eigen')",
    )
    yield from (_private_peer(name, rows, scene) for name in PRIVATE_PEERS)


PRIVATE_PEERS = {"OpenDP PCA": "opendp", "diffprivlib PCA": "diffprivlib.models"}
OVERFLOWS = (
    "opendp 0.16 has a PCA; its sampler of eigenvectors raises OverflowError for 20,000 of these rows at d = 784"
)


def _private_peer(name: str, rows: np.ndarray, scene: Scene) -> Comparison:
    """Differentially private PCA of another library at ε = 1, from rows to components, where it can be imported."""
    if name == "OpenDP PCA":
        return Comparison(name=name, ours=lambda: None, other=None, note=OVERFLOWS)
    try:
        library: Any = importlib.import_module(PRIVATE_PEERS[name])
    except ModuleNotFoundError as error:
        return Comparison(name=name, ours=lambda: None, other=None, note=f"{error.name} is not installed")
    except ImportError:
        note = f"{name.split()[0]} cannot be imported with scikit-learn {metadata.version('scikit-learn')}"
        return Comparison(name=name, ours=lambda: None, other=None, note=note)
    peer = library.PCA(K_PCA, epsilon=1.0, data_norm=1.0, centered=True)

    def other() -> np.ndarray:
        return np.asarray(peer.fit(rows).components_).T

    ours = partial(_released, scene)
    exact = scene.bound("pca", "exact", K_PCA).problem.model.pencil(_moments(scene, PEER_ROWS)).solve(K_PCA, 0.0)
    note = f"one release from {PEER_ROWS:,} rows as stored, ours at δ = n^-1.1; {name} at δ = 0 of prepared rows"
    return Comparison(name=name, ours=ours, other=other, quality=partial(_cosines, exact, ours, other), note=note)


def _cosines(exact: np.ndarray, *releases: Callable[[], np.ndarray]) -> tuple[float, float]:
    mine, theirs = (float(cosine_similarity(release(), exact).mean()) for release in releases)
    return mine, theirs


def _released(scene: Scene) -> np.ndarray:
    """Our release of the rows that a peer gets, with their moments."""
    bound, data = scene.bound("pca", "ssp", K_PCA, steps=1), scene.dataset
    sample = Sample(data.X[:PEER_ROWS], None, 0, data.preprocessing)
    problem = Problem(sample, bound.problem.model)
    public = problem.public(k=K_PCA, relation=bound.public.relation, seed=int(scene.rng.integers(2**31)))
    return run(
        replace(bound, problem=problem, public=public, setting=replace(bound.setting, seed=public.seed))
    ).components
