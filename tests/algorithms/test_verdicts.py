"""The verdict on a run follows from its numbers, and never contradicts those beside it."""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from battery import keys, rows, settings_of

from dpgep_core import ALGORITHMS, MODELS, Release, Setting, solve
from dpgep_core.method import Verdict
from dpgep_core.models.public import PublicFacts
from dpgep_core.privacy import Claim, Grant
from dpgep_core.privacy.ledger import ledger_of
from dpgep_core.privacy.privacy_loss import at_most
from dpgep_core.solve import plan, run
from dpgep_core.verdict import Judgement, decide, judge, judge_plan, needed_epsilon

SIZES = (1000, 60_000, 200_000)
STOCHASTIC = ("dp_spca", "dp_vrpca")  # as many steps as rows: accounted here, and not run
HOLDING = (Verdict.HOLDS, Verdict.HOLDS_OTHERWISE)


def accounted(key: str, epsilon: float, n: int, k: int = 1, *, centred: bool = False, **params: Any) -> Release:
    """What a stochastic method would report at n rows."""
    model, method = MODELS["pca"].make(centred=centred), ALGORITHMS[key].make(**params)
    public = PublicFacts(
        n=n, d=20, n_classes=0, k=k, relation="replace_one", sensitivity=model.sensitivity("replace_one", n),
        published=model.published(n), identity_constraint=True, joint_columns=1, weight=model.weight, seed=0,
        pencil=model.pencil, centred=centred,
    )  # fmt: skip
    delta = float(n) ** -1.1
    ledger = ledger_of(method.noise_plan(public, Grant(epsilon=epsilon, delta=delta)))
    return Release(
        dataset="none", method=method, public=public, components=np.zeros((20, k)), history=(), ledger=ledger,
        setting=Setting(model="pca", algorithm=key, epsilon=epsilon, params=tuple(sorted(params.items()))),
        claimed=Claim(epsilon, delta), accounted=ledger.accounted(delta), facts={}, status="ok", warnings=(),
        moments=None, pencil=None, seconds=0.0,
    )  # fmt: skip


def at(key: str, model: str, epsilon: float, n: int, **setting: Any) -> Release:
    """A run on the rows of the battery as if they were n."""
    if key in STOCHASTIC:
        return accounted(key, epsilon, n, 5, **setting)
    return solve(rows(), model, key, epsilon=epsilon, as_if=n / rows().X.shape[0], delta=n**-1.1, **setting)


def cases() -> Iterator[Any]:
    for key, model in keys():
        for setting in settings_of(key):
            for epsilon in (0.1, 1.0, 4.0):
                slow = [pytest.mark.slow] if epsilon != 1.0 or key in STOCHASTIC else []
                name = "-".join([key, model, *map(str, setting.values()), f"{epsilon:g}"])
                yield pytest.param(key, model, setting, epsilon, marks=slow, id=name)


def check(release: Release, judgement: Judgement) -> None:
    """Nothing that is said contradicts the numbers beside it."""
    asked, proved = judgement.asked, release.accounted.epsilon
    needed = needed_epsilon(release) if asked is not None else 0.0
    assert judgement.accounted == proved
    assert proved is None or needed <= proved * (1 + 1e-9), "a bound from below passes one from above"
    if asked is None:
        assert judgement.verdict is Verdict.NONE
        assert not judgement.by_authors
        return
    assert (judgement.verdict in HOLDING) == (proved is not None and proved <= asked * (1 + 1e-9))
    assert (judgement.verdict is Verdict.FALSE) == (judgement.verdict not in HOLDING and needed > asked * (1 + 1e-9))
    assert judgement.by_authors == (not judgement.claim.startswith("nothing"))
    assert f"ε = {asked:g}" in judgement.claim
    if getattr(release.method, "calibration", "published") in ("unit", "exact", "forgetful"):
        assert not judgement.by_authors
    if judgement.verdict is Verdict.HOLDS:
        assert judgement.by_authors or release.method.calibration == "exact"
    if proved is None:
        assert "proves no ε" in judgement.reason
    else:
        assert f"ε ≤ {at_most(proved)}" in judgement.reason
        assert "no ε is enough" not in judgement.reason


@pytest.mark.parametrize(("key", "model", "setting", "epsilon"), list(cases()))
def test_a_verdict_never_contradicts_the_numbers(key: str, model: str, setting: dict[str, Any], epsilon: float) -> None:
    for n in SIZES:
        release = at(key, model, epsilon, n, **setting)
        check(release, judge(release))


@pytest.mark.parametrize(("key", "model"), keys())
def test_with_the_noise_off_nobody_claims_anything(key: str, model: str) -> None:
    release = solve(rows(), model, key, noise=False)
    assert release.claimed is None
    assert judge(release).verdict is Verdict.NONE


@pytest.mark.parametrize(("key", "model"), keys())
@pytest.mark.parametrize("noise", [True, False])
def test_a_planned_run_is_judged_as_its_release_is(key: str, model: str, noise: bool) -> None:
    """A page that only planned told the verdict on the published claim in general instead."""
    bound = plan(rows(), Setting(model=model, algorithm=key, noise=noise))
    assert judge_plan(bound) == judge(run(bound))


@pytest.mark.parametrize(("k", "above", "below"), [(1, 168, 166.5), (5, 399, 397)])
def test_dp_spca_spends_hundreds_at_epsilon_one(k: int, above: float, below: float) -> None:
    """At n = 60,000 and ε = 1, where a constant verdict said that it holds."""
    judgement = judge(accounted("dp_spca", 1.0, 60_000, k))
    assert judgement.verdict is Verdict.FALSE
    assert judgement.accounted == pytest.approx(above, abs=1)
    assert below < judgement.needed < above
    assert "Lemma 1 asks for" in judgement.claim


