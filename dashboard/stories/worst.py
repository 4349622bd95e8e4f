"""The worst neighbour."""

from dashboard.stories.story import Claim, Show, Step, Story

DIGITS = {"dataset": "digits", "model": "fda", "algorithms": "ssp", "n_components": "2", "seed": "0", "epsilon": "4"}
WINE = {**DIGITS, "dataset": "wine"}
RAW = {**WINE, "bounds": "false"}


def _accuracy(said: str, tolerance: float = 0.02, **at: str) -> Claim:
    return Claim(said=said, value=float(said), measure="accuracy", at=at, draws=20, tolerance=tolerance)


STORY = Story(
    key="worst",
    title="The worst neighbour",
    idea="Noise is sized by what your public bounds allow, not by your data.",
    removes="My data are tame, so little noise will do; and: bounds are housekeeping.",
    steps=(
        Step(
            question="Exchange one row of `digits` for another real one. n × the change of B is typically:",
            options=(".24", "3", "5.7"),
            right=0,
            todo="Exchange rows",
            scene=DIGITS,
            look=(Show(panel="swaps"),),
            see="The median is .24, the largest of 1,500 is .78. With made-up rows an attacker gets to 3.8, and the "
            "proof says 5.7.",
            why="The guarantee covers rows that might have been there. So noise is sized for more than twenty times "
            "the typical change.",
            claims=tuple(
                Claim(said=said, value=float(said), measure="swap", of=(which,), tolerance=tolerance)
                for said, which, tolerance in (
                    (".24", "median", 0.02), (".78", "largest", 0.1), ("3.8", "made up", 0.05), ("5.7", "proved", 0.06),
                )
            ),
        ),
        Step(
            question="`wine` without column bounds, rows scaled to unit length: how many of the 13 columns carry the "
            "rows?",
            options=("All", "Half", "One"),
            right=2,
            todo="Column bounds off",
            scene=RAW,
            look=(Show(panel="energy"), Show(panel="numbers")),
            see="Proline carries 97 % of the energy. At ε = 4 accuracy is .72 (median of 20 draws), and a random "
            "projection has .61.",
            why="One wide column takes the whole length of a row, and noise drowns the others.",
            claims=(
                Claim(said="97 %", value=0.97, measure="energy", of=("proline",), tolerance=0.005),
                _accuracy(".72", 0.03), Claim(said=".61", value=0.61, measure="accuracy", of=("random",)),
            ),
        ),
        Step(
            question="Divide each column by a public bound first. Accuracy gains:",
            options=("Nothing", "A lot", "It gets worse"),
            right=1,
            todo="Column bounds on",
            more=(
                ("As if n were × 10, ε = 1", {**WINE, "as_if": "10", "epsilon": "1"}),
                ("No bounds, as if × 100", {**RAW, "as_if": "100"}),
            ),
            scene=WINE,
            look=(Show(panel="energy"), Show(panel="numbers")),
            see="It becomes .97 (medians of 20 draws again). Pretend "
            "ten times the rows at ε = 1: .97 with bounds and .71 without. Without bounds, "
            "even a hundred times the rows at ε = 4 reach only .78.",
            why="The noise is the same, the signal is now spread over all columns. Bounds beat ten times the data.",
            claims=(
                _accuracy(".97", 0.03), _accuracy(".97", 0.03, as_if="10", epsilon="1"),
                _accuracy(".71", 0.05, as_if="10", epsilon="1", bounds="false"),
                _accuracy(".78", as_if="100", bounds="false"),
            ),
        ),
        Step(
            question="Take the scale from the data instead: divide by the largest norm among the rows. That is:",
            options=("Fine", "Slightly leaky", "No guarantee"),
            right=2,
            todo="Look at the pair of neighbours",
            scene=WINE,
            look=(Show(panel="counterexample", options=(("key", "largest_norm"),)),),
            see="Taking one row away moves the scaled second moment by .98 at n = 100 and by .99 at n = 10,000.",
            why="That row had scaled everybody. The sensitivity no longer falls with n, and no noise that falls with n "
            "can cover it.",
            claims=(
                Claim(said=".98", value=0.98, measure="change when rescaled", of=(100,), tolerance=0.005),
                Claim(said=".99", value=0.99, measure="change when rescaled", of=(10_000,), tolerance=0.005),
            ),
        ),
    ),
    attempt="What does caution cost? All bounds of `wine` ten times too wide cost nothing (.97: rows are rescaled "
    "anyway). Only proline's ten times too wide loses that column (.92). Which columns would you rather bound tightly?",
    attempt_scene=WINE,
    attempt_claims=(
        Claim(said=".97", value=0.97, measure="widened bounds", of=(10, ""), draws=20, tolerance=0.03),
        Claim(said=".92", value=0.92, measure="widened bounds", of=(10, "proline"), draws=20, tolerance=0.03),
    ),
)  # fmt: skip
