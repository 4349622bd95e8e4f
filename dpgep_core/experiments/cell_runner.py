"""One cell: solved, compared, scored. What cells share, data sets, exact answers, releases, is made once."""

import math
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import replace
from threading import RLock
from typing import Any, Protocol, TypeVar

import numpy as np

from dpgep_core.datasets import Dataset, open_dataset
from dpgep_core.datasets.digests import dataset_digest
from dpgep_core.datasets.readers.parts import REMOTE
from dpgep_core.errors import DpgepError, ParameterError
from dpgep_core.evaluate import Diagnostic, Reference
from dpgep_core.evaluate.classify import Score
from dpgep_core.evaluate.diagnostic import WHAT_IF, diagnose
from dpgep_core.evaluate.measures import MEASURES
from dpgep_core.experiments.grid import Cell
from dpgep_core.learnt import learnt_sentence
from dpgep_core.models import model_entry
from dpgep_core.params import parameters
from dpgep_core.release import Release, Setting
from dpgep_core.reuse import release_of
from dpgep_core.typed_scipy import blas_threads

Remembered = TypeVar("Remembered")
CellRow = dict[str, Any]
METRICS_IN_ORDER = ("cosine", "first_cosine", "angle", "subspace_distance", "shang_distance", "explained")
SCORE_COLUMNS = ("accuracy", "precision", "recall", "f1")
SCORE_KINDS = ("private", "non_private", "random", "all_private")


class CustomCell(Protocol):
    """Work that is kept like a cell but is no point of a grid: it computes itself."""

    def content(self) -> CellRow: ...
    def compute(self) -> CellRow: ...


class CellRunner:
    """Computes cells and keeps what the next ones are likely to need again. One for each process.

    Every cell is computed with one BLAS thread: its numbers then do not depend on how many others run beside it. That
    number of threads is the process's own, and so are the things kept: of several threads, as in a Dask worker, one
    computes at a time.
    """

    def __init__(self) -> None:
        self._alone = RLock()
        self._wholes: OrderedDict[Hashable, Dataset] = OrderedDict()
        self._datasets: OrderedDict[Hashable, Dataset] = OrderedDict()
        self._references: OrderedDict[Hashable, Reference] = OrderedDict()
        self._releases: OrderedDict[Hashable, Release] = OrderedDict()
        self._fingerprints: dict[tuple[str, int | None], str] = {}

    def fingerprint(self, name: str, n: int | None) -> str:
        """Digest that tells the rows of a data set, or its first n, from others."""
        with self._alone:
            if (name, n) not in self._fingerprints:
                self._fingerprints[name, n] = dataset_digest(self.dataset(name, n)).hex()[:32]
            return self._fingerprints[name, n]

    def run(self, cell: Cell) -> CellRow:
        """The numbers of a cell, by column.

        Raises
        ------
        DpgepError
            If the cell cannot be computed: a setting that does not fit the data, a budget that is exceeded.
        """
        with self._alone, blas_threads(1):
            data = self.dataset(cell.dataset, cell.n)
            release = self._release(cell, data)
            found = diagnose(self._reference(cell, data), release, cell.classifiers)
        return {**_of_release(release), **_of_diagnostic(found), **_scores(found)}

    def random_row(self, cell: Cell, k: int, seed: int) -> CellRow:
        """Scores of a random projection on k components in place of the cell's release, by column."""
        with self._alone, blas_threads(1):
            reference = self._reference(cell, self.dataset(cell.dataset, cell.n))
            frame = reference.random(k, seed)
            scores = {name: reference.score(frame, name) for name in cell.classifiers}
        return {f"{name}_{what}": getattr(score, what) for name, score in scores.items() for what in SCORE_COLUMNS}

    def dataset(self, name: str, n: int | None) -> Dataset:
        """A data set, or its first n rows."""
        with self._alone:
            return _keep(self._datasets, (name, n), 3, lambda: with_first_rows(self._whole(name), n))

    def _whole(self, name: str) -> Dataset:
        """All rows. Those of a URL are kept for several n: where its store tells of no changes, nobody else does."""
        return _keep(self._wholes, name, 3, lambda: open_dataset(name)) if REMOTE in name else open_dataset(name)

    def _reference(self, cell: Cell, data: Dataset) -> Reference:
        setting = cell.setting
        own = None if data.X_test is not None else (setting.row_seed, setting.test_size)
        key = (cell.dataset, cell.n, own, setting.model, setting.bounds, _of_model(setting))
        return _keep(self._references, key, 3, lambda: Reference.of(data, setting))

    def _release(self, cell: Cell, data: Dataset) -> Release:
        def remember(setting: Setting, make: Callable[[], Release]) -> Release:
            # Classifiers of one setting, asked for one after the other, share its release.
            return _keep(self._releases, (cell.dataset, cell.n, setting), 2, make)

        return release_of(data, cell.setting, remember)


