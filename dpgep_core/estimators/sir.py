"""Sliced inverse regression."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpgep_core.datasets import Dataset, Preprocessing
from dpgep_core.datasets.arrays import reals_of
from dpgep_core.errors import ParameterError
from dpgep_core.estimators.declared import is_real_valued
from dpgep_core.estimators.labelled import LabelledProjection


class DPSIR(LabelledProjection):
    """Private sliced inverse regression: directions along which the mean row changes most with y.

    Parameters
    ----------
    epsilon : float
        ε asked for, > 0. Each fit spends it; fits of the same rows add up.
    delta : float, optional
        δ, in (0, 1); n^-1.1 by default.
    n_components : int, optional
        k; one less than there are slices by default, 10 at most.
    algorithm : str
        One whose guarantee holds for this model: ``ssp``, ``dprf``, ``dptrf``, ``sr_dp``, ``dpsr_corrected``.
    bounds : pair (lower, upper), optional
        Public bounds of the columns, each a number or one for each column. They are chosen without looking at the
        rows. None leaves the columns as they are; nothing is learnt.
    norm : float, optional
        Public radius that rows are clipped to. None brings every row to norm 1; nothing is learnt.
    edges : list of float, optional
        Public cut points of a real-valued y, increasing; slices are classes. They are needed where y is no label: at
        quantiles of the rows, the guarantee would fail.
    edges_mu : float
        What edges of `dpgep_core.release_edges` have cost: the ledger of the fit counts it in. 0 for chosen ones.
    classes : list, optional
        Labels that may occur, declared without looking at the rows. Left out, they are read off y, and a
        `PrivacyLeakWarning` says so.
    relation : {"replace_one", "add_remove"}
        Neighbouring relation. With the first, the number of rows is public.
    declared_n : int, optional
        Public number of rows, for "add_remove". Left out, it is read off the rows, and a warning says so.
    xi, sparsity : float, int, optional
        Ridge ξ and entries kept in each component, where the algorithm has them; None keeps its defaults.
    params : mapping, optional
        Further parameters of the algorithm by name, such as ``n_iterations``.
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
    classes_ : array (K,)
        Labels, sorted; names of the slices where ``edges`` are given.
    """

    _model = "sir"

    def __init__(
        self,
        *,
        epsilon: float = 1.0,
        delta: float | None = None,
        n_components: int | None = None,
        algorithm: str = "ssp",
        bounds: Any = None,
        norm: float | None = None,
        edges: Sequence[float] | None = None,
        edges_mu: float = 0.0,
        classes: Sequence[Any] | None = None,
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
        self.edges = edges
        self.edges_mu = edges_mu
        self.classes = classes
        self.relation = relation
        self.declared_n = declared_n
        self.xi = xi
        self.sparsity = sparsity
        self.params = params
        self.random_state = random_state

    def _dataset(self, X: NDArray[Any], y: Any, preparation: Preprocessing) -> Dataset:
        if self.edges is None:
            if is_real_valued(y):
                raise ParameterError("edges", None, "public cut points that increase, for a y of real numbers")
            return super()._dataset(X, y, preparation)
        if self.classes is not None:
            raise ParameterError("classes", self.classes, "left out where edges are given")
        edges = reals_of("DPSIR", "edges", self.edges)
        made = Dataset("DPSIR", "", X, response=y, edges=edges, edges_mu=self.edges_mu,
                       preprocessing=preparation)  # fmt: skip
        self.classes_ = np.array(made.classes, dtype=object)
        return made
