"""An attack on the released file, as its user gets it: it shows no more than is accounted, and planted faults show."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from made import request_for

from dpgep_core import Dataset, load_release
from dpgep_core.audit.bounds import AuditLevel, mu_bounds
from dpgep_core.datasets import Preprocessing
from dpgep_core.privacy import discrete
from dpgep_core.publishing import LoadedRelease
from dpgep_core.publishing.budget import Amount
from dpgep_core.publishing.release_file import ReleasedArrays
from dpgep_core.publishing.releasing import publish
from dpgep_core.release import Setting
from dpgep_core.solve import plan, run

TRIALS, LEVEL = 150, AuditLevel(0.999, 1e-6)
MOST = Amount.of("8", "1e-6")
W2 = 0.5  # the weight of class sums in a release of fda


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


def attacked_mu(folder: Path) -> tuple[float, float]:
    """μ that the attack shows, and μ that the file states."""
    scores: list[list[float]] = [[], []]
    stated = 0.0
    for which, data in enumerate(pair()):
        for trial in range(TRIALS):
            where = folder / f"{which}-{trial}"
            where.mkdir()
            path = publish(request_for(where, dataset=data, asked=MOST, limit=MOST)).path
            release = load_release(path)
            scores[which].append(likelihood(release))
            stated = release.header.mu
    middle = 1 + 2 * W2 + W2**2  # halfway: the exact scores are 0 and twice this
    hits = [int((np.array(each) > middle).sum()) for each in scores]
    return float(mu_bounds(hits[1], hits[0], TRIALS, LEVEL)), stated


def test_the_attack_shows_no_more_than_the_file_states(tmp_path: Path) -> None:
    shown, stated = attacked_mu(tmp_path)
    assert 0.5 < shown < stated


def test_half_the_noise_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: Callable[..., np.ndarray] = discrete.draw_symmetric
    monkeypatch.setattr(discrete, "draw_symmetric", lambda law, size, scale: drawn(law, size, scale / 2))
    shown, stated = attacked_mu(tmp_path)
    assert shown > stated


def test_low_bits_tell_nothing_of_the_rows(tmp_path: Path) -> None:
    """Released sums are whole steps, whatever the rows; floating-point noise on sums of fractions leaves other bits."""
    rng = np.random.default_rng(0)
    data = replace(pair()[0], X=rng.normal(size=(200, 3)) / 3)
    request = request_for(tmp_path, dataset=data)
    steps = load_release(publish(request).path).arrays.gram * 2.0**36
    assert np.array_equal(steps, np.rint(steps))
    seeded = run(plan(data, Setting(seed=0, test_size=0.0)))
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
        arrays.append(load_release(publish(request_for(tmp_path / name, dataset=each)).path).arrays)
    assert arrays[0].gram.tobytes() == arrays[1].gram.tobytes()
    assert arrays[0].components.tobytes() == arrays[1].components.tobytes()
    floats = [each.X.T @ each.X for each in (data, turned)]
    assert not np.array_equal(floats[0], floats[1])  # the planted fault: sums that depend on their order
