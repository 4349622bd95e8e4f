"""Fisher discriminant analysis: A the between-class scatter, B the within-class scatter."""

import math
from dataclasses import dataclass

from dpgep_core.errors import DataError
from dpgep_core.models.model import ClassModel
from dpgep_core.models.moment_products import MomentProducts
from dpgep_core.models.moments import Moments
from dpgep_core.models.pencil import Pencil
from dpgep_core.models.product_pencil import ProductPencil
from dpgep_core.models.public import Sensitivity


@dataclass(frozen=True, kw_only=True)
class Fda(ClassModel):
    """FDA (Chen et al., Section 3). Hu et al. print A and B swapped in their equation (5); Chen's order is used.

    A = Σ_k n_k (μ_k − μ)(μ_k − μ)ᵀ / n and B = Σ_k Σ_{i∈k} (x_i − μ_k)(x_i − μ_k)ᵀ / n; an empty class adds nothing.

    With rows in the unit ball and the label free to change with the record, the change in Frobenius norm is at most:

    - A: replace-one 8(n−1)/n². Adding a record p of class k to N = n−1 rows: nA = NA₀ + α aaᵀ − β bbᵀ with
      a = p − μ₀, b = p − m_k, α = (n−1)/n and 0 ≤ β = c_k/(c_k+1) ≤ α; each such term is at most 4α, and two differ.
      Add/remove with the declared n as public divisor: one term, less than 4/n whichever way the row goes.
    - B: replace-one 4√2(n−1)/n². nB = NB₀ + β bbᵀ; two positive semidefinite rank-one terms of norm at most 4α
      differ by at most 4√2 α. Add/remove: less than 4/n.

    Attained in the limit by: a large class at e₁ and √n records of another at −e₁ with one of them moving to e₁ (A);
    classes at e₂ and e₁ with the record (−e₂, class 2) becoming (−e₁, class 1) (B).
    Published constants (Chen et al., supplement, Lemmas 1 and 2): 8/n for A, 6/n for B. Both hold. Hu et al. print
    4/n, of the between scatter about zero, and 7/n.
    """

    def check(self, n_classes: int, d: int) -> None:
        """Needs labels of at least two classes."""
        if n_classes < 2:
            raise DataError("model fda", f"{n_classes or 'no'} class", "labels of at least 2 classes are needed")

    def pencil(self, moments: Moments) -> Pencil:
        """(between, within), with the low-rank factor of A."""
        return Pencil(None, moments.within, moments.between_factor)

    def product_pencil(self, products: MomentProducts) -> ProductPencil:
        """(between, within) by products, with the factor of A."""
        return ProductPencil(products.d, None, products.within_times, products.between_factor, products.most_rank)

    def sensitivity(self, relation: str, n: int) -> Sensitivity:
        """Tight for replace-one; add/remove with the declared n as public divisor."""
        if relation == "replace_one":
            unit = (n - 1) / n**2
            return Sensitivity(target=8 * unit, constraint=4 * math.sqrt(2) * unit)
        return Sensitivity(target=4 / n, constraint=4 / n)

    def published(self, n: int) -> Sensitivity:
        """Chen et al., supplement, Lemmas 1 and 2."""
        return Sensitivity(target=8 / n, constraint=6 / n)

    def printed(self, n: int) -> Sensitivity:
        """Hu et al., proof of Theorem 1: 4 and 7. The 4 is too small for the A used here."""
        return Sensitivity(target=4 / n, constraint=7 / n)
