"""The registry of measures: what curves, sweeps, searches for a target and the command line may show of a release."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from dpgep_core.evaluate.diagnostic import Diagnostic, reference_parameters
from dpgep_core.evaluate.metrics import cosine_similarity, principal_angles
from dpgep_core.evaluate.reference import Reference
from dpgep_core.privacy.query import Array
from dpgep_core.release import Release

Levels = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One number about a release, with the words of its axis.

    Parameters
    ----------
    key, label, axis : str
    limits : tuple of float, optional
        Ends of the axis; None follows the values.
    column : str
        Column of a table of results, with ``{}`` for the name of a classifier; "" where sweeps do not keep the measure.
    floor, ceiling : tuple of (column, words)
        Columns with the value of a method that knows nothing, and of one without privacy.
    better : int
        1: more is better; -1: less is better; 0: neither.
    rate : float
        Power of d/(n²ρ) in the theory's bound on the measure; 0 where theory bounds another error.
    compute : callable, optional
        From a reference, (d, k) components and the exact components.
    of_diagnostic : callable, optional
        From a diagnostic, where the number is in it.
    """

    key: str
    label: str
    axis: str
    limits: tuple[float, float] | None = None
    column: str = ""
    floor: Levels = ()
    ceiling: Levels = ()
    better: int = 1
    rate: float = 0.0
    compute: Callable[[Reference, Array, Array], float] | None = None
    of_diagnostic: Callable[[Diagnostic], float] | None = None

    @property
    def by_classifier(self) -> bool:
        """Whether each classifier has a value of its own."""
        return "{}" in self.column


def _accuracy(reference: Reference, components: Array, _best: Array) -> float:
    return reference.score(components, "lda").accuracy if reference.scorable else float("nan")


def _to_truth(reference: Reference, components: Array, _best: Array) -> float:
    truth = reference.dataset.truth
    if truth is None:
        return float("nan")
    known = min(components.shape[1], truth.shape[1])
    return float(cosine_similarity(components[:, :known], truth[:, :known]).mean())


def _score(name: str, label: str) -> Measure:
    return Measure(
        key=name, label=label, column=f"{{}}_{name}", axis=f"{label} on held-out rows",
        floor=((f"{{}}_{name}_random", "random projection"), *((("majority", "majority"),) * (name == "accuracy"))),
        ceiling=((f"{{}}_{name}_non_private", "no privacy"),),
    )  # fmt: skip


CHANCE: Levels = (("chance_cosine", "a random direction"),)
MEASURES: dict[str, Measure] = {
    measure.key: measure
    for measure in (
        replace(
            _score("accuracy", "Accuracy"), compute=_accuracy,
            of_diagnostic=lambda found: found.accuracy["lda"].private.accuracy,
        ),
        Measure(
            key="angle", label="Principal angle", column="mean_principal_angle",
            axis="Mean principal angle to exact (degrees)", limits=(0, 92), better=-1,
            compute=lambda _, components, best: float(principal_angles(components, best).mean()),
            of_diagnostic=lambda found: float(found.principal_angles.mean()),
        ),
        Measure(
            key="cosine", label="Cosine", column="mean_cosine_similarity", axis="Mean |cosine| to exact components",
            limits=(0, 1.04), floor=CHANCE,
            compute=lambda _, components, best: float(cosine_similarity(components, best).mean()),
            of_diagnostic=lambda found: float(found.cosine_similarity.mean()),
        ),
        Measure(
            key="first_cosine", label="First cosine", column="first_cosine_similarity",
            axis="|cosine| of the first component to exact", limits=(0, 1.04), floor=CHANCE,
            compute=lambda _, components, best: float(cosine_similarity(components, best)[0]),
            of_diagnostic=lambda found: float(found.cosine_similarity[0]),
        ),
        Measure(
            key="subspace", label="Subspace", axis="Mean cosine of the principal angles to exact", limits=(0, 1.04),
            compute=lambda _, components, best: float(np.cos(np.radians(principal_angles(components, best))).mean()),
        ),
        Measure(
            key="truth", label="To the truth", axis="Mean |cosine| to the true directions", limits=(0, 1.04),
            compute=_to_truth,
        ),
        Measure(
            key="sine", label="1 − cos² (error)", column="sine", axis="1 − cos² of the first component to exact",
            better=-1, rate=1.0,
        ),
        Measure(
            key="subspace_distance", label="Subspace distance", column="subspace_distance",
            axis="‖VVᵀ − V̂V̂ᵀ‖_F to exact", better=-1, rate=0.5, of_diagnostic=lambda found: found.subspace_distance,
        ),
        Measure(
            key="shang_distance", label="‖V − V̂‖²_F", column="shang_distance", axis="‖V − V̂‖²_F, signs aligned",
            better=-1, of_diagnostic=lambda found: found.shang_distance,
        ),
        Measure(
            key="explained", label="Explained", column="explained", axis="Share of the exact objective",
            of_diagnostic=lambda found: found.explained,
        ),
        _score("precision", "Precision"),
        _score("recall", "Recall"),
        _score("f1", "F1"),
        Measure(
            key="all_private", label="Accuracy, all private", column="{}_accuracy_all_private",
            axis="Accuracy, the classifier private too", floor=(("majority", "majority"),),
            ceiling=(("{}_accuracy_non_private", "no privacy"),),
        ),
        Measure(key="accounted", label="Accounted ε", column="accounted_epsilon", axis="ε accounted by the ledger",
                better=0),
        Measure(key="mu", label="μ", column="mu", axis="μ accounted by the ledger", better=0),
        Measure(key="sigma", label="σ", column="sigma", axis="σ of the noise, first answer", better=0),
        Measure(key="second_sigma", label="σ of step 2", column="second_sigma", axis="σ of the noise, second answer",
                better=0),
    )
}  # fmt: skip

SWEEP_MEASURES: Mapping[str, Measure] = {key: measure for key, measure in MEASURES.items() if measure.column}
CURVE_MEASURES: Mapping[str, Measure] = {
    key: replace(measure, axis="Accuracy of LDA on held-out rows") if key == "accuracy" else measure
    for key, measure in MEASURES.items()
    if measure.compute is not None
}  # of one release, whose accuracy is that of the instant classifier
TARGETS = ("accuracy", "cosine", "subspace")  # measures with a target that more budget, or more rows, reaches


def compute_measure(key: str, reference: Reference, components: Array, best: Array) -> float:
    """One measure of components against the exact ones ``best``; NaN where the data set does not allow the measure."""
    compute = MEASURES[key].compute
    assert compute is not None, key
    return compute(reference, components, best)


def score_of(key: str, reference: Reference, release: Release) -> float:
    """One measure of a release, against the exact solution at the same ridge and sparsity."""
    return compute_measure(key, reference, release.components, exact_for(reference, release))


def exact_for(reference: Reference, release: Release) -> Array:
    """(d, k) exact components at the ridge and the sparsity that a release was asked for."""
    return reference.exact(release.components.shape[1], *reference_parameters(release))
