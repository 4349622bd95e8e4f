"""The literal transcriptions give what our algorithms give: the same value without noise, the same σ, the same law."""

import math

import numpy as np
import pytest
from numpy.random import default_rng
from scipy import stats

from benchmarks import literal
from benchmarks.literal.noise import rho
from dpgep_core import Setting, load_dataset, solve
from dpgep_core.privacy.randomness import orthonormal_frame
from dpgep_core.solve import plan

K, DRAWS = 2, 300
SILENT = (0.0, 0.0)


def bound(algorithm, model="fda", **params):
    setting = Setting(model=model, algorithm=algorithm, n_components=K, params=tuple(sorted(params.items())))
    return plan(load_dataset("wine"), setting)


def pencil(asked):
    return asked.problem.pencil.target, asked.problem.pencil.constraint_matrix


def projector(components):
    Q = np.linalg.qr(components)[0]
    return Q @ Q.T


class FixedFrames:
    """A generator that repeats the public frames of our run in the order in which a transcription asks for them."""

    def __init__(self, *frames):
        self.frames = list(frames)

    def standard_normal(self, shape):
        return self.frames.pop(0) if self.frames else np.zeros(shape)


def frames_of(asked):
    d, seed = asked.public.d, asked.public.seed
    return orthonormal_frame(seed, d, d, "constraint basis"), orthonormal_frame(seed, d, K, "start")


class TestValues:
    """Without noise and from the same start."""

    def test_dpsr(self):
        asked = bound("dpsr", n_iterations=4)
        ours = solve("wine", "fda", "dpsr", n_components=K, noise=False, n_iterations=4)
        n = asked.public.n
        theirs = literal.dpsr(
            *pencil(asked), K, FixedFrames(*frames_of(asked)), n=n, epsilon=1, delta=0.1, m=4, sigma=SILENT
        )
        np.testing.assert_allclose(ours.components, theirs, rtol=1e-8, atol=1e-10)

    def test_dpsr_corrected(self):
        asked = bound("dpsr_corrected", n_iterations=4)
        ours = solve("wine", "fda", "dpsr_corrected", n_components=K, noise=False, n_iterations=4)
        rng = FixedFrames(*frames_of(asked))
        theirs = literal.dpsr_corrected(*pencil(asked), K, rng, n=asked.public.n, mu=1, m=4, sigma=(0, 0, 0))
        np.testing.assert_allclose(np.abs(ours.components), np.abs(theirs), rtol=1e-8, atol=1e-10)

    def test_sr_dp(self):
        asked = bound("sr_dp")
        ours = solve("wine", "fda", "sr_dp", n_components=K, noise=False)
        theirs = literal.sr_dp(*pencil(asked), K, default_rng(0), n=1, epsilon=1, delta=0.1, sigma=SILENT)
        np.testing.assert_allclose(projector(ours.components), projector(theirs), atol=1e-8)

    def test_ssp(self):
        moments = bound("ssp").problem.moments
        ours = solve("wine", "fda", "ssp", n_components=K, noise=False, steps=1, xi=0.01)
        theirs = literal.ssp(moments.gram, moments.sums, moments.counts, K, default_rng(0), mu=1, sigma=0.0)
        np.testing.assert_allclose(projector(ours.components), projector(theirs), atol=1e-8)

    def test_dprf(self):
        asked, start = bound("dprf", n_iterations=6), orthonormal_frame(0, 13, K, "start")
        ours = solve("wine", "fda", "dprf", n_components=K, noise=False, n_iterations=6)
        theirs = literal.dprf(
            *pencil(asked), K, default_rng(0), n=1, epsilon=1, delta=0.1, m=6, sigma=SILENT, start=start
        )
        np.testing.assert_allclose(projector(ours.components), projector(theirs), atol=1e-8)

    def test_ppi(self):
        asked, start = bound("ppi", "pca", n_iterations=3), orthonormal_frame(0, 13, K, "start")
        ours = solve("wine", "pca", "ppi", n_components=K, noise=False, n_iterations=3)
        theirs = literal.ppi(
            pencil(asked)[0], K, default_rng(0), change=1, epsilon=1, delta=0.1, m=3, sigma=0.0, start=start
        )
        np.testing.assert_allclose(ours.components, theirs, rtol=1e-8, atol=1e-10)