def with_first_rows(data: Dataset, n: int | None) -> Dataset:
    """A data set with its first n rows; a published test split stays whole."""
    if n is None:
        return data
    if n > data.n:
        raise ParameterError("n", n, f"at most the {data.n} rows of {data.name}")
    cut = {part: None if getattr(data, part) is None else getattr(data, part)[:n] for part in ("X", "y", "response")}
    return replace(data, **cut)


def _of_model(setting: Setting) -> tuple[tuple[str, Any], ...]:
    own = parameters(model_entry(setting.model).make)
    return tuple((name, value) for name, value in setting.params if name in own)


def _keep(
    kept: OrderedDict[Hashable, Remembered], key: Hashable, most: int, make: Callable[[], Remembered]
) -> Remembered:
    if key not in kept:
        while len(kept) >= most:
            kept.popitem(last=False)
        kept[key] = make()
    kept.move_to_end(key)
    return kept[key]


def _of_release(release: Release) -> CellRow:
    public, mu, unprotected = release.public, release.ledger.mu, release.ledger.unprotected
    sigmas = [entry.sigma for entry in release.ledger if entry.protected]
    return {
        "n": public.n, "d": public.d, "k": public.k, "delta_used": release.accounted.delta,
        "claimed_epsilon": None if release.claimed is None else release.claimed.epsilon,
        "accounted_epsilon": release.accounted.epsilon, "mu": mu if math.isfinite(mu) else None,
        "unprotected": ", ".join(unprotected),
        "unbounded": "" if unprotected else release.accounted.reason,  # why no finite ε is accounted
        "sigma": sigmas[0] if sigmas else None, "second_sigma": sigmas[1] if len(sigmas) > 1 else None,
        "xi_effective": release.facts.get("xi_effective"), "status": release.status,
        "learnt": learnt_sentence(release.learnt), "warnings": " ".join(release.warnings), "label": WHAT_IF,
    }  # fmt: skip


def _of_diagnostic(found: Diagnostic) -> CellRow:
    shown = (MEASURES[key] for key in METRICS_IN_ORDER)
    values = {measure.column: measure.of_diagnostic(found) for measure in shown if measure.of_diagnostic is not None}
    values["chance_cosine"] = found.chance_cosine
    finite = {column: float(value) if np.isfinite(value) else None for column, value in values.items()}
    return {**finite, "majority": found.majority, "accuracy_note": found.accuracy_note}


def _scores(found: Diagnostic) -> CellRow:
    row: CellRow = {}
    for name, scores in found.accuracy.items():
        for kind in SCORE_KINDS:
            score: Score | None = getattr(scores, kind)
            for what in SCORE_COLUMNS if score is not None else ():
                row[f"{name}_{what}" + ("" if kind == "private" else f"_{kind}")] = getattr(score, what)
    return row


def error_row(error: Exception) -> CellRow:
    """The row of a cell that could not be computed."""
    kind = "" if isinstance(error, DpgepError) else f"{type(error).__name__}: "
    return {"error": kind + " ".join(str(error).split())}
