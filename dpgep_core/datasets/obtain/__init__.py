"""Data sets of the papers: where each is, how it comes into the data folder, and what is public about it."""

from dpgep_core.datasets.obtain.bring import Brought, bring, is_here
from dpgep_core.datasets.obtain.catalogue import CATALOGUE, PublicSet, public_set

__all__ = ["CATALOGUE", "Brought", "PublicSet", "bring", "is_here", "public_set"]
