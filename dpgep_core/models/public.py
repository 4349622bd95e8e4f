"""Facts that an algorithm may know without asking."""

from collections.abc import Callable
from dataclasses import dataclass, field

from dpgep_core.models.moment_products import MomentProducts
from dpgep_core.models.moments import Moments
from dpgep_core.models.pencil import Pencil
from dpgep_core.models.product_pencil import ProductPencil
from dpgep_core.models.size import check_memory
from dpgep_core.privacy.calibration import Constants
from dpgep_core.privacy.query import Array
from dpgep_core.privacy.randomness import gaussian_frame, orthonormal_frame


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensitivity:
    """Largest change of A and of B (Frobenius norm) when one record changes; 0 for a B that no record touches."""

    target: float
    constraint: float

    @property
    def doubled(self) -> "Sensitivity":
        """The bounds on the gradients 2AV and 2BV for orthonormal V."""
        return Sensitivity(target=2 * self.target, constraint=2 * self.constraint)


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicFacts:
    """Public facts of a problem: sizes, bounds, proved sensitivities, and public randomness.

    ``published`` holds the bounds that the papers prove for A and B, beside the tight ``sensitivity``; ``printed``
    holds those that Hu et al. print where these are others, valid for this A and B or not. ``pencil`` is
    the model's recipe from sums to (A, B). ``weight`` is the default w² of the joint release and ``joint_columns``
    its extra columns. ``centred`` is whether A is about the mean, as a choice. ``unit_rows`` is whether every row is
    brought to norm 1, and ``non_negative`` whether the declared bounds keep every entry of a prepared row at 0 or
    above; neither is looked up in the rows. ``product_pencil`` is the model's recipe from products with second moments
    to a pencil that is never formed; None where it has none.
    """

    n: int
    d: int
    n_classes: int
    k: int
    relation: str
    sensitivity: Sensitivity
    published: Sensitivity
    identity_constraint: bool
    joint_columns: int
    weight: float
    seed: int
    pencil: Callable[[Moments], Pencil] = field(repr=False)
    centred: bool = False
    printed: Sensitivity | None = None
    unit_rows: bool = False
    non_negative: bool = False
    product_pencil: Callable[[MomentProducts], ProductPencil] | None = field(default=None, compare=False, repr=False)

    def bounds(self, constants: Constants) -> Sensitivity:
        """The bounds on the change of A and B that a calibration takes."""
        if constants == "tight":
            return self.sensitivity
        if constants == "unit":
            return Sensitivity(target=1 / self.n, constraint=1 / self.n)
        return self.printed or self.published if constants == "printed" else self.published

    def frame(self, columns: int, tag: str) -> Array:
        """A random (d, columns) orthonormal frame that owes nothing to the data."""
        check_memory(self.d, columns)
        return orthonormal_frame(self.seed, self.d, columns, tag)

    def gaussian_frame(self, columns: int, tag: str) -> Array:
        """Unit normals (d, columns) whose Gram–Schmidt vectors are `frame`."""
        check_memory(self.d, columns)
        return gaussian_frame(self.seed, self.d, columns, tag)