class TestScales:
    """σ by the formula of the paper is the σ that our run states."""

    def test_chen(self):
        asked = bound("dpsr")
        n, L = asked.public.n, math.log(1.25 / asked.grant.delta)
        assert asked.facts["sigma_1"] == pytest.approx(2 * 12 * math.sqrt(15 * L) / n)
        assert asked.facts["sigma_2"] == pytest.approx(2 * 16 * math.sqrt(15 * L) / (n * 0.01))

    def test_hu(self):
        asked = bound("dprf")
        n, budget = asked.public.n, rho(1.0, asked.grant.delta)
        assert asked.facts["sigma_A"] == pytest.approx(8 * math.sqrt(15 / budget) / n)
        assert asked.facts["sigma_B"] == pytest.approx(6 * math.sqrt(15 / budget) / n)

    def test_corrected(self):
        asked = bound("dpsr_corrected")
        n, mu = asked.public.n, asked.grant.mu
        change_A, change_B = 8 * (n - 1) / n**2, math.sqrt(32) * (n - 1) / n**2
        assert asked.facts["sigma_A"] == pytest.approx(change_A * math.sqrt(15 / 0.45) / mu)
        assert asked.facts["sigma_B"] == pytest.approx(change_B * math.sqrt(15 / 0.45) / mu)
        assert asked.facts["sigma_L"] == pytest.approx(change_B / math.sqrt(0.1) / mu)

    def test_ablation(self):
        asked = bound("sr_dp")
        n, factor = asked.public.n, math.sqrt(2 * math.log(2.5 / asked.grant.delta)) * 2
        assert asked.facts["sigma_A"] == pytest.approx(8 / n * factor)

    def test_ssp(self):
        asked = bound("ssp", steps=1)
        assert asked.facts["sigma"] == pytest.approx(math.sqrt(2) * 1.5 / asked.grant.mu)


def laws():
    """Both sides of each noisy algorithm, by seed, at an ε at which the noise and the data both show."""
    few = {"n_iterations": 3}

    def run(key, model, epsilon):
        return lambda seed: solve(
            "wine", model, key, n_components=K, split_seed=0, seed=seed, epsilon=epsilon,
            **({} if key in ("ssp", "sr_dp") else few),
        ).components  # fmt: skip

    for key, epsilon in (("dpsr", 30.0), ("dpsr_corrected", 30.0), ("sr_dp", 60.0), ("dprf", 100.0)):
        asked = bound(key)
        budget = {"n": asked.public.n, "epsilon": epsilon, "delta": asked.grant.delta}
        if key == "dpsr_corrected":
            budget = {"n": asked.public.n, "mu": plan_at(key, epsilon).grant.mu}
        extra = {} if key == "sr_dp" else {"m": 3}
        solver = getattr(literal, key)
        yield pytest.param(
            run(key, "fda", epsilon),
            lambda seed, solver=solver, asked=asked, rest=budget | extra: solver(
                *pencil(asked), K, default_rng(seed + 10_000), **rest
            ),
            id=key,
        )


def plan_at(key, epsilon):
    return plan(load_dataset("wine"), Setting(model="fda", algorithm=key, epsilon=epsilon, n_components=K))


def statistics_of(components, exact, B):
    """Numbers that tell one law of components from another."""
    Q = np.linalg.qr(components)[0]
    along = exact / np.linalg.norm(exact, axis=0)
    return [*np.linalg.norm(Q.T @ along, axis=0), np.trace(Q.T @ B @ Q), np.abs(Q[0, 0]), np.abs(Q[4, 0])]


@pytest.mark.slow
@pytest.mark.parametrize(("ours", "theirs"), list(laws()))
def test_laws_are_the_same(ours, theirs):
    """Two samples, Kolmogorov–Smirnov on several numbers of the result."""
    B = pencil(bound("dpsr"))[1]
    exact = bound("dpsr").problem.pencil.solve(K, 0.01)
    mine, others = (np.array([statistics_of(one(seed), exact, B) for seed in range(DRAWS)]) for one in (ours, theirs))
    found = [stats.ks_2samp(a, b).pvalue for a, b in zip(mine.T, others.T, strict=True)]
    assert min(found) > 0.001 / len(found)
