"""Why the results that come with the lab are not all of an exhibit: the one place that says so.

A reason is one of two: data that could not be had, or hours of computation.
"""

from collections.abc import Mapping

CURVES = (
    "eleven ε, five seeds and seven methods or more take up to an hour and a half a panel with the RBF SVM or the "
    "random forest, and several hours on CIFAR-10, in whose 3,072 columns a release of DPSR takes half a minute"
)
FETCHED = "Optical comes from UCI, which was out of reach where the results were computed"
DATA: Mapping[str, str] = {
    "hu-figure-1": FETCHED, "hu-figure-2": FETCHED, "hu-figure-3": FETCHED, "hu-extra-start": FETCHED,
    "shang-table-3": "Real-sim was not to be found; its 72,309 × 20,958 dense rows would take 12 GB",
}  # fmt: skip
HOURS: Mapping[str, str] = {
    "chen-figure-1": CURVES, "chen-figure-2": CURVES, "chen-figure-3": CURVES, "chen-figure-4": CURVES,
    "chen-extra-ridge": "each of 336 runs takes half a minute on CIFAR-10",
    "chen-supplement-figure-1": CURVES, "chen-supplement-figure-2": CURVES,
    "shang-figure-1": "60,000 steps take up to a minute a run in the 784 columns of MNIST, and more in the 3,072 of "
    "CIFAR-10",
}  # fmt: skip


def why_left_out(key: str) -> str:
    """Reasons for an exhibit, each with its kind; empty where nothing is left out."""
    kinds = (("data that could not be had", DATA), ("hours of computation", HOURS))
    return "; ".join(f"{kind}: {reasons[key]}" for kind, reasons in kinds if key in reasons)
