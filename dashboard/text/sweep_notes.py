"""Facts about the settings of a sweep that a reader of its curves must know."""

from collections.abc import Sequence

import pandas as pd

from dashboard.compute.titles import title_of
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.evaluate.diagnostic import ACCURACY_LABELS
from dpgep_core.experiments.grid import Sweep
from dpgep_core.privacy.privacy_loss import at_most
from dpgep_core.setting_warnings import ROUNDED, overspent_sentence, unbounded_sentence
from dpgep_core.wording import number_text, plural

SECRET = "ε is what it would be if the noise were secret."
OTHER_MU = (
    "Where n differs, so does the usual δ, and one ε stands for another μ: compare at equal μ, which is a measure here."
)
CLEARLY_LESS = 0.95  # of the ε that is asked for
ORACLE = "An oracle start begins at the answer: no private run can."
WITHOUT = {"unprotected": "{} has no guarantee: it leaves {} without noise.", "unbounded": "{}: {}."}
MOST = 4  # sentences of a kind
PRIVACY = {"dataset", "algorithm", "epsilon", "accounted_epsilon"}


def notes(table: pd.DataFrame, sweep: Sweep) -> list[str]:
    """The facts, one sentence each, the most general ones first."""
    found = [SECRET]
    axes = dict(sweep.axes)
    if (len(sweep.datasets) > 1 or "n" in axes) and "delta" not in axes:
        found.append(OTHER_MU)
    if "oracle" in axes.get("start", ()):
        found.append(ORACLE)
    spent = _spent(table)
    found += _spend_less(spent)
    if any(str(name).endswith("_accuracy") for name in table):
        found.append(f"Of an accuracy, {ACCURACY_LABELS['private']}.")
    learnt = _distinct(table, "learnt")
    return [*found, *learnt, *_spend_more(spent), *_warnings(table, learnt), *_without_guarantee(table)]


def _spent(table: pd.DataFrame) -> pd.DataFrame:
    """One row for each ε that was asked for of a method on a data set, with what is accounted of it."""
    if not set(table) >= PRIVACY:
        return pd.DataFrame(columns=["dataset", "algorithm", "asked", "spent", "share"])
    asked, spent = (pd.to_numeric(table[name], errors="coerce") for name in ("epsilon", "accounted_epsilon"))
    found = table[["dataset", "algorithm"]].assign(asked=asked, spent=spent, share=spent / asked)
    return found.dropna().drop_duplicates().reset_index(drop=True)


def _spend_less(spent: pd.DataFrame) -> list[str]:
    """Methods whose rule spends clearly less than the ε that is asked: at one ε on an axis they are not at one ε."""
    least = [spent.loc[own["share"].idxmin()] for _, own in spent.groupby("algorithm", sort=False)]
    said = [
        f"{title_of('algorithm', one['algorithm'])} down to {_percent(one['share'])} of ε = "
        f"{number_text(one['asked'])}{_on(one['dataset'], spent)}"
        for one in least if one["share"] < CLEARLY_LESS
    ]  # fmt: skip
    return [f"Some methods spend less than the ε that is asked for: {', '.join(said)}."] if said else []


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share >= 0.01 else "less than 1 %"


def _on(dataset: str, spent: pd.DataFrame) -> str:
    """The data set, where there are several."""
    return f" on {title_of('dataset', dataset)}" if spent["dataset"].nunique() > 1 else ""


def _spend_more(spent: pd.DataFrame) -> list[str]:
    """Methods that may spend more than is asked for, one sentence for each with a data set, at its worst ε."""
    over = spent["spent"] > spent["asked"] * ROUNDED
    said: list[str] = []
    for (dataset, key), own in spent[over].groupby(["dataset", "algorithm"], sort=False):
        worst, others = own.loc[own["share"].idxmax()], own["asked"].nunique() - 1
        more = f", and more than is asked for at {plural(others, 'other value')} of ε" if others else ""
        said.append(
            f"On {title_of('dataset', str(dataset))}, {title_of('algorithm', str(key))} may spend up to ε = "
            f"{at_most(worst['spent'])} where {number_text(worst['asked'])} is asked for{more}."
        )
    left = len(said) - MOST
    more = f"The same holds for {plural(left, 'further pair')} of a method and a data set: see accounted_epsilon in "
    return [*said[:MOST], *([f"{more}the table of every cell."] if left > 0 else [])]


def _warnings(table: pd.DataFrame, learnt: Sequence[str]) -> list[str]:
    """Other warnings of the cells, with the methods and the data sets that they concern where there are others too."""
    if "warnings" not in table:
        return []
    cells = table[table["warnings"].fillna("") != ""]
    told = cells[[name for name in (*sorted(PRIVACY), "warnings", "unbounded") if name in table]].drop_duplicates()
    told = told.assign(said=[_other_warnings(cell, learnt) for _, cell in told.iterrows()])
    said = [f"{_about(own, table)}{text}" for text, own in told.groupby("said", sort=False) if text]
    left = len(said) - MOST
    more = [f"The table of every cell has {plural(left, 'further warning')}."] if left > 0 else []
    return [*said[:MOST], *more]


def _other_warnings(cell: pd.Series, learnt: Sequence[str]) -> str:
    """Warnings of a cell, without the sentences that are said for all cells at once."""
    said, asked, spent = str(cell["warnings"]), cell.get("epsilon"), cell.get("accounted_epsilon")
    known = list(learnt)
    if pd.notna(asked):
        known += [overspent_sentence(float(asked), float(spent))] if pd.notna(spent) else []
        known += [unbounded_sentence(float(asked), reason)] if (reason := str(cell.get("unbounded") or "")) else []
    for sentence in known:
        said = said.replace(sentence, "")
    return " ".join(said.split())


def _about(cells: pd.DataFrame, table: pd.DataFrame) -> str:
    words = {"algorithm": "for", "dataset": "on"}
    some = {name: list(cells[name].unique()) for name in words if name in table}
    parts = [
        f"{words[name]} {', '.join(title_of(name, key) for key in keys)}"
        for name, keys in some.items() if len(keys) < table[name].nunique()
    ]  # fmt: skip
    said = " ".join(parts)
    return f"{said[0].upper()}{said[1:]}: " if said else ""


def _without_guarantee(table: pd.DataFrame) -> list[str]:
    found: list[str] = []
    for column, words in WITHOUT.items():
        if column in table:
            rows = table[table[column].fillna("").astype(bool)].drop_duplicates(["algorithm", column])
            pairs = [(key, what) for key, what in zip(rows["algorithm"], rows[column], strict=True)
                     if ALGORITHMS[key].private]  # fmt: skip
            found += [words.format(title_of("algorithm", key), what) for key, what in pairs]
    return found


def _distinct(table: pd.DataFrame, column: str) -> list[str]:
    return [text for text in table[column].dropna().unique() if text] if column in table else []
