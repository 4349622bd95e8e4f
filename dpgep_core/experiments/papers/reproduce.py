"""From an exhibit to its table: computed through the store, so that a stopped reproduction goes on."""

import hashlib
import json
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from dpgep_core.errors import DpgepError, UnknownNameError
from dpgep_core.experiments.grid import Cell, Sweep
from dpgep_core.experiments.papers.data import absent, available, is_part
from dpgep_core.experiments.papers.exhibit import Exhibit, LabelledCell, ResultLine, Scope
from dpgep_core.experiments.papers.outcome import Outcome, outcome_summary
from dpgep_core.experiments.runner import AnyCell, Stop, SweepPlan, SweepProgress, run_sweep, shared_cell_runner
from dpgep_core.experiments.store import cell_store
from dpgep_core.release import VERSION
from dpgep_core.wording import plural

CLASSIFIER_WORDS = {"linear_svm": "linear SVM", "rbf_svm": "RBF SVM", "random_forest": "random forest"}
QUICK_RUN = "quick: fewer seeds, budgets and data sets than the full run"


def describe_coverage(exhibit: Exhibit, lines: Sequence[ResultLine], *, quick: bool, done: int, total: int) -> str:
    """ "full", or "partial" or "quick" and what of it there is."""
    said = [*_panels(exhibit, lines), *_seeds(exhibit, lines)]
    said += [f"stopped after {done:,} of {total:,} cells"] * (done < total)
    if quick:
        return "; ".join([QUICK_RUN, *said])
    return f"partial: {', '.join(said)}" if said else "full"


def whole_data_sets(exhibit: Exhibit) -> tuple[str, ...]:
    """The data sets that the paper's exhibit has: what stands in for a part of one is none of them."""
    return tuple(name for name in exhibit.data if not is_part(name))


def _panels(exhibit: Exhibit, lines: Sequence[ResultLine]) -> list[str]:
    computed = [line.labels for line in lines if line.ours is not None]
    data = [name for name in exhibit.data if any(labels.get("data") == name for labels in computed)]
    own = [name for name in data if name in whole_data_sets(exhibit)]
    parts = [name for name in data if name not in own]
    run = {(labels["data"], labels.get("classifier")) for labels in computed if labels.get("data") in own}
    most = len(whole_data_sets(exhibit)) * max(1, len(exhibit.classifiers))
    if len(run) >= most:
        return []
    trained = {name: [one for one in own if (one, name) in run] for name in exhibit.classifiers}
    kind = "panels" if exhibit.classifiers else "data sets"
    some = _panels_in_words({name: sets for name, sets in trained.items() if sets}, own)
    also = [f"with {', '.join(parts)} beside them"] if parts else []
    return [f"{len(run)} of {most} {kind}" + (f" ({some})" if some else ""), *also]


def _panels_in_words(trained: Mapping[str, Sequence[str]], data: Sequence[str]) -> str:
    """The data sets and the classifiers that were run; by classifier where not each was run on each data set."""
    words = {CLASSIFIER_WORDS.get(name, name): sets for name, sets in trained.items()}
    if all(list(sets) == list(data) for sets in words.values()):
        return "; ".join(filter(None, (", ".join(data), ", ".join(words))))
    return "; ".join(f"{classifier} on {', '.join(sets)}" for classifier, sets in words.items())


def _seeds(exhibit: Exhibit, lines: Sequence[ResultLine]) -> list[str]:
    panels: dict[tuple[object, object], int] = {}
    for line in lines:
        place = line.labels.get("data"), line.labels.get("classifier")
        panels[place] = max(panels.get(place, 0), line.runs)
    runs = sorted({count for count in panels.values() if count})
    few = "" if len(runs) < 2 else f"{runs[0]} to "
    return [f"{few}{runs[-1]} of {exhibit.seeds} runs behind a value"] if runs and runs[0] < exhibit.seeds else []


NOTHING_COMPUTED = "Nothing could be computed, so nothing can be said."


