"""Sliced inverse regression: A the covariance of E[x | slice of the response], B the covariance."""

from dataclasses import dataclass

from dpgep_core.errors import DataError
from dpgep_core.models.model import ClassModel
from dpgep_core.models.moment_products import MomentProducts
from dpgep_core.models.moments import Moments
from dpgep_core.models.pencil import Pencil
from dpgep_core.models.product_pencil import ProductPencil
from dpgep_core.models.public import Sensitivity


@dataclass(frozen=True, kw_only=True)
class Sir(ClassModel):
    """SIR (Hu et al., Section 3, equation 6; Li 1991): A = Σ_h n_h (μ_h − μ)(μ_h − μ)ᵀ / n and B = Σ.

    The slices h are classes, or a real-valued response cut at public edges; they are given with the data set. An empty
    slice adds nothing. Hu et al. write A as Σ − E[Σ(x | y)], which is the same matrix.

    With rows in the unit ball and the slice free to change with the record, the change in Frobenius norm is at most:

    - A: replace-one 8(n−1)/n², as the between-class scatter of `Fda`, where it is proved and attained. Add/remove with
      the declared n as public divisor: less than 4/n whichever way the row goes.
    - B: replace-one 4(n−1)/n², as the centred covariance of `Pca`; add/remove less than 4/n.

    Published constants (Hu et al., proof of Theorem 1): C₁ = 13 for A, C₂ = 6 for B. Both hold for fixed slices. They
    fail for slices cut at quantiles of the rows, the usual textbook choice: one record then moves up to H − 1 others
    into neighbouring slices, and n‖ΔA‖_F of 18 to 75 was found for 5 to 20 slices. Private methods refuse such slices.
    Departs from the paper, which leaves open where slices come from: they must be public, or released with noise and
    paid for (`dpgep_core.release_edges`).

    Joint release: z = [x; w e_h] with w² = 1/2, as for `Fda`: sums and counts of the slices, and Σ from the same.
    """

    def check(self, n_classes: int, d: int) -> None:
        """Needs at least two slices."""
        if n_classes < 2:
            found = "1 slice" if n_classes else "no slices"
            raise DataError("model sir", found, "labels of 2 classes, or a response with public edges, are needed")

    def pencil(self, moments: Moments) -> Pencil:
        """(between, covariance), with the low-rank factor of A."""
        return Pencil(None, moments.covariance, moments.between_factor)

    def product_pencil(self, products: MomentProducts) -> ProductPencil:
        """(between, covariance) by products, with the factor of A."""
        return ProductPencil(products.d, None, products.covariance_times, products.between_factor, products.most_rank)

    def sensitivity(self, relation: str, n: int) -> Sensitivity:
        """Tight for replace-one; add/remove with the declared n as public divisor."""
        if relation == "replace_one":
            unit = (n - 1) / n**2
            return Sensitivity(target=8 * unit, constraint=4 * unit)
        return Sensitivity(target=4 / n, constraint=4 / n)

    def published(self, n: int) -> Sensitivity:
        """Hu et al., proof of Theorem 1: 13 and 6."""
        return Sensitivity(target=13 / n, constraint=6 / n)
