"""What ε does to a picture."""

from dashboard.stories.story import Claim, Show, Step, Story

BASE = {"dataset": "mnist", "model": "pca", "algorithms": "ssp", "n_components": "3", "seed": "0"}
LOOK = (Show(panel="components"), Show(panel="curve", options=(("over", "epsilon"), ("metric", "first_cosine"))))
EDGE = {"epsilon": "0.03125"}


def _cosines(epsilon: str, *said: str) -> tuple[Claim, ...]:
    return tuple(
        Claim(said=text, value=float(text), measure="cosine", of=(place,), at={"epsilon": epsilon}, draws=5,
              tolerance=0.05 if float(text) < 0.95 else 0.02)
        for place, text in enumerate(said, start=1)
    )  # fmt: skip


STORY = Story(
    key="cliff",
    title="What ε does to a picture",
    idea="Noise has a height. Directions below it drown, the weakest first.",
    removes="Privacy blurs everything evenly.",
    steps=(
        Step(
            question="From no privacy at all to ε = 1, what will happen to the three component images?",
            options=("They vanish", "They blur", "They look the same"),
            right=2,
            todo="Set ε = 1",
            scene={**BASE, "epsilon": "1"},
            look=LOOK,
            see="Cosines to the exact images: .999, .998, .998. Nobody sees a difference.",
            why="There are 60,000 rows. The noise matrix has its edge at .005, and the eigenvalues stand at .056, .044 "
            "and .035, far above it.",
            claims=(
                *_cosines("1", ".999", ".998", ".998"),
                Claim(said=".005", value=0.0047, measure="fact", of=("noise_edge",), tolerance=0.0005),
                *(Claim(said=text, value=float(text), measure="eigenvalue", of=(place,), tolerance=0.001)
                  for place, text in enumerate((".056", ".044", ".035"), start=1)),
            ),
        ),
        Step(
            question="ε falls further. Which of the three images breaks first?",
            options=("The first", "The third", "All at once"),
            right=1,
            todo="Set ε = .25",
            more=(("Set ε = .1", {**BASE, "epsilon": "0.1"}),),
            scene={**BASE, "epsilon": "0.25"},
            look=LOOK,
            see="At ε = .25 the cosines are .99, .98, .97, at ε = .1 they are .93, .89, .81 (medians of several "
            "draws): grain shows on the third image first.",
            why="Every eigenvalue λ meets the same noise, and the smallest loses first: the cosine is about "
            "√(1 − (edge/2λ)²).",
            claims=(*_cosines("0.25", ".99", ".98", ".97"), *_cosines("0.1", ".93", ".89", ".81")),
        ),
        Step(
            question="At ε = 1/32, what is left of the images?",
            options=("They are half as good", "They are gone", "They can still be read"),
            right=1,
            todo="Set ε = .05",
            more=(("Set ε = 1/32", {**BASE, **EDGE}),),
            scene={**BASE, "epsilon": "0.05"},
            look=LOOK,
            see="At ε = .05 the first image still has .73, the third .10. At 1/32 even the first is down to about .2, "
            "and all three are grey static.",
            why="Half of the edge, .057, has now passed the largest eigenvalue, .056. It is a cliff and not a slope.",
            claims=(
                Claim(said=".73", value=0.73, measure="cosine", of=(1,), draws=5, tolerance=0.05),
                Claim(said=".10", value=0.10, measure="cosine", of=(3,), draws=5, tolerance=0.07),
                Claim(said="about .2", value=0.2, measure="cosine", of=(1,), at=EDGE, draws=25, tolerance=0.06),
                Claim(said="edge, .057", value=0.1133, measure="fact", of=("noise_edge",), at=EDGE, tolerance=0.002),
                Claim(said="eigenvalue, .056", value=0.056, measure="eigenvalue", of=(1,), tolerance=0.001),
            ),
        ),
    ),
    attempt="Take `digits` at ε = 2. In this draw the *third* image is by far the best: .90, against .37 and .36 for "
    "the first two. That happens in about one draw of six; in the middle draw all three have about .9. The eigenvalues "
    "of the first two, .047 and .044, are so close that noise may turn their directions into each other. So the "
    "eigengap counts, and not the height alone. Near ε = .5 all three are gone.",
    attempt_scene={**BASE, "dataset": "digits", "epsilon": "2"},
    attempt_claims=(
        Claim(said=".90", value=0.90, measure="cosine", of=(3,), tolerance=0.05),
        Claim(said=".37", value=0.37, measure="cosine", of=(1,), tolerance=0.05),
        Claim(said=".36", value=0.36, measure="cosine", of=(2,), tolerance=0.05),
        *(Claim(said="about .9", value=0.9, measure="cosine", of=(place,), draws=25, tolerance=0.05)
          for place in (1, 2, 3)),
        Claim(said="one draw of six", value=1 / 6, measure="share of draws below", of=(1, 0.6, 60), tolerance=0.08),
        Claim(said=".047", value=0.047, measure="eigenvalue", of=(1,), tolerance=0.001),
        Claim(said=".044", value=0.044, measure="eigenvalue", of=(2,), tolerance=0.001),
        Claim(said="all three are gone", value=0.2, measure="cosine", at={"epsilon": "0.5"}, draws=9, tolerance=0.15),
    ),
)  # fmt: skip
