"""Where to put the noise."""

from dashboard.stories.story import Claim, Show, Step, Story

BASE = {
    "dataset": "mnist", "model": "pca", "algorithms": "ppi,ssp", "n_components": "3", "seed": "0", "epsilon": "1",
    "calibration": "exact",
}  # fmt: skip
FLOW = {"dataset": "mnist", "model": "fda", "algorithms": "dprf,ssp", "seed": "0", "epsilon": "1"}
STEPS = Show(panel="iterations")
OVER = Show(panel="curve", options=(("over", "n_iterations"), ("metric", "cosine")))


def _ppi(said: str, steps: str, **at: str) -> Claim:
    return Claim(said=said, value=float(said), measure="cosine", at={"n_iterations": steps, **at}, slow=True,
                 tolerance=0.05)  # fmt: skip


def _flow(said: str, steps: str, start: str, algorithm: str = "dprf") -> Claim:
    at = {"n_iterations": steps, "start": start, "algorithms": algorithm}
    return Claim(said=said, value=float(said), measure="accuracy", at=at, slow=True, draws=8, tolerance=0.03)


STORY = Story(
    key="once",
    title="Where to put the noise",
    idea="Pay once.",
    removes="Iterations are free.",
    steps=(
        Step(
            question="Private power iteration with its noise switched off. More iterations make it:",
            options=("Better", "Worse", "No change"),
            right=0,
            todo="Noise off, 30 iterations",
            scene={**BASE, "noise": "false", "n_iterations": "30"},
            look=(STEPS,),
            see="The mean cosine is .58 after 5 steps, .91 after 10, .99 after 15 and 1.00 after 30.",
            why="Every multiplication by the covariance favours the top directions a little more.",
            claims=tuple(
                Claim(said=said, value=float(said), measure="cosine after", of=(step,), slow=True)
                for said, step in ((".58", 5), (".91", 10), (".99", 15), ("1.00", 30))
            ),
        ),
        Step(
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
            claims=(
                _ppi(".78", "5"), _ppi(".91", "10"), _ppi(".76", "30"), _ppi(".38", "60"),
                Claim(said=".998", value=0.998, measure="cosine", at={"algorithms": "ssp"}, tolerance=0.002, slow=True),
                Claim(said="no number of steps", value=0.1, measure="cosine", at={"calibration": "published"},
                      tolerance=0.1, slow=True),
            ),
        ),
        Step(
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
            claims=(
                _flow(".86", "5", "oracle"), _flow(".775", "15", "oracle"), _flow(".50", "50", "oracle"),
                _flow(".53", "5", "random"), _flow(".49", "15", "random"), _flow(".49", "50", "random"),
                Claim(said=".87", value=0.87, measure="accuracy", at={"algorithms": "ssp"}, slow=True),
                Claim(said="scores .50", value=0.50, measure="accuracy", of=("random",), slow=True),
            ),
        ),
    ),
    attempt="Find the best number of iterations of `ppi` at ε = 4. (15 to 20: .99.) Who would tell you, without "
    "looking at the data?",
    attempt_scene={**BASE, "epsilon": "4", "n_iterations": "5"},
    attempt_claims=(
        Claim(said=".99", value=0.99, measure="cosine", at={"n_iterations": "15"}, slow=True),
        Claim(said=".99", value=0.99, measure="cosine", at={"n_iterations": "20"}, slow=True),
    ),
)  # fmt: skip
