"""Every exhibit in one report: what became of each claim, what was not run, and each exhibit's own page."""

from collections.abc import Mapping, Sequence
from html import escape

from dpgep_core.experiments.papers.cell_verdicts import cell_verdicts, count_verdicts
from dpgep_core.experiments.papers.data import absent
from dpgep_core.experiments.papers.exhibit import OUTCOME_WORDS, Exhibit
from dpgep_core.experiments.papers.page import exhibit_parts, html_table, whole_page
from dpgep_core.experiments.papers.reproduce import Reproduction
from dpgep_core.release import VERSION

TITLE = "The papers, reproduced"
BREAKS = "<style>@media print { h1 { break-before: page } details { display: none } }</style>"


def as_report(found: Sequence[Reproduction], exhibits: Mapping[str, Exhibit]) -> str:
    """One HTML page that needs nothing else."""
    computed = sum(one.computed for one in found)
    parts = [
        BREAKS,
        f"<h1>{TITLE}</h1>",
        f"<p>{len(found)} of {len(exhibits)} exhibits, {computed:,.0f} s of computation, version {VERSION}. "
        "Published values stand beside ours; words are chosen by the numbers.</p>",
        _meanings(),
        "<h2>What became of each claim</h2>",
        _summary(found),
        "<h2>What was not run</h2>",
        _not_run(found, exhibits),
        *(part for one in found for part in exhibit_parts(one, values=one.asked.exhibit.grid is not None)),
    ]
    return whole_page(TITLE, parts)


def _meanings() -> str:
    return (
        "<ul>" + "".join(f"<li>{escape(word)}: {escape(said)}</li>" for word, said in OUTCOME_WORDS.items()) + "</ul>"
    )


def _summary(found: Sequence[Reproduction]) -> str:
    heads = [(text, "") for text in ("exhibit", "how much of it", "what became of its claims", "cell by cell")]
    rows = [
        [(text, "") for text in (one.asked.exhibit.key, one.mode, one.summary, "; ".join(cells_in_words(one)))]
        for one in found
    ]
    return html_table(heads, rows)


def cells_in_words(found: Reproduction) -> list[str]:
    """Counts of the verdicts on an exhibit's cells."""
    return count_verdicts(cell_verdicts(found.asked.exhibit, found.lines))


def not_run(found: Sequence[Reproduction], exhibits: Mapping[str, Exhibit]) -> list[str]:
    """Sentences on exhibits without a result, on parts that are missing, and on data sets that are not here."""
    there = {one.asked.exhibit.key for one in found}
    said = [f"{key} ({', '.join(one.data)}): not run; {one.left}" for key, one in exhibits.items() if key not in there]
    said += [f"{one.asked.exhibit.key}: {one.mode}; {one.asked.exhibit.left}" for one in found if one.mode != "full"]
    wanted = dict.fromkeys(name for exhibit in exhibits.values() for name in exhibit.data)
    return said + [f"{name}: {why}" for name, why in absent(tuple(wanted)).items()]


def _not_run(found: Sequence[Reproduction], exhibits: Mapping[str, Exhibit]) -> str:
    return "<ul>" + "".join(f"<li>{escape(said)}</li>" for said in not_run(found, exhibits)) + "</ul>"


def markdown_tables(found: Sequence[Reproduction], results: str) -> str:
    """The two tables of docs/reproduction.md: what was run, and what came out.

    Parameters
    ----------
    results : str
        Address of the folder of the CSV files, as the document links it.
    """
    run = [
        "| exhibit | how much of it | command | data | runs behind a value | computation |",
        "|---|---|---|---|---|---|",
    ]
    out = ["| exhibit | what became of its claims |", "|---|---|"]
    for one in found:
        key = one.asked.exhibit.key
        data = ", ".join(dict.fromkeys(str(line.labels["data"]) for line in one.lines))
        commands = "<br>".join(f"`{command}`" for command in one.commands)
        runs = max((line.runs for line in one.lines), default=0)
        run.append(
            f"| [{key}]({results}/{key}.csv) | {one.mode} | {commands} | {data} | {runs} | {one.computed:,.0f} s |"
        )
        out.append(f"| `{key}` | {one.summary} |")
        out += [f"| | {said} |" for said in cells_in_words(one)]
    return "\n".join([*run, "", *out]) + "\n"
