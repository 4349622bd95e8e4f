"""The numbers of the story `worst`."""

from story_claims.claim import Claim


def _accuracy(said: str, tolerance: float = 0.02, **at: str) -> Claim:
    return Claim(said=said, value=float(said), measure="accuracy", at=at, draws=20, tolerance=tolerance)


CLAIMS: tuple[tuple[Claim, ...], ...] = (
    tuple(
        Claim(said=said, value=float(said), measure="swap", of=(which,), tolerance=tolerance)
        for said, which, tolerance in (
            ("0.24", "median", 0.02), ("0.78", "largest", 0.1), ("3.8", "made up", 0.05), ("5.7", "proved", 0.06),
        )
    ),
    (
        Claim(said="97 %", value=0.97, measure="energy", of=("proline",), tolerance=0.005),
        _accuracy("0.72", 0.03), Claim(said="0.61", value=0.61, measure="accuracy", of=("random",)),
    ),
    (
        _accuracy("0.97", 0.03), _accuracy("0.97", 0.03, as_if="10", epsilon="1"),
        _accuracy("0.71", 0.05, as_if="10", epsilon="1", bounds="false"),
        _accuracy("0.78", as_if="100", bounds="false"),
    ),
    (
        Claim(said="0.98", value=0.98, measure="change when rescaled", of=(100,), tolerance=0.005),
        Claim(said="0.99", value=0.99, measure="change when rescaled", of=(10_000,), tolerance=0.005),
    ),
    (
        Claim(said="0.97", value=0.97, measure="widened bounds", of=(10, ""), draws=20, tolerance=0.03),
        Claim(said="0.92", value=0.92, measure="widened bounds", of=(10, "proline"), draws=20, tolerance=0.03),
    ),
)  # fmt: skip
