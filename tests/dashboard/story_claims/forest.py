"""The numbers of the story `forest`."""

from story_claims.claim import Claim

CLAIMS: tuple[tuple[Claim, ...], ...] = (
    (
        Claim(said="63 %", value=0.63, measure="membership", of=("right",), tolerance=0.01, slow=True),
        Claim(said="50.6 %", value=0.506, measure="membership", of=("allowed",), tolerance=0.001, slow=True),
        Claim(said="0.82", value=0.82, measure="accuracy", of=("released",), slow=True),
        Claim(said="0.85", value=0.85, measure="accuracy", slow=True),
    ),
    (),
)  # fmt: skip
