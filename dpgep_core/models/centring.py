"""Rows about the centres of their classes, brought into the unit ball."""

import numpy as np

from dpgep_core.privacy.query import Array

SHORTEST = 1e-12  # a row nearer to its centre counts as lying on it


def about_centres(rows: Array, centres: Array, radius: float) -> Array:
    """Rows about their centres, at norm 1 or clipped at a radius and divided by it."""
    about = rows - centres
    largest = np.abs(about).max(axis=1, keepdims=True, initial=0.0)
    about = about / np.where(largest > SHORTEST, largest, np.inf) if not radius else about
    norms = np.linalg.norm(about, axis=1, keepdims=True)
    if radius:
        return about / np.maximum(norms, radius)
    return about / np.where(norms > 0, norms, np.inf)
