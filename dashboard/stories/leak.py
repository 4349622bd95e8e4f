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
    afterwards="Find the number that a proof forgot, and say what an attacker makes of it.",
    removes="Published and proved, so private; and: noise everywhere else will cover it.",
    steps=(
        Step(
            before=Before(panel="flow"),
            question="DPSR puts noise on every gradient, but none on Λ_B = diag(VᵀBV). Can Λ_B be read off its "
            "output W?",
            options=("No", "Roughly", "Exactly"),
            right=2,
            todo="Run DPSR",
            scene=BASE,
            look=(Show(panel="leak"), Show(panel="ledger")),
            see="Take the singular values S and the left directions u of W. Then 1/S² − ξ is uᵀBu, to 15 digits.",
            why="The output is W = V(Λ_B + ξ)^−½V′. V′ is a rotation, and a rotation cannot hide lengths. The ledger "
            "has the line: Λ_B, protected: NO.",
        ),
        Step(
            before=EXACT,
            question="Two data sets differ in one row. ε = 1 allows about 114 right guesses of 200. How many "
            "does an attacker get?",
            options=("110", "150", "200"),
            right=2,
            todo="Attack DPSR",
            scene=BASE,
            look=(Show(panel="attack", options=(("algorithm", "dpsr"),)),),
            see="The attacker gets 200 of 200. That shows ε ≥ 3.28, the most that 100 runs on each side can show; "
            "10,000 on each side would show 7.9.",
            why="The formula fits one of the two data sets to 15 digits, and the other to about two.",
        ),
        Step(
            before=EXACT,
            question="The attacker knows all other rows and sees two outputs. What do they learn about the "
            "last person?",
            options=("Nothing", "A range", "The row"),
            right=2,
            todo="Solve for the row",
            scene=BASE,
            look=(Show(panel="reconstruction", options=(("algorithm", "dpsr"),)),),
            see="Two candidates are left, and one of them is the true row to ten decimals.",
            why="There are ten exact equations for five unknowns; only one sign stays open.",
        ),
        Step(
            before=Before(panel="flow"),
            question="Now Λ_B gets noise as well (*DPSR, corrected*). How many of 200 does the same "
            "attacker guess right?",
            options=("Still 200", "150", "About 100"),
            right=2,
            todo="Attack the corrected algorithm",
            scene=FIXED,
            look=(Show(panel="attack", options=(("algorithm", "dpsr_corrected"),)), Show(panel="ledger")),
            see="The attacker gets about 100 of 200, as blind guessing does, and two outputs no longer give the row.",
            why="Every number that leaves has its line in the ledger now.",
        ),
    ),
    attempt="Run Explore at ε = 1 and at ε = 2 with one seed and subtract: the noise is the same draw at two scales. "
    "What do you get back, and what does that say about sharing a seed?",
    attempt_scene={
        "dataset": "synthetic_fda", "model": "fda", "algorithms": "ssp", "epsilon": "1", "seed": "0", **ONE_STEP,
    },
)  # fmt: skip
