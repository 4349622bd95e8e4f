"""The noise plan is the only statement of the noise: ledger, facts and enforcement follow from it."""

from dataclasses import replace
from typing import Any

import pytest
from battery import keys, overdraws, rows, settings_of

from dpgep_core import ALGORITHMS, Setting, solve
from dpgep_core.privacy import PlannedAnswer
from dpgep_core.privacy.accountant import mu_of
from dpgep_core.privacy.ledger import ledger_of, noise_scales, overspends
from dpgep_core.protocols import Planned, calibration_of, start_of
from dpgep_core.solve import plan, run
from dpgep_core.two_step import CLIP

EVERY_PAIR = pytest.mark.parametrize(("key", "model"), keys())
READS = ("wishart", "dpsr", "dpsrs")  # leave an answer without noise that proves anything, whatever the calibration
OURS = ("ssp", "dpsr_corrected")


RIDGE = {"noise_edge", "xi_least", "xi_effective", "xi_compared"}


def choices(key: str) -> list[dict[str, Any]]:
    """Every choice of the algorithm, and every calibration with every start and statement of the paper."""
    several = [s for s in settings_of(key) if {"start", "stated", "variant", "memory"} & s.keys()]
    crossed = [s | c for s in several for c in settings_of(key) if "calibration" in c]
    return [*settings_of(key), *crossed]


def setting(key: str, model: str, params: dict[str, Any], **common: Any) -> Setting:
    return Setting(model=model, algorithm=key, params=tuple(sorted(params.items())), **common)


@EVERY_PAIR
@pytest.mark.parametrize("noise", [True, False])
def test_what_was_drawn_is_what_was_planned(key: str, model: str, noise: bool) -> None:
    for params in choices(key):
        planned = plan(rows(), setting(key, model, params, noise=noise))
        drawn = run(planned).ledger
        assert len(planned.noise) == len(drawn), params
        for answer, entry in zip(planned.noise, drawn, strict=True):
            protected = answer.protected if noise or not answer.protected else answer.sensitivity == 0
            assert entry == replace(answer.entry, protected=protected), params


@pytest.mark.parametrize(("key", "model"), [pair for pair in keys() if pair[0] in ("dpsr", "dpsrs")])
@pytest.mark.parametrize("calibration", ["published", "exact"])
def test_what_leaves_bare_is_no_excuse_for_the_noisy_steps(key: str, model: str, calibration: str) -> None:
    """Λ_B alone breaks the ε of DPSR: half the noise in a step was seen by no test, as no finite ε holds anyway."""
    for epsilon in (0.1, 1.0, 4.0):
        planned = plan(rows(), setting(key, model, {"calibration": calibration}, epsilon=epsilon))
        noisy = [answer for answer in planned.noise if answer.protected]
        assert not overspends(noisy, planned.grant)
        if calibration == "exact":
            assert ledger_of(noisy).mu == pytest.approx(mu_of(planned.grant.epsilon, planned.grant.delta), rel=1e-6)


@EVERY_PAIR
def test_the_noise_on_display_is_the_noise_of_the_plan(key: str, model: str) -> None:
    for params in choices(key):
        planned = plan(rows(), setting(key, model, params))
        facts, before = run(planned).facts, planned.facts
        told = RIDGE if "steps_used" in facts and len(planned.noise) > 1 else set()  # of what the first step released
        assert facts.keys() == before.keys()
        assert all(facts[name] == before[name] for name in facts.keys() - told)
        assert all(facts[name] <= CLIP**2 * before[name] for name in told)  # rows that are clipped, not of norm 1
        assert facts.items() >= noise_scales(planned.noise).items()
        if ALGORITHMS[key].private:
            assert facts


