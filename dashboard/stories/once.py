"""Where to put the noise."""

from dashboard.stories.story import ONE_STEP, Before, Show, Step, Story

BASE = {
    "dataset": "mnist", "model": "pca", "algorithms": "ppi,ssp", "n_components": "3", "seed": "0", "epsilon": "1",
    "calibration": "exact", **ONE_STEP,
}  # fmt: skip
QUIET = {**BASE, "noise": "false", "n_iterations": "30"}
FLOW = {"dataset": "mnist", "model": "fda", "algorithms": "dprf,ssp", "seed": "0", "epsilon": "1", **ONE_STEP}
STEPS = Show(panel="iterations")
OVER = Show(panel="curve", options=(("over", "n_iterations"), ("metric", "cosine")))


STORY = Story(
    key="once",
    title="Where to put the noise",
    idea="Pay once.",
    afterwards="Afterwards you can say what one more iteration costs, and recognise what begins at the answer.",
    removes="Iterations are free.",
    steps=(
        Step(
            before=Before(panel="exact components"),
            question="Private power iteration with its noise switched off. More iterations make it:",
            options=("Better", "Worse", "No change"),
            right=0,
            todo="Noise off, 30 iterations",
            scene=QUIET,
            look=(STEPS,),
            see="The mean cosine is .58 after 5 steps, .91 after 10, .99 after 15 and 1.00 after 30.",
            why="Every multiplication by the covariance favours the top directions a little more.",
        ),
        Step(
            before=Before(
                panel="curve", options=OVER.options, scene={**QUIET, "algorithms": "ppi"}, by_hand=(0.0, 1.04)
            ),
            question="Now every step carries noise, and all steps share one ε. From 10 iterations to 60 it gets:",
            options=("Better", "The same", "Worse"),
            right=2,
            todo="Noise on, 10 iterations",
            more=(("60 iterations", {**BASE, "n_iterations": "60"}),),
            scene={**BASE, "n_iterations": "10"},
            look=(OVER, STEPS),
            see="In this draw .78 with 5 steps, .91 with 10, .76 with 30 and .38 with 60. `ssp` has .998.",
            why="m answers live on one budget, so each gets √m times the noise. `ssp` answers once and then computes "
            "as long as it likes. (As published, with the paper's constants, no number of steps works here at all.)",
        ),
        Step(
            before=Before(panel="exact projection"),
            question="`dprf` for Fisher's directions, started at `oracle`, has an accuracy of .86 after 5 steps. Good?",
            options=("Yes", "No: it began at the answer", "Just luck"),
            right=1,
            todo="Start at the oracle, 15 steps",
            more=(
                ("50 steps", {**FLOW, "n_iterations": "50", "start": "oracle"}),
                ("Start at random", {**FLOW, "n_iterations": "15", "start": "random"}),
            ),
            scene={**FLOW, "n_iterations": "15", "start": "oracle"},
            look=(Show(panel="numbers"), STEPS, Show(panel="ledger")),
            see="With 15 steps it has .775, with 50 steps .50; from a random start .53, .49 and .49 (middle of eight "
            "draws), where a random projection scores .50. `ssp` has .87.",
            why="The oracle read the data without noise: look at its line in the ledger, unprotected. The private "
            "steps can only walk away from it.",
        ),
    ),
    attempt="Find the best number of iterations of `ppi` at ε = 4. (15 to 20: .99.) Who would tell you, without "
    "looking at the data?",
    attempt_scene={**BASE, "epsilon": "4", "n_iterations": "5"},
)  # fmt: skip
