"""A release as a user types it."""

from pathlib import Path


def release(folder: Path, out: str = "r.npz", **changes: str) -> list[str]:
    """Words of ``dpgep release`` at ε = 0.1 of a budget of 0.3; an empty change leaves a flag out."""
    flags = {"dataset": "wine", "epsilon": "0.1", "delta": "1e-6", "budget-epsilon": "0.3", "budget-delta": "1e-6",
             "ledger": str(folder / "kept.ledger"), "out": str(folder / out), **changes}  # fmt: skip
    return ["release", *(part for name, value in flags.items() for part in (f"--{name}", value) if value)]
