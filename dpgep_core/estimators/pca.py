"""Principal components."""

from dataclasses import dataclass

from dpgep_core.estimators.base import PrivateProjection


@dataclass(kw_only=True, eq=False, repr=False)
class DPPCA(PrivateProjection):
    """Private principal components. y is ignored.

    Parameters
    ----------
    n_components : int, optional
        k; 10 by default, d at most.
    algorithm : str
        One whose guarantee holds for this model: ``ssp``, ``dprf``, ``dptrf``, ``sr_dp``, ``dpsr_corrected``,
        ``analyze_gauss``, ``mod_sulq``.
    centred : bool
        False takes the second moment about zero instead of the covariance: less noise.
    epsilon, delta, bounds, norm, relation, declared_n, xi, sparsity, params, random_state
        As in `PrivateProjection`, which also lists the attributes.
    """

    _model = "pca"
    _own = ("centred",)

    centred: bool = True
