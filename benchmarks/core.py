"""The core's figures: each algorithm against the literal transcription of its paper."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from benchmarks import literal
from benchmarks.paired import Comparison
from benchmarks.scene import MOVED_XI, XI, Scene
from dpgep_core.solve import Plan
from dpgep_core.stochastic import SNAPSHOTS

K, K_PCA, SPARSE = 9, 10, 30
STEPS = 1000  # of the stochastic methods
TRANSCRIBED = "literal transcription of the pseudocode"


def comparisons(scene: Scene) -> Iterator[Comparison]:
    """Every figure of the algorithms."""
    yield from _ssp(scene)
    yield from _reductions(scene)
    yield from _flows(scene)
    yield from _stochastic(scene)


def _ssp(scene: Scene) -> Iterator[Comparison]:
    bound = scene.bound("fda", "ssp", K, steps=1, xi=XI)
    moments, mu = bound.problem.moments, bound.grant.mu
    paid = scene.solved(bound)
    xi = iter(np.linspace(MOVED_XI, 2 * MOVED_XI, 10_000))

    def other(k: int = K, ridge: float = 0.01) -> np.ndarray:
        return literal.ssp(moments.gram, moments.sums, moments.counts, k, scene.rng, mu=mu, xi=ridge)

    cosines = _quality(scene, bound, other)
    yield Comparison(
        name="ssp epsilon", ours=lambda: scene.solved(bound), other=other, quality=cosines, target=8,
        note=f"noise drawn anew and the pencil solved; {TRANSCRIBED}",
    )  # fmt: skip
    yield Comparison(
        name="ssp xi", ours=lambda: scene.moved(paid, xi=float(next(xi))), other=lambda: other(ridge=MOVED_XI),
        target=40, note="the release is kept; the transcription releases again",
    )  # fmt: skip
    yield Comparison(
        name="ssp k", ours=lambda: scene.with_components(paid, 5), other=lambda: other(k=5), target=40,
        note="the release is kept; the transcription releases again",
    )  # fmt: skip


def _reductions(scene: Scene) -> Iterator[Comparison]:
    for key, target in (("dpsr", 3), ("sr_dp", 3), ("dpsr_corrected", 3)):
        bound = scene.bound("fda", key, K)
        yield _against(scene, key, bound, _reduction(scene, key, bound), target)


def _reduction(scene: Scene, key: str, bound: Plan) -> Callable[[], np.ndarray]:
    A, B, n = bound.problem.pencil.target, bound.problem.pencil.constraint_matrix, bound.public.n
    if key == "dpsr_corrected":
        return lambda: literal.dpsr_corrected(A, B, K, scene.rng, n=n, mu=bound.grant.mu)
    solve: Any = literal.dpsr if key == "dpsr" else literal.sr_dp
    return lambda: solve(A, B, K, scene.rng, n=n, epsilon=bound.grant.epsilon, delta=bound.grant.delta)


def _flows(scene: Scene) -> Iterator[Comparison]:
    flow, power = scene.bound("fda", "dprf", K), scene.bound("pca", "ppi", K_PCA)
    A, B = flow.problem.pencil.target, flow.problem.pencil.constraint_matrix
    budget: dict[str, Any] = {"epsilon": flow.grant.epsilon, "delta": flow.grant.delta}
    yield _against(scene, "dprf", flow, lambda: literal.dprf(A, B, K, scene.rng, n=flow.public.n, **budget), target=20)
    S, change = power.problem.pencil.target, power.public.sensitivity.target
    yield _against(scene, "ppi", power, lambda: literal.ppi(S, K_PCA, scene.rng, change=change, **budget), target=20)


def _stochastic(scene: Scene) -> Iterator[Comparison]:
    """One step within the loop: what is accounted before it, once, is not timed."""
    for key, epochs in (("dp_spca", 1), ("dp_vrpca", 2)):
        bound = scene.bound("pca", key, K_PCA, centred=False, n_iterations=STEPS)
        sigma = float(np.sqrt(sum(value**2 for name, value in bound.facts.items() if name.startswith("sigma"))))
        timed = STEPS * epochs - STEPS // SNAPSHOTS
        yield Comparison(
            name=f"{key} step", prepare=partial(_begun, scene, bound), ours=_last,
            other=partial(_transcribed, scene, bound, key, timed // epochs, sigma), unit="µs", per=timed, target=5,
            note=f"one step of {timed}; {TRANSCRIBED}",
        )  # fmt: skip


def _begun(scene: Scene, bound: Plan) -> Iterator[np.ndarray]:
    """The bases of a run after the first one."""
    bases = scene.steps(bound)
    next(bases)
    return bases


def _last(bases: Iterator[np.ndarray]) -> np.ndarray:
    return list(bases)[-1]


def _transcribed(scene: Scene, bound: Plan, key: str, steps: int, sigma: float) -> np.ndarray:
    rate = (50 if key == "dp_spca" else 100) / bound.public.n
    if key == "dp_spca":
        return literal.dp_spca(scene.rows, K_PCA, scene.rng, steps=steps, rate=rate, sigma=sigma)
    M = bound.problem.moments.second_moment
    return literal.dp_vrpca(scene.rows, M, K_PCA, scene.rng, epochs=2, steps=steps, rate=rate, sigma=sigma)


def _against(scene: Scene, name: str, bound: Plan, other: Callable[[], np.ndarray], target: float) -> Comparison:
    return Comparison(
        name=name, ours=lambda: scene.solved(bound), other=other, quality=_quality(scene, bound, other),
        target=target, note=TRANSCRIBED,
    )  # fmt: skip


def _quality(
    scene: Scene, bound: Plan, other: Callable[[], np.ndarray], draws: int = 2
) -> Callable[[], tuple[float, float]]:
    def found() -> tuple[float, float]:
        mine = [scene.cosine(bound, scene.solved(bound).components) for _ in range(draws)]
        return float(np.mean(mine)), float(np.mean([scene.cosine(bound, other()) for _ in range(draws)]))

    return found
