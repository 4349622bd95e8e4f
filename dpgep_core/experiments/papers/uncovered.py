"""Results that no guarantee covers, from their labels: pages, figures and files say so beside them."""

from collections.abc import Sequence

from dpgep_core.experiments.papers.exhibit import ResultLine

UNCOVERED = (  # a label, its value, and what is to be said where a line has it
    ("method", "DPSR", "No ε covers DPSR, which releases eigenvalues without noise, whatever its constants are."),
    ("start", "oracle", "No ε covers a start at the exact answer (oracle start)."),
    ("method", "DP-VRPCA", "No proof covers the published noise of DP-VRPCA."),
)


def uncovered(lines: Sequence[ResultLine]) -> str:
    """Sentences on those of some lines that no guarantee covers; empty where there are none."""
    said = [words for label, value, words in UNCOVERED if any(line.labels.get(label) == value for line in lines)]
    return " ".join(said)
