"""A release from the request to the file: what is refused, what a crash leaves, and what the file is a function of."""

import hashlib
import os
import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from apart import CONTEXT, apart, joined
from made import ONE, request_for

from dpgep_core import ALGORITHMS, DataError, Dataset, DpgepError, ParameterError, load_dataset, load_release
from dpgep_core.models import integer_sums
from dpgep_core.privacy import discrete
from dpgep_core.privacy.accountant import delta_of
from dpgep_core.publishing import releasing
from dpgep_core.publishing.budget import Amount, BudgetSpentError
from dpgep_core.publishing.budget_ledger import BudgetLedger
from dpgep_core.publishing.pricing import priced_plan, releasable_algorithms, why_not_released
from dpgep_core.publishing.release_file import release_bytes
from dpgep_core.publishing.releasing import Published, publish
from dpgep_core.publishing.statement import NOT_COVERED, loading_code, privacy_statement
from dpgep_core.release import Release
from dpgep_core.solve import run
from dpgep_core.sqlitefile import StoreError


@pytest.mark.parametrize(
    ("model", "name"), [("pca", "synthetic_pca"), ("fda", "digits"), ("cca", "synthetic_cca"), ("sir", "synthetic_sir")]
)
def test_every_model_is_released_and_loaded(tmp_path: Path, model: str, name: str) -> None:
    published = publish(request_for(tmp_path, name, model=model))
    release = load_release(published.path)
    assert release.header == published.header
    assert np.array_equal(release.components(), release.components(n_components=published.header.n_components))
    assert release.transformer().transform(load_dataset(name).X).shape[1] == published.header.n_components
    assert model in release.models
    assert [entry.kind for entry in BudgetLedger(tmp_path / "kept.ledger").entries()] == [
        "opened", "reserved", "written",
    ]  # fmt: skip


def test_all_rows_are_used(released: Published) -> None:
    assert released.header.n == load_dataset("wine").n
    counts = load_release(released.path).moments.counts
    assert counts.sum() == pytest.approx(released.header.n)


def test_the_guarantee_is_that_of_the_noise_with_its_slack(tmp_path: Path) -> None:
    priced = priced_plan(request_for(tmp_path, params=ONE))
    mu, slack = priced.charge.mu, priced.slack
    assert delta_of(mu, 0.5) + slack <= 1e-6
    assert delta_of(mu, 0.5) > 0.999999 * 1e-6
    assert slack == 2.0**-60
    assert priced.plan.setting.seed is None
    assert (1 + np.exp(0.5)) * priced.charge.distance <= slack


def test_a_second_release_takes_the_rest_and_a_third_is_refused(tmp_path: Path) -> None:
    for name in ("a.npz", "b.npz"):
        publish(request_for(tmp_path, out=tmp_path / name))
    with pytest.raises(BudgetSpentError, match=r"epsilon = 1e-9 is asked for and 0 of 1 is left"):
        publish(request_for(tmp_path, out=tmp_path / "c.npz", asked=Amount.of("1e-9", "1e-6")))
    assert sorted(path.name for path in tmp_path.glob("*.npz")) == ["a.npz", "b.npz"]
    assert not list(tmp_path.glob(".*"))
    first, second = (load_release(tmp_path / name).components() for name in ("a.npz", "b.npz"))
    assert not np.array_equal(first, second)


@pytest.mark.parametrize("key", [key for key in ALGORITHMS if key != "ssp"])
def test_other_algorithms_are_refused_with_the_reason(tmp_path: Path, key: str) -> None:
    assert releasable_algorithms() == ("ssp",)
    model = ALGORITHMS[key].models[0]
    with pytest.raises(ParameterError, match="algorithm must be ssp for a release") as caught:
        publish(request_for(tmp_path, algorithm=key, model=model))
    assert why_not_released(ALGORITHMS[key]) in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_what_is_not_declared_is_named_and_nothing_is_spent(tmp_path: Path) -> None:
    data = replace(load_dataset("wine"), classes_declared=False, learnt=("the column bounds",))
    with pytest.raises(DataError, match="read off the rows: the class set, the column bounds; for a release, declare"):
        publish(request_for(tmp_path, dataset=data))
    with pytest.raises(DataError, match="n, the number of rows"):
        publish(request_for(tmp_path, relation="add_remove"))
    assert not list(tmp_path.iterdir())
    publish(request_for(tmp_path, relation="add_remove", declared_n=180))


