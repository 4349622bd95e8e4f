"""An attack on the released file, as its user gets it: it shows no more than is accounted, and planted faults show.

A release draws from the entropy of the operating system. Here noise of the same law to rounding comes from a seed:
that of the law itself is tested in `tests/privacy/test_exact.py`, and what is counted here is the same in every run.
"""

import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from made import ONE, request_for

from dpgep_core import Dataset, load_release
from dpgep_core.audit.bounds import AuditLevel, mu_bounds
from dpgep_core.datasets import Preprocessing
from dpgep_core.models import streamed_sums
from dpgep_core.models.queries import joint_gram
from dpgep_core.privacy import discrete
from dpgep_core.privacy.integers import STEPS
from dpgep_core.publishing import LoadedRelease
from dpgep_core.publishing.budget import Amount
from dpgep_core.publishing.release_file import ReleasedArrays
from dpgep_core.publishing.releasing import publish
from dpgep_core.release import Setting
from dpgep_core.solve import plan, run

TRIALS, LEVEL = 150, AuditLevel(0.999, 1e-6)
MOST = Amount.of("8", "1e-6")
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # a disk confirms every release, and takes its time
W2 = 0.5  # the weight of class sums in a release of fda


@pytest.fixture(autouse=True)
def _noise_of_one_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    normals = lambda count, scale: np.rint(rng.normal(scale=scale, size=count)).astype(np.int64)  # noqa: E731
    monkeypatch.setattr(discrete, "whole_normals", normals)


def pair() -> tuple[Dataset, Dataset]:
    """Neighbours that attain the sensitivity: one record of class 0 at e₁ becomes one of class 1 at e₂."""
    X = np.vstack([np.tile(np.eye(3)[0], (100, 1)), np.tile(np.eye(3)[1], (100, 1))])
    y = np.repeat([0, 1], 100)
    one = Dataset("pair", "Pair", X, y, classes=("a", "b"), preprocessing=Preprocessing(rows="clip"))
    other_X, other_y = X.copy(), y.copy()
    other_X[0], other_y[0] = np.eye(3)[1], 1
    return one, replace(one, X=other_X, y=other_y)


def likelihood(release: LoadedRelease) -> float:
    """Logarithm of the likelihood ratio of the two data sets, up to a scale, from the arrays of the file."""
    gram, sums, counts = release.arrays.gram, release.arrays.sums, release.arrays.counts
    about_sums = sums[1, 1] - sums[0, 0]
    return float(gram[1, 1] - gram[0, 0] + 2 * W2 * about_sums + W2**2 * (counts[1] - counts[0]))


def attacked_mu(
    datasets: tuple[Dataset, Dataset],
    guess: Callable[[LoadedRelease], bool],
    asked: Amount = MOST,
    trials: int = TRIALS,
) -> tuple[float, float]:
    """μ that an attack on files shows, and μ that they state. ``guess`` is whether a file is of the second data set."""
    hits, stated = [0, 0], 0.0
    for which, data in enumerate(datasets):
        for _ in range(trials):
            with TemporaryDirectory(dir=MEMORY) as where:
                request = request_for(Path(where), dataset=data, asked=asked, limit=asked, params=ONE)
                release = load_release(publish(request).path)
            hits[which] += guess(release)
            stated = release.header.mu
    return float(mu_bounds(hits[1], hits[0], trials, LEVEL)), stated


def likely(release: LoadedRelease) -> bool:
    middle = 1 + 2 * W2 + W2**2  # halfway: the exact scores are 0 and twice this
    return likelihood(release) > middle


def of_fractions(datasets: tuple[Dataset, Dataset]) -> Callable[[LoadedRelease], bool]:
    """Attack on the digits below one step: noise is whole there, so that whatever stands there is of the sums."""
    known = [exact_steps(data) for data in datasets]

    def guess(release: LoadedRelease) -> bool:
        seen = release.arrays.gram * STEPS**2
        first, second = (np.abs((seen - one + 0.5) % 1.0 - 0.5).sum() for one in known)
        return bool(second < first)

    return guess


