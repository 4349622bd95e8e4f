"""Sparse, when there are more columns than rows."""

from dashboard.stories.story import ONE_STEP, Before, Show, Step, Story

BASE = {
    "dataset": "synthetic_sparse", "model": "pca", "algorithms": "ssp", "n_components": "1", "seed": "0",
    "epsilon": "0.5", "centred": "false", **ONE_STEP,
}  # fmt: skip
ALONG = (("over", "sparsity"), ("metric", "truth"))
LOOK = (Show(panel="curve", options=ALONG), Show(panel="components"))
EXACT = Before(panel="exact components")


STORY = Story(
    key="sparse",
    title="Sparse, with more columns than rows",
    idea="Looking in few places lets little noise in.",
    afterwards="Say when a direction is still found among more columns than rows.",
    removes="More columns than rows is hopeless.",
    steps=(
        Step(
            before=EXACT,
            question="There are 500 rows, 1,000 columns, and a direction of which 10 entries matter. Without privacy "
            "the cosine to the truth is 0.997. What is it at ε = 0.5, with all columns?",
            options=("0.9", "0.5", "Near 0"),
            right=2,
            todo="All columns, ε = 0.5",
            scene={**BASE, "sparsity": "0"},
            look=LOOK,
            see="The cosine is about 0.05: nothing is left.",
            why="Each noise entry is small, 0.009 beside 0.021 of the signal. But there are a million of them, and "
            "together their edge is 0.58, above the eigenvalue of 0.21.",
        ),
        Step(
            before=Before(panel="point", options=ALONG, scene={**BASE, "sparsity": "0"}, by_hand=(0.0, 1.04)),
            question="We keep only the 10 entries that stand out. What does the cosine become?",
            options=("0.2", "0.6", "0.99"),
            right=2,
            todo="Keep 100 entries",
            more=(("Keep 20", {**BASE, "sparsity": "20"}), ("Keep 10", {**BASE, "sparsity": "10"})),
            scene={**BASE, "sparsity": "100"},
            look=LOOK,
            see="The cosine is 0.63 with 100 entries, 0.91 with 20 and 0.99 with 10.",
            why="Noise outside the support is thrown away. The ten true entries are large enough to stand out by "
            "themselves: the search begins at the s largest noisy diagonal entries, which costs no ε.",
        ),
        Step(
            before=EXACT,
            question="What does the cosine become with 5 entries?",
            options=("Better still", "0.7", "0.99"),
            right=1,
            todo="Keep 5 entries",
            scene={**BASE, "sparsity": "5"},
            look=LOOK,
            see="The cosine is 0.70.",
            why="Half of the true entries are cut away, so √(5/10) is left.",
        ),
    ),
    attempt="Keep all columns at ε = 1 and at ε = 4. (The cosines are 0.62 and 0.97.) Truncating is post-processing "
    "and free. Why is it *not* free to pick the s with the best cosine?",
    attempt_scene={**BASE, "sparsity": "0", "epsilon": "1"},
)  # fmt: skip
