"""From exploring to publishing."""

from dashboard.stories.story import ONE_STEP, Before, Show, Step, Story

BASE = {"dataset": "digits", "model": "fda", "algorithms": "ssp", "seed": "0", **ONE_STEP}
SECOND = {**BASE, "epsilon": "0.25"}
SIGNED = {**BASE, "epsilon": "0.5"}


STORY = Story(
    key="leave",
    title="From exploring to publishing",
    idea="A release has no seed, its price is written down first, and somebody signs for it.",
    afterwards="Make a release, keep its budget, and read the page that an officer signs.",
    removes="A private result on the screen may be handed out.",
    steps=(
        Step(
            before=Before(panel="seeded sums"),
            question="These sums of the small digits carry noise at ε = 0.1. Somebody knows the setting and the seed, "
            "and no row. What do they find?",
            options=("Nothing", "A rough picture", "The exact sums"),
            right=2,
            todo="Run the seed on rows of zeros",
            more=(("The same at ε = 0.01", {**BASE, "epsilon": "0.01"}),),
            scene={**BASE, "epsilon": "0.1"},
            look=(Show(panel="same seed"),),
            see="The difference is the exact sum to 14 digits, at every ε. It took one run on rows of zeros.",
            why="Noise protects only while nobody can draw it again. A release takes it from the operating system and "
            "keeps no seed: nobody can draw it again, and its file is all there is.",
        ),
        Step(
            before=Before(panel="first release"),
            question="A second release has begun. The power fails, and there is no file. Does it count?",
            options=("No: nothing left", "Yes, in full", "Half of it"),
            right=1,
            todo="A second release at ε = 0.25",
            more=(("Ask for ε = 0.6 instead", {**BASE, "epsilon": "0.6"}),),
            scene=SECOND,
            look=(Show(panel="kept budget"),),
            see="Two releases add up to ε = 0.75 and leave 0.25. By the accountant they are worth 0.57 together. "
            "If noise came before its price, a crash between the two would leave noise that nobody knows of.",
            why="After a crash nobody can find out whether noise had left. So the price is on the disk before any "
            "noise is drawn: a crash can count too much, and never too little.",
        ),
        Step(
            before=Before(panel="two releases", scene=SECOND),
            question="An officer signs one page for a release at ε = 0.5. What does it promise?",
            options=(
                "Nothing about a person can be found out",
                "A bound on right guesses about one row",
                "Rows projected later are protected, too",
            ),
            right=1,
            todo="Read the page",
            scene=SIGNED,
            look=(Show(panel="statement"),),
            see="Whoever knows all other rows is right at most 525 times in 1,000, where a coin is right 500 times. "
            "What is not covered stands on the same page.",
            why="The page follows from ε, δ and declared settings alone, so the officer can read it before anything is "
            "spent. Several rows of one person, and choices made by looking at the rows, are not covered.",
        ),
    ),
    attempt="At which ε does the page promise 510 of 1,000? (About ε = 0.18.) Then open the page Release: it shows the "
    "same number as the price, before you spend anything.",
    attempt_scene={**BASE, "epsilon": "1"},
)  # fmt: skip
