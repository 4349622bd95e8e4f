"""Algorithms that are planted whole, as a new file would bring them: each breaks its word, and a guard-rail says so.

The checks are those that every registered algorithm passes: of its ledger, of the noise of each answer, and of
everything that leaves beside the answers.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpgep_core import ALGORITHMS
from dpgep_core.method import Guarantee, Source, Verdict, register
from dpgep_core.models.queries import target
from dpgep_core.numerics import leading_eigenvectors
from dpgep_core.params import Checked

sys.path.append(str(Path(__file__).parents[1] / "algorithms"))  # where the checks of every algorithm are

from leak_check import NEIGHBOURS, leaks, noise_faults, pair, setting

ENOUGH_NOISE = 20.0  # times the sensitivity: μ = 1/20, far below what ε = 1 grants
Step = Callable[[Any, Any], Any]  # curator, public facts → a symmetric matrix whose eigenvectors leave


def noisy(curator: Any, public: Any) -> Any:
    """The honest answer: A under the noise of the ledger."""
    query = target(public)
    return curator.ask(query, sigma=ENOUGH_NOISE * query.sensitivity)


def without_noise(curator: Any, public: Any) -> Any:
    """The answer is paid for, and the exact one is used."""
    noisy(curator, public)
    return curator._Curator__secret.pencil.target


def next_to_no_noise(curator: Any, public: Any) -> Any:
    """Noise for a sensitivity that is a thousand times too small; the ledger looks innocent."""
    small = replace(target(public), sensitivity=target(public).sensitivity / 1000)
    return curator.ask(small, sigma=ENOUGH_NOISE * small.sensitivity)


def one_entry_without_noise(curator: Any, public: Any) -> Any:
    matrix = np.array(noisy(curator, public))
    matrix[0, 0] = curator._Curator__secret.pencil.target[0, 0]
    return matrix


def counts_in_the_answer(curator: Any, public: Any) -> Any:
    """The direction that leads is told by the number of rows of a class."""
    count = curator._Curator__secret.moments.counts[0]
    return noisy(curator, public) + np.diag(np.arange(public.d) == count % public.d)


def counts_in_the_last_digits(curator: Any, public: Any) -> Any:
    matrix = noisy(curator, public)
    return matrix + 1e-9 * curator._Curator__secret.moments.counts[0] * np.diag(np.arange(public.d))


def a_question_only_if(curator: Any, public: Any) -> Any:
    """Whether a second question is asked depends on the rows; each answer is paid for."""
    if curator._Curator__secret.moments.counts[0] % 2:
        noisy(curator, public)
    return noisy(curator, public)


PLANTED: tuple[Step, ...] = (
    without_noise, next_to_no_noise, one_entry_without_noise, counts_in_the_answer, counts_in_the_last_digits,
    a_question_only_if,
)  # fmt: skip


@pytest.fixture
def planted(request: pytest.FixtureRequest) -> Iterator[str]:
    """A registered algorithm that gets its matrix by a step, and counts among its facts where so marked."""
    step, told = request.param
    seen: list[float] = []

    @register("planted", "Planted", Source("Nobody", "Nowhere"), Guarantee("(ε, δ)-DP", Verdict.HOLDS, "So it says."),
              models=("fda",))  # fmt: skip
    @dataclass(frozen=True, kw_only=True)
    class Planted(Checked):
        __module__ = "dpgep_core.algorithms.planted"  # as a new file of the package; what is outside is held back

        def iterates(self, curator: Any, public: Any, start: Any) -> Iterator[Any]:
            seen[:] = curator._Curator__secret.moments.counts[:1]
            yield leading_eigenvectors(step(curator, public), public.k)

        def more_facts(self, public: Any, grant: Any) -> dict[str, float]:
            return {"first class": float(seen[0])} if told and seen else {}

    yield "planted"
    del ALGORITHMS["planted"]


def found(key: str) -> list[str]:
    """What the guard-rails say about an algorithm."""
    rails = [leaks(pair(name), setting(key, "fda", n_components=k)) for name, k in NEIGHBOURS.items()]
    return [*noise_faults(key, "fda"), *(fault for faults in rails for fault in faults)]


@pytest.mark.parametrize("planted", [(noisy, False)], indirect=True, ids=["honest"])
def test_an_honest_newcomer_passes(planted: str) -> None:
    """Two-sided: it reads rows that go nowhere, and nothing is said about it."""
    assert found(planted) == []


@pytest.mark.parametrize("planted", [(step, False) for step in PLANTED], indirect=True, ids=lambda it: it[0].__name__)
def test_a_newcomer_that_breaks_its_word_is_caught(planted: str) -> None:
    assert found(planted)


@pytest.mark.parametrize("planted", [(noisy, True)], indirect=True, ids=["counts among the facts"])
def test_a_newcomer_that_tells_counts_is_caught(planted: str) -> None:
    assert any("facts" in fault for fault in found(planted))
