"""Canonical correlations."""

from dataclasses import dataclass

from dpgep_core.estimators.base import PrivateProjection


@dataclass(kw_only=True, eq=False, repr=False)
class DPCCA(PrivateProjection):
    """Private canonical correlations of two views, whose columns stand side by side in X. y is ignored.

    Parameters
    ----------
    n_components : int, optional
        k; 2 by default.
    algorithm : str
        One whose guarantee holds for this model: ``ssp``, ``dprf``, ``dptrf``, ``sr_dp``, ``dpsr_corrected``.
    view_columns : int
        Columns of the first view, from the left; 0 takes halves.
    epsilon, delta, bounds, norm, relation, declared_n, xi, sparsity, params, random_state
        As in `PrivateProjection`, which also lists the attributes.
    """

    _model = "cca"
    _own = ("view_columns",)
    _least_columns = 2

    view_columns: int = 0
