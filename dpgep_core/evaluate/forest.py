"""scikit-learn's random forest, whose trees vote in one order."""

# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false, reportUntypedBaseClass=false

from typing import Any

from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier


class OrderedForest(RandomForestClassifier):
    """A random forest that gives the same answer each time.

    scikit-learn adds up the shares that the trees give in the order in which its threads end. Their sum is then rounded
    otherwise, and where two classes are level a row falls to the one or to the other: in one of six runs on Adult, one
    row of 16,281. Here threads fit the trees, and one thread adds up what they say, in their order.
    """

    def predict_proba(self, X: Any) -> NDArray[Any]:
        """(m, K) mean share of each class over the trees."""
        jobs, self.n_jobs = self.n_jobs, 1
        try:
            return super().predict_proba(X)
        finally:
            self.n_jobs = jobs
