"""The tables of docs/algorithms/beyond.md say what the committed results say, losses included."""

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from benchmarks import beyond_slices
from dpgep_core.two_step import LOUD_EDGE

FOLDER = Path(__file__).parents[2] / "docs" / "algorithms"
SETS = {"mnist": "MNIST", "fashion": "Fashion-MNIST", "optdigits": "optdigits", "digits": "digits"}
FORMS = ("two", "three", "rich", "small")
EDGES = {"equal": "even edges", "private": "private quantiles", "quantiles": "exact quantiles, no guarantee"}
CASES = {
    "sparse_500": "synthetic_sparse", "sparse_5000": "the same, 5,000 rows",
    "breast_cancer": "breast cancer, 970 shuffled columns", "digits": "digits, 936 shuffled columns",
}  # fmt: skip
RESPONSES = {
    "sir": "synthetic_sir, ±100", "elevation": "Covertype, elevation, 0 to 5,000 m",
    "roadways": "Covertype, distance to roadways, 0 to 10,000 m", "payload": "RT-IoT, payload rate, 0 to 1e9",
    "duration": "RT-IoT, duration, 0 to 1e11", "diabetes": "diabetes (442 rows), 0 to 400",
}  # fmt: skip


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


NAMES = {
    "adult": "Adult", "breast_cancer": "breast cancer", "covertype_part": "Covertype, 16 %", "digits": "digits",
    "dota2": "Dota2", "optdigits": "optdigits", "rt_iot2022": "RT-IoT", "wine": "wine",
}  # fmt: skip


def three_table() -> list[str]:
    """Two steps and three, on the same splits and seeds."""
    results = pd.read_csv(FOLDER / "beyond" / "three.csv")
    ends = {"lda_accuracy": "", "lda_accuracy_all_private": ", private to the end"}
    heads = [f"{steps} steps{end}" for end in ends.values() for steps in ("two", "three")]
    lines = [f"| data | ε | {' | '.join(heads)} |", f"|---|---|{'---|' * len(heads)}"]
    for name, title in NAMES.items():
        for epsilon in sorted(results["epsilon"].unique(), reverse=True):
            here = results[(results["dataset"] == name) & (results["epsilon"] == epsilon)]
            cells = " | ".join(shown(here[here["steps"] == steps][column]) for column in ends for steps in (2, 3))
            lines.append(f"| {title} | {epsilon:.4g} | {cells} |")
    return lines


def three_other_table() -> list[str]:
    """Two steps and three for PCA (distance: less is better) and CCA (share: more is better)."""
    results = pd.read_csv(FOLDER / "beyond" / "three_other.csv")
    lines = ["| data | ε | PCA, two steps | PCA, three | CCA, two steps | CCA, three |", "|---|---|---|---|---|---|"]
    for (name, epsilon), here in results.groupby(["dataset", "epsilon"]):
        cells = " | ".join(
            shown(here[(here["model"] == model) & (here["steps"] == steps)][column])
            for model, column in (("pca", "subspace_distance"), ("cca", "explained"))
            for steps in (2, 3)
        )
        lines.append(f"| {NAMES[str(name)]} | {epsilon:g} | {cells} |")
    return lines


def slices_table() -> list[str]:
    """Fit on held-out rows by edges of the slices, and the floor of random directions."""
    results = pd.read_csv(FOLDER / "beyond" / "slices.csv")
    forms = ("equal", "private", "quantiles")
    lines = [f"| response | ε | {' | '.join(EDGES[form] for form in forms)} | random |", "|---|---|---|---|---|---|"]
    for name, title in RESPONSES.items():
        here = results[results["case"] == name]
        floor = shown(here[here["form"] == "random"]["fit"])
        for epsilon, part in here[here["form"] != "random"].groupby("epsilon"):
            cells = " | ".join(shown(part[part["form"] == form]["fit"]) for form in forms)
            lines.append(f"| {title} | {epsilon:g} | {cells} | {floor} |")
    return lines


def sparse_table() -> list[str]:
    """Share of the kept entries that are true columns, and for classes the accuracy."""
    results = pd.read_csv(FOLDER / "beyond" / "sparse.csv")
    forms = ("ssp", "columns", "dptrf", "dpsrs")
    lines = [f"| case | ε | what | {' | '.join(forms)} |", f"|---|---|---|{'---|' * len(forms)}"]
    for (name, epsilon), here in results.groupby(["case", "epsilon"], sort=True):
        for column in ("share", "accuracy"):
            if here[column].notna().any():
                cells = " | ".join(shown(here[here["form"] == form][column].dropna()) for form in forms)
                lines.append(f"| {CASES[str(name)]} | {epsilon:g} | {column} | {cells} |")
    return lines


def labels_table() -> list[str]:
    """Two class sums, and one sum of centred labels."""
    results = pd.read_csv(FOLDER / "beyond" / "labels.csv")
    lines = ["| data | ε | seeds | two | labels |", "|---|---|---|---|---|"]
    for (name, epsilon), here in results.groupby(["dataset", "epsilon"]):
        two, labels = (here[here["form"] == form]["accuracy"] for form in ("two", "labels"))
        lines.append(f"| {name} | {epsilon:.4g} | {len(two)} | {shown(two)} | {shown(labels)} |")
    return lines


