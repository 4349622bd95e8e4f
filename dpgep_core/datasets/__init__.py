"""Data sets: bundled, synthetic, and those of a folder."""

from dpgep_core.datasets.dataset import Dataset
from dpgep_core.datasets.preprocessing import Preprocessing
from dpgep_core.datasets.registry import (
    DatasetSizes,
    dataset_names,
    dataset_problems,
    dataset_sizes,
    dataset_title,
    dataset_titles,
    load_dataset,
    open_dataset,
    resolve_dataset,
)
from dpgep_core.datasets.smooth import smoothed
from dpgep_core.datasets.split import Split, split

__all__ = [
    "Dataset",
    "DatasetSizes",
    "Preprocessing",
    "Split",
    "dataset_names",
    "dataset_problems",
    "dataset_sizes",
    "dataset_title",
    "dataset_titles",
    "load_dataset",
    "open_dataset",
    "resolve_dataset",
    "smoothed",
    "split",
]
