"""Canonical correlation analysis: A the covariance between two views, B the covariance within each."""

import math
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from dpgep_core.datasets.dataset import Dataset
from dpgep_core.datasets.preprocessing import Preprocessing
from dpgep_core.errors import DataError, ParameterError
from dpgep_core.models.model import Model
from dpgep_core.models.moments import Moments
from dpgep_core.models.pencil import Pencil
from dpgep_core.models.public import Sensitivity
from dpgep_core.params import Choice, Knob
from dpgep_core.privacy.query import Indices

ViewColumns = Annotated[
    int,
    Knob(symbol="d_x", label="Columns of the first view", integer=True, low=0, soft=(0, 100),
         doc="The first so many columns form the first view, the others the second. 0 takes the views that the data "
             "set declares, else halves."),
]  # fmt: skip
NormBound = Annotated[
    str,
    Choice(label="Norm bound", doc="What is brought to a bounded norm before anything else.",
           options={"joint": "the whole row, as everywhere else: (x, y) has norm 1 at most",
                    "separate": "the part of the row in each view: x and y have norm 1/√2 at most"}),
]  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Cca(Model):
    """CCA (Hu et al., Section 3): A = [[0, Σxy], [Σyx, 0]], B = blockdiag(Σx, Σy), rows (x, y), centred.

    A component (u, v) has the generalized eigenvalue ρ, the correlation of xᵀu with yᵀv; (u, −v) has −ρ, so only the
    first min(d_x, d_y) components carry anything. The views are halves of the columns by default, as in Hu et al.,
    Section 9, those that the data set declares, or the first ``view_columns`` and the rest.

    One record changes A and B by at most, in Frobenius norm, with α = (n−1)/n. Removing it leaves N = n−1 rows with
    mean m; record p adds the term α aaᵀ with a = p − m to nΣ, and replacing p by q changes nΣ by α(aaᵀ − bbᵀ),
    b = q − m. Of this B takes the diagonal blocks and A the two others, which are each other's transposes.

    - joint, replace-one: B 4(n−1)/n², since blocks of a matrix are no larger than it and ‖aaᵀ − bbᵀ‖_F ≤ 4. Attained:
      all others at (e₁, 0), the record (−e₁, 0) → (e₁, 0). A (3√6/2)(n−1)/n² = 3.674(n−1)/n²: let H be the unit
      matrix along which the block C = a_x a_yᵀ − b_x b_yᵀ lies and S = [[0, H], [Hᵀ, 0]], of spectral norm at most 1.
      Then 2‖C‖ = aᵀSa − bᵀSb = (p+q−2m)ᵀS(p−q) ≤ |p−q|(|p+q| + 2), at most 3√3 since |p−q|² + |p+q|² ≤ 4. Attained:
      all others at (0, −f₁), the record (√3/2 e₁, ½ f₁) → (−√3/2 e₁, ½ f₁).
    - separate, replace-one: A and B 2√2(n−1)/n². With R = 1/√2, each diagonal block changes by at most 4R² (the bound
      above for one view). For A, ⟨C, H⟩ is at most R times the perimeter of the triangle H{p_y, q_y, m_y}, which lies
      in an ellipse whose squared semi-axes add up to R² at most; the longest such triangle (a closed billiard orbit of
      three bounces) measures 4R, so ‖C‖ ≤ 4R² = 2. Attained: all others at (e₁, f₁)/√2, the record opposite.
    - add/remove, with the declared n as public divisor: one term α aaᵀ, either way. B: |a|² ≤ 4, so 4/n joint, and
      2√2/n separate. A: √2|a_x||a_y| ≤ 2√2, over n, for both.

    Published (Hu et al., proof of Theorem 1): C₁ = C₂ = 12 for x and y in unit balls. They hold, and are twice too
    large at least: the off-diagonal blocks are counted twice where √2 would do, the diagonal ones added up.
    Departs from the paper: its separate bound is 1 for each view, so its A and B are twice those here and its constants
    12 become 6. Keeping the row in the unit ball leaves every other bound, that of the joint release among them, as it
    is. Correlations and directions do not notice, the ridge ξ does: here it counts twice as much.

    Joint release: z = [x; y; w] with w² = .3, as for centred principal components. Each block of Σ = S/n − ttᵀ/n²
    carries noise of squared spectral norm ∝ (1 + w²)²(2 + κ/(2w²)) with κ = |mean|² ≤ 1 from the squares S and the sum
    t; the worst case κ = 1 is least at w² = .297.

    Parameters
    ----------
    view_columns : int
        Columns of the first view, from the left; 0 takes the declared views, else halves.
    norm : {"joint", "separate"}
        What is brought to a bounded norm.
    first_view : tuple of int
        Columns of the first view; filled in from the data set. Empty: from ``view_columns``, else halves.
    """

    view_columns: ViewColumns = 0
    norm: NormBound = "joint"
    first_view: tuple[int, ...] = ()

    # There is no `product_pencil`: A and B mix views, and A has no factor.
    joint_columns = "constant"
    weight = 0.3

    def check(self, n_classes: int, d: int) -> None:
        """Needs a column in each view."""
        if d < 2:
            raise DataError("model cca", f"{d} column", "at least one for each of two views is needed")
        if self.view_columns >= d:
            raise ParameterError("view_columns", self.view_columns, f"below the number of columns, {d}; 0 for halves")

    def bind(self, dataset: Dataset) -> "Cca":
        """With the views that the data set declares, unless ``view_columns`` says otherwise."""
        if self.view_columns or dataset.views is None:
            return self
        return replace(self, first_view=dataset.views[0])

    def preparation(self, declared: Preprocessing, d: int) -> Preprocessing:
        """Rows as declared; with separate norms, view by view."""
        if self.norm == "joint":
            return declared
        return replace(declared, views=tuple(tuple(int(j) for j in view) for view in self.groups(d)))

    def groups(self, d: int) -> tuple[Indices, ...]:
        """The columns of each view."""
        inside = self._inside(d)
        return np.flatnonzero(inside), np.flatnonzero(~inside)

    def on_groups(self, sizes: tuple[int, ...]) -> "Cca":
        """Model with its views on rows that are told in other axes, the axes of the first view before the others."""
        return replace(self, view_columns=sizes[0], first_view=())

    def default_components(self, n_classes: int, d: int) -> int:
        """2, or all there are."""
        return min(2, self.rank(n_classes, d))

    def rank(self, n_classes: int, d: int) -> int:
        """Columns of the smaller view."""
        first = int(self._inside(d).sum())
        return max(1, min(first, d - first))

    def pencil(self, moments: Moments) -> Pencil:
        """The covariance, its off-diagonal blocks as A and its diagonal blocks as B."""
        covariance = moments.covariance
        inside = self._inside(covariance.shape[0])
        same_view = inside[:, None] == inside[None, :]
        return Pencil(np.where(same_view, 0.0, covariance), np.where(same_view, covariance, 0.0))

    def sensitivity(self, relation: str, n: int) -> Sensitivity:
        """Tight for replace-one; add/remove with the declared n as public divisor."""
        separate = 2 * math.sqrt(2)
        joint_target, joint_constraint = 1.5 * math.sqrt(6), 4.0
        if relation == "replace_one":
            unit = (n - 1) / n**2
            if self.norm == "separate":
                return Sensitivity(target=separate * unit, constraint=separate * unit)
            return Sensitivity(target=joint_target * unit, constraint=joint_constraint * unit)
        return Sensitivity(target=separate / n, constraint=(separate if self.norm == "separate" else 4.0) / n)

    def published(self, n: int) -> Sensitivity:
        """Hu et al., proof of Theorem 1: 12 and 12, halved where the views are scaled to half their squared norm."""
        constant = 12.0 if self.norm == "joint" else 6.0
        return Sensitivity(target=constant / n, constraint=constant / n)

    def _inside(self, d: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """(d,) whether a column is of the first view."""
        inside = np.zeros(d, dtype=np.bool_)
        inside[list(self.first_view) if self.first_view else slice(self.view_columns or d // 2)] = True
        return inside
