"""The numbers of the story `ridge`."""

from story_claims.claim import Claim


def _accuracy(said: str, xi: str, **at: str) -> Claim:
    return Claim(said=said, value=float(said), measure="accuracy", at={"xi": xi, **at}, draws=20)


CLAIMS: tuple[tuple[Claim, ...], ...] = (
    tuple(
        Claim(said=said, value=float(said), measure="accuracy", of=("exact",), at={"xi": xi}, tolerance=0.005)
        for said, xi in (("0.958", "0.0001"), ("0.953", "0.01"), ("0.939", "1"))
    ),
    (_accuracy("0.891", "0.0001"), _accuracy("0.933", "0.03"), _accuracy("0.930", "1")),
    (
        _accuracy("0.88", "0.0001"), _accuracy("0.904", "0.3"), _accuracy("0.83", "0.1", epsilon="0.3"),
    ),
    tuple(
        Claim(said=said, value=float(said), measure="cosine", at={"xi": xi}, draws=20, tolerance=0.03)
        for said, xi in (("0.71", "0.01"), ("0.87", "0.1"), ("0.89", "10"))
    ),
    (),
)  # fmt: skip
