"""Sliced inverse regression."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import type_of_target

from dpgep_core.datasets import Dataset, Preprocessing
from dpgep_core.datasets.arrays import reals_of
from dpgep_core.datasets.slices import check_edges_mu
from dpgep_core.errors import DataError, ParameterError
from dpgep_core.estimators.labelled import LabelledProjection


@dataclass(kw_only=True, eq=False, repr=False)
class DPSIR(LabelledProjection):
    """Private sliced inverse regression: directions along which the mean row changes most with y.

    Parameters
    ----------
    n_components : int, optional
        k; one less than there are slices by default, 10 at most.
    algorithm : str
        One whose guarantee holds for this model: ``ssp``, ``dprf``, ``dptrf``, ``sr_dp``, ``dpsr_corrected``.
    edges : list of float, optional
        Public cut points of a real-valued y, increasing; slices are classes. They are needed where y is no label: at
        quantiles of the rows, the guarantee would fail.
    edges_mu : float
        What edges of `dpgep_core.release_edges` have cost: the ledger of the fit counts it in. 0 for chosen ones.
    classes : list, optional
        Labels that may occur, declared without looking at the rows. Left out, they are read off y, and a
        `PrivacyLeakWarning` says so. Beside ``edges`` they are left out, and ``classes_`` names the slices.
    epsilon, delta, bounds, norm, relation, declared_n, xi, sparsity, params, random_state
        As in `PrivateProjection`, which also lists the attributes.
    """

    _model = "sir"

    edges: Sequence[float] | None = None
    edges_mu: float = 0.0

    def _dataset(self, X: NDArray[Any], y: Any, preparation: Preprocessing) -> Dataset:
        if self.edges is None:
            check_edges_mu("DPSIR", self.edges_mu, ())
            if self.classes is None and type_of_target(y).startswith("continuous"):  # no label
                raise ParameterError("edges", None, "public cut points that increase, for a y of real numbers")
            return super()._dataset(X, y, preparation)
        if self.classes is not None:
            raise ParameterError("classes", self.classes, "left out where edges are given")
        edges = reals_of("DPSIR", "edges", self.edges)
        try:
            made = Dataset("DPSIR", "", X, response=y, edges=edges, edges_mu=self.edges_mu,
                           preprocessing=preparation)  # fmt: skip
        except DataError:
            if y.dtype.kind != "O":
                raise
            # The reason names an entry and its row: as for labels, neither is told.
            raise DataError("DPSIR", "an entry of y is no real number", "real numbers are needed") from None
        self.classes_ = np.array(made.classes, dtype=object)
        return made