def test_noise_that_is_too_small_for_the_integers_is_refused(tmp_path: Path) -> None:
    most = Amount.of("60", "1e-6")
    with pytest.raises(ParameterError, match="epsilon must be smaller for a release"):
        publish(request_for(tmp_path, asked=most, limit=most))


@pytest.mark.parametrize("steps", [1, 2, 3])
@pytest.mark.parametrize(
    ("asked", "params", "said"),
    [
        (Amount.of("1e-8", "1e-9"), {}, "epsilon must be larger for a release, or its delta: noise of "),
        (Amount.of("1e-12", "1e-12"), {}, "epsilon must be larger for a release, or its delta: noise of "),
        (Amount.of("0.5", "1e-20"), {}, r"delta must be at least 8\.7e-16 for a release; got"),
        (Amount.of("0.5", "1e-6"), {"weight": 2000.0}, r"weight must be from 2\^-36 to 1024 for exact sums; got 2000"),
        (Amount.of("0.5", "1e-6"), {"weight": 1e-12}, r"weight must be from 2\^-36 to 1024 for exact sums; got 1e-12"),
        (Amount.of("0.5", "1e-6"), {"sparsity": 14}, "sparsity must be at most the number of columns, 13; 0 keeps all"),
    ],
)
def test_what_no_exact_release_can_be_is_refused_before_it_is_paid_for(
    tmp_path: Path, asked: Amount, params: dict[str, float], said: str, steps: int
) -> None:
    """Noise that reaches the end of 64 bits once gave the sums themselves away; the rest was paid for and lost."""
    with pytest.raises(ParameterError, match=said):
        publish(request_for(tmp_path, asked=asked, params={"steps": steps, "xi": 0.01, **params}))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("steps", [1, 2])
def test_more_rows_than_64_bits_hold_are_refused_before_they_are_paid_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, steps: int
) -> None:
    """The sums of a later step, which weigh more, were only found too large after the first was paid for."""
    most = 150 * (2**36 + 2**35) if steps == 2 else 150 * 2**36
    monkeypatch.setattr(integer_sums, "MOST", most)
    with pytest.raises(DataError, match=r"wine: .*at most 1\d\d: larger sums do not fit 64 bits"):
        publish(request_for(tmp_path, params={"steps": steps, "weight": 0.5, "xi": 0.01}))
    assert not list(tmp_path.iterdir())


def test_a_header_that_no_file_can_hold_is_not_paid_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    publish(request_for(tmp_path, dataset=replace(load_dataset("wine"), image_shape=tuple(np.array([13, 1])))))
    before = BudgetLedger(tmp_path / "kept.ledger").entries()
    monkeypatch.setattr(releasing, "VERSION", object())
    with pytest.raises(TypeError, match="JSON"):
        publish(request_for(tmp_path, out=tmp_path / "b.npz"))
    assert BudgetLedger(tmp_path / "kept.ledger").entries() == before


def test_products_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="memory must be whole for a release"):
        publish(request_for(tmp_path, model="pca", params={"memory": "products"}))


def test_a_file_is_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "release.npz").write_text("mine")
    with pytest.raises(ParameterError, match="out must be a file that is not there yet"):
        publish(request_for(tmp_path))
    with pytest.raises(ParameterError, match="out must be a file in a folder"):
        publish(request_for(tmp_path, out=tmp_path / "no" / "r.npz"))
    assert not (tmp_path / "kept.ledger").exists()


def test_rows_that_changed_are_noticed(tmp_path: Path) -> None:
    publish(request_for(tmp_path))
    data = load_dataset("wine")
    X = data.X.copy()
    X[3, 2] += 1
    again = publish(request_for(tmp_path, dataset=replace(data, X=X), out=tmp_path / "b.npz"))
    assert again.reservation.rows_changed
    assert again.reservation.budget.left.epsilon == 0


