"""A reproduction as files: its table, what was run, and those that come with the project."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from dpgep_core.experiments.papers.exhibit import Exhibit, ResultLine
from dpgep_core.experiments.papers.reproduce import Reproduction, ReproductionRequest
from dpgep_core.release import VERSION

NUMBER_COLUMNS = ("published", "ours", "standard_deviation", "runs")
MEDIAN_COLUMNS = ("low", "high", "failed")  # beside a median: quantiles, and draws that failed
RUN = "run"  # the column that says how much of the exhibit the table is
RESULTS_FOLDER = "results"  # beside this file


def as_csv(found: Reproduction) -> str:
    """The table: labels, published, ours, its scatter, runs, and whether the run is full or partial."""
    names, more = label_names(found.lines), MEDIAN_COLUMNS if any(map(is_median, found.lines)) else ()
    kind = found.mode.partition(":")[0]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*names, *NUMBER_COLUMNS, *more, RUN])
    for line in found.lines:
        numbers = [line.published, line.ours, line.spread, line.runs, *(getattr(line, name) for name in more)]
        writer.writerow([*(plain_value(line.labels.get(name)) for name in names), *map(plain_value, numbers), kind])
    return out.getvalue()


def is_median(line: ResultLine) -> bool:
    """Whether its value is a median, with quantiles, and no mean."""
    return line.low is not None


def as_json(found: Reproduction) -> str:
    """Facts of a run, and how long it took."""
    asked = found.asked
    facts = {
        "exhibit": asked.exhibit.key, "run": found.mode, "summary": found.summary,
        "command": asked.command, **request_facts(asked), "version": VERSION,
        "seconds_of_computation": round(found.computed, 1), "cells_done": found.done, "cells": found.total,
        "missing": dict(found.missing), "errors": found.errors,
        "learnt": found.learnt,
        **({"also": [{"command": also.command, **request_facts(also)} for also in found.also]} if found.also else {}),
    }  # fmt: skip
    return json.dumps(facts, indent=1, ensure_ascii=False) + "\n"


def request_facts(asked: ReproductionRequest) -> dict[str, Any]:
    """Parts of a request beside its exhibit, for JSON."""
    return {"quick": asked.quick, "data": asked.data, "classifiers": asked.classifiers, "seeds": asked.seeds}


def request_of(exhibit: Exhibit, facts: Mapping[str, Any]) -> ReproductionRequest:
    """The request that `request_facts` told."""
    return ReproductionRequest(
        exhibit=exhibit, quick=bool(facts["quick"]), data=tuple(facts["data"]), classifiers=tuple(facts["classifiers"]),
        seeds=None if facts["seeds"] is None else int(facts["seeds"]),
    )  # fmt: skip


@cache
def bundled_reproduction(exhibit: Exhibit) -> Reproduction | None:
    """The reproduction of an exhibit that comes with the project; None where there is none."""
    folder = files("dpgep_core.experiments.papers") / RESULTS_FOLDER
    return read_back(exhibit, folder) if (folder / f"{exhibit.key}.json").is_file() else None


def read_back(exhibit: Exhibit, folder: Traversable) -> Reproduction:
    """From the files that `as_csv` and `as_json` were written to. The sentences are made anew from the numbers."""
    facts: dict[str, Any] = json.loads((folder / f"{exhibit.key}.json").read_text("utf-8"))
    table = csv.DictReader(io.StringIO((folder / f"{exhibit.key}.csv").read_text("utf-8")))
    return Reproduction(
        asked=request_of(exhibit, facts),
        lines=tuple(map(_line, table)),
        missing=tuple(facts["missing"].items()),
        errors=tuple(facts["errors"]),
        seconds=0.0,
        computed=facts["seconds_of_computation"],
        done=facts["cells_done"],
        total=facts["cells"],
        learnt=tuple(facts.get("learnt", ())),
        also=tuple(request_of(exhibit, also) for also in facts.get("also", ())),
    )


def join_results(first: Reproduction, second: Reproduction) -> Reproduction:
    """Results of two requests for one exhibit as one; where both have a line, that of the second counts."""
    new = {_place(line): line for line in second.lines}
    lines = [new.pop(_place(line), line) for line in first.lines]
    lines += [line for line in second.lines if _place(line) in new]
    here = {name for line in lines if line.ours is not None and (name := line.labels.get("data"))}
    return replace(
        first,
        lines=tuple(lines),
        missing=tuple((name, why) for name, why in {**dict(first.missing), **dict(second.missing)}.items()
                      if name not in here),
        errors=tuple(dict.fromkeys((*first.errors, *second.errors))),
        seconds=first.seconds + second.seconds,
        computed=first.computed + second.computed,
        done=first.done + second.done,
        total=first.total + second.total,
        learnt=tuple(dict.fromkeys((*first.learnt, *second.learnt))),
        also=tuple(dict.fromkeys((*first.also, second.asked, *second.also))),
    )  # fmt: skip


def _place(line: ResultLine) -> tuple[tuple[str, object], ...]:
    """Labels of a line but for those that a result decides."""
    return tuple((name, value) for name, value in line.labels.items() if name != "ahead")


def label_names(lines: Sequence[ResultLine]) -> list[str]:
    """The labels that any line carries, in order."""
    return list(dict.fromkeys(name for line in lines for name in line.labels))


def _line(row: Mapping[str, str]) -> ResultLine:
    published, ours, spread, low, high = (
        float(row[name]) if row.get(name) else None for name in (*NUMBER_COLUMNS[:3], *MEDIAN_COLUMNS[:2])
    )
    labels = {name: _value(text) for name, text in row.items() if name not in (*NUMBER_COLUMNS, *MEDIAN_COLUMNS, RUN)}
    failed = int(row["failed"]) if row.get("failed") else None
    return ResultLine(labels=labels, published=published, ours=ours, spread=spread, runs=int(row["runs"]), low=low,
                high=high, failed=failed)  # fmt: skip


def _value(text: str) -> str | int | float | None:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text or None


def plain_value(value: object) -> str:
    """A label or a number as the file writes it."""
    if isinstance(value, float):
        return f"{value:.6g}"
    return "" if value is None else str(value)