@EVERY_PAIR
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 20.0])
def test_what_is_accounted_exactly_never_overspends(key: str, model: str, epsilon: float) -> None:
    """Overspending follows from the plan, so it is pinned here who may: published rules, and what reads an answer."""
    for params in choices(key):
        planned = plan(rows(), setting(key, model, params, epsilon=epsilon))
        calibration = calibration_of(planned.method)
        reads = start_of(planned.method) == "oracle" or (key in READS and not planned.public.identity_constraint)
        if key in OURS or (calibration is not None and calibration.accounted and not reads):
            assert planned.grant.enforced, params
        if reads or not ALGORITHMS[key].private:
            assert not planned.grant.enforced, params


def test_every_calibration_is_an_object_under_its_own_key() -> None:
    for key, entry in ALGORITHMS.items():
        for params in settings_of(key):
            method = entry.make(**params)
            calibration = calibration_of(method)
            assert (calibration is None) == (not hasattr(method, "calibration"))
            if calibration is not None:
                assert calibration.key == params.get("calibration", calibration.key)
                assert calibration.source
                assert bool(calibration.unclaimed) == (calibration.key in ("unit", "exact", "forgetful"))


class TestLiars:
    """A plan that does not say what the algorithm asks for is refused before anything is read."""

    @pytest.mark.parametrize(
        "lie",
        [
            lambda a: replace(a, sigma=2 * a.sigma),
            lambda a: replace(a, count=a.count - 1),
            lambda a: replace(a, sensitivity=a.sensitivity / 2),
            lambda a: replace(a, name="something else"),
            lambda a: replace(a, sampling_rate=0.01),
        ],
    )
    @pytest.mark.parametrize("noise", [True, False])
    def test_another_answer_is_refused(self, monkeypatch: pytest.MonkeyPatch, lie: Any, noise: bool) -> None:
        planned = plan(rows(), setting("dprf", "fda", {}, noise=noise))
        monkeypatch.setitem(planned.__dict__, "noise", tuple(map(lie, planned.noise)))
        with pytest.raises(PermissionError, match="noise plan"):
            run(planned)

    def test_one_answer_more_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        planned = plan(rows(), setting("dprf", "fda", {}))
        monkeypatch.setitem(planned.__dict__, "noise", planned.noise[:1])
        with pytest.raises(PermissionError, match="noise plan"):
            run(planned)

    def test_an_exact_answer_is_refused_where_noise_is_planned(self, monkeypatch: pytest.MonkeyPatch) -> None:
        planned = plan(rows(), setting("wishart", "pca", {}))
        (said,) = planned.noise
        assert not said.protected
        monkeypatch.setitem(planned.__dict__, "noise", (replace(said, protected=True),))
        with pytest.raises(PermissionError, match="noise plan"):
            run(planned)

    def test_a_plan_that_overspends_is_no_licence_for_more(self) -> None:
        """DPSR reads Λ_B, so its grant is not enforced; its other answers are held to the plan all the same."""
        planned = plan(rows(), setting("dpsr", "fda", {}))
        assert not planned.grant.enforced
        quieter = replace(planned, method=Quieter(planned.method))
        with pytest.raises(PermissionError, match="noise plan"):
            run(quieter)


class Quieter:
    """A method that states the noise of another and draws half of it."""

    def __init__(self, honest: Any) -> None:
        self._honest = honest

    def noise_plan(self, public: Any, grant: Any) -> tuple[PlannedAnswer, ...]:
        return self._honest.noise_plan(public, grant)

    def iterates(self, curator: Any, public: Any, start: Any) -> Any:
        first = self.noise_plan(public, curator.grant)[0]
        curator.reserve_planned(replace(first, sigma=first.sigma / 2))
        yield start


def test_every_algorithm_of_the_package_states_its_noise() -> None:
    for entry in ALGORITHMS.values():
        assert issubclass(entry.make, Planned), entry.key


def test_overdrawing_is_derived() -> None:
    assert overdraws(solve(rows(), "fda", "dpsr"))
    assert not overdraws(solve(rows(), "fda", "ssp"))
