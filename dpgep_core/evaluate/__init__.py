"""Comparison with the exact answer. Everything here reads the private data, and its results are typed apart."""

from dpgep_core.evaluate.diagnostic import Accuracies, Diagnostic, evaluate
from dpgep_core.evaluate.reference import Reference

__all__ = ["Accuracies", "Diagnostic", "Reference", "evaluate"]
