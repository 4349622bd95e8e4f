"""The numbers that the papers print, in the orientation of their tables."""

from collections.abc import Mapping

PAPER_CLASSIFIERS = ("linear_svm", "rbf_svm", "random_forest")
CHEN_DATA = ("MNIST", "a9a", "Fashion", "CIFAR10", "Dota2", "IoT22")

# Percent at ε = 1: linear SVM, RBF SVM and random forest for each data set of CHEN_DATA.
CHEN_TABLE_2: Mapping[tuple[str, str], tuple[tuple[int, int, int], ...]] = {
    ("DPRF", "precision"): ((50, 65, 63), (62, 78, 78), (60, 70, 70), (5, 26, 24), (29, 53, 52), (89, 94, 98)),
    ("DPSR", "precision"): ((85, 90, 90), (81, 82, 82), (75, 77, 81), (15, 27, 26), (39, 54, 53), (93, 95, 99)),
    ("DPRF", "recall"): ((52, 65, 63), (77, 80, 80), (60, 70, 70), (12, 27, 25), (53, 53, 52), (91, 94, 98)),
    ("DPSR", "recall"): ((85, 80, 90), (82, 83, 83), (75, 78, 81), (19, 28, 27), (53, 54, 53), (93, 95, 99)),
    ("DPRF", "f1"): ((50, 65, 64), (67, 75, 78), (59, 69, 70), (4, 25, 24), (37, 45, 51), (89, 94, 98)),
    ("DPSR", "f1"): ((84, 90, 90), (81, 82, 82), (74, 77, 81), (13, 26, 26), (38, 46, 52), (92, 95, 99)),
}

# Wilcoxon p of DPSR against DPRF at ε = 1, for each data set of CHEN_DATA.
CHEN_TABLE_3: Mapping[str, tuple[float, ...]] = {
    "linear_svm": (0.0, 0.0, 0.0, 0.0, 0.6462, 0.0),
    "rbf_svm": (0.0, 0.0, 0.0, 0.0, 0.2069, 0.0),
    "random_forest": (0.0, 0.0, 0.0, 0.0, 0.0539, 0.6583),
}

SHANG_DATA = ("a9a", "MNIST", "Real-sim")

# Accuracy in percent at ε = 0.1, for each data set of SHANG_DATA, and the paper's ±.
SHANG_TABLE_3: Mapping[str, tuple[tuple[float, float], ...]] = {
    "non-private": ((84.9483, 0.0), (99.2883, 0.0), (99.4275, 0.0)),
    "PPI": ((79.8034, 0.14), (96.1450, 0.20), (71.7836, 0.11)),
    "MOD-SULQ": ((80.1136, 0.10), (96.5200, 0.09), (72.7932, 0.17)),
    "Gaussian": ((80.3199, 0.23), (97.0667, 0.34), (85.5685, 0.34)),
    "DP-SPCA": ((82.5539, 0.09), (98.3500, 0.18), (92.1290, 0.10)),
    "DP-VRPCA": ((82.5539, 0.07), (98.4750, 0.14), (94.1852, 0.13)),
}


def chen_table_2(method: str, metric: str, dataset: str, classifier: str) -> float | None:
    """A cell of the table in percent, None where it has none."""
    row = CHEN_TABLE_2.get((method, metric))
    return None if row is None else float(row[CHEN_DATA.index(dataset)][PAPER_CLASSIFIERS.index(classifier)])


def chen_table_3(dataset: str, classifier: str) -> float:
    """A cell of the table."""
    return CHEN_TABLE_3[classifier][CHEN_DATA.index(dataset)]


def shang_table_3(method: str, dataset: str) -> float | None:
    """A cell of the table in percent, None where it has none."""
    row = SHANG_TABLE_3.get(method)
    return None if row is None else row[SHANG_DATA.index(dataset)][0]
