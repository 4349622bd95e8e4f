"""What a sweep can show, each measure with its words, and what it lies between."""

from collections.abc import Mapping
from dataclasses import dataclass

from dashboard.compute.metrics import METRICS


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A column of the table, or one made of it, with its words.

    Parameters
    ----------
    column : str
        With ``{}`` for the name of a classifier.
    floor, ceiling : tuple of (column, words)
        What knows nothing and what has no privacy reach.
    better : int
        1: more is better; -1: less is; 0: neither.
    rate : float
        The power of d/(n²ρ) that theory bounds it by; 0 where it is none of the errors that theory speaks of.
    """

    key: str
    label: str
    column: str
    axis: str
    limits: tuple[float, float] | None = None
    floor: tuple[tuple[str, str], ...] = ()
    ceiling: tuple[tuple[str, str], ...] = ()
    better: int = 1
    rate: float = 0.0

    @property
    def by_classifier(self) -> bool:
        return "{}" in self.column


def _score(name: str, label: str) -> Measure:
    return Measure(
        key=name, label=label, column=f"{{}}_{name}", axis=f"{label} on held-out rows",
        floor=((f"{{}}_{name}_random", "random projection"), *((("majority", "majority"),) * (name == "accuracy"))),
        ceiling=((f"{{}}_{name}_non_private", "no privacy"),),
    )  # fmt: skip


CHANCE = (("chance_cosine", "a random direction"),)
MEASURES: Mapping[str, Measure] = {
    measure.key: measure
    for measure in (
        _score("accuracy", "Accuracy"),
        Measure(
            key="angle", label="Principal angle", column="mean_principal_angle", axis=METRICS["angle"].axis,
            limits=METRICS["angle"].limits, better=-1,
        ),
        Measure(
            key="cosine", label="Cosine", column="mean_cosine_similarity", axis=METRICS["cosine"].axis,
            limits=METRICS["cosine"].limits, floor=CHANCE,
        ),
        Measure(
            key="first_cosine", label="First cosine", column="first_cosine_similarity",
            axis=METRICS["first_cosine"].axis, limits=METRICS["first_cosine"].limits, floor=CHANCE,
        ),
        Measure(
            key="sine", label="1 − cos² (error)", column="sine", axis="1 − cos² of the first component to exact",
            better=-1, rate=1.0,
        ),
        Measure(
            key="subspace_distance", label="Subspace distance", column="subspace_distance",
            axis="‖VVᵀ − V̂V̂ᵀ‖_F to exact", better=-1, rate=0.5,
        ),
        Measure(key="shang_distance", label="‖V − V̂‖²_F", column="shang_distance", axis="‖V − V̂‖²_F, signs aligned",
                better=-1),
        Measure(key="explained", label="Explained", column="explained", axis="Share of the exact objective"),
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
    )
}  # fmt: skip
