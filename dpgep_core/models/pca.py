"""Principal component analysis: A the covariance, B the identity."""

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from dpgep_core.models.model import Model
from dpgep_core.models.moment_products import MomentProducts
from dpgep_core.models.moments import Moments
from dpgep_core.models.pencil import Pencil
from dpgep_core.models.product_pencil import ProductPencil
from dpgep_core.models.public import Sensitivity
from dpgep_core.params import Switch

Centred = Annotated[
    bool,
    Switch(label="Centre the rows", doc="Off uses the second moment about zero, whose noise is 2.8 times smaller."),
]


@dataclass(frozen=True, kw_only=True)
class Pca(Model):
    """PCA (Chen et al., Section 3; Hu et al., Section 3).

    With rows in the unit ball, one record changes A by at most, in Frobenius norm:

    - centred covariance Σ: replace-one 4(n−1)/n². Removing the record leaves N = n−1 rows with mean μ₀, and
      nΣ = NΣ₀ + α aaᵀ with a = x − μ₀, α = (n−1)/n; the difference of two such terms is at most 4α
      (‖uuᵀ−vvᵀ‖_F ≤ 4 for differences u, v of points of the unit ball). Attained: all others at e₁, the record
      −e₁ → e₁. Add/remove, with the declared n as public divisor: one term α|a|² < 4, over n, either way.
    - second moment M: replace-one √2/n (‖xxᵀ−yyᵀ‖_F, attained by orthogonal unit rows); add/remove 1/n.

    The papers state no constant for the centred covariance (Hu et al. cite the one of the uncentred, which is up to
    4 times too small); the tight value stands in for it.
    """

    centred: Centred = True

    joint_columns = "constant"
    identity_constraint = True

    @property
    def weight(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        """w² of the joint release: near-optimal .3 where the mean is needed, almost nothing where it is not."""
        return 0.3 if self.centred else 1e-6

    def default_components(self, n_classes: int, d: int) -> int:
        """10, or all there are."""
        return min(10, d)

    def rank(self, n_classes: int, d: int) -> int:
        """d."""
        return d

    def pencil(self, moments: Moments) -> Pencil:
        """(Σ, I) or (M, I)."""
        return Pencil(np.asarray(moments.covariance if self.centred else moments.second_moment))

    def product_pencil(self, products: MomentProducts) -> ProductPencil:
        """(Σ, I) or (M, I) by products."""
        return ProductPencil(products.d, products.covariance_times if self.centred else products.second_moment_times)

    def sensitivity(self, relation: str, n: int) -> Sensitivity:
        """Tight for both relations; B is public."""
        replace_one = relation == "replace_one"
        if self.centred:
            target = 4 * (n - 1) / n**2 if replace_one else 4 / n
        else:
            target = (math.sqrt(2) if replace_one else 1.0) / n
        return Sensitivity(target=target, constraint=0.0)

    def published(self, n: int) -> Sensitivity:
        """4/n for Σ; √2/n for M covers the 1 of Dwork et al. 2014 (add/remove) in both relations."""
        return Sensitivity(target=(4.0 if self.centred else math.sqrt(2)) / n, constraint=0.0)

    def printed(self, n: int) -> Sensitivity:
        """1/n, which Hu et al. take over from Dwork et al. 2014: that of M when a row comes or goes."""
        return Sensitivity(target=1 / n, constraint=0.0)
