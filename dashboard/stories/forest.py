"""A private projection is not a private classifier."""

from dashboard.stories.story import ONE_STEP, Before, Show, Step, Story

BASE = {"dataset": "mnist", "model": "fda", "algorithms": "ssp", "epsilon": "0.1", "seed": "0", **ONE_STEP}

STORY = Story(
    key="forest",
    title="A private projection is not a private classifier",
    idea="The map is private. The rows put through it are not.",
    afterwards="Say which classifiers may be published beside a private projection.",
    removes="Whatever comes after a private step is private.",
    steps=(
        Step(
            before=Before(panel="exact projection"),
            question="A random forest is trained on 5,000 projected rows. Is that still ε = 0.1?",
            options=("Yes", "Almost", "No"),
            right=2,
            todo="Ask the forest: was this row in it?",
            scene=BASE,
            look=(Show(panel="membership"), Show(panel="classifiers")),
            see="An attacker tells right in 63 % of the cases whether a row was in it, where ε = 0.1 allows 50.6 %. "
            "LDA made from the release alone scores 0.82, LDA trained on projected rows 0.85.",
            why="The forest saw the rows themselves. The release already holds class means and scatter, so LDA is "
            "made from it without going back to a single row: that is post-processing.",
        ),
    ),
    attempt="Which of the bars may be published with the components? Move ε and watch the hatched bar: that one alone "
    "keeps the guarantee.",
    attempt_scene=BASE,
)
