"""The table of few rows in docs/algorithms/ssp.md says what the committed sweep says: where two steps do not pay."""

from pathlib import Path

import pandas as pd
import pytest

FOLDER = Path(__file__).parents[2] / "docs" / "algorithms"
FORMS = {"one step": (1, 0.01), "two steps": (2, 0.0)}
KINDS = {"lda_accuracy": "", "lda_accuracy_all_private": ", private to the end"}


def shown(values: pd.Series, *, sign: bool = False) -> str:
    mean, error = f"{values.mean():{'+' if sign else ''}.3f}", f"{values.sem():.3f}"
    return f"{mean.replace('0.', '.', 1).replace('-', '−')} ± {error.replace('0.', '.', 1)}"


def accuracies(results: pd.DataFrame, form: tuple[int, float], column: str) -> pd.Series:
    here = results[(results["steps"] == form[0]) & (results["xi"] == form[1])]
    return here.set_index("seed")[column]


def table(results: pd.DataFrame) -> list[str]:
    """Mean accuracies of LDA over the seeds, and the mean of the differences, each with its standard error."""
    names = [f"{name}{kind}" for kind in KINDS.values() for name in (*FORMS, "difference")]
    lines = [f"| ε | {' | '.join(names)} |", f"|---|{'---|' * len(names)}"]
    for epsilon, here in results.groupby("epsilon"):
        cells = []
        for column in KINDS:
            one, two = (accuracies(here, form, column) for form in FORMS.values())
            cells += [shown(one), shown(two), shown(two - one, sign=True)]
        lines.append(f"| {epsilon:g} | {' | '.join(cells)} |")
    return lines


@pytest.fixture(scope="module")
def results() -> pd.DataFrame:
    return pd.read_csv(FOLDER / "few-rows" / "wine.csv")


def test_the_page_shows_the_committed_results(results: pd.DataFrame) -> None:
    said = (FOLDER / "ssp.md").read_text(encoding="utf-8")
    assert said.split("<!-- few rows -->\n")[1].split("\n<!-- end of few rows -->")[0].split("\n") == table(results)


def test_no_loss_of_two_steps_is_beyond_its_error(results: pd.DataFrame) -> None:
    """What the page says of a rule that is not needed: no difference is two errors below nothing."""
    for _, here in results.groupby("epsilon"):
        one, two = (accuracies(here, form, "lda_accuracy") for form in FORMS.values())
        assert len(one) == len(two) == 60
        assert (two - one).mean() > -2 * (two - one).sem()
        if here["epsilon"].iloc[0] <= 0.1:
            assert max(one.mean(), two.mean()) < here["lda_accuracy_random"].mean()
