"""One battery over every algorithm, every model it claims, and both neighbouring relations."""

import math
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from battery import (
    COLUMNS,
    RELATIONS,
    ROWS,
    cases,
    check_spend,
    check_unprotected,
    fingerprint,
    fingerprints,
    keys,
    may_overdraw,
    overdraws,
    privacy_warnings,
    rows,
    settings_of,
)

from dpgep_core import ALGORITHMS, MODELS, ParameterError, solve
from dpgep_core.method import Guarantee, Source, Verdict, register
from dpgep_core.models.queries import target
from dpgep_core.params import Checked, Choice, Knob, Parameter, Switch, Xi, parameters
from dpgep_core.privacy import NoisePlan, PlannedAnswer
from dpgep_core.privacy.privacy_loss import at_most
from dpgep_core.release import Setting

EVERY = pytest.mark.parametrize(("key", "model", "relation"), cases())
STOCHASTIC = ("dp_spca", "dp_vrpca")  # with 100 times the rows, 100 times the steps to account for
EVERY_PAIR = pytest.mark.parametrize(("key", "model"), keys())
EVERY_KEY = pytest.mark.parametrize("key", list(ALGORITHMS))
EVERY_PRIVATE_PAIR = pytest.mark.parametrize(
    ("key", "model"), [(key, model) for key, model in keys() if ALGORITHMS[key].private]
)


def having(setting: dict[str, str]) -> Any:
    """The algorithms that offer a choice."""
    return pytest.mark.parametrize(("key", "model"), [pair for pair in keys() if setting in settings_of(pair[0])])


def cosines(V: Any, W: Any) -> Any:
    return np.abs((V / np.linalg.norm(V, axis=0) * (W / np.linalg.norm(W, axis=0))).sum(axis=0))


def spends_checked(key: str, model: str, relation: str, budgets: tuple[float, ...]) -> int:
    """How many releases of an algorithm claim to keep a budget; each of them is checked."""
    known = {"declared_n": ROWS} if relation == "add_remove" else {}  # else n is learnt from the rows, with a warning
    tested = 0
    for setting in settings_of(key):
        for epsilon in budgets:
            release = solve(rows(), model, key, epsilon=epsilon, relation=relation, **known, **setting)
            if release.claimed is None:
                continue
            if overdraws(release):
                assert may_overdraw(key, model, setting, epsilon), (setting, epsilon)
                continue
            check_spend(release)
            assert not privacy_warnings(release)
            tested += 1
    return tested


class TestPrivacy:
    @EVERY
    def test_spend_never_exceeds_the_grant(self, key: str, model: str, relation: str) -> None:
        """By an accountant that shares no code with ours, at every calibration that claims to keep its word."""
        budgets = (0.1, 1.0, 20.0) if relation == "replace_one" else (1.0,)
        tested = spends_checked(key, model, relation, budgets)
        if ALGORITHMS[key].guarantee.verdict in (Verdict.HOLDS, Verdict.HOLDS_OTHERWISE):
            assert tested

    @pytest.mark.slow
    @EVERY_PAIR
    def test_nor_at_other_budgets_where_rows_are_added(self, key: str, model: str) -> None:
        spends_checked(key, model, "add_remove", (0.1, 20.0))

    @EVERY
    def test_unprotected_reads_are_the_known_ones(self, key: str, model: str, relation: str) -> None:
        check_unprotected(solve(rows(), model, key, relation=relation))

    @EVERY
    def test_answers_carry_the_sensitivity_of_the_relation(self, key: str, model: str, relation: str) -> None:
        """No entry is cheaper than the least that any protected answer about these matrices costs."""
        release = solve(rows(), model, key, relation=relation)
        bound = MODELS[model].make().sensitivity(relation, ROWS)
        exactly = {"A": bound.target, "B": bound.constraint, "A·V": bound.target, "B·V": bound.constraint}
        for entry in release.ledger:
            if entry.query in exactly:
                assert entry.sensitivity == pytest.approx(exactly[entry.query], rel=1e-9)

    @EVERY_PAIR
    def test_noise_that_is_shown_is_noise_that_is_drawn(self, key: str, model: str) -> None:
        """The σ of the facts is the σ of the ledger."""
        release = solve(rows(), model, key)
        shown = {value for name, value in release.facts.items() if name.startswith("sigma")}
        drawn = {entry.sigma for entry in release.ledger if entry.protected}
        for sigma in shown:
            assert any(sigma == pytest.approx(other, rel=1e-9) for other in drawn)

    @having({"start": "oracle"})
    def test_an_oracle_start_is_unprotected(self, key: str, model: str) -> None:
        release = solve(rows(), model, key, start="oracle")
        assert "exact components" in release.ledger.unprotected
        assert release.accounted.epsilon is None

    @EVERY_PAIR
    def test_noise_off_is_no_guarantee(self, key: str, model: str) -> None:
        release = solve(rows(), model, key, noise=False)
        assert release.accounted.epsilon is None
        assert release.ledger.unprotected

    @having({"calibration": "forgetful"})
    def test_forgotten_composition_overspends_and_says_so(self, key: str, model: str) -> None:
        release = solve(rows(), model, key, calibration="forgetful")
        accounted = release.accounted.epsilon
        if sum(entry.count for entry in release.ledger) == 1:
            assert accounted == pytest.approx(1.0)
            assert not privacy_warnings(release)
        elif accounted is not None:
            assert accounted > 1.05
            assert any(f"ε = {at_most(accounted)}," in warning for warning in release.warnings)
        else:
            assert release.ledger.unprotected

    @EVERY_PAIR
    @pytest.mark.parametrize("epsilon", [0.1, 4.0])
    def test_what_overdraws_never_hides_it(self, key: str, model: str, epsilon: float) -> None:
        """Whatever the setting: claimed and accounted differ only where a warning or an unprotected read says so."""
        for setting in settings_of(key):
            release = solve(rows(), model, key, epsilon=epsilon, **setting)
            accounted = release.accounted.epsilon
            if release.claimed is None:
                continue
            if accounted is None:
                assert release.ledger.unprotected
            elif accounted > epsilon * (1 + 1e-6):
                assert release.warnings


