"""The numbers of the story `cliff`."""

from dashboard.stories.cliff import EDGE
from story_claims.claim import Claim


def _cosines(epsilon: str, *said: str) -> tuple[Claim, ...]:
    return tuple(
        Claim(said=text, value=float(text), measure="cosine", of=(place,), at={"epsilon": epsilon}, draws=21,
              tolerance=0.05 if float(text) < 0.95 else 0.02)
        for place, text in enumerate(said, start=1)
    )  # fmt: skip


CLAIMS: tuple[tuple[Claim, ...], ...] = (
    (
        *_cosines("1", "0.999", "0.998", "0.998"),
        Claim(said="0.005", value=0.0047, measure="fact", of=("noise_edge",), tolerance=0.0005),
        *(Claim(said=text, value=float(text), measure="eigenvalue", of=(place,), tolerance=0.001)
          for place, text in enumerate(("0.056", "0.044", "0.035"), start=1)),
    ),
    (*_cosines("0.25", "0.99", "0.98", "0.97"), *_cosines("0.1", "0.93", "0.88", "0.80")),
    (
        Claim(said="0.72", value=0.72, measure="cosine", of=(1,), draws=21, tolerance=0.05),
        Claim(said="0.09", value=0.09, measure="cosine", of=(3,), draws=21, tolerance=0.07),
        Claim(said="about 0.2", value=0.2, measure="cosine", of=(1,), at=EDGE, draws=25, tolerance=0.06),
        Claim(said="look like static", value=0.15, measure="cosine", at=EDGE, tolerance=0.15),  # of the picture itself
        Claim(said="edge, 0.057", value=0.1133, measure="fact", of=("noise_edge",), at=EDGE, tolerance=0.002),
        Claim(said="eigenvalue, 0.056", value=0.056, measure="eigenvalue", of=(1,), tolerance=0.001),
    ),
    (
        Claim(said="0.90", value=0.90, measure="cosine", of=(3,), tolerance=0.05),
        Claim(said="0.37", value=0.37, measure="cosine", of=(1,), tolerance=0.05),
        Claim(said="0.36", value=0.36, measure="cosine", of=(2,), tolerance=0.05),
        *(Claim(said="about 0.9", value=0.9, measure="cosine", of=(place,), draws=25, tolerance=0.05)
          for place in (1, 2, 3)),
        Claim(said="one draw of six", value=1 / 6, measure="share of draws below", of=(1, 0.6, 60), tolerance=0.08),
        Claim(said="0.047", value=0.047, measure="eigenvalue", of=(1,), tolerance=0.001),
        Claim(said="0.044", value=0.044, measure="eigenvalue", of=(2,), tolerance=0.001),
        Claim(said="all three are gone", value=0.2, measure="cosine", at={"epsilon": "0.5"}, draws=9, tolerance=0.15),
    ),
)  # fmt: skip
