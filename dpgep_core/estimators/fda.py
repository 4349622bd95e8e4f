"""Fisher discriminants, and a classifier from the same release."""

from collections.abc import Mapping, Sequence
from typing import Any

from dpgep_core.estimators.classifying import PrivateClassifier


class DPFDA(PrivateClassifier):
    """Private Fisher discriminants; with ``ssp`` also a classifier that is private to the end.

    ``predict``, ``predict_proba`` and ``score`` are of a classifier that is a function of the one release, so it spends
    nothing more. Other algorithms release too little for one and give a transformer alone.

    Parameters
    ----------
    epsilon : float
        ε asked for, > 0. Each fit spends it; fits of the same rows add up.
    delta : float, optional
        δ, in (0, 1); n^-1.1 by default.
    n_components : int, optional
        k; K − 1 by default, 10 at most.
    algorithm : str
        One whose guarantee holds for this model: ``ssp``, ``dprf``, ``dptrf``, ``sr_dp``, ``dpsr_corrected``.
    bounds : pair (lower, upper), optional
        Public bounds of the columns, each a number or one for each column. They are chosen without looking at the
        rows. None leaves the columns as they are; nothing is learnt.
    norm : float, optional
        Public radius that rows are clipped to. None brings every row to norm 1; nothing is learnt.
    classes : list, optional
        Labels that may occur, declared without looking at the rows. Left out, they are read off y, and a
        `PrivacyLeakWarning` says so.
    classifier : str
        ``lda_projected`` (linear discriminant analysis with priors on the components), ``lda`` (in all columns),
        ``nearest_centroid``, ``ridge`` or ``pca_regression``. The first two give probabilities.
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
        Labels, sorted; columns of ``predict_proba``.
    """

    _model = "fda"

    def __init__(
        self,
        *,
        epsilon: float = 1.0,
        delta: float | None = None,
        n_components: int | None = None,
        algorithm: str = "ssp",
        bounds: Any = None,
        norm: float | None = None,
        classes: Sequence[Any] | None = None,
        classifier: str = "lda_projected",
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
        self.classes = classes
        self.classifier = classifier
        self.relation = relation
        self.declared_n = declared_n
        self.xi = xi
        self.sparsity = sparsity
        self.params = params
        self.random_state = random_state
