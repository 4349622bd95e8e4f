"""The numbers of the story `leak`."""

from story_claims.claim import Claim

CLAIMS: tuple[tuple[Claim, ...], ...] = (
    (Claim(said="15 digits", value=0.0, measure="error of the leak", tolerance=1e-13),),
    (
        Claim(said="200 of 200", value=200, measure="right guesses", of=(100,), tolerance=0.5),
        Claim(said="3.28", value=3.28, measure="ε shown", of=(100,), tolerance=0.005),
        Claim(said="7.9", value=7.9, measure="ε showable", of=(10_000,), tolerance=0.01),
        Claim(said="114", value=114, measure="right allowed", of=(200,), tolerance=1),
    ),
    (Claim(said="ten decimals", value=0.0, measure="error of the row", tolerance=1e-10),),
    (
        Claim(said="100 of 200", value=100, measure="right guesses", of=(100,), tolerance=14.5),
        Claim(said="no longer give the row", value=12, measure="error of the row", tolerance=11.5),
    ),
    (),
)  # fmt: skip
