"""A private projection is not a private classifier."""

from dashboard.stories.story import ONE_STEP, Before, Show, Step, Story

BASE = {"dataset": "mnist", "model": "fda", "algorithms": "ssp", "epsilon": "0.1", "seed": "0", **ONE_STEP}

STORY = Story(
    key="forest",
    title="A private projection is not a private classifier",
    idea="The map is private. The rows put through it are not.",
    afterwards="Afterwards you can say which classifiers may be published beside a private projection.",
    removes="Whatever comes after a private step is private.",
    steps=(
        Step(
            before=Before(panel="exact projection"),
            question="A random forest is trained on 5,000 projected rows. Is that still ε = .1?",
            options=("Yes", "Almost", "No"),
            right=2,
            todo="Ask the forest: was this row in it?",
            scene=BASE,
            look=(Show(panel="membership"), Show(panel="classifiers")),
            see="Who was in it is guessed right 62 % of the time, where ε = .1 allows 50.6 %. LDA made from the "
            "release alone scores .82, LDA trained on projected rows .85.",
            why="The forest saw the rows themselves. From the release, class means and scatter are free, so LDA can be "
            "made without going back to a single row: post-processing.",
        ),
    ),
    attempt="Which of the bars may be published with the components? Move ε and watch the hatched bar: that one alone "
    "keeps the guarantee.",
    attempt_scene=BASE,
)