def radius_table() -> list[str]:
    """Clipping at ρ and at 1.15 ρ on the same seeds, by the noise edge."""
    results = pd.read_csv(FOLDER / "beyond" / "radius.csv").sort_values(["model", "edge"], ascending=[True, False])
    lines = ["| model, data | ε | noise edge | seeds | clipped at ρ | at 1.15 ρ |", "|---|---|---|---|---|---|"]
    for (model, edge), here in results.groupby(["model", "edge"], sort=False):
        one, other = (here[here["radius"] == radius]["measure"] for radius in (1.0, 1.15))
        name, epsilon = here["dataset"].iloc[0], here["epsilon"].iloc[0]
        lines.append(f"| {str(model).upper()}, {name} | {epsilon:g} | {edge:.4f} | {len(one)} | {shown(one)} | "
                     f"{shown(other)} |")  # fmt: skip
    return lines


def mixing_table() -> list[str]:
    """Spectral error of the scatter, by the size of the mixture."""
    results = pd.read_csv(FOLDER / "beyond" / "mixing.csv")
    sizes = (1, 4, 16, 64)
    lines = [
        f"| data | ε | Gaussian | {' | '.join(f'm = {size} d' for size in sizes)} |",
        "|---|---|---|---|---|---|---|",
    ]
    for (name, epsilon), here in results.groupby(["dataset", "epsilon"]):
        cells = " | ".join(shown(here[here["sketch"] == size]["error"]) for size in (0, *sizes))
        lines.append(f"| {name} | {epsilon:g} | {cells} |")
    return lines


TABLES = {
    "smooth": smooth_table, "three": three_table, "three other": three_other_table,
    "variants": variants_table, "slices": slices_table, "mixing": mixing_table,
    "sparse": sparse_table, "labels": labels_table, "radius": radius_table,
}  # fmt: skip


@pytest.mark.parametrize(("name", "made"), TABLES.items())
def test_the_page_shows_the_committed_results(name: str, made: Callable[[], list[str]]) -> None:
    text = (FOLDER / "beyond.md").read_text(encoding="utf-8")
    assert text.split(f"<!-- {name} -->\n")[1].split(f"\n<!-- end of {name} -->")[0].split("\n") == made()


def test_the_results_are_whole() -> None:
    smooth = pd.read_csv(FOLDER / "beyond" / "smooth.csv")
    assert smooth["error"].isna().all()
    assert (smooth.groupby(["dataset", "epsilon"]).size() == 10).all()
    assert ((smooth["accounted_epsilon"] / smooth["epsilon"] - 1).abs() < 1e-5).all()


def test_private_quantiles_gain_over_even_edges_where_the_range_is_wide() -> None:
    """Each case that the script knows is told, also those on which private quantiles do badly."""
    results = pd.read_csv(FOLDER / "beyond" / "slices.csv")
    assert set(results["case"]) == set(RESPONSES) == set(beyond_slices.CASES)
    text = " ".join((FOLDER / "beyond.md").read_text(encoding="utf-8").split())
    means = results[results["form"] != "random"].pivot_table("fit", ["case", "epsilon"], "form")
    gain, lost = means["private"] - means["equal"], means["quantiles"] - means["private"]
    wide = gain.drop("diabetes", level="case")
    assert (wide > 0).all()
    assert f"by .{100 * wide.min():02.0f} to .{100 * wide.max():02.0f}" in text
    others = lost.drop(["diabetes", "duration"], level="case")
    assert f"at most .{100 * others.max():02.0f} of what exact quantiles give" in text
    assert f"by .{100 * lost['duration'].min():02.0f} to .{100 * lost['duration'].max():02.0f} less" in text
    assert gain["diabetes", 0.1] < 0


def test_three_steps_pay_where_the_page_says() -> None:
    results = pd.read_csv(FOLDER / "beyond" / "three.csv")
    assert results["error"].isna().all()
    assert (results.groupby(["dataset", "epsilon", "steps"]).size() == 10).all()
    means = results.pivot_table("lda_accuracy", ["dataset", "epsilon"], "steps")
    gain = means[3] - means[2]
    assert (gain[["covertype_part", "rt_iot2022"]] > 0).all()
    assert (gain["dota2"] < 0).all()
    assert gain["adult", 1] < -0.004


def test_mixing_is_never_better() -> None:
    results = pd.read_csv(FOLDER / "beyond" / "mixing.csv")
    means = results.pivot_table("error", ["dataset", "epsilon"], "sketch")
    assert (means.drop(columns=0).min(axis=1) > means[0]).all()
    assert set(results.groupby(["dataset", "epsilon", "sketch"]).size()) == {10}


def test_rows_are_clipped_where_it_pays() -> None:
    results = pd.read_csv(FOLDER / "beyond" / "radius.csv")
    means = results.pivot_table("measure", ["model", "dataset", "edge"], "radius").reset_index()
    better = (means[1.0] - means[1.15]) * means["model"].map({"cca": 1.0, "pca": -1.0})
    assert (better[means["edge"] > LOUD_EDGE] > 0).all()
    assert (better[(means["edge"] < LOUD_EDGE) & (means["model"] == "pca")] < 0).all()
    assert means[means["edge"] > LOUD_EDGE]["dataset"].nunique() >= 4