class TestRepeatable:
    @EVERY_PAIR
    def test_same_seed_same_bytes(self, key: str, model: str) -> None:
        first, second = (solve(rows(), model, key, seed=5) for _ in range(2))
        assert fingerprint(first) == fingerprint(second)
        np.random.seed(1)  # noqa: NPY002 the state that must not matter
        assert fingerprint(solve(rows(), model, key, seed=5)) == fingerprint(first)

    @pytest.mark.parametrize("hash_seed", ["1", pytest.param("2", marks=pytest.mark.slow)])
    def test_same_seed_same_bytes_in_another_process(self, hash_seed: str) -> None:
        """Under another hash seed than here; nothing depends on the order of sets or on what ran before."""
        script = Path(__file__).parent / "battery.py"
        path = os.pathsep.join(sys.path)
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": path}
        run = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True, env=environment)
        assert sorted(run.stdout.split("\n")[:-1]) == sorted(fingerprints())

    @EVERY_PRIVATE_PAIR
    def test_another_seed_is_another_release(self, key: str, model: str) -> None:
        first, second = (solve(rows(), model, key, seed=seed).components for seed in (1, 2))
        assert not np.allclose(first, second)

    @EVERY_PRIVATE_PAIR
    def test_without_a_seed_nothing_repeats(self, key: str, model: str) -> None:
        first, second = (solve(rows(), model, key, seed=None).components for _ in range(2))
        assert not np.allclose(first, second)

    @EVERY_PAIR
    def test_one_seed_keeps_its_noise_while_epsilon_moves(self, key: str, model: str) -> None:
        """A slider must change the size of the noise and not its draw."""
        near = [solve(rows(), model, key, epsilon=epsilon).components for epsilon in (50.0, 50.0 * (1 + 1e-9))]
        assert (cosines(*near) > 1 - 1e-6).all()


