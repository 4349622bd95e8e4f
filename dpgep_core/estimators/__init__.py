"""scikit-learn estimators over `dpgep_core.solve`: one class for each model.

This package alone imports scikit-learn at its top; ``import dpgep_core`` does not load it.
"""

from dpgep_core.estimators.base import PrivateProjection
from dpgep_core.estimators.cca import DPCCA
from dpgep_core.estimators.fda import DPFDA
from dpgep_core.estimators.leaks import PrivacyLeakWarning
from dpgep_core.estimators.pca import DPPCA
from dpgep_core.estimators.released import ReleasedClassifier, ReleasedTransformer
from dpgep_core.estimators.sir import DPSIR

__all__ = [
    "DPCCA",
    "DPFDA",
    "DPPCA",
    "DPSIR",
    "PrivacyLeakWarning",
    "PrivateProjection",
    "ReleasedClassifier",
    "ReleasedTransformer",
]
