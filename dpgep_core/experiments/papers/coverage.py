"""How much of an exhibit a run is, counted from what was run and what the exhibit has."""

from collections.abc import Sequence

from dpgep_core.experiments.papers.data import is_part
from dpgep_core.experiments.papers.exhibit import Exhibit, ResultLine

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
    trained = [name for name in exhibit.classifiers if any(labels.get("classifier") == name for labels in computed)]
    own = [name for name in data if name in whole_data_sets(exhibit)]
    parts = [name for name in data if name not in own]
    run = len({(labels["data"], labels.get("classifier")) for labels in computed if labels.get("data") in own})
    most = len(whole_data_sets(exhibit)) * max(1, len(exhibit.classifiers))
    if run >= most:
        return []
    kind = "panels" if exhibit.classifiers else "data sets"
    some = "; ".join(filter(None, (", ".join(own), ", ".join(CLASSIFIER_WORDS.get(name, name) for name in trained))))
    also = [f"with {', '.join(parts)} beside them"] if parts else []
    return [f"{run} of {most} {kind}" + (f" ({some})" if some else ""), *also]


def _seeds(exhibit: Exhibit, lines: Sequence[ResultLine]) -> list[str]:
    runs = max((line.runs for line in lines), default=0)
    return [f"{runs} of {exhibit.seeds} runs behind a value"] if 0 < runs < exhibit.seeds else []
