"""The numbers of the story `rows`."""

from story_claims.claim import Claim


def _accuracy(said: str, **at: str) -> Claim:
    return Claim(said=said, value=float(said), measure="accuracy", at=at, draws=20)


CLAIMS: tuple[tuple[Claim, ...], ...] = (
    (
        _accuracy("0.92"), _accuracy("0.94", as_if="30"), _accuracy("0.74", as_if="1"),
        Claim(said="0.95", value=0.95, measure="accuracy", of=("exact",)),
        Claim(said="0.79", value=0.79, measure="accuracy", of=("random",)),
    ),
    (_accuracy("0.91"), _accuracy("0.92", epsilon="0.1", as_if="10")),
    (
        Claim(said="0.048", value=0.0479, measure="μ", tolerance=0.0006),
        Claim(said="0.048", value=0.0479, measure="μ", at={"as_if": "1"}, tolerance=0.0006),
        Claim(said="0.035", value=0.035, measure="μ", of=("follows",), tolerance=0.0006),
    ),
    (Claim(said="0.94", value=0.94, measure="accuracy", at={"as_if": "70"}, draws=20, tolerance=0.01),),
)  # fmt: skip
