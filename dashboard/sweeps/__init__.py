"""Sweeps from the page: what is asked for, the process that computes it, and what its table says."""
