"""Faults planted in the curator, the noise, the models and the algorithms: the checks of every answer catch each.

None of them shows in a ledger, and the ordinary tests pass with most of them.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from leak_check import NEIGHBOURS, leaks, noise_faults, pair, setting
from recording import driver

from dpgep_core import Release
from dpgep_core.algorithms import ppi, ssp
from dpgep_core.models.fda import Fda
from dpgep_core.models.pca import Pca
from dpgep_core.models.problem import Problem
from dpgep_core.privacy import Channel, Curator, SampledChannel, randomness
from dpgep_core.privacy.channel import LazyIsotropic
from dpgep_core.privacy.query import Query
from dpgep_core.privacy.randomness import Independent, Isotropic
from dpgep_core.solve import Plan

Patch = pytest.MonkeyPatch
Plant = Callable[[Patch], None]
EXACT = {"calibration": "exact"}
ONE = {"steps": 1}  # faults of two are planted in tests/audit/test_planted_two_steps.py


def answers(spoil: Callable[[Query[Any], Any, Any], Any]) -> Plant:
    """What channels say becomes a function of the question, the exact and the noisy answer."""

    def plant(patch: Patch) -> None:
        ask = Channel.ask

        def spoilt(self: Any, query: Query[Any], *, law: Any = Independent()) -> Any:  # noqa: B008
            exact: list[Any] = []

            def evaluate(secret: Any) -> Any:
                exact[:] = [query.evaluate(secret)]
                return exact[0]

            said = ask(self, replace(query, evaluate=evaluate), law=law)
            return spoil(query, exact[0], said)

        patch.setattr(Channel, "ask", spoilt)

    return plant


def drawn_rows(factor: float) -> Plant:
    """The noise of sub-sampled answers times ``factor``."""

    def plant(patch: Patch) -> None:
        ask = SampledChannel.ask

        def spoilt(self: Any, query: Any) -> Any:
            exact: list[Any] = []
            said = ask(self, replace(query, evaluate=lambda rows: exact.append(query.evaluate(rows)) or exact[-1]))
            return exact[-1] + factor * (said - exact[-1])

        patch.setattr(SampledChannel, "ask", spoilt)

    return plant


def noise_times(factor: float) -> Plant:
    """σ in the ledger, ``factor`` times σ in the answers, whoever gives them."""

    def plant(patch: Patch) -> None:
        init = LazyIsotropic.__init__
        patch.setattr(LazyIsotropic, "__init__", lambda self, rng, d, sigma: init(self, rng, d, factor * sigma))
        answers(lambda _, exact, said: exact + factor * (said - exact))(patch)
        drawn_rows(factor)(patch)

    return plant


def without_noise(*names: str) -> Plant:
    return answers(lambda query, exact, said: exact if query.name in names else said)


def without_noise_at(*places: Any) -> Plant:
    """Some entries of symmetric answers are exact; the rest is as it should be."""

    def spoil(query: Query[Any], exact: Any, said: Any) -> Any:
        said = np.array(said)
        for place in places:
            said[place] = exact[place]
        return said

    return answers(spoil)


def first_noise_again(patch: Patch) -> None:
    """Noise is drawn once and used for every answer of its shape."""
    kept: dict[Any, Any] = {}
    answers(lambda q, exact, said: exact + kept.setdefault((q.name[0], exact.shape), said - exact))(patch)


def same_draw_for_both(patch: Patch) -> None:
    """The generator is set back, so that A and B carry the same noise."""
    draw, before = Isotropic.draw, {}

    def again(self: Isotropic, rng: Any, shape: Any, sigma: float) -> Any:
        _, state = before.setdefault(id(rng.bit_generator), (rng.bit_generator, rng.bit_generator.state))
        rng.bit_generator.state = state
        return draw(self, rng, shape, sigma)

    patch.setattr(Isotropic, "draw", again)


def one_seed_for_all(patch: Patch) -> None:
    """Every run draws the same noise."""
    stream = randomness.stream
    patch.setattr("dpgep_core.privacy.curator.stream", lambda _, *names: stream(0, *names))


NOISE_FAULTS: list[Any] = [
    pytest.param(noise_times(factor), key, model, params, id=f"{key}: σ × {factor:.2f}")
    for factor in (1 / 2, 2 / 3, 3 / 2)
    for key, model, params in [
        ("ssp", "fda", {}), ("ssp", "pca", {"memory": "products"}), ("sr_dp", "fda", {}), ("sr_dp", "fda", EXACT),
        ("dprf", "fda", {}), ("dptrf", "fda", EXACT), ("dpsr_corrected", "fda", {}), ("ppi", "pca", {}),
        ("dp_spca", "pca", {}), ("local_gaussian", "pca", {}), ("mod_sulq", "pca", {}),
    ]
] + [
    pytest.param(plant, key, model, params, id=f"{key}: {name}")
    for name, plant, key, model, params in [
        *(("no noise on any product", without_noise("A·V", "B·V"), key, model, params)
          for key, model in (("dprf", "fda"), ("dptrf", "fda"), ("ppi", "pca")) for params in ({}, EXACT)),
        ("no noise on B·V", without_noise("B·V"), "dprf", "fda", {}),
        ("no noise on B·V", without_noise("B·V"), "dptrf", "cca", EXACT),
        ("no noise on B·V", without_noise("B·V"), "dpsr_corrected", "fda", {}),
        ("no noise on A", without_noise("A"), "sr_dp", "fda", {}),
        ("no noise on Λ_B", without_noise("Λ_B = diag(VᵀBV)"), "dpsr_corrected", "fda", {}),
        ("no noise at all", noise_times(0.0), "ssp", "pca", {"memory": "products"}),
        ("no noise on drawn rows", drawn_rows(0.0), "dp_spca", "pca", {}),
        ("no noise on drawn rows", drawn_rows(0.0), "dp_vrpca", "pca", {}),
        ("exact class counts", without_noise_at((5, 5), (6, 6)), "ssp", "fda", ONE),
        ("no noise for one class", without_noise_at(np.s_[:, 5], np.s_[5, :]), "ssp", "fda", ONE),
        ("one entry without noise", without_noise_at((0, 0)), "sr_dp", "fda", {}),
        ("noise used again", first_noise_again, "dprf", "fda", {}),
        ("noise used again", first_noise_again, "ppi", "pca", {}),
        ("A and B under one draw", same_draw_for_both, "sr_dp", "fda", EXACT),
        ("one seed for all", one_seed_for_all, "ssp", "fda", {}),
        ("one seed for all", one_seed_for_all, "dp_spca", "pca", {}),
    ]
]  # fmt: skip


@pytest.mark.parametrize(("plant", "key", "model", "params"), NOISE_FAULTS)
def test_wrong_noise_is_caught(plant: Plant, key: str, model: str, params: dict[str, Any], monkeypatch: Patch) -> None:
    plant(monkeypatch)
    assert noise_faults(key, model, **params)


def release_with(change: Callable[[Release, Problem], Release]) -> Plant:
    """Something is added to what leaves."""

    def plant(patch: Patch) -> None:
        run = driver.run
        patch.setattr(driver, "run", lambda bound: change(run(bound), bound.problem))

    return plant


def first_class(problem: Problem) -> float:
    return float(problem.moments.counts[0])


def counts_leave(release: Release, problem: Problem) -> Release:
    assert release.moments is not None
    return replace(release, moments=replace(release.moments, counts=problem.moments.counts))


def history_begins_exactly(release: Release, problem: Problem) -> Release:
    return replace(release, history=(problem.pencil.solve(release.public.k, 0.01), *release.history))


def reads_past_the_curator(patch: Patch) -> None:
    iterates = ppi.PowerIteration.iterates

    def peeking(self: Any, curator: Any, public: Any, start: Any) -> Any:
        for V in iterates(self, curator, public, start):
            yield V + 1e-12 * curator._Curator__secret.pencil.target[:, : V.shape[1]]

    patch.setattr(ppi.PowerIteration, "iterates", peeking)


def one_step_more(patch: Patch) -> None:
    """Whether the noisy moments are used at all depends on the rows."""
    release = ssp.SufficientStatistics.release

    def twice(self: Any, curator: Curator[Problem], public: Any) -> Any:
        if curator._Curator__secret.moments.counts[0] % 2:  # type: ignore[attr-defined]
            release(self, curator, replace(public, sensitivity=public.sensitivity))
        return release(self, curator, public)

    patch.setattr(ssp.SufficientStatistics, "release", twice)
    patch.setattr("dpgep_core.planning.overspends", lambda *_: True)  # else the budget refuses the second answer,
    patch.setattr("dpgep_core.privacy.curator._is_next", lambda *_: True)  # and the plan does too


def public_size(patch: Patch) -> None:
    public = Problem.public
    patch.setattr(Problem, "public", lambda self, **k: replace(public(self, **k), n=self.n + int(first_class(self))))


def warned(patch: Patch) -> None:
    plan = driver.plan

    def warning(*given: Any) -> Plan:
        bound = plan(*given)
        return replace(bound, warnings=(f"The first class has {first_class(bound.problem):g} rows.",))

    patch.setattr("leak_check.plan", warning)


def half(model: type[Any], part: str) -> Plant:
    """The sensitivity of one of the matrices is taken to be half as large."""

    def plant(patch: Patch) -> None:
        sensitivity = model.sensitivity

        def halved(self: Any, relation: str, n: int) -> Any:
            tight = sensitivity(self, relation, n)
            return replace(tight, **{part: getattr(tight, part) / 2})

        patch.setattr(model, "sensitivity", halved)

    return plant


def of_another_relation(patch: Patch) -> None:
    joint_gram = ssp.joint_gram
    patch.setattr(ssp, "joint_gram", lambda weight, public: joint_gram(weight, replace(public, relation="add_remove")))


LEAKS: list[Any] = [
    pytest.param(plant, key, model, params, id=f"{key}: {name}")
    for name, plant, key, model, params in [
        ("exact class counts", release_with(counts_leave), "ssp", "fda", {}),
        ("a count among the facts",
         release_with(lambda r, p: replace(r, facts={**r.facts, "first class": first_class(p)})), "ssp", "fda", {}),
        ("a count in a warning", warned, "ssp", "fda", {}),
        ("a count in the status", release_with(lambda r, p: replace(r, status=f"ok, {first_class(p)}")),
         "dprf", "fda", {}),
        ("a public n that counts labels", public_size, "sr_dp", "fda", {}),
        ("an exact first basis", release_with(history_begins_exactly), "dprf", "fda", {}),
        ("a read past the curator", reads_past_the_curator, "ppi", "pca", {}),
        ("a question that depends on the rows", one_step_more, "ssp", "fda", ONE),
        *((f"half of Δ of the {part}", half(Fda, part), key, "fda", params) for part in ("target", "constraint")
          for key, params in (("sr_dp", {}), ("dprf", EXACT), ("dpsr_corrected", {}))),
        ("half of Δ of the target", half(Pca, "target"), "ppi", "pca", {}),
        ("half of Δ of the target", half(Pca, "target"), "analyze_gauss", "pca", {"memory": "products"}),
        ("Δ of a row added", of_another_relation, "ssp", "fda", ONE),
    ]
]  # fmt: skip


@pytest.mark.parametrize(("plant", "key", "model", "params"), LEAKS)
def test_a_leak_is_caught(plant: Plant, key: str, model: str, params: dict[str, Any], monkeypatch: Patch) -> None:
    plant(monkeypatch)
    asked = [(pair(name), setting(key, model, n_components=k, **params)) for name, k in NEIGHBOURS.items()]
    seeds = range(4)  # a basis of few columns shows the change in some draws only
    assert any(leaks(rows, replace(one, seed=seed)) for seed in seeds for rows, one in asked)