@dataclass(frozen=True, slots=True, kw_only=True)
class ReproductionRequest:
    """Request for an exhibit, or for a part of one.

    Parameters
    ----------
    quick : bool
        Fewer seeds, budgets and data sets.
    data : tuple of str
        Some of the exhibit's data sets, by the paper's names; none means all, of which a quick run leaves some out.
    classifiers : tuple of str
        Some of the exhibit's classifiers; none means its own choice.
    seeds : int, optional
        How many, instead of the exhibit's own number.

    Raises
    ------
    UnknownNameError
        For a data set or a classifier that the exhibit does not have.
    """

    exhibit: Exhibit
    quick: bool = False
    data: tuple[str, ...] = ()
    classifiers: tuple[str, ...] = ()
    seeds: int | None = None

    def __post_init__(self) -> None:
        for knob, given, known in (
            ("--data", self.data, self.exhibit.data),
            ("--classifiers", self.classifiers, self.exhibit.classifiers),
        ):
            for name in given:
                if name not in known:
                    raise UnknownNameError(knob, name, known)

    @property
    def mode(self) -> str:
        """How much of the full run this is, in words, before anything is computed."""
        missing = [name for name in whole_data_sets(self.exhibit) if name in absent(self.names)]
        limits = [f"only {', '.join(names)}" for names in (self.data, self.classifiers) if names]
        limits += [] if self.seeds is None else [f"{plural(self.seeds, 'seed')}, as asked for"]
        limits += [f"without {', '.join(missing)}"] if missing else []
        return "; ".join([QUICK_RUN if self.quick else "partial" if limits else "full", *limits])

    @property
    def command(self) -> str:
        """Command that computes it."""
        words = ["dpgep", "paper", self.exhibit.key, *(["--quick"] if self.quick else [])]
        for option, names in (("--data", self.data), ("--classifiers", self.classifiers)):
            if names:
                text = ",".join(names)
                words += [option, f'"{text}"' if " " in text else text]
        return " ".join([*words, *([] if self.seeds is None else ["--seeds", str(self.seeds)])])

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the requested data sets, whether they are here or not."""
        return self.data or self.exhibit.data


@dataclass(frozen=True, kw_only=True)
class Reproduction:
    """Results of a request. ``seconds`` is this run, ``computed`` the sum over all cells, whenever they were computed.

    ``learnt`` are the sentences on what was read off the rows, as `dpgep_core.learnt` says them with every release.
    ``also`` are further requests whose results were joined to these.
    """

    asked: ReproductionRequest
    lines: tuple[ResultLine, ...]
    missing: tuple[tuple[str, str], ...]
    errors: tuple[str, ...]
    seconds: float
    computed: float
    done: int
    total: int
    learnt: tuple[str, ...] = ()
    also: tuple[ReproductionRequest, ...] = ()

    @property
    def commands(self) -> tuple[str, ...]:
        """Commands that compute it, one for each request."""
        return tuple(asked.command for asked in (self.asked, *self.also))

    @property
    def mode(self) -> str:
        """How much of the exhibit this is, counted from what was run."""
        asked = self.asked
        return describe_coverage(asked.exhibit, self.lines, quick=asked.quick, done=self.done, total=self.total)

    @cached_property
    def verdict(self) -> tuple[str, ...]:
        """The numbers in sentences."""
        return tuple(self.asked.exhibit.verdict(self.lines)) or (NOTHING_COMPUTED,)

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:
        """Outcome of each claim; a page of all exhibits asks several times."""
        return tuple(self.asked.exhibit.outcomes(self.lines))

    @property
    def summary(self) -> str:
        """The outcomes in one line; the first sentence of the verdict where the exhibit has none."""
        return outcome_summary(self.outcomes) or self.verdict[0]

    @property
    def complete(self) -> bool:
        """Whether no cell is left to compute."""
        return self.done == self.total


@dataclass(frozen=True, slots=True)
class ReproductionPlan:
    """Parts of a reproduction: each task under the key of its cell."""

    asked: ReproductionRequest
    keyed: tuple[tuple[str, LabelledCell], ...]

    @property
    def plan(self) -> SweepPlan:
        """Cells of the reproduction as a plan, each cell once."""
        return SweepPlan(Sweep(datasets=()), tuple({key: task.cell for key, task in self.keyed}.items()))


def plan_reproduction(asked: ReproductionRequest) -> ReproductionPlan:
    """The tasks of what is asked. It reads each data set once: a key depends on the rows."""
    return ReproductionPlan(asked, tuple((_key(task.cell), task) for task in asked.exhibit.tasks(scope_of(asked))))


def scope_of(asked: ReproductionRequest) -> Scope:
    """How much of the exhibit is asked for, of the data sets that are here."""
    return Scope(
        quick=asked.quick, data=available(asked.names), seeds=asked.seeds, chosen=bool(asked.data),
        classifiers=asked.classifiers,
    )  # fmt: skip


def reproduce(
    asked: ReproductionRequest,
    store: Path,
    *,
    jobs: int = 1,
    dask: str | None = None,
    report: Callable[[SweepProgress], None] = lambda _: None,
    stop: Stop | None = None,
) -> Reproduction:
    """Compute what an exhibit needs and is not in the store yet, and compare.

    Parameters
    ----------
    store : Path
        Where finished cells are kept; exhibits that share cells may share it.
    jobs, dask, report, stop
        As in `dpgep_core.experiments.runner.run_sweep`.
    """
    began = time.perf_counter()
    tasks = plan_reproduction(asked)
    run_sweep(tasks.plan, store, jobs=jobs, dask=dask, report=report, stop=stop)
    return collect_reproduction(tasks, store, seconds=lambda: time.perf_counter() - began)


def collect_reproduction(
    tasks: ReproductionPlan, store: Path, *, seconds: Callable[[], float] = lambda: 0.0
) -> Reproduction:
    """Results that the store holds, compared; nothing is computed. ``seconds`` is asked once that is done."""
    asked, plan = tasks.asked, tasks.plan
    with cell_store(store) as kept:
        results, spent = kept.results(plan.keys), kept.seconds(plan.keys)
    records = [{**results[key], **task.labels} for key, task in tasks.keyed if key in results]
    return Reproduction(
        asked=asked,
        lines=tuple(asked.exhibit.lines(records)),
        missing=tuple(absent(asked.names).items()),
        errors=tuple(dict.fromkeys(str(record["error"]) for record in records if "error" in record)),
        seconds=seconds(),
        computed=sum(spent.values()),
        done=len(results),
        total=len(plan.cells),
        learnt=tuple(dict.fromkeys(said for record in records if (said := str(record.get("learnt") or "")))),
    )


def _key(cell: AnyCell) -> str:
    content = cell.content()
    rows = _digest_of_rows(str(content.get("dataset", "")), cell.n if isinstance(cell, Cell) else None)
    if isinstance(cell, Cell):
        return cell.key(rows)
    text = json.dumps([type(cell).__name__, content, VERSION, rows], sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _digest_of_rows(name: str, n: int | None) -> str:
    """Digest of the rows of a data set; empty for generated rows, and where the cell will say what is wrong."""
    with suppress(DpgepError):
        return shared_cell_runner().fingerprint(name, n)
    return ""
