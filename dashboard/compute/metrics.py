"""What the curves can show, each with its words. The keys are fields of a draw."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Metric:
    """What a curve shows, with the words of its axis."""

    key: str
    label: str
    axis: str
    limits: tuple[float, float] | None


METRICS: Mapping[str, Metric] = {
    metric.key: metric
    for metric in (
        Metric("accuracy", "Accuracy", "Accuracy of LDA on held-out rows", None),
        Metric("angle", "Principal angle", "Mean principal angle to exact (degrees)", (0, 92)),
        Metric("cosine", "Cosine", "Mean |cosine| to exact components", (0, 1.04)),
        Metric("first_cosine", "First cosine", "|cosine| of the first component to exact", (0, 1.04)),
        Metric("subspace", "Subspace", "Mean cosine of the principal angles to exact", (0, 1.04)),
        Metric("truth", "To the truth", "Mean |cosine| to the true directions", (0, 1.04)),
    )
}
