"""ξ is a bargain."""

from dashboard.stories.story import ONE_STEP, Before, Show, Step, Story

BASE = {
    "dataset": "digits", "model": "fda", "algorithms": "ssp", "n_components": "9", "seed": "0", "epsilon": "4",
    "floor": "false", **ONE_STEP,
}  # fmt: skip
ALONG = (("over", "xi"), ("metric", "accuracy"))
SEEN = (0.8, 1.0)  # of accuracy
ACCURACY = Show(panel="curve", options=ALONG)
COSINE = Show(panel="curve", options=(("over", "xi"), ("metric", "cosine")))


STORY = Story(
    key="ridge",
    title="ξ is a bargain",
    idea="The ridge trades noise against bias.",
    afterwards="Choose ξ for an ε, and know when a cosine misleads.",
    removes="ξ is a privacy knob; and: small is exact, so small is better.",
    steps=(
        Step(
            before=Before(panel="axes", options=ALONG, by_hand=SEEN),
            question="Without privacy, which ξ classifies best?",
            options=("A small one", "A middle one", "A large one"),
            right=0,
            todo="Show the curve without privacy only",
            scene=BASE,
            look=(Show(panel="exact curve", options=ALONG),),
            see="Accuracy is 0.958 at ξ = 0.0001, 0.953 at 0.01 and 0.939 at 1.",
            why="There are enough rows, and no noise has to be tamed: a ridge adds only bias.",
        ),
        Step(
            before=Before(panel="exact curve", options=ALONG, by_hand=SEEN),
            question="At ε = 4, with no floor under ξ, how does accuracy change as ξ grows?",
            options=("As before: small is best", "It climbs, then levels off", "It is flat"),
            right=1,
            todo="ξ = 0.0001",
            more=(
                ("ξ = 0.03", {**BASE, "xi": "0.03"}),
                ("ξ = 1", {**BASE, "xi": "1"}),
                ("Two steps, cleaned", {**BASE, "xi": "0.0001", "steps": "2"}),
            ),
            scene={**BASE, "xi": "0.0001"},
            look=(ACCURACY, Show(panel="numbers"), Show(panel="spectra")),
            see="The median of 20 draws climbs from 0.891 at 0.0001 to 0.933 near 0.03, and stays there: 0.930 at 1.",
            why="The smallest eigenvalues of the noisy B are almost nothing but noise. Dividing by them magnifies the "
            "noise; a ridge stops that. A very large ridge only compares class means, which is enough for digits.",
        ),
        Step(
            before=Before(panel="curve", options=ALONG, scene=BASE, by_hand=SEEN),
            question="At ε = 1, where does the climb end?",
            options=("Further left", "Further right", "At the same place"),
            right=1,
            todo="Set ε = 1",
            more=(("Set ε = 0.3", {**BASE, "epsilon": "0.3"}),),
            scene={**BASE, "epsilon": "1"},
            look=(ACCURACY,),
            see="Accuracy climbs from 0.88 at 0.0001 to 0.904 near 0.3, at a ξ ten times as large. At ε = 0.3 it "
            "reaches only about 0.83.",
            why="More noise asks for more ridge.",
        ),
        Step(
            before=Before(panel="curve", options=ALONG),
            question="Where accuracy is level, what does the cosine to the exact solution *at the same ξ* do?",
            options=("It falls", "It rises", "It stays level"),
            right=1,
            todo="Back to ε = 4, ξ = 0.1",
            scene={**BASE, "xi": "0.1"},
            look=(COSINE, Show(panel="numbers")),
            see="The mean cosine is 0.71 at ξ = 0.01, 0.87 at 0.1 and 0.89 at 10, while accuracy stands still.",
            why="The target got easier, not the answer better. Always ask which exact solution a cosine is against.",
        ),
    ),
    attempt="Try twenty values of ξ and look at the ledger: it still has a single line, because ξ is post-processing. "
    "Then choose *DPSR*, whose second noise grows as 1/ξ, and watch σ.",
    attempt_scene=BASE,
)  # fmt: skip
