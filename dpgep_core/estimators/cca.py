"""Canonical correlations."""

from collections.abc import Mapping
from typing import Any

from dpgep_core.estimators.base import PrivateProjection


class DPCCA(PrivateProjection):
    """Private canonical correlations of two views, whose columns stand side by side in X. y is ignored.

    Parameters
    ----------
    epsilon : float
        ε asked for, > 0. Each fit spends it; fits of the same rows add up.
    delta : float, optional
        δ, in (0, 1); n^-1.1 by default.
    n_components : int, optional
        k; 2 by default.
    algorithm : str
        One whose guarantee holds for this model: ``ssp``, ``dprf``, ``dptrf``, ``sr_dp``, ``dpsr_corrected``.
    bounds : pair (lower, upper), optional
        Public bounds of the columns, each a number or one for each column. They are chosen without looking at the
        rows. None leaves the columns as they are; nothing is learnt.
    norm : float, optional
        Public radius that rows are clipped to. None brings every row to norm 1; nothing is learnt.
    view_columns : int
        Columns of the first view, from the left; 0 takes halves.
    relation : {"replace_one", "add_remove"}
        Neighbouring relation. With the first, the number of rows is public.
    declared_n : int, optional
        Public number of rows, for "add_remove". Left out, it is read off the rows, and a warning says so.
    xi, sparsity : float, int, optional
        Ridge ξ and entries kept in each component, where the algorithm has them; None keeps its defaults.
    params : mapping, optional
        Further parameters of the algorithm and the model by name, such as ``n_iterations``.
    random_state : int, RandomState or None
        None draws the noise from the system's entropy. A known seed is no noise: use one for tests alone.

    Attributes
    ----------
    components_ : array (k, d)
    epsilon_, claimed_epsilon_, delta_ : float
        The ε that the ledger proves, the ε asked for, and the δ of both.
    ledger_ : Ledger
    leaks_ : tuple of str
        Sentences about what ``epsilon_`` does not cover.
    release_ : Release
        What `dpgep_core.solve` gives for the same rows, setting and seed.
    """

    _model = "cca"
    _own = ("view_columns",)
    _least_columns = 2

    def __init__(
        self,
        *,
        epsilon: float = 1.0,
        delta: float | None = None,
        n_components: int | None = None,
        algorithm: str = "ssp",
        bounds: Any = None,
        norm: float | None = None,
        view_columns: int = 0,
        relation: str = "replace_one",
        declared_n: int | None = None,
        xi: float | None = None,
        sparsity: int | None = None,
        params: Mapping[str, Any] | None = None,
        random_state: Any = None,
    ) -> None:
        self.epsilon = epsilon
        self.delta = delta
        self.n_components = n_components
        self.algorithm = algorithm
        self.bounds = bounds
        self.norm = norm
        self.view_columns = view_columns
        self.relation = relation
        self.declared_n = declared_n
        self.xi = xi
        self.sparsity = sparsity
        self.params = params
        self.random_state = random_state
