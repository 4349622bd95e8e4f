"""More data buys privacy."""

from dashboard.stories.story import ONE_STEP, Before, Show, Step, Story

BASE = {
    "dataset": "digits", "model": "fda", "algorithms": "ssp", "n_components": "9", "seed": "0", "epsilon": "0.1",
    **ONE_STEP,
}  # fmt: skip
ALONG = (("over", "as_if"), ("metric", "accuracy"))
CURVE = Show(panel="curve", options=ALONG)


STORY = Story(
    key="rows",
    title="More data buys privacy",
    idea="The noise that one person needs is fixed. More rows dilute it.",
    afterwards="Say how many rows make up for a smaller ε, and what a crowd does to each member.",
    removes="With more people in it, each of them is less private.",
    steps=(
        Step(
            before=Before(panel="point", options=ALONG, scene=BASE, by_hand=(0.6, 1.0)),
            question="At ε = 0.1, the small digits reach an accuracy of 0.74 (median of 20 draws), less than a random "
            "projection. What do they reach with ten times the rows and the same ε?",
            options=("0.74", "0.80", "0.92"),
            right=2,
            todo="n × 10",
            more=(("n × 30", {**BASE, "as_if": "30"}),),
            scene={**BASE, "as_if": "10"},
            look=(CURVE, Show(panel="numbers")),
            see="Ten times the rows give 0.92, thirty times give 0.94 (medians of 20 draws). Without "
            "privacy it is 0.95, at random 0.79.",
            why="One row moves an average by 1/n. So the noise that one row asks for shrinks to a tenth.",
        ),
        Step(
            before=Before(panel="curve", options=ALONG, scene=BASE),
            question="Which is more accurate: n rows at ε = 1, or ten times n at ε = 0.1?",
            options=("n at ε = 1", "10 n at ε = 0.1", "They are about equal"),
            right=2,
            todo="n rows at ε = 1",
            more=(("10 n at ε = 0.1", {**BASE, "as_if": "10"}),),
            scene={**BASE, "epsilon": "1"},
            look=(CURVE, Show(panel="numbers")),
            see="Medians of 20 draws: n rows at ε = 1 give 0.91, and 10 n rows at ε = 0.1 give 0.92.",
            why="The noise in an average is nearly proportional to 1/(nε), so n and ε count as a product.",
        ),
        Step(
            before=Before(panel="curve", options=ALONG),
            question="In the first step the crowd grew tenfold. Is each person less protected?",
            options=("Yes", "No", "More protected"),
            right=1,
            todo="Back to × 10 at ε = 0.1, and read μ",
            scene={**BASE, "as_if": "10"},
            look=(Show(panel="numbers"),),
            see="μ is 0.048 with and without the crowd. (If δ followed the larger n as n^-1.1, the same ε would mean "
            "0.035.)",
            why="The guarantee is about one row, whoever else is there. We kept the averages as they are: what more "
            "rows teach about the world is not even counted.",
        ),
    ),
    attempt="At ε = 0.05, how many times the rows does it take to reach 0.94? (About 70 times as many.)",
    attempt_scene={**BASE, "epsilon": "0.05", "as_if": "1"},
)  # fmt: skip
