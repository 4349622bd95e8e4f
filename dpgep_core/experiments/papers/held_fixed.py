"""Settings that all values of an exhibit share, and which of its curves no guarantee covers: the one place for both.

Figures and their files carry both sentences: a curve against ε cannot be reported without its δ.
"""

from collections.abc import Mapping

from dpgep_core.params import USUAL_DELTA

DELTA = f"δ = {USUAL_DELTA}"
CHEN = f"unit rows, ten components, ξ = 0.01, m = 15, {DELTA}"
CHANGE = "FDA on unit rows, the mean over five rows that leave"
HU = f"one component, ξ = 1e-6, fifteen steps of η = 0.1 for CCA and 1 otherwise, {DELTA}"
HU_ROWS = "the most rows that the paper takes of each set"
STEPS: Mapping[str, str] = {"chen-supplement-figure-1": "η = 0.5", "chen-supplement-figure-2": "η = 0.25"}
BARE_DPSR = "No ε covers DPSR, which releases eigenvalues without noise, whatever its constants are."
ORACLE = "No ε covers a start at the exact answer (oracle start)."
NO_GUARANTEE: Mapping[str, str] = {
    **dict.fromkeys(("table-2", "table-3", "figure-1", "figure-2"), f"{BARE_DPSR} {ORACLE}"),
    **dict.fromkeys(("supplement-figure-1", "supplement-figure-2"), f"{BARE_DPSR} {ORACLE}"),
    **dict.fromkeys(("figure-3", "figure-4", "extra-ridge"), BARE_DPSR),
}


def held_fixed(key: str) -> str:
    """Settings that all values of an exhibit share."""
    if key.startswith("shang-"):
        return "unit rows, ten components, δ = 0.001"
    if key.startswith("hu-"):
        return f"{HU}; {HU_ROWS}" if key == "hu-extra-start" else f"{HU}; random starts"
    if key == "chen-extra-ridge":
        return f"unit rows, ten components, linear SVM, ε = 1, η = 1, m = 15, {DELTA}"
    number = key.rpartition("-")[2]
    if "supplement" in key and int(number) > 2:
        return f"{CHANGE}; ξ = 0.01" if int(number) % 2 else f"{CHANGE}; at most 10,000 rows"
    return f"{CHEN}, {STEPS.get(key, 'η = 1')}"


def no_guarantee(key: str) -> str:
    """Sentence on the curves or rows of an exhibit that no guarantee covers; empty where nothing is to be said."""
    if key == "hu-extra-start":
        return ORACLE.replace("oracle start", "exact start")
    if key.startswith("shang-"):
        return "No proof covers the published noise of DP-VRPCA."
    return NO_GUARANTEE.get(key.removeprefix("chen-"), "")
