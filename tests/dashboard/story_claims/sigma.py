"""The numbers of the story `sigma`."""

from dashboard.stories.sigma import BASE, DRIFT
from story_claims.claim import Claim


def _sigma(said: str, rule: str, count: int, tolerance: float = 0.5) -> Claim:
    return Claim(said=said, value=float(said), measure="σ by rule", of=(rule, count), tolerance=tolerance)


CLAIMS: tuple[tuple[Claim, ...], ...] = (
    (
        _sigma("82", "basic", 15), _sigma("114", "advanced", 15), _sigma("19.4", "zcdp", 15, 0.05),
        _sigma("16.2", "zcdp_tight", 15, 0.05), _sigma("15.0", "exact", 15, 0.05),
    ),
    (
        _sigma("312", "advanced", 100), _sigma("582", "basic", 100), _sigma("39", "exact", 100),
        _sigma("165", "advanced", 30), _sigma("168", "basic", 30),
    ),
    (
        _sigma("3.9", "forgetful", 15, 0.05),
        Claim(said="1.00", value=1.0, measure="μ by rule", of=("forgetful", 15), tolerance=0.005),
        Claim(said="692", value=692, measure="right of 1,000 by rule", of=("forgetful", 15), tolerance=1),
        Claim(said="552", value=552, measure="right of 1,000 by rule", of=("exact", 15), tolerance=1),
        Claim(said="4.5", value=4.5, measure="ε by rule", of=("forgetful", 15), tolerance=0.05),
    ),
    (
        Claim(said="0.64", value=0.64, measure="ε of the noisy answers", tolerance=0.01),
        Claim(said="8.1", value=8.1, measure="accounted ε", at=DRIFT | {"n_components": "10"}, tolerance=0.1),
        Claim(said="2.86", value=2.86, measure="lemma", at=BASE | {"n_components": "9"}, tolerance=0.02),
    ),
    (Claim(said="550", value=550, measure="runs needed", of=(5,), tolerance=8),),
)  # fmt: skip
