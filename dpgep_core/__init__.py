"""DP-GEP Lab: differentially private generalized eigenvalue problems."""
