"""Why the results that come with the lab are not all of an exhibit: the one place that says so.

A reason is one of two: data that could not be had, or hours of computation.
"""

from collections.abc import Mapping

CIFAR = "CIFAR-10 has 3,072 columns, and a cell on it takes minutes"
CURVES = f"three classifiers, five seeds and eleven ε take hours on each data set; {CIFAR}"
WHITENING = "CIFAR-10 has 3,072 columns, and its figures 13 and 14 need 42 eigendecompositions of them"
FETCHED = "the whole of Covertype and Optical come from UCI, which was out of reach where the results were computed"
DATA: Mapping[str, str] = {
    "hu-figure-1": FETCHED, "hu-figure-2": FETCHED, "hu-figure-3": FETCHED, "hu-extra-start": FETCHED,
    "shang-table-3": "Real-sim was not to be found; its 72,309 × 20,958 dense rows would take 12 GB",
}  # fmt: skip
HOURS: Mapping[str, str] = {
    "chen-table-2": CIFAR,
    "chen-table-3": "twenty pairs of nine methods take half an hour to two hours a panel with the RBF SVM, the random "
    f"forest and, on RT-IoT2022, the linear SVM; {CIFAR}",
    "chen-figure-1": CURVES, "chen-figure-2": CURVES, "chen-figure-3": CURVES, "chen-figure-4": CURVES,
    "chen-extra-ridge": f"a ξ takes half a minute on MNIST and on Fashion, and more on Dota2 and RT-IoT2022; {CIFAR}",
    "chen-supplement-figure-1": CURVES, "chen-supplement-figure-2": CURVES,
    "chen-supplement-figure-13": WHITENING, "chen-supplement-figure-14": WHITENING,
    "shang-figure-1": "60,000 steps in 784 columns take half a minute a cell and more on MNIST; CIFAR-10 has 3,072 "
    "columns",
    "shang-table-3": "30,000 steps in 784 columns take minutes a cell on MNIST, and DP-VRPCA several times as long",
}  # fmt: skip


def why_left_out(key: str) -> str:
    """Reasons for an exhibit, each with its kind; empty where nothing is left out."""
    kinds = (("data that could not be had", DATA), ("hours of computation", HOURS))
    return "; ".join(f"{kind}: {reasons[key]}" for kind, reasons in kinds if key in reasons)
