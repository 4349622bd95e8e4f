"""Requests for releases of small data sets."""

from pathlib import Path
from typing import Any

from dpgep_core import load_dataset
from dpgep_core.publishing.budget import Amount
from dpgep_core.publishing.pricing import ReleaseRequest

ONE = {"steps": 1, "xi": 0.01}  # one release of the sums as they are


def request_for(folder: Path, name: str = "wine", **changes: Any) -> ReleaseRequest:
    """A release at ε = 0.5 of a budget of 1."""
    more: dict[str, Any] = {
        "dataset": load_dataset(name),
        "asked": Amount.of("0.5", "1e-6"),
        "limit": Amount.of("1", "1e-6"),
        "ledger": folder / "kept.ledger",
        "out": folder / "release.npz",
        **changes,
    }
    return ReleaseRequest(**more)
