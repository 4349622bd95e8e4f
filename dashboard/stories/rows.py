"""More data buys privacy."""

from dashboard.stories.story import Claim, Show, Step, Story

BASE = {"dataset": "digits", "model": "fda", "algorithms": "ssp", "n_components": "9", "seed": "0", "epsilon": "0.1"}
CURVE = Show(panel="curve", options=(("over", "as_if"), ("metric", "accuracy")))


def _accuracy(said: str, **at: str) -> Claim:
    return Claim(said=said, value=float(said), measure="accuracy", at=at, draws=20)


STORY = Story(
    key="rows",
    title="More data buys privacy",
    idea="The noise that one person needs is fixed. More rows dilute it.",
    removes="With more people in it, each of them is less private.",
    steps=(
        Step(
            question="`digits` at ε = .1 reaches an accuracy of .74, less than a random projection. With ten times the "
            "rows and the same ε?",
            options=(".74", ".80", ".92"),
            right=2,
            todo="As if n were × 10",
            more=(("As if n were × 30", {**BASE, "as_if": "30"}),),
            scene={**BASE, "as_if": "10"},
            look=(CURVE, Show(panel="numbers")),
            see="Ten times the rows give .92, thirty times give .94 (medians of 20 draws). Without "
            "privacy it is .95, at random .79.",
            why="One row moves an average by 1/n. So the noise that one row asks for shrinks to a tenth.",
            claims=(
                _accuracy(".92"), _accuracy(".94", as_if="30"), _accuracy(".74", as_if="1"),
                Claim(said=".95", value=0.95, measure="accuracy", of=("exact",)),
                Claim(said=".79", value=0.79, measure="accuracy", of=("random",)),
            ),
        ),
        Step(
            question="Which is more accurate: n rows at ε = 1, or ten times n at ε = .1?",
            options=("n at ε = 1", "10 n at ε = .1", "They are about equal"),
            right=2,
            todo="n rows at ε = 1",
            more=(("10 n at ε = .1", {**BASE, "as_if": "10"}),),
            scene={**BASE, "epsilon": "1"},
            look=(CURVE, Show(panel="numbers")),
            see="Medians of 20 draws: n rows at ε = 1 give .91, and 10 n rows at ε = .1 give .92.",
            why="n and ε come in nearly as a product: the noise in an average goes with 1/(nε).",
            claims=(_accuracy(".91"), _accuracy(".92", epsilon="0.1", as_if="10")),
        ),
        Step(
            question="In the first step the crowd grew tenfold. Is each person less protected?",
            options=("Yes", "No", "More protected"),
            right=1,
            todo="Back to × 10 at ε = .1, and read μ",
            scene={**BASE, "as_if": "10"},
            look=(Show(panel="numbers"),),
            see="μ is .048 with and without the crowd. (Were δ to follow n as n^-1.1, the same ε would mean .035.)",
            why="Protection is about one row, whoever else is there. We kept the averages as they are, so what one "
            "learns from more rows about the world is not even counted.",
            claims=(
                Claim(said=".048", value=0.0479, measure="μ", tolerance=0.0006),
                Claim(said=".048", value=0.0479, measure="μ", at={"as_if": "1"}, tolerance=0.0006),
                Claim(said=".035", value=0.035, measure="μ", of=("follows",), tolerance=0.0006),
            ),
        ),
    ),
    attempt="At ε = .05, how many times the rows does it take to reach .94? (About 70 times as many.)",
    attempt_scene={**BASE, "epsilon": "0.05", "as_if": "1"},
    attempt_claims=(Claim(said=".94", value=0.94, measure="accuracy", at={"as_if": "70"}, draws=20, tolerance=0.01),),
)  # fmt: skip
