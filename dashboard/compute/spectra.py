"""Eigenvalues of the scatter: as one release tells them, as they are used, and as the rows have them. Reads rows."""

from dataclasses import dataclass, field

import numpy as np

from dpgep_core.evaluate import Reference
from dpgep_core.models.moments import Moments
from dpgep_core.params import parameters, with_parameters
from dpgep_core.privacy.query import Array
from dpgep_core.protocols import OneRelease
from dpgep_core.release import Release
from dpgep_core.solve import Plan

CLEAN = "clean_eigenvalues"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScatterSpectra:
    """Eigenvalues of the scatter of the averages, largest first: within classes, or about the mean without classes.

    Parameters
    ----------
    exact, released, used : array (d,)
        Of the rows; of the answers as they came; after cleaning, or cut at 0 where nothing is cleaned.
    edge, ridge : float
        Noise edge of the released scatter, and the ridge that is added.
    cleaned : bool
        Whether eigenvalues were cleaned.
    """

    exact: Array = field(repr=False)
    released: Array = field(repr=False)
    used: Array = field(repr=False)
    edge: float
    ridge: float
    cleaned: bool


def scatter_spectra(bound: Plan, release: Release, reference: Reference) -> ScatterSpectra | None:
    """The spectra of a release; None where it keeps no moments."""
    method, moments = release.method, release.moments
    if moments is None or not isinstance(method, OneRelease):
        return None
    raw = with_parameters(method, **({CLEAN: False} if CLEAN in parameters(type(method)) else {}))
    released = _values(raw.tidied(release.answers, release.public, bound.seen_grant).moments, release)
    used = np.maximum(_values(moments, release), 0.0)
    return ScatterSpectra(
        exact=np.maximum(_values(reference.problem.moments, release), 0.0),
        released=released,
        used=used,
        edge=release.facts["noise_edge"],
        ridge=release.facts["xi_effective"],
        cleaned=not np.allclose(used, np.maximum(released, 0.0), rtol=1e-6, atol=1e-9 * float(used.max(initial=0.0))),
    )


def _values(moments: Moments, release: Release) -> Array:
    scatter = moments.within if release.public.joint_columns > 1 else moments.covariance
    return np.asarray(np.linalg.eigvalsh(scatter)[::-1], dtype=np.float64)
