"""Claimed, accounted, attacked."""

from dashboard.stories.story import Before, Show, Step, Story

BASE = {"dataset": "mnist", "model": "fda", "algorithms": "ssp", "epsilon": "1", "seed": "0"}
DPSR = {
    "dataset": "synthetic_fda", "model": "fda", "algorithms": "dpsr", "n_components": "5", "epsilon": "1", "seed": "0",
}  # fmt: skip
DRIFT = {"dataset": "digits", "model": "pca", "algorithms": "dp_vrpca", "epsilon": "0.1", "seed": "0"}


def _bars(count: int, rule: str = "exact") -> tuple[Show, ...]:
    return (Show(panel="noise", options=(("answers", str(count)), ("rule", rule))),)


def _bars_before(count: int) -> Before:
    return Before(panel="noise", options=(("answers", str(count)), ("rule", "exact")))


STORY = Story(
    key="sigma",
    title="Claimed, accounted, attacked",
    idea="σ is a fact, ε is a calculation.",
    afterwards="Calculate the ε that a noise is worth, whatever is claimed.",
    removes="The same ε means the same noise.",
    steps=(
        Step(
            before=Before(panel="flow", scene={**BASE, "algorithms": "dprf"}),
            question="There are 60,000 rows, and the sensitivity is 1. Several rules promise ε = 1 for 15 answers. By "
            "how much do their σ differ?",
            options=("By a few per cent", "By a factor of 2", "By a factor of 7"),
            right=2,
            todo="15 answers at ε = 1",
            scene=BASE,
            look=_bars(15),
            see="Basic composition asks for σ = 82, advanced composition for 114, zCDP as in the papers for 19.4, "
            "tight zCDP for 16.2, exact accounting for 15.0.",
            why="Each rule is an upper bound on the same truth, and some are sharper than others.",
        ),
        Step(
            before=_bars_before(15),
            question="Is “advanced” ever better than “basic”?",
            options=("Always", "After about 30 answers", "Never"),
            right=1,
            todo="100 answers",
            scene=BASE,
            look=_bars(100),
            see="With 100 answers advanced composition asks for σ = 312, basic for 582, and exact accounting for 39. "
            "With 30 answers the first two are about equal, 165 and 168.",
            why="Basic composition grows as m and advanced as √m, but advanced starts higher.",
        ),
        Step(
            before=_bars_before(1),
            question="One answer is calibrated exactly to ε = 1, and then 15 such answers are given. What is "
            "the true ε?",
            options=("1", "15", "4.5"),
            right=2,
            todo="Forget composition, 15 answers",
            scene=BASE,
            look=_bars(15, "forgetful"),
            see="σ = 3.9, so μ = 1.00, and the best guess is right 692 times in 1,000 where 552 were promised: "
            "ε = 4.5.",
            why="μ² adds up: μ becomes μ√15. For a method of many steps, such as *DPSR*, the sidebar has the same "
            "mistake as a switch, “Forget composition”.",
        ),
        Step(
            before=Before(panel="flow"),
            question="The proof of DPSR's Theorem 12 misuses composition: for 60,000 rows its own lemma gives 2.86 "
            "where it says 0.5. Do the noisy gradients break ε = 1?",
            options=("Yes", "No: they keep a smaller ε", "Nobody knows"),
            right=1,
            todo="Open the ledger of DPSR",
            more=(("Then DP-VRPCA at ε = 0.1", DRIFT),),
            scene=DPSR,
            look=(Show(panel="budget"), Show(panel="ledger"), Show(panel="numbers")),
            see="With Λ_B set aside, the noise of its gradients is worth ε = 0.64 where 1 is claimed. DP-VRPCA claims "
            "0.1, and its ledger says 8.1.",
            why="A wrong proof need not make a claim false. The claim of DP-VRPCA is false: its paper divides by n "
            "what one row changes in full.",
        ),
    ),
    attempt="How many runs does a perfect attack need on each side before it can show ε ≥ 5? (550. In the Privacy "
    "lab, the last of the three pictures under *The attack* shows it.)",
    attempt_scene=DPSR,
)  # fmt: skip