def exact_steps(data: Dataset) -> np.ndarray:
    """Σ x xᵀ in steps, as the mechanism sums it."""
    made = plan(data, Setting(seed=None, test_size=0.0))
    answer = joint_gram(made.public.weight, made.public).integers
    assert answer is not None
    return np.asarray(answer.evaluate(made.problem))[: data.d, : data.d]


def plant_float_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plant the fault: rows that are not whole, and their sums in floating point, a row after the other."""

    def one_by_one(blocks: Iterable[np.ndarray], _: int) -> np.ndarray:
        return sum((np.outer(row, row) for block in blocks for row in block), np.zeros(()))

    monkeypatch.setattr(streamed_sums, "integer_rows", lambda rows: rows * STEPS)
    monkeypatch.setattr(streamed_sums, "exact_sum", one_by_one)


def generic() -> Dataset:
    return replace(pair()[0], X=np.random.default_rng(0).normal(size=(200, 3)) / 3)


def neighbours() -> tuple[Dataset, Dataset]:
    one = generic()
    X = one.X.copy()
    X[7] = [0.3, -0.2, 0.1]
    return one, replace(one, X=X)


def two_orders() -> tuple[Dataset, Dataset]:
    one, order = generic(), np.random.default_rng(1).permutation(200)
    assert one.y is not None
    return one, replace(one, X=one.X[order], y=one.y[order])


@pytest.mark.parametrize("datasets", [neighbours, two_orders])
def test_low_bits_and_orders_show_nothing_until_sums_are_of_floating_point_numbers(
    monkeypatch: pytest.MonkeyPatch, datasets: Callable[[], tuple[Dataset, Dataset]]
) -> None:
    """The same attack on the file finds nothing, and after the planted fault more than the file states."""
    for planted in (False, True):
        if planted:
            plant_float_sums(monkeypatch)
        both = datasets()
        shown, stated = attacked_mu(both, of_fractions(both), Amount.of("1", "1e-6"), 25)
        assert (shown > 2 * stated) if planted else (shown < stated)


def test_the_attack_shows_no_more_than_the_file_states() -> None:
    shown, stated = attacked_mu(pair(), likely)
    assert 0.5 < shown < stated


def test_half_the_noise_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: Callable[..., np.ndarray] = discrete.draw_symmetric
    monkeypatch.setattr(discrete, "draw_symmetric", lambda law, size, scale: drawn(law, size, scale / 2))
    shown, stated = attacked_mu(pair(), likely)
    assert shown > stated


def test_low_bits_tell_nothing_of_the_rows(tmp_path: Path) -> None:
    """Released sums are whole steps, whatever the rows; floating-point noise on sums of fractions leaves other bits."""
    rng = np.random.default_rng(0)
    data = replace(pair()[0], X=rng.normal(size=(200, 3)) / 3)
    request = request_for(tmp_path, dataset=data, params=ONE)
    steps = load_release(publish(request).path).arrays.gram * 2.0**36
    assert np.array_equal(steps, np.rint(steps))
    seeded = run(plan(data, Setting(seed=0, test_size=0.0, params=(("steps", 1),))))
    assert seeded.moments is not None
    planted = seeded.moments.gram * 2.0**36
    assert not np.array_equal(planted, np.rint(planted))


def test_the_order_of_the_rows_tells_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With one and the same noise, the files of two orders of the same rows hold the same arrays, bit by bit."""
    rng = np.random.default_rng(1)
    data = replace(pair()[0], X=rng.normal(size=(200, 3)) / 3)
    order = rng.permutation(200)
    assert data.y is not None
    turned = replace(data, X=data.X[order], y=data.y[order])
    noise = discrete.draw_symmetric(discrete.Isotropic(), 5, 2.0**37)
    monkeypatch.setattr(discrete, "draw_symmetric", lambda *_: noise)
    arrays: list[ReleasedArrays] = []
    for name, each in (("a", data), ("b", turned)):
        (tmp_path / name).mkdir()
        arrays.append(load_release(publish(request_for(tmp_path / name, dataset=each, params=ONE)).path).arrays)
    assert arrays[0].gram.tobytes() == arrays[1].gram.tobytes()
    assert arrays[0].components.tobytes() == arrays[1].components.tobytes()
    floats = [each.X.T @ each.X for each in (data, turned)]
    assert not np.array_equal(floats[0], floats[1])  # the planted fault: sums that depend on their order
