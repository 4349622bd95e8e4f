"""The table of docs/algorithms/ssp.md says what the committed sweeps say."""

from pathlib import Path

import pandas as pd
import pytest

FOLDER = Path(__file__).parents[2] / "docs" / "algorithms"
COLUMNS = {"one step": (1, 0.01), "two steps": (2, 0.01), "two steps, ξ = 0.0001": (2, 0.0001)}
NAMES = {"adult": "Adult (a9a), bundled", "digits": "digits", "wine": "wine", "mnist": "MNIST"}


def table(results: pd.DataFrame) -> list[str]:
    """Rows of the table: mean accuracy of LDA and its standard error over the seeds."""
    lines = [f"| data | ε | seeds | {' | '.join(COLUMNS)} |", f"|---|---|---|{'---|' * len(COLUMNS)}"]
    for dataset, name in NAMES.items():
        of_data = results[results["dataset"] == dataset]
        for epsilon in sorted(of_data["epsilon"].unique(), reverse=True):
            here = of_data[of_data["epsilon"] == epsilon]
            cells = [
                here[(here["steps"] == steps) & (here["xi"] == xi)]["lda_accuracy"] for steps, xi in COLUMNS.values()
            ]
            (count,) = {len(values) for values in cells}
            shown = [f"{values.mean():.4f} ± {values.sem():.4f}"[1:].replace("± 0", "± ") for values in cells]
            lines.append(f"| {name} | {epsilon:g} | {count} | {' | '.join(shown)} |")
    return lines


@pytest.fixture(scope="module")
def results() -> pd.DataFrame:
    return pd.concat([pd.read_csv(FOLDER / "two-steps" / f"{name}.csv") for name in ("small", "mnist")])


def test_the_page_shows_the_committed_results(results):
    text = (FOLDER / "ssp.md").read_text(encoding="utf-8")
    shown = text.split("<!-- table -->\n")[1].split("\n<!-- end of table -->")[0]
    assert shown.split("\n") == table(results)


def test_a_changed_digit_is_noticed(results):
    other = results.assign(lda_accuracy=results["lda_accuracy"] + 1e-3)
    assert table(other) != table(results)


def test_the_results_are_whole(results):
    assert results["error"].isna().all()
    assert results["lda_accuracy"].notna().all()
    assert set(results["dataset"]) == set(NAMES)