class TestAnswers:
    @EVERY
    def test_a_huge_epsilon_recovers_the_answer_without_noise(self, key: str, model: str, relation: str) -> None:
        noisy, exact = (
            solve(rows(), model, key, epsilon=1e6, relation=relation, noise=noise, n_components=2).components
            for noise in (True, False)
        )
        assert (cosines(noisy, exact) > 0.999).all()

    @EVERY_PAIR
    @pytest.mark.parametrize("k", [1, 2, COLUMNS])
    @pytest.mark.parametrize("epsilon", [2.0**-10, 1.0])
    def test_k_finite_columns(self, key: str, model: str, k: int, epsilon: float) -> None:
        release = solve(rows(), model, key, epsilon=epsilon, n_components=k)
        assert release.components.shape == (COLUMNS, k)
        assert np.isfinite(release.components).all()
        assert (np.linalg.norm(release.components, axis=0) > 0).all()
        assert all(basis.shape == (COLUMNS, k) for basis in release.history)
        assert (release.history[-1] == release.components).all()
        assert release.status in ("ok", "not finite")

    @EVERY_PAIR
    def test_names_of_classes_do_not_matter(self, key: str, model: str) -> None:
        """Renaming the classes changes no direction; without noise, since noise is drawn in the order of the names."""
        for order in ((1, 2, 0), (2, 1, 0)):
            plain, renamed = (
                solve(data, model, key, noise=False, n_components=2).components for data in (rows(), rows(order=order))
            )
            np.testing.assert_allclose(cosines(plain, renamed), 1.0, atol=1e-7)

    @EVERY_PAIR
    def test_pretended_rows_are_as_good_as_real_ones(self, key: str, model: str) -> None:
        """'As if n were 4 times as large' is what the data set with each row four times gives, draw for draw."""
        pretended = solve(rows(), model, key, as_if=4.0, delta=1e-4, n_components=2)
        real = solve(rows(copies=4), model, key, delta=1e-4, n_components=2)
        assert pretended.public.n == real.public.n == 4 * ROWS
        assert [e.sensitivity for e in pretended.ledger] == pytest.approx([e.sensitivity for e in real.ledger])
        assert [e.sigma for e in pretended.ledger] == pytest.approx([e.sigma for e in real.ledger], rel=1e-6)
        assert (cosines(pretended.components, real.components) > 1 - 1e-4).all()

    @pytest.mark.parametrize(
        ("key", "model"),
        [pytest.param(*pair, marks=[pytest.mark.slow] if pair[0] in STOCHASTIC else []) for pair in keys()],
    )
    def test_pretending_holds_mu(self, key: str, model: str) -> None:
        """The default δ follows the real rows, so the grant does not move with the pretended number."""
        few, many = (solve(rows(), model, key, as_if=as_if) for as_if in (1.0, 100.0))
        assert few.accounted.delta == many.accounted.delta == pytest.approx(ROWS**-1.1)
        if math.isfinite(few.ledger.mu):
            assert many.ledger.mu == pytest.approx(few.ledger.mu, rel=0.01)
        if few.claimed is not None:  # noise for 100 times the rows is 100 times too little for these
            assert any("100 times as many pretended rows" in warning for warning in many.warnings)
            assert not any("pretended" in warning for warning in few.warnings)


def impossible(parameter: Parameter) -> Iterator[Any]:
    """Values that a parameter must refuse, made from its own hard bounds."""
    yield from (None, [], object())
    if isinstance(parameter, Knob):
        yield from (math.nan, math.inf, -math.inf, "1", "", True, np.bool_(True), 1j, np.ones(1))
        if parameter.low > -math.inf:
            yield parameter.low - 1
            yield np.nextafter(parameter.low, -math.inf)
            if parameter.low_open:
                yield parameter.low
        if parameter.high < math.inf:
            yield parameter.high + max(1, parameter.high * 1e-9)
            if parameter.high_open:
                yield parameter.high
        if parameter.integer:
            yield max(parameter.low, 1) + 0.5
    elif isinstance(parameter, Choice):
        yield from ("", "no such word", 1, True, *(option.upper() + "!" for option in parameter.options))
    else:
        assert isinstance(parameter, Switch)
        yield from (0, 1, 1.0, "true", "off")


def every_parameter() -> list[Any]:
    found = [
        pytest.param(key, name, parameter, id=f"{key}-{name}")
        for key, entry in ALGORITHMS.items()
        for name, parameter in parameters(entry.make).items()
    ]
    common = [
        pytest.param("ssp", name, parameter, id=f"common-{name}") for name, parameter in parameters(Setting).items()
    ]
    of_models = [
        pytest.param("ssp", name, parameter, id=f"{model}-{name}")
        for model, entry in MODELS.items()
        for name, parameter in parameters(entry.make).items()
    ]
    return found + common + of_models


class TestParameters:
    @pytest.mark.parametrize(("key", "name", "parameter"), every_parameter())
    def test_out_of_range_is_refused(self, key: str, name: str, parameter: Parameter) -> None:
        model = next(m for m in ALGORITHMS[key].models if m in MODELS)
        for owner, entry in MODELS.items():
            if name in parameters(entry.make) and owner in ALGORITHMS[key].models:
                model = owner
        optional = ("delta", "n_components", "seed", "split_seed", "weight", "declared_n")
        for value in impossible(parameter):
            if value is None and name in optional:
                continue
            with pytest.raises(ParameterError) as caught:
                solve(rows(), model, key, **{name: value})
            assert caught.value.name == name, value
            assert caught.value.value is value
            assert parameter.allowed.split(" (")[0] in str(caught.value)

    @EVERY_KEY
    def test_unknown_parameter(self, key: str) -> None:
        model = next(m for m in ALGORITHMS[key].models if m in MODELS)
        with pytest.raises(ParameterError, match="no_such_thing"):
            solve(rows(), model, key, no_such_thing=1)

    @EVERY_KEY
    def test_every_default_is_allowed(self, key: str) -> None:
        made = ALGORITHMS[key].make()
        for name, parameter in parameters(ALGORITHMS[key].make).items():
            value = getattr(made, name)
            assert value is None or parameter.check(name, value) == value


