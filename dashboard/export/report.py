"""A whole scenario as one page: numbers, figures, ledger, caveats, and the commands and programs that give it again."""

import json
import platform
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import groupby
from typing import Any

import pandas as pd

from dashboard.compute.results import Answer
from dashboard.export import summary
from dashboard.export.chromium import pdf
from dashboard.export.figure_spec import WIDTH, FigureSpec
from dashboard.export.html import Block, Code, Note, Row, html_page
from dashboard.scenario import UPLOAD, WITHOUT_FLAG, Scenario, command_line
from dashboard.text import words
from dpgep_core.learnt import learnt_sentence
from dpgep_core.models import MODELS
from dpgep_core.plugins import plugin_of
from dpgep_core.release import VERSION, Setting

PACKAGES = ("numpy", "scipy", "scikit-learn", "plotly", "pandas", "streamlit")
PRINTED = 680  # pixels across a printed page
CAVEATS = (
    "Every figure and every accuracy here reads the private rows and compares with the exact answer: no ε covers them.",
    "The seed is known, so the noise is known: this is no private release. ε is what it would be if the noise were "
    "secret.",
    "What is claimed is the authors' word, what is accounted follows from the ledger, and the verdict follows from "
    "both at this setting. No attack was run for this report.",
    "Settings chosen by looking at results like these also use the data; that is not counted.",
    "Noise is drawn in double precision; see docs/privacy-notes.md for what that does not protect against.",
)


@dataclass(frozen=True, kw_only=True, eq=False)
class Report:
    """Parts of a report. ``specs`` are the figures as they are on the page; ``learnt`` was read off the rows."""

    scenario: Scenario
    title: str
    answers: Sequence[Answer]
    specs: Sequence[FigureSpec] = ()
    preprocessing: str = ""
    learnt: Sequence[str] = ()
    link: str = ""
    made: datetime = field(default_factory=lambda: datetime.now(UTC))


def report_html(report: Report, *, dark: bool = False, width: int | None = None) -> str:
    """One self-contained HTML file."""
    model = MODELS[report.scenario.model].title
    return html_page(f"{report.title}: {model}", blocks(report), dark=dark, width=width)


def report_pdf(report: Report) -> bytes:
    """Print the report with Chromium, on white. `NoBrowserError` where there is no Chromium."""
    return pdf(report_html(report, width=PRINTED))


def blocks(report: Report) -> Iterator[Block]:
    """The parts of a report, in order."""
    yield f"DP-GEP Lab {VERSION}, {report.made:%d %B %Y, %H:%M} UTC"
    yield Note(words.WHAT_IF)
    yield "## Headline numbers"
    yield summary.headline(report.answers)
    if unscored := report.answers[0].diagnostic.unscored:
        yield f"Accuracy is not measured, because {unscored}."
    yield "## Is that ε true?"
    for item in report.answers:
        yield from _privacy_blocks(item)
    if report.specs:
        yield "## Figures"
        yield from _figures(report.specs)
    yield "## Ledger"
    yield "Every read of private rows by the algorithm, in order. μ² adds up; an unprotected read has no finite μ."
    yield summary.ledger(report.answers)
    yield "## Settings"
    if report.preprocessing:
        yield f"{words.preprocessing_words(report.learnt)}: {words.escape_markdown(report.preprocessing)}."
    yield summary.solved_with(report.answers)
    yield "## How to do it again"
    yield from repeat(report.scenario, report.answers, report.link)
    yield "## Caveats"
    yield "\n".join(f"- {caveat}" for caveat in CAVEATS)
    yield "## Versions"
    yield versions()


def _figures(specs: Sequence[FigureSpec]) -> Iterator[Block]:
    """Figures under their titles; square ones that follow each other share a row."""
    for narrow, some in groupby(specs, lambda spec: spec.width < WIDTH):
        if narrow:
            yield Row(tuple(some))
            continue
        for spec in some:
            yield f"### {words.escape_markdown(spec.title)}"
            yield spec


def repeat(scenario: Scenario, answers: Sequence[Answer], link: str) -> Iterator[Block]:
    """Address, command lines and programs that give the numbers again."""
    if link:
        yield "On the page:"
        yield Code(link)
    for item in answers:
        yield f"{item.title}, from the command line and from Python:"
        yield Code(command_line(scenario, item.algorithm))
        yield Code(python_code(scenario, item.algorithm, item.release.learnt))


def versions() -> pd.DataFrame:
    """Versions of the packages that computed the numbers."""
    found = {"dpgep-lab": VERSION, "python": platform.python_version(), **{name: version(name) for name in PACKAGES}}
    return pd.DataFrame({"package": found.keys(), "version": found.values()})


def _privacy_blocks(item: Answer) -> Iterator[Block]:
    yield f"### {item.title}"
    yield "\n\n".join(words.standing(item, attacked=True))
    yield from words.meaning_sentences(item)
    if item.release.status != "ok":
        yield "The iteration left the range of numbers; its last finite basis is shown."
    yield from (words.escape_markdown(warning) for warning in item.warnings)


def python_code(scenario: Scenario, algorithm: str, learnt: Sequence[str] = ()) -> str:
    """A program that prints what the page shows of one algorithm; ``learnt`` is what was read off the rows."""
    setting, plain = scenario.setting(algorithm), Setting()
    given = {"model": setting.model, "algorithm": algorithm, "epsilon": setting.epsilon, "seed": setting.seed}
    given |= {name: value for name in ("delta", "n_components") if (value := getattr(setting, name)) is not None}
    given |= {name: value for name in WITHOUT_FLAG if (value := getattr(setting, name)) != getattr(plain, name)}
    given |= dict(setting.params)
    lines = [f"    {name}={_literal(value)}," for name, value in given.items()]
    name = scenario.dataset.removeprefix(UPLOAD)
    plugin = plugin_of(algorithm)
    folder = ["# an uploaded set: put its file and its sidecar into the folder that DPGEP_DATA_DIR names"]
    return "\n".join(
        [
            "from dpgep_core import evaluate, load_dataset, solve",
            *(["from dpgep_core.plugins import load_plugin"] if plugin else []),
            "",
            *([f"load_plugin({_literal(plugin)})"] if plugin else []),
            *(folder if name != scenario.dataset else []),
            f"data = load_dataset({_literal(name)})",
            # A comment of one line, which no name of a column from a file can end.
            *([f"# {' '.join(learnt_sentence(learnt).split())}"] if learnt else []),
            "release = solve(",
            "    data,",
            *lines,
            ")",
            'result = evaluate(release, data, classifiers=("lda",))  # reads the private rows',
            'print("mean |cosine|", result.mean_cosine_similarity)',
            'print("mean principal angle", result.principal_angles.mean())',
            "for name, scores in result.accuracy.items():",
            "    # projection private: the classifier is trained on projected private rows, and is not",
            '    print("accuracy", name, "projection private", scores.private.accuracy)',
            '    print("accuracy", name, "exact projection", scores.non_private.accuracy)',
            'print("accounted", release.accounted, "claimed", release.claimed)',
            "for warning in release.warnings:",
            '    print("note:", warning)',
            "",
        ]
    )


def _literal(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)