def test_dp_spca_holds_at_a_tenth_up_to_sixty_thousand_rows() -> None:
    assert judge(accounted("dp_spca", 0.1, 60_000)).verdict is Verdict.HOLDS_OTHERWISE
    judgement = judge(accounted("dp_spca", 0.1, 200_000))
    assert judgement.verdict is Verdict.FALSE
    assert judgement.accounted == pytest.approx(1.55, abs=0.01)
    assert judgement.needed == pytest.approx(1.53, abs=0.02)


def test_dp_spca_is_claimed_where_its_conditions_are_met() -> None:
    """T/n² above ε, and then 5Tα/(n²εμ) is far above 1.5."""
    judgement = judge(accounted("dp_spca", 0.1, 1000, n_iterations=200_000))
    assert judgement.by_authors
    assert judgement.verdict is Verdict.HOLDS_OTHERWISE


def test_local_gaussian_fails_from_a_third() -> None:
    words = [judge(at("local_gaussian", "pca", epsilon, 60_000)).verdict for epsilon in (0.1, 0.25, 0.35, 1.0)]
    assert words == [Verdict.HOLDS_OTHERWISE, Verdict.HOLDS_OTHERWISE, Verdict.FALSE, Verdict.FALSE]
    one = judge(at("local_gaussian", "pca", 1.0, 60_000))
    assert one.accounted == pytest.approx(1.11, abs=0.005)
    assert one.needed == pytest.approx(one.accounted, rel=1e-9)


@pytest.mark.parametrize("key", ["dpsr", "dpsrs"])
def test_reductions_hold_on_pca_and_nowhere_else(key: str) -> None:
    """With B = I nothing is read without noise."""
    on_pca = judge(solve(rows(), "pca", key))
    assert on_pca.verdict is Verdict.HOLDS_OTHERWISE
    assert on_pca.accounted is not None
    assert on_pca.accounted < 0.001
    for model in ("fda", "cca", "sir"):
        judgement = judge(solve(rows(), model, key))
        assert judgement.verdict is Verdict.FALSE
        assert math.isinf(judgement.needed)


@pytest.mark.parametrize("key", ["dprf", "dptrf"])
def test_what_no_pair_shows_is_not_known(key: str) -> None:
    judgement = judge(solve(rows(), "fda", key, start="oracle"))
    assert judgement.verdict is Verdict.UNKNOWN
    assert "start" in judgement.claim


def test_the_classical_rule_is_claimed_below_one() -> None:
    small, large = (judge(solve(rows(), "pca", "analyze_gauss", epsilon=e)) for e in (0.5, 2.0))
    assert (small.verdict, small.by_authors) == (Verdict.HOLDS, True)
    assert (large.verdict, large.by_authors) == (Verdict.HOLDS_OTHERWISE, False)


def test_dp_vrpca_is_false_where_pairs_show_it() -> None:
    assert judge(accounted("dp_vrpca", 0.1, 60_000)).verdict is Verdict.FALSE
    assert judge(accounted("dp_vrpca", 0.1, 1000)).verdict is Verdict.UNKNOWN


@pytest.mark.slow
@pytest.mark.parametrize(("n", "epsilon", "k"), [(1000, 1.0, 1), (1000, 0.1, 2), (1000, 4.0, 5), (1438, 0.1, 10)])
def test_the_basis_of_dp_vrpca_turns_as_its_pair_needs(n: int, epsilon: float, k: int) -> None:
    """One epoch on rows that are all e₁: how far apart e₁ and e₂ are in what they add."""
    from dpgep_core.stochastic import polar

    release = accounted("dp_vrpca", epsilon, n, k)
    eta, noise = 100 / n, math.hypot(*(e.sigma for e in release.ledger))
    for d, least, share in ((8 * k, 1.0, 0.2), (k, 3.0, 0.6)):
        if d == k and not (k >= 5 and k * n * (eta * noise) ** 2 >= 100):
            continue
        shares = []
        for seed in range(6):
            rng = np.random.default_rng(seed)
            V = start = np.linalg.qr(rng.standard_normal((d, k)))[0]
            gaps = []
            for _ in range(n):
                V = polar(V + eta * (2 * np.eye(d)[:, :1] @ V[:1] + noise * rng.standard_normal((d, k))))
                gaps.append(2 * np.linalg.norm((V - start)[:2]))
            shares.append(np.mean(np.array(gaps) >= least))
        assert np.median(shares) >= share


@pytest.mark.parametrize(
    ("asked", "proved", "needed", "word"),
    [
        (None, None, 9.0, Verdict.NONE),
        (1.0, 1.0, 0.0, Verdict.HOLDS),
        (1.0, 1 + 1e-6, 0.0, Verdict.UNKNOWN),
        (1.0, 1.5, 1.0, Verdict.UNKNOWN),
        (1.0, 1.5, 1.1, Verdict.FALSE),
        (1.0, None, math.inf, Verdict.FALSE),
        (1.0, None, 0.0, Verdict.UNKNOWN),
    ],
)
def test_the_word_for_three_numbers(asked: float | None, proved: float | None, needed: float, word: Verdict) -> None:
    assert decide(asked, proved, needed, proved=True) is word
    otherwise = Verdict.HOLDS_OTHERWISE if word is Verdict.HOLDS else word
    assert decide(asked, proved, needed, proved=False) is otherwise


def test_what_is_kept_without_moments_has_the_same_verdict() -> None:
    release = solve(rows(), "fda", "ssp")
    assert judge(replace(release, moments=None, pencil=None)) == judge(release)
