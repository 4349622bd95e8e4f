"""The worst neighbour."""

from dashboard.stories.story import ONE_STEP, Before, Show, Step, Story

DIGITS = {
    "dataset": "digits", "model": "fda", "algorithms": "ssp", "n_components": "2", "seed": "0", "epsilon": "4",
    **ONE_STEP,
}  # fmt: skip
WINE = {**DIGITS, "dataset": "wine"}
RAW = {**WINE, "bounds": "false"}
EXACT = Before(panel="exact projection")


STORY = Story(
    key="worst",
    title="The worst neighbour",
    idea="Noise is sized by what your public bounds allow, not by your data.",
    afterwards="Say which rows decide how much noise there is, and set bounds that save accuracy.",
    removes="My data are tame, so little noise will do; and: bounds are housekeeping.",
    steps=(
        Step(
            before=EXACT,
            question="We exchange one row of the small digits for another real one. How large is n × the change of B, "
            "typically?",
            options=("0.24", "3", "5.7"),
            right=0,
            todo="Exchange rows",
            scene=DIGITS,
            look=(Show(panel="swaps"),),
            see="The median is 0.24, the largest of 1,500 is 0.78. With made-up rows an attacker gets to 3.8, and the "
            "proof says 5.7.",
            why="The guarantee covers rows that might have been there. So noise is sized for more than twenty times "
            "the typical change.",
        ),
        Step(
            before=EXACT,
            question="The rows of *Wine* are scaled to unit length, without column bounds. In how many of the 13 "
            "columns is nearly all of that length?",
            options=("All", "Half", "One"),
            right=2,
            todo="Column bounds off",
            scene=RAW,
            look=(Show(panel="energy"), Show(panel="numbers")),
            see="Proline carries 97 % of the energy. At ε = 4 accuracy is 0.72 (median of 20 draws), and a random "
            "projection has 0.61.",
            why="One wide column takes the whole length of a row, and noise drowns the others.",
        ),
        Step(
            before=Before(panel="energy", scene=RAW),
            question="We divide each column by a public bound first. What does accuracy gain?",
            options=("Nothing", "A lot", "It gets worse"),
            right=1,
            todo="Column bounds on",
            more=(
                ("n × 10, ε = 1", {**WINE, "as_if": "10", "epsilon": "1"}),
                ("No bounds, n × 100", {**RAW, "as_if": "100"}),
            ),
            scene=WINE,
            look=(Show(panel="energy"), Show(panel="numbers")),
            see="Accuracy becomes 0.97 (medians of 20 draws again). With ten times the rows at ε = 1 it is 0.97 with "
            "bounds and 0.71 without. Without bounds, even a hundred times the rows at ε = 4 reach only 0.78.",
            why="The noise is the same, but the signal is now spread over all columns. Bounds beat ten times the data.",
        ),
        Step(
            before=Before(panel="exact projection", scene=WINE),
            question="Now the scale comes from the data: we divide by the largest norm among the rows. Which guarantee "
            "is left?",
            options=("The same one", "A slightly weaker one", "None"),
            right=2,
            todo="Look at the pair of neighbours",
            scene=WINE,
            look=(Show(panel="counterexample", options=(("key", "largest_norm"),)),),
            see="Changing one row moves the scaled second moment by 0.98 at n = 100 and by 0.99 at n = 10,000.",
            why="That row had set the scale of all others. The sensitivity no longer falls with n, and no noise that "
            "falls with n can cover it.",
        ),
    ),
    attempt="What does caution cost? If all bounds of *Wine* are ten times too wide, nothing is lost (0.97): "
    "rows are rescaled anyway. If only that of proline is, its column is lost (0.92). Which columns would you rather "
    "bound tightly?",
    attempt_scene=WINE,
)  # fmt: skip
