"""The tables of docs/release.md say what the committed results say."""

from pathlib import Path

import pandas as pd
import pytest

DOCS = Path(__file__).parents[2] / "docs"
DATA = {"mnist": "MNIST", "fashion": "Fashion-MNIST", "adult": "Adult", "digits": "digits"}
COLUMNS = {
    "lda": "discriminant analysis, all private",
    "ridge": "least squares, all private",
    "nearest_centroid": "class means, all private",
    "projection": "projection private, classifier not",
}


def table(results: pd.DataFrame, steps: int) -> list[str]:
    """Rows of the table: mean and standard deviation over the releases."""
    results = results[results["steps"] == steps]
    lines = [f"| data | ε | {' | '.join(COLUMNS.values())} |", f"|---|---|{'---|' * len(COLUMNS)}"]
    for dataset, name in DATA.items():
        for epsilon, here in results[results["dataset"] == dataset].groupby("epsilon"):
            cells = [f"{here[column].mean():.3f} ± {here[column].std():.3f}" for column in COLUMNS]
            lines.append(f"| {name} | {epsilon:g} | {' | '.join(cells)} |")
    return lines


@pytest.fixture(scope="module")
def results() -> pd.DataFrame:
    return pd.read_csv(DOCS / "release" / "accuracy.csv")


@pytest.fixture(scope="module")
def page() -> str:
    return (DOCS / "release.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("mark", "steps"), [("two", 2), ("table", 1)])
def test_the_page_shows_the_committed_results(results, page, mark, steps):
    shown = page.split(f"<!-- {mark} -->\n")[1].split(f"\n<!-- end of {mark} -->")[0]
    assert shown.split("\n") == table(results, steps)


def test_a_changed_digit_is_noticed(results):
    for steps in (1, 2):
        assert table(results.assign(lda=results["lda"] + 1e-3), steps) != table(results, steps)


def test_ten_releases_each(results):
    assert set(results["dataset"]) == set(DATA)
    assert set(results["epsilon"]) == {0.05, 0.1, 0.5, 1.0, 4.0}
    counts = results.groupby(["steps", "dataset", "epsilon"]).size()
    assert counts.groupby("steps").size().to_dict() == {1: 20, 2: 20}
    assert set(counts) == {10}
    assert not results.duplicated(["steps", "dataset", "epsilon", "release"]).any()
    assert results[list(COLUMNS)].stack().between(0, 1).all()


def test_two_steps_are_told_as_better_and_as_worse_where_they_are(results, page):
    means = results.pivot_table("lda", ["dataset", "epsilon"], "steps").dropna()
    gain = (means[2] - means[1]).round(3)
    assert (gain.drop(index=("digits", 0.1)) > 0).all()
    assert gain["digits", 0.1] == 0
    said = f"on Adult from +{gain['adult', 0.5]:.3f} at ε = 0.5 to +{gain['adult', 0.05]:.3f} at ε = 0.05"
    assert said in " ".join(page.split())
    on_mnist = f"on MNIST from +{gain['mnist', 4.0]:.3f} at ε = 4 to +{gain['mnist', 0.05]:.3f} at ε = 0.05"
    assert on_mnist in " ".join(page.split())
    assert (gain["adult"].idxmin(), gain["adult"].idxmax()) == (0.5, 0.05)
    assert gain["mnist"].idxmax() == 0.05
    assert gain["mnist"].idxmin() == 4.0
    on_fashion = f"from +{gain['fashion', 0.1]:.3f} at ε = 0.1 to +{gain['fashion', 0.05]:.3f} at ε = 0.05"
    assert on_fashion in " ".join(page.split())
    assert (gain["fashion"].idxmin(), gain["fashion"].idxmax()) == (0.1, 0.05)


def test_the_images_in_two_steps_are_those_of_the_sweeps(page):
    folder, found = DOCS / "algorithms" / "two-steps", {}
    for name in ("mnist", "fashion"):
        rows = pd.read_csv(folder / f"{name}_two.csv")
        found[name] = f"{rows[rows['epsilon'] == 0.1]['lda_accuracy_all_private'].mean():.3f}".removeprefix("0")
    said = f"private to the end {found['mnist']} at ε = 0.1 on MNIST, and {found['fashion']} on Fashion-MNIST"
    assert said in " ".join(page.split())


def test_with_as_many_components_as_classes_less_one_both_forms_agree(results):
    assert (results["lda"] - results["lda_projected"]).abs().max() < 0.002


def test_the_seconds_are_those_that_were_measured(page):
    seconds = pd.read_csv(DOCS / "release" / "seconds.csv").set_index("part")["seconds"]
    said = (
        f"takes {seconds['release']:.1f} seconds of processor time: {seconds['exact sums']:.1f} for the sums, "
        f"{seconds['noise']:.1f} for 315,000 draws"
    )
    assert said in " ".join(page.split())
    assert f"{seconds['exact sums'] / seconds['float64 sums']:.1f} times" in page