def neighbour(data: Dataset) -> Dataset:
    assert data.y is not None
    X, y = data.X.copy(), data.y.copy()
    X[5], y[5] = X[90], (y[5] + 1) % 3
    return replace(data, X=X, y=y)


@pytest.mark.parametrize("model", ["pca", "fda", "sir", "cca"])
def test_the_file_is_a_function_of_public_settings_and_the_noisy_sums(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: str
) -> None:
    data = load_dataset("wine")
    first = publish(request_for(tmp_path, model=model, params=ONE))
    made = priced_plan(request_for(tmp_path, model=model, params=ONE)).plan
    from dpgep_core.models.queries import joint_gram

    answer = joint_gram(made.public.weight, made.public).integers
    assert answer is not None
    forced = answer.evaluate(made.problem) + 2**40

    def same(exact: np.ndarray) -> None:
        monkeypatch.setattr(discrete, "draw_symmetric", lambda *_: forced - exact)

    contents: list[tuple[bytes, np.ndarray, str]] = []
    for each in (data, neighbour(data)):
        request = request_for(tmp_path / "x", model=model, dataset=each, params=ONE)
        (tmp_path / "x").mkdir(exist_ok=True)
        exact = answer.evaluate(priced_plan(request).plan.problem)
        same(exact)
        published = publish(request)
        header = replace(published.header, release=first.header.release, made=first.header.made)
        release = load_release(published.path)
        page = privacy_statement(header, "r.npz", "0")
        contents.append((release_bytes(header, release.arrays), exact, page))
        for path in (tmp_path / "x").iterdir():
            path.unlink()
    assert not np.array_equal(contents[0][1], contents[1][1])  # the exact sums differ
    assert contents[0][0] == contents[1][0]
    assert contents[0][2] == contents[1][2]


def test_the_statement_says_what_an_officer_asks(released: Published) -> None:
    page = privacy_statement(load_release(released.path).header, released.path.name, released.sha256)
    for words in ("(0.5, 1e-6)-differential", "times in 1,000", released.sha256, "replaced by any", NOT_COVERED[0]):
        assert words in page
    assert "wine" in page
    assert loading_code(released.path.name).count("\n") == 10


