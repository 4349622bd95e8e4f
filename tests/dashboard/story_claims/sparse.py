"""The numbers of the story `sparse`."""

from story_claims.claim import Claim


def _truth(said: str, draws: int = 3, **at: str) -> Claim:
    return Claim(said=said, value=float(said), measure="cosine to the truth", at=at, draws=draws, tolerance=0.05,
                 slow=draws > 1 or not at)  # fmt: skip


CLAIMS: tuple[tuple[Claim, ...], ...] = (
    (
        _truth("0.05", 1), _truth("0.997", 1, algorithms="exact"),
        Claim(said="0.009", value=0.0129 / 2**0.5, measure="noise entry", tolerance=0.0005),
        Claim(said="0.021", value=0.0206, measure="signal entry", of=(10,), tolerance=0.0005),
        Claim(said="0.58", value=0.58, measure="fact", of=("noise_edge",), tolerance=0.01),
        Claim(said="0.21", value=0.21, measure="eigenvalue", of=(1,), tolerance=0.01),
    ),
    (_truth("0.63", sparsity="100"), _truth("0.91", sparsity="20"), _truth("0.99", 1, sparsity="10")),
    (_truth("0.70", 1),),
    (_truth("0.62"), _truth("0.97", epsilon="4")),
)  # fmt: skip
