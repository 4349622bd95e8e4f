"""The numbers of the story `once`."""

from story_claims.claim import Claim


def _ppi(said: str, steps: str, **at: str) -> Claim:
    return Claim(said=said, value=float(said), measure="cosine", at={"n_iterations": steps, **at}, slow=True,
                 tolerance=0.05)  # fmt: skip


def _flow(said: str, steps: str, start: str, algorithm: str = "dprf") -> Claim:
    at = {"n_iterations": steps, "start": start, "algorithms": algorithm}
    return Claim(said=said, value=float(said), measure="accuracy", at=at, slow=True, draws=8, tolerance=0.03)


CLAIMS: tuple[tuple[Claim, ...], ...] = (
    tuple(
        Claim(said=said, value=float(said), measure="cosine after", of=(step,), slow=True)
        for said, step in (("0.58", 5), ("0.91", 10), ("0.99", 15), ("1.00", 30))
    ),
    (
        _ppi("0.78", "5"), _ppi("0.91", "10"), _ppi("0.76", "30"), _ppi("0.38", "60"),
        Claim(said="0.998", value=0.998, measure="cosine", at={"algorithms": "ssp"}, tolerance=0.002, slow=True),
        Claim(said="no number of steps", value=0.1, measure="cosine", at={"calibration": "published"},
              tolerance=0.1, slow=True),
    ),
    (
        _flow("0.86", "5", "oracle"), _flow("0.775", "15", "oracle"), _flow("0.50", "50", "oracle"),
        _flow("0.53", "5", "random"), _flow("0.49", "15", "random"), _flow("0.49", "50", "random"),
        Claim(said="0.87", value=0.87, measure="accuracy", at={"algorithms": "ssp"}, slow=True),
        Claim(said="scores 0.50", value=0.50, measure="accuracy", of=("random",), slow=True),
    ),
    (
        Claim(said="0.99", value=0.99, measure="cosine", at={"n_iterations": "15"}, slow=True),
        Claim(said="0.99", value=0.99, measure="cosine", at={"n_iterations": "20"}, slow=True),
    ),
)  # fmt: skip
