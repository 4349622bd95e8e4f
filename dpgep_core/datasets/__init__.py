"""Data sets: bundled, synthetic, and those of a folder."""

from dpgep_core.datasets.dataset import Dataset
from dpgep_core.datasets.preprocessing import Preprocessing

__all__ = ["Dataset", "Preprocessing"]
