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
    afterwards="Say what one more iteration costs, and recognise a method that starts at the answer.",
    removes="Iterations are free.",
    steps=(
        Step(
            before=Before(panel="exact components"),
            question="The noise of private power iteration is off. What do more iterations do to its answer?",
            options=("They make it better", "They make it worse", "They change nothing"),
            right=0,
            todo="Noise off, 30 iterations",
            scene=QUIET,
            look=(STEPS,),
            see="The mean cosine is 0.58 after 5 steps, 0.91 after 10, 0.99 after 15 and 1.00 after 30.",
            why="Every multiplication by the covariance favours the top directions a little more.",
        ),
        Step(
            before=Before(
                panel="curve", options=OVER.options, scene={**QUIET, "algorithms": "ppi"}, by_hand=(0.0, 1.04)
            ),
            question="Now every step carries noise, and all steps share one ε. What happens from 10 iterations to 60?",
            options=("It gets better", "It stays the same", "It gets worse"),
            right=2,
            todo="Noise on, 10 iterations",
            more=(("60 iterations", {**BASE, "n_iterations": "60"}),),
            scene={**BASE, "n_iterations": "10"},
            look=(OVER, STEPS),
            see="In this draw the cosine is 0.78 with 5 steps, 0.91 with 10, 0.76 with 30 and 0.38 with 60. One answer "
            "(*Sufficient statistics*) has 0.998.",
            why="All m answers share one budget, so each carries √m times the noise. A method that answers once then "
            "computes as long as it likes. (With the paper's own constants, no number of steps works here at all.)",
        ),
        Step(
            before=Before(panel="exact projection"),
            question="*DP-Rayleigh-Flow*, started at the exact answer, has an accuracy of 0.86 after 5 steps. Is that "
            "good?",
            options=("Yes", "No: it began at the answer", "Just luck"),
            right=1,
            todo="Start at the oracle, 15 steps",
            more=(
                ("50 steps", {**FLOW, "n_iterations": "50", "start": "oracle"}),
                ("Start at random", {**FLOW, "n_iterations": "15", "start": "random"}),
            ),
            scene={**FLOW, "n_iterations": "15", "start": "oracle"},
            look=(STEPS, Show(panel="numbers"), Show(panel="ledger")),
            see="In the median of eight draws, accuracy is 0.775 with 15 steps and 0.50 with 50; from a random start "
            "it is 0.53, 0.49 and 0.49 with 5, 15 and 50 steps. A single draw differs. A random projection scores "
            "0.50, one answer 0.87.",
            why="The oracle start reads the data without noise: its line in the ledger says unprotected. The private "
            "steps can only walk away from the answer.",
        ),
    ),
    attempt="Find the best number of iterations of *Private power iteration* at ε = 4. (15 to 20 give 0.99.) How would "
    "you know, without looking at the data?",
    attempt_scene={**BASE, "epsilon": "4", "n_iterations": "5"},
)  # fmt: skip
