"""The pseudocode of each paper in plain NumPy, step by step as it is written: what our code is measured against.

Nothing here is fast, private or checked. A and B are (d, d) arrays, rng is a NumPy generator, and σ follows the
formula of the paper. The tests compare each function with our algorithm: in value without noise, in law with it.
"""

from benchmarks.literal.chen import dpsr, dpsr_corrected, sr_dp
from benchmarks.literal.flow import dprf
from benchmarks.literal.principal import dp_spca, dp_vrpca, ppi
from benchmarks.literal.ssp import ssp

__all__ = ["dp_spca", "dp_vrpca", "dprf", "dpsr", "dpsr_corrected", "ppi", "sr_dp", "ssp"]
