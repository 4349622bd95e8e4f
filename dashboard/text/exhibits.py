"""The lines of a reproduction as the page shows them: laid out as the paper's table, and every one with its labels."""

from collections.abc import Mapping, Sequence

import pandas as pd

from dashboard.text.words import escape_markdown
from dpgep_core.evaluate.measures import MEASURES
from dpgep_core.experiments.papers.bundled_results import is_median, label_names
from dpgep_core.experiments.papers.cell_verdicts import CellVerdict
from dpgep_core.experiments.papers.exhibit import Exhibit, ResultLine, TableLayout
from dpgep_core.experiments.papers.outcome import Outcome, constants_in_words
from dpgep_core.models import MODELS
from dpgep_core.wording import number_text

PLAIN: Mapping[str, str] = {
    "linear_svm": "Linear SVM", "rbf_svm": "RBF SVM", "random_forest": "Random forest", "f1": "F1",
    "of_method": "its constants", "calibration": "constants", "n": "rows", "epsilon": "ε", "xi": "ξ",
    "step": "η · n", "epochs": "epochs m", **{key: key.upper() for key in MODELS},
    **{key.replace("_", " "): MEASURES[key].label for key in ("shang_distance", "subspace_distance")},
}  # fmt: skip

SAID_ALONE: Mapping[str, Mapping[str, str]] = {  # values that a legend says without the heads of a table, by label
    "calibration": {**{rule: constants_in_words(rule) for rule in ("published", "unit", "exact")},
                    "valid": "valid constants", "replaced": "a row replaced"},
    "start": {"oracle": "oracle start", "random": "random start", "private": "private start"},
}  # fmt: skip

Names = tuple[str, ...]


def word(value: object) -> str:
    """A label or its value for a person."""
    if isinstance(value, float):
        return number_text(value, 4)
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    if value is None:
        return "–"
    text = str(value)
    return PLAIN.get(text, text.replace("_", " ") if text.replace("_", "").isalnum() else text)  # a formula stays


def label_texts(line: ResultLine, labels: Sequence[str]) -> Names:
    """Values of some labels for a person; what does not apply is left out."""
    given = ((label, line.labels.get(label)) for label in labels)
    return tuple(_said_alone(label, value) for label, value in given if value not in (None, "none"))


def _said_alone(label: str, value: object) -> str:
    if label == "n":
        return f"{value:,} rows"
    if label == "step":
        return f"step {word(value)}/n"
    if label == "epochs":
        return f"{value} epoch{'' if value == 1 else 's'}"
    return SAID_ALONE.get(label, {}).get(str(value), word(value))


def label_values(lines: Sequence[ResultLine], label: str) -> list[object]:
    """Values of a label: numbers by size, others in order of appearance."""
    found: list[object] = list(dict.fromkeys(line.labels.get(label) for line in lines))
    numbers = [value for value in found if isinstance(value, int | float)]
    return found if len(numbers) < len(found) else list[object](sorted(numbers))


def drawn_words(lines: Sequence[ResultLine], labels: Sequence[str]) -> str:
    """Say of some lines what they are of: the values of each label."""
    said = (dict.fromkeys(text for line in lines for text in label_texts(line, [label])) for label in labels)
    return "; ".join(", ".join(texts) for texts in said if texts)


def pick_lines(lines: Sequence[ResultLine], picks: Mapping[str, object]) -> list[ResultLine]:
    """Lines with the picked values."""
    return [line for line in lines if all(line.labels.get(name) == value for name, value in picks.items())]


def grid(lines: Sequence[ResultLine], layout: TableLayout) -> pd.DataFrame:
    """Ours with the printed value behind it, as text for a table that reads Markdown."""
    rows: dict[tuple[object, ...], dict[str, str]] = {}
    for line in lines:
        name = tuple(line.labels.get(label) for label in layout.rows)
        column = ", ".join(word(line.labels.get(label)) for label in layout.columns)
        rows.setdefault(name, {})[escape_markdown(column)] = _result_cell(line, layout)
    heads = [word(label) for label in layout.rows]
    table = [
        {head: escape_markdown("" if value == "none" else word(value)) for head, value in zip(heads, name, strict=True)}
        | cells
        for name, cells in rows.items()
    ]
    return pd.DataFrame(table).fillna("")


def _result_cell(line: ResultLine, layout: TableLayout) -> str:
    if line.ours is None:
        return "–"
    parts = [line.ours] if line.spread is None else [line.ours, line.spread]
    ours = " ± ".join(f"{part:.1f}" if layout.within is not None else number_text(part, 2) for part in parts)
    met = layout.within is not None and line.gap is not None and abs(line.gap) <= layout.within
    also = f", {escape_markdown(word(line.labels.get(layout.also)))} ahead" if layout.also else ""
    as_printed = ".6g" if layout.within is not None else ".4f"
    printed = "" if line.published is None else f" (printed {line.published:{as_printed}})"
    return (f"**{ours}**" if met else ours) + also + printed


def table_of(lines: Sequence[ResultLine]) -> pd.DataFrame:
    """Every line with its labels: a table of numbers."""
    names, medians = label_names(lines), any(map(is_median, lines))
    return pd.DataFrame(
        [
            {**{word(name): line.labels.get(name) for name in names}, "printed": line.published,
             "median" if medians else "ours": line.ours, "ours − printed": line.gap, **_scatter(line, medians=medians),
             "runs": line.runs}
            for line in lines
        ]
    )  # fmt: skip


def _scatter(line: ResultLine, *, medians: bool) -> Mapping[str, object]:
    if medians:
        return {"10 % quantile": line.low, "90 % quantile": line.high, "failed draws": line.failed}
    return {"standard deviation": line.spread}


def outcomes(found: Sequence[Outcome]) -> pd.DataFrame:
    """Outcome of each claim, as text for a table that reads Markdown."""
    heads = ("Claim", "What became of it", "In numbers")
    rows = [
        (escape_markdown(one.subject), f"**{escape_markdown(one.said)}**", escape_markdown(one.why)) for one in found
    ]
    return pd.DataFrame(rows, columns=list(heads))


def cells(found: Sequence[CellVerdict]) -> pd.DataFrame:
    """Verdict on each claim in each cell."""
    return pd.DataFrame(
        [
            {**{word(name).capitalize(): word(value) for name, value in one.cell.items()}, "Claim": one.outcome.subject,
             "What became of it": one.outcome.said, "In numbers": one.outcome.why}
            for one in found
        ]
    )  # fmt: skip


def place(exhibit: Exhibit) -> str:
    """Where it is in its paper: "Table 2", "Supplement, figure 3"; "Extra, start" where it is none of the paper's."""
    *supplement, kind, number = exhibit.key.split("-")[1:]
    if kind == "extra":
        return f"Extra, {number}"
    return f"Supplement, {kind} {number}" if supplement else f"{kind.capitalize()} {number}"


def short_place(exhibit: Exhibit) -> str:
    """A few letters for where it is in its paper: "T2" a table, "3" a figure, "S3" one of the supplement, "+" none."""
    *supplement, kind, number = exhibit.key.split("-")[1:]
    if kind == "extra":
        return "+"
    return f"{'S' * bool(supplement)}{'T' * (kind == 'table')}{number}"


def title(exhibit: Exhibit) -> str:
    """Place of the exhibit in the paper and what the exhibit shows: "Table 2. Precision, …"."""
    return f"{place(exhibit)}. {exhibit.title}"
