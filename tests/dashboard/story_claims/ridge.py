"""The numbers of the story `ridge`."""

from story_claims.claim import Claim


def _accuracy(said: str, xi: str, **at: str) -> Claim:
    return Claim(said=said, value=float(said), measure="accuracy", at={"xi": xi, **at}, draws=20)


CLAIMS: tuple[tuple[Claim, ...], ...] = (
    tuple(
        Claim(said=said, value=float(said), measure="accuracy", of=("exact",), at={"xi": xi}, tolerance=0.005)
        for said, xi in ((".958", "0.0001"), (".953", "0.01"), (".939", "1"))
    ),
    (_accuracy(".891", "0.0001"), _accuracy(".933", "0.03"), _accuracy(".930", "1")),
    (
        _accuracy(".88", "0.0001"), _accuracy(".904", "0.3"), _accuracy(".83", "0.1", epsilon="0.3"),
    ),
    tuple(
        Claim(said=said, value=float(said), measure="cosine", at={"xi": xi}, draws=20, tolerance=0.03)
        for said, xi in ((".71", "0.01"), (".87", "0.1"), (".89", "10"))
    ),
    (),
)  # fmt: skip
