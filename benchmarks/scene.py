"""The data and the settings of the core's figures: MNIST's moments, d = 784, k = 9 or 10, m = 15, ε = 1."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.random import Generator, default_rng

from dpgep_core import Release, Setting, load_dataset
from dpgep_core.evaluate.metrics import cosine_similarity
from dpgep_core.evaluate.reference import Reference
from dpgep_core.privacy import Curator
from dpgep_core.solve import Plan, plan, rework, run
from dpgep_core.starts import first_basis

XI, MOVED_XI = 0.01, 0.05


class Scene:
    """One data set with its moments, and runs of our algorithms on it."""

    def __init__(self, dataset: str = "mnist") -> None:
        self.dataset = load_dataset(dataset)
        self._generator = default_rng(0)
        self._kept: dict[Any, Plan] = {}

    @property
    def rng(self) -> Generator:
        """The generator of the literal transcriptions."""
        return self._generator

    def bound(self, model: str, algorithm: str, k: int, **params: Any) -> Plan:
        """A plan with its pencil computed."""
        key = (model, algorithm, k, tuple(sorted(params.items())))
        if key not in self._kept:
            epsilon = params.pop("epsilon", 1.0)
            setting = Setting(
                model=model, algorithm=algorithm, epsilon=epsilon, n_components=k, params=tuple(sorted(params.items()))
            )
            self._kept[key] = plan(self.dataset, setting)
            _ = self._kept[key].problem.pencil
        return self._kept[key]

    def solved(self, bound: Plan) -> Release:
        """One run under another seed than the last, so that nothing of the noise or of the start is kept."""
        seed = int(self._generator.integers(2**31))
        return run(replace(bound, setting=replace(bound.setting, seed=seed), public=replace(bound.public, seed=seed)))

    def steps(self, bound: Plan) -> Iterator[np.ndarray]:
        """The bases of an iterative method, without what is computed before and after the loop."""
        seed = int(self._generator.integers(2**31))
        curator = Curator(bound.problem, bound.grant, seed=seed, plan=bound.noise)
        start = first_basis(bound.method, bound.noise or (), curator, bound.public)
        return bound.method.iterates(curator, bound.public, start)

    def moved(self, release: Release, **changed: Any) -> Release:
        """The same release at another free setting."""
        setting = replace(release.setting, params=tuple(sorted({**dict(release.setting.params), **changed}.items())))
        return rework(release, self.dataset, setting)

    def with_components(self, release: Release, k: int) -> Release:
        """The same release with another number of components."""
        return rework(release, self.dataset, replace(release.setting, n_components=k))

    def reference(self, bound: Plan) -> Reference:
        """The exact answers on the rows of a plan."""
        return Reference(self.dataset, bound.problem, bound.setting)

    def cosine(self, bound: Plan, components: np.ndarray) -> float:
        """Mean cosine similarity with the exact answer."""
        exact = bound.problem.pencil.solve(bound.public.k, XI)
        return float(cosine_similarity(components, exact).mean())

    @cached_property
    def rows(self) -> "Rows":
        """Single records."""
        return Rows(self.dataset.X)


class Rows:
    """Record i of the data set at unit norm, as the papers' experiments prepare it."""

    def __init__(self, X: np.ndarray) -> None:
        self.X, self.n, self.d = X, *X.shape

    def __call__(self, i: int) -> np.ndarray:
        x = self.X[i] / 255
        return x / np.linalg.norm(x)
