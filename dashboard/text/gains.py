"""The ε for most of the accuracy gain, in the words of the table of methods."""

import math

from dashboard.compute.titles import title_of
from dashboard.text.words import escape_markdown
from dpgep_core.evaluate.gain import SHARE, GainEntry, gain_table
from dpgep_core.wording import number_text

SHARE_TEXT = f"{number_text(100 * SHARE)} %"
HEAD = f"ε for {SHARE_TEXT}"
TELLING = 0.05  # a ledger that proves another ε is mentioned where it differs by more than this share


def gain_entries(dataset: str, model: str) -> list[GainEntry]:
    """Entries of a data set and a model."""
    return [entry for (data, kind, _), entry in gain_table().items() if (data, kind) == (dataset, model)]


def gain_help(dataset: str, model: str) -> str:
    """Say what the column means, with the command behind it; or that nothing is known."""
    entries = gain_entries(dataset, model)
    if not entries:
        known = ", ".join(title_of("dataset", data) for data in dict.fromkeys(data for data, *_ in gain_table()))
        here = title_of("dataset", dataset)
        said = f"The ε for {SHARE_TEXT} of the accuracy gain was not measured for {here}, but for {known}."
        return escape_markdown(said)
    return (
        f"Smallest ε for {SHARE_TEXT} of the accuracy gain over a random projection: LDA, default settings, mean of "
        f"{entries[0].seeds} known seeds, so not private. Small: what the ledger proves there. "
        f"`dpgep sweep docs/algorithms/gain/{model}.toml`"
    )


def gain_cell(dataset: str, model: str, algorithm: str) -> str:
    """The cell of a method in Markdown; a dash where nothing is known."""
    entry = gain_table().get((dataset, model, algorithm))
    if entry is None:
        return "–"
    if entry.epsilon == 0:
        return f"ε < {number_text(entry.least)}"
    if math.isinf(entry.epsilon):
        return f"ε > {number_text(entry.most)}"
    return f"ε {number_text(entry.epsilon, 2)}{_proved(entry)}"


def _proved(entry: GainEntry) -> str:
    if math.isinf(entry.accounted):
        return "  \n:small[no bound]"
    differs = abs(entry.accounted / entry.epsilon - 1) > TELLING
    return f"  \n:small[proved {number_text(entry.accounted, 2)}]" if differs else ""
