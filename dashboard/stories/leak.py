"""A proof that leaks."""

from dashboard.stories.story import ONE_STEP, Before, Show, Step, Story

BASE = {
    "dataset": "synthetic_fda", "model": "fda", "algorithms": "dpsr", "n_components": "5", "seed": "0", "epsilon": "1",
    "xi": "0.01",
}  # fmt: skip
FIXED = {**BASE, "algorithms": "dpsr_corrected"}
EXACT = Before(panel="exact projection")

STORY = Story(
    key="leak",
    title="A proof that leaks",
    idea="One forgotten number is enough.",
    afterwards="Afterwards you can find the number that a proof forgot, and say what an attacker makes of it.",
    removes="Published and proved, so private; and: noise everywhere else will cover it.",
    steps=(
        Step(
            before=Before(panel="flow"),
            question="DPSR puts noise on every gradient, but none on Λ_B = diag(VᵀBV). Can Λ_B be seen in what it "
            "puts out, W = V(Λ_B + ξ)^-½V′?",
            options=("No", "Roughly", "Exactly"),
            right=2,
            todo="Run DPSR",
            scene=BASE,
            look=(Show(panel="leak"), Show(panel="ledger")),
            see="Take the singular values S and the left directions u of W. Then 1/S² − ξ is uᵀBu, to 15 digits.",
            why="V′ is a rotation, and a rotation cannot hide lengths. The ledger has the line: Λ_B, protected: NO.",
        ),
        Step(
            before=EXACT,
            question="Two data sets differ in one row. ε = 1 allows about 114 right guesses of 200. An attacker gets:",
            options=("110", "150", "200"),
            right=2,
            todo="Attack DPSR",
            scene=BASE,
            look=(Show(panel="attack", options=(("algorithm", "dpsr"),)),),
            see="All 200 of 200. With 100 runs on each side that shows ε ≥ 3.28, the most so few runs can show; with "
            "10,000 on each side it would be 7.9.",
            why="The formula fits one of the two data sets to about 1e-15 and the other to about 1e-2.",
        ),
        Step(
            before=EXACT,
            question="The attacker knows all other rows and sees two outputs. About the last person they learn:",
            options=("Nothing", "A range", "The row"),
            right=2,
            todo="Solve for the row",
            scene=BASE,
            look=(Show(panel="reconstruction", options=(("algorithm", "dpsr"),)),),
            see="Two candidates, and one of them is the true row to ten decimals.",
            why="Ten exact equations, five unknowns; only one sign is left open.",
        ),
        Step(
            before=Before(panel="flow"),
            question="Now Λ_B gets noise as well (`dpsr_corrected`). Of 200, the same attacker guesses right:",
            options=("Still 200", "150", "About 100"),
            right=2,
            todo="Attack the corrected algorithm",
            scene=FIXED,
            look=(Show(panel="attack", options=(("algorithm", "dpsr_corrected"),)), Show(panel="ledger")),
            see="About 100 of 200, as blind guessing does, and two outputs no longer give the row.",
            why="Every number that leaves has its line in the ledger now.",
        ),
    ),
    attempt="Run Explore at ε = 1 and at ε = 2 with one seed and subtract: the noise is the same draw at two scales. "
    "What do you get back, and what does that say about sharing a seed?",
    attempt_scene={
        "dataset": "synthetic_fda", "model": "fda", "algorithms": "ssp", "epsilon": "1", "seed": "0", **ONE_STEP,
    },
)  # fmt: skip