def test_the_loading_code_runs(released: Published, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(released.path.parent)
    names: dict[str, Any] = {"X": load_dataset("wine").X}
    exec(loading_code(released.path.name), names)
    assert names["Z"].shape == (178, 2)


STEPS = (
    "header_bytes",
    "secure_place",
    "BudgetLedger.reserve",
    "run",
    "release_bytes",
    "write_whole",
    "BudgetLedger.record_file",
)


def killed_at(folder: Path, step: str, before: bool) -> None:
    """A process that publishes and is killed right before or right after a step."""

    def killing(function: Callable[..., object]) -> Callable[..., None]:
        def killed(*arguments: object, **named: object) -> None:
            if before:
                os.kill(os.getpid(), signal.SIGKILL)
            function(*arguments, **named)
            os.kill(os.getpid(), signal.SIGKILL)

        return killed

    owner, _, name = step.rpartition(".")
    place = getattr(releasing, owner) if owner else releasing
    setattr(place, name, killing(getattr(place, name)))
    publish(request_for(folder))


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL is of POSIX")
@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize("step", STEPS)
def test_a_kill_between_any_two_steps_never_under_counts(tmp_path: Path, step: str, before: bool) -> None:
    assert joined(apart(killed_at, tmp_path, step, before)) == -signal.SIGKILL
    drawn = STEPS.index(step) > STEPS.index("run") or (step == "run" and not before)
    ledger = tmp_path / "kept.ledger"
    charges = len(BudgetLedger(ledger).budget("wine").charges) if ledger.exists() else 0
    assert charges >= drawn
    written = tmp_path / "release.npz"
    if written.exists():
        assert load_release(written).header.epsilon == "0.5"
        assert charges == 1
    after = publish(request_for(tmp_path, out=tmp_path / "next.npz")).reservation.budget
    assert len(after.charges) == charges + 1


def published_on_a_full_disk(folder: Path, most: int, late: bool, said: Connection) -> None:
    """A process whose files may have ``most`` bytes, at once or when the noise is drawn; it says the error."""
    import resource  # of POSIX

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    def limited(*given: Any, **named: Any) -> Release:
        limit()
        return run(*given, **named)

    request = request_for(folder, "digits")
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    if late:
        releasing.run = limited
    else:
        limit()
    try:
        publish(request)
    except DpgepError as error:
        said.send(str(error))


@pytest.mark.skipif(os.name == "nt", reason="limits of file sizes are of POSIX")
@pytest.mark.parametrize(
    ("most", "late", "words", "charges"),
    [
        (30_000, False, "out must be on a disk with room for", 0),  # the release does not fit
        (1_000, False, "out must be on a disk with room for", 0),
        (30_000, True, "the budget counts this release as spent", 1),  # the disk fills up after the noise is drawn
    ],
)
def test_a_full_disk_is_named_and_never_under_counts(
    tmp_path: Path, most: int, late: bool, words: str, charges: int
) -> None:
    hears, says = CONTEXT.Pipe(duplex=False)
    assert joined(apart(published_on_a_full_disk, tmp_path, most, late, says)) == 0
    assert hears.poll()
    assert words in hears.recv()
    ledger = tmp_path / "kept.ledger"
    assert (len(BudgetLedger(ledger).budget("digits").charges) if ledger.exists() else 0) == charges
    assert not list(tmp_path.glob("*.npz"))
    assert not list(tmp_path.glob(".release*"))


def test_a_ledger_that_fails_after_the_file_is_written_says_what_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(BudgetLedger, "record_file", full)
    with pytest.raises(DataError, match="the release is whole, and counted"):
        publish(request_for(tmp_path))
    assert load_release(tmp_path / "release.npz").header.epsilon == "0.5"
    assert len(BudgetLedger(tmp_path / "kept.ledger").budget("wine").charges) == 1


def publish_in_turn(folder: Path, me: int, count: int) -> None:
    for turn in range(count):
        with suppress(BudgetSpentError):
            publish(request_for(folder, asked=Amount.of("0.01", "1e-8"), out=folder / f"{me}-{turn}.npz"))


@pytest.mark.parametrize(
    ("processes", "count", "granted"), [(2, 4, 8), pytest.param(8, 13, 100, marks=pytest.mark.slow)]
)
def test_concurrent_releases_never_pass_the_budget_and_lose_none(
    tmp_path: Path, processes: int, count: int, granted: int
) -> None:
    running = [apart(publish_in_turn, tmp_path, me, count) for me in range(processes)]
    assert [joined(each) for each in running] == [0] * processes
    ledger = BudgetLedger(tmp_path / "kept.ledger")
    files = list(tmp_path.glob("*.npz"))
    assert len(files) == len(ledger.budget("wine").charges) == granted
    assert ledger.budget("wine").spent_epsilon <= 1
    written = {entry.body["sha256"] for entry in ledger.entries() if entry.kind == "written"}
    assert written == {hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    assert len({load_release(path).header.release for path in files}) == granted


def test_a_request_has_no_seed(tmp_path: Path) -> None:
    assert "seed" not in {f.name for f in fields(request_for(tmp_path))}


@pytest.mark.parametrize("model", ["fda", "cca", "sir"])
@pytest.mark.parametrize("steps", [1, 2, 3])
@pytest.mark.parametrize("xi", [1e-12, 1e-14, 1e-300])
def test_no_ridge_is_so_small_that_a_release_is_paid_for_and_lost(
    tmp_path: Path, model: str, steps: int, xi: float
) -> None:
    """Whether noisy sums can be solved without a ridge hangs on noise that is drawn after they are paid for."""
    params = {"floor": False, "xi": xi, "steps": steps}
    asked = Amount.of("0.01", "1e-6")
    publish(request_for(tmp_path, model=model, params=params, asked=asked))
    assert np.isfinite(load_release(tmp_path / "release.npz").components()).all()
