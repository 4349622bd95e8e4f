"""The story of what ε does to a picture."""

from dashboard.stories.story import ONE_STEP, Before, Show, Step, Story

TYPICAL = "11"  # a seed whose draws lie near the medians of many
BASE = {"dataset": "mnist", "model": "pca", "algorithms": "ssp", "n_components": "3", "seed": TYPICAL, **ONE_STEP}
LOOK = (Show(panel="components"), Show(panel="curve", options=(("over", "epsilon"), ("metric", "first_cosine"))))
EXACT = Before(panel="exact components")
EDGE = {"epsilon": "0.03125"}


STORY = Story(
    key="cliff",
    title="What ε does to a picture",
    idea="Noise has a height. Directions below it drown, the weakest first.",
    afterwards="Tell from an eigenvalue and the number of rows at which ε its component is lost.",
    removes="Privacy blurs everything evenly.",
    steps=(
        Step(
            before=EXACT,
            question="From no privacy at all to ε = 1, what will happen to the three component images?",
            options=("They vanish", "They blur", "They look the same"),
            right=2,
            todo="Set ε = 1",
            scene={**BASE, "epsilon": "1"},
            look=LOOK,
            see="Cosines to the exact images: 0.999, 0.998, 0.998. Nobody sees a difference.",
            why="With 60,000 rows, the largest eigenvalue of the noise alone, its edge, is 0.005. The eigenvalues of "
            "the images are 0.056, 0.044 and 0.035, far above it.",
        ),
        Step(
            before=EXACT,
            question="ε falls further. Which of the three images breaks first?",
            options=("The first", "The third", "All at once"),
            right=1,
            todo="Set ε = 0.25",
            more=(("Set ε = 0.1", {**BASE, "epsilon": "0.1"}),),
            scene={**BASE, "epsilon": "0.25"},
            look=LOOK,
            see="At ε = 0.25 the cosines are 0.99, 0.98 and 0.97; at ε = 0.1 they are 0.93, 0.88 and 0.80 (medians of "
            "21 draws; a single draw differs). Grain shows on the third image first.",
            why="Every eigenvalue λ meets the same noise, and the smallest loses first: the cosine is about "
            "√(1 − (edge/2λ)²).",
        ),
        Step(
            before=EXACT,
            question="At ε = 1/32, what is left of the images?",
            options=("They are half as good", "They are gone", "They can still be read"),
            right=1,
            todo="Set ε = 0.05",
            more=(("Set ε = 1/32", {**BASE, **EDGE}),),
            scene={**BASE, "epsilon": "0.05"},
            look=LOOK,
            see="At ε = 0.05 the first image still has 0.72, the third 0.09 (medians of 21 draws). At 1/32 even the "
            "first is down to about 0.2, more or less in a single draw, and all three look like static.",
            why="A component is lost where half of the edge passes its eigenvalue. At 1/32 half of the edge, 0.057, "
            "is above even the largest eigenvalue, 0.056: quality falls off a cliff, not down a slope.",
        ),
    ),
    attempt="Take the small digits at ε = 2. In this draw the *third* image is by far the best: 0.90, against 0.37 and "
    "0.36 for the first two. That happens in about one draw of six; in the median draw all three have about 0.9. The "
    "eigenvalues of the first two, 0.047 and 0.044, are so close that noise may turn their directions into each other. "
    "So the eigengap counts, and not the height alone. Near ε = 0.5 all three are gone.",
    attempt_scene={**BASE, "dataset": "digits", "epsilon": "2", "seed": "0"},
)  # fmt: skip
