"""DP-GEP Lab: differentially private generalized eigenvalue problems."""

from dpgep_core.datasets import Dataset, Preprocessing, dataset_names, load_dataset
from dpgep_core.errors import BudgetExceededError, DataError, DpgepError, ParameterError, UnknownNameError
from dpgep_core.evaluate import Diagnostic, evaluate
from dpgep_core.models import MODELS
from dpgep_core.plugins import load_plugins
from dpgep_core.publishing import load_release
from dpgep_core.release import VERSION, Release, Setting
from dpgep_core.slicing import release_edges
from dpgep_core.solve import ALGORITHMS, solve

__all__ = [
    "ALGORITHMS",
    "MODELS",
    "BudgetExceededError",
    "DataError",
    "Dataset",
    "Diagnostic",
    "DpgepError",
    "ParameterError",
    "Preprocessing",
    "Release",
    "Setting",
    "UnknownNameError",
    "__version__",
    "dataset_names",
    "evaluate",
    "load_dataset",
    "load_release",
    "release_edges",
    "solve",
]

__version__ = VERSION
load_plugins()  # last: what they import from this package is then there
