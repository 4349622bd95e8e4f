"""The tables of docs/algorithms/beyond.md say what the committed results say, losses included."""

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

FOLDER = Path(__file__).parents[2] / "docs" / "algorithms"
SETS = {"mnist": "MNIST", "fashion": "Fashion-MNIST", "optdigits": "optdigits", "digits": "digits"}
FORMS = ("two", "three", "rich", "small")


def shown(values: pd.Series) -> str:
    if not len(values):
        return "–"
    mean, error = f"{values.mean():.4f}", f"{values.sem():.4f}"
    return f"{mean.removeprefix('0')} ± {error.removeprefix('0')}"


def smooth_table() -> list[str]:
    """Two steps on the images as they are and on smooth ones."""
    smooth = pd.read_csv(FOLDER / "beyond" / "smooth.csv")
    plain = pd.concat([pd.read_csv(path) for path in sorted((FOLDER / "two-steps").glob("*.csv"))])
    plain = plain[(plain["model"] == "fda") & (plain["steps"] == 2) & (plain["xi"] == 0)]
    ends = {"lda_accuracy": "", "lda_accuracy_all_private": ", private to the end"}
    heads = [f"{kind}{end}" for end in ends.values() for kind in ("as they are", "smooth")]
    lines = [f"| data | ε | {' | '.join(heads)} |", f"|---|---|{'---|' * len(heads)}"]
    for name, title in SETS.items():
        for epsilon in sorted(smooth["epsilon"].unique(), reverse=True):
            both = [
                rows[(rows["dataset"] == key) & (rows["epsilon"] == epsilon)]
                for rows, key in ((plain, name), (smooth, f"{name}_smooth"))
            ]
            cells = " | ".join(shown(rows[column]) for column in ends for rows in both)
            lines.append(f"| {title} | {epsilon:.4g} | {cells} |")
    return lines


def variants_table() -> list[str]:
    """Variants of the two steps side by side, on the same splits."""
    results = pd.read_csv(FOLDER / "beyond" / "variants.csv")
    lines = [f"| data | ε | seeds | {' | '.join(FORMS)} |", f"|---|---|---|{'---|' * len(FORMS)}"]
    for (name, epsilon), here in results.groupby(["dataset", "epsilon"]):
        cells = [here[here["form"] == form]["accuracy"] for form in FORMS]
        lines.append(f"| {name} | {epsilon:g} | {len(cells[0])} | {' | '.join(map(shown, cells))} |")
    return lines


@pytest.mark.parametrize(("name", "made"), [("smooth", smooth_table), ("variants", variants_table)])
def test_the_page_shows_the_committed_results(name: str, made: Callable[[], list[str]]) -> None:
    text = (FOLDER / "beyond.md").read_text(encoding="utf-8")
    assert text.split(f"<!-- {name} -->\n")[1].split(f"\n<!-- end of {name} -->")[0].split("\n") == made()


def test_the_results_are_whole() -> None:
    smooth = pd.read_csv(FOLDER / "beyond" / "smooth.csv")
    assert smooth["error"].isna().all()
    assert (smooth.groupby(["dataset", "epsilon"]).size() == 10).all()
    assert ((smooth["accounted_epsilon"] / smooth["epsilon"] - 1).abs() < 1e-5).all()


def test_the_sentence_on_support_vector_machines_says_the_kept_cells() -> None:
    cells = pd.read_csv(FOLDER / "beyond" / "mnist_svm.csv")
    text = " ".join((FOLDER / "ssp.md").read_text(encoding="utf-8").split())
    means = cells.groupby("epsilon")[["linear_svm_accuracy", "rbf_svm_accuracy"]].mean()
    (low_linear, low_rbf), (linear, rbf) = ([f"{v:.3f}".removeprefix("0") for v in row] for row in means.to_numpy())
    assert f"two steps give {linear} (linear) and {rbf} (RBF) at ε = 0.1 with one seed" in text
    assert f"and {low_linear} and {low_rbf} at ε = 1/64 with two" in text
    assert cells.groupby("epsilon").size().to_list() == [2, 1]