class TestRegistry:
    @EVERY_KEY
    def test_docstring_names_source_claim_and_relation(self, key: str) -> None:
        entry = ALGORITHMS[key]
        text = " ".join((entry.make.__doc__ or "").split())
        assert "Source:" in text
        assert "Claimed guarantee:" in text
        author = entry.source.title.split()[0].strip(",")
        assert author in text or ("this project" in text and entry.source.title.startswith("DP-GEP Lab"))
        for place in re.findall(r"(?:Algorithm|Section|Theorem) [\w.]*\w", entry.source.where.split(",")[0]):
            assert place in text
        assert any(word in text.lower() for word in ("neighbour", "replace-one", "added or removed"))

    @EVERY_KEY
    def test_frozen_and_keyword_only(self, key: str) -> None:
        """An algorithm is a value: it can key a cache and cannot be changed half way."""
        make = ALGORITHMS[key].make
        assert make() == make()
        assert hash(make()) == hash(make())
        for name in parameters(make):
            with pytest.raises(AttributeError):
                setattr(make(), name, 1)
        with pytest.raises(TypeError):
            make(1.0)

    @EVERY_KEY
    def test_entry_is_complete(self, key: str) -> None:
        entry = ALGORITHMS[key]
        assert entry.key == key
        assert all((entry.title, entry.source.title, entry.source.where, entry.guarantee.claim))
        assert entry.guarantee.reason.endswith(".")
        assert entry.private == (entry.guarantee.verdict is not Verdict.NONE)

    def test_two_algorithms_cannot_share_a_key(self) -> None:
        taken = next(iter(ALGORITHMS))
        with pytest.raises(ValueError, match=taken):
            register(taken, "", Source("", ""), Guarantee("", Verdict.HOLDS, ""))(object)


class TestBatteryItself:
    """A new algorithm is picked up, and one that misbehaves is caught."""

    @pytest.fixture
    def newcomer(self) -> Iterator[type]:
        from dataclasses import dataclass

        @register(
            "newcomer",
            "Newcomer",
            Source("Nobody", "Nowhere"),
            Guarantee("(ε, δ)-DP", Verdict.HOLDS, "So it says."),
            models=("pca", "fda"),
        )
        @dataclass(frozen=True, kw_only=True)
        class Newcomer(Checked):
            __module__ = "dpgep_core.algorithms.newcomer"  # a file of the package: what is outside is held back
            xi: Xi = 0.0

            def noise_plan(self, public: Any, grant: Any) -> NoisePlan:
                noisy = PlannedAnswer.of(target(public), target(public).sensitivity, "sigma_A")
                return {1: (PlannedAnswer.exactly(target(public)),), 2: (noisy,) * 4, 3: (noisy,)}.get(self.xi, ())

            def iterates(self, curator: Any, public: Any, start: Any) -> Iterator[Any]:
                if self.xi == 1:
                    curator.peek(target(public))
                elif self.xi >= 2:  # with 3, three answers more than planned
                    for _ in range(4):
                        curator.ask(target(public), sigma=target(public).sensitivity)
                yield start

        yield Newcomer
        del ALGORITHMS["newcomer"]

    def test_picks_it_up(self, newcomer: type) -> None:
        assert [case for case in cases() if case[0] == "newcomer"] == [
            ("newcomer", model, relation) for model in ("pca", "fda") for relation in RELATIONS
        ]

    def test_catches_a_peek(self, newcomer: type) -> None:
        with pytest.raises(AssertionError):
            check_unprotected(solve(rows(), "pca", "newcomer", xi=1))
        with pytest.raises(AssertionError):
            check_spend(solve(rows(), "pca", "newcomer", xi=1))

    def test_catches_an_overdraft(self, newcomer: type) -> None:
        release = solve(rows(), "fda", "newcomer", xi=2)
        with pytest.raises(AssertionError, match="spends at least"):
            check_spend(release)
        assert release.warnings

    def test_catches_an_answer_beyond_the_plan(self, newcomer: type) -> None:
        with pytest.raises(PermissionError, match="noise plan"):
            solve(rows(), "pca", "newcomer", xi=3, epsilon=100.0)

    def test_catches_a_release_without_a_ledger(self, newcomer: type) -> None:
        with pytest.raises(AssertionError, match="no ledger"):
            check_spend(solve(rows(), "pca", "newcomer", xi=0))
