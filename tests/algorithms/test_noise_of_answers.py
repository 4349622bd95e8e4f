"""Every answer of every private algorithm carries the noise that its ledger says, and nothing leaves beside them.

The noise check reads σ off the ledger and compares released − exact entry by entry. The check for leaks puts every
question to a neighbour as well, and runs the algorithm again on the neighbour with the answers of the first run: all
that leaves must then be the same bit for bit, or something was read past the curator.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from battery import keys, settings_of
from leak_check import NEIGHBOURS, leaks, noise_faults, pair, setting, unsplit
from recording import Tape, differences, recorded, replayed

from dpgep_core import ALGORITHMS
from dpgep_core.params import Choice, parameters
from dpgep_core.solve import plan


def cases() -> list[tuple[str, str, dict[str, Any]]]:
    """Every private algorithm under every model, and each other choice that it offers under one model."""
    found: list[tuple[str, str, dict[str, Any]]] = []
    for key, model in keys():
        if not ALGORITHMS[key].private:
            continue
        found.append((key, model, {}))
        make = ALGORITHMS[key].make
        others = {name: getattr(make(), name) for name, p in parameters(make).items() if isinstance(p, Choice)}
        if model == ("fda" if "fda" in ALGORITHMS[key].models else "pca"):
            found += [(key, model, s) for s in settings_of(key) if s and not s.items() <= others.items()]
        if model == "pca" and "memory" in others:
            found.append((key, model, {"memory": "products"}))
    return list({repr(case): case for case in found}.values())


EVERY = pytest.mark.parametrize(("key", "model", "params"), cases(), ids=str)


@EVERY
def test_the_noise_is_what_the_ledger_says(key: str, model: str, params: dict[str, Any]) -> None:
    assert noise_faults(key, model, **params) == []


@EVERY
def test_nothing_leaves_but_through_the_curator(key: str, model: str, params: dict[str, Any]) -> None:
    for name, k in NEIGHBOURS.items():
        assert leaks(pair(name), setting(key, model, n_components=k, **params)) == [], name


@pytest.mark.parametrize("key", ["ssp", "sr_dp", "dprf"])
def test_holding_rows_out_moves_one_fitted_row_at_most(key: str) -> None:
    """Without a published split: of 33 + 33 rows, classes of 33 and of 32 would not hold out equally many."""
    for seed in range(4):
        for name in NEIGHBOURS:
            assert leaks(unsplit(pair(name, n=66)), replace(setting(key, "fda"), seed=seed)) == [], name


@pytest.mark.parametrize("key", [key for key, entry in ALGORITHMS.items() if entry.private])
def test_a_replay_hears_the_answers(key: str) -> None:
    """Two-sided: a replay that heard nothing would find every algorithm innocent."""
    model = "fda" if "fda" in ALGORITHMS[key].models else "pca"
    bound, tape = plan(pair().one, setting(key, model)), Tape()
    release = recorded(bound, tape)
    assert list(differences(release, replayed(bound, tape))) == []
    tape.said[-1] = tape.said[-1] * 1.5 + np.arange(tape.said[-1].size).reshape(tape.said[-1].shape) / 7
    assert list(differences(release, replayed(bound, tape)))
