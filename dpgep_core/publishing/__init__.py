"""Publishing: a budget that is kept, releases that spend it, and the file that each release leaves."""

from dpgep_core.publishing.loaded_release import LoadedRelease, load_release

__all__ = ["LoadedRelease", "load_release"]
