"""Data sets that are loaded to be released: where they do not load, no message tells of their rows."""

from dpgep_core.datasets.silent import open_silently as loaded_for_release
from dpgep_core.datasets.silent import silent_error

__all__ = ["loaded_for_release", "silent_error"]
