"""The numbers of the story `leave`."""

from dashboard.compute.publishing import HERE, OTHERWISE
from story_claims.claim import Claim

LITTLE = {"epsilon": "0.01"}

CLAIMS: tuple[tuple[Claim, ...], ...] = (
    (
        Claim(said="14 digits", value=0.0, measure="error of the subtraction", tolerance=1e-14),
        Claim(said="at every ε", value=0.0, measure="error of the subtraction", at=LITTLE, tolerance=1e-14),
    ),
    (
        Claim(said="ε = 0.75", value=0.75, measure="ε of the budget", of=("spent",), tolerance=0.0),
        Claim(said="leave 0.25", value=0.25, measure="ε of the budget", of=("left",), tolerance=0.0),
        Claim(said="worth 0.57", value=0.57, measure="ε of the budget", of=("together",), tolerance=0.005),
        Claim(said="nobody knows of", value=2, measure="crashes uncounted", of=OTHERWISE, tolerance=0.0),
        Claim(said="never too little", value=0, measure="crashes uncounted", of=HERE, tolerance=0.0),
    ),
    (Claim(said="525", value=525, measure="right of 1,000 released", tolerance=0.5),),
    (Claim(said="510", value=510, measure="right of 1,000 released", at={"epsilon": "0.18"}, tolerance=0.5),),
)  # fmt: skip
