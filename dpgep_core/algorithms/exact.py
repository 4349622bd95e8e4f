"""The non-private solution, against which everything else is measured."""

from collections.abc import Iterator
from dataclasses import dataclass

from dpgep_core.method import Growth, Guarantee, Source, Verdict, register
from dpgep_core.models.problem import Problem
from dpgep_core.models.public import PublicFacts
from dpgep_core.models.queries import exact_components
from dpgep_core.params import Checked, Sparsity, Xi
from dpgep_core.privacy import Curator, Grant, NoisePlan, PlannedAnswer
from dpgep_core.privacy.query import Array


@register(
    "exact",
    "Exact (no privacy)",
    Source("Golub & Van Loan, Matrix Computations, 3rd ed. (1996)", "Section 8.7, symmetric-definite pencils"),
    Guarantee("none", Verdict.NONE, "Every quantity is read without noise."),
    growth=(Growth("d^3", ("d^2 K", "d K^2", "d^2"), memory=("d^2", "d K")),),
)
@dataclass(frozen=True, kw_only=True)
class Exact(Checked):
    """Leading generalized eigenvectors of (A, B + ξI): B is whitened, then a symmetric problem is solved.

    Source: Golub & Van Loan 1996, Section 8.7. Claimed guarantee: none. Neighbouring relation: not applicable.

    Parameters
    ----------
    xi : float
        Ridge on B; it changes nothing where B is the identity.
    sparsity : int
        Entries kept in each component, by truncated Rayleigh flow. 0 keeps all.
    """

    xi: Xi = 0.01
    sparsity: Sparsity = 0

    def noise_plan(self, public: PublicFacts, grant: Grant) -> NoisePlan:
        """One exact answer."""
        return (PlannedAnswer.exactly(exact_components(public.k, self.xi, self.sparsity)),)

    def iterates(self, curator: Curator[Problem], public: PublicFacts, start: Array) -> Iterator[Array]:
        """Yield the exact components once."""
        yield curator.peek(exact_components(public.k, self.xi, self.sparsity))
