"""Register an algorithm of your own from outside the package, and solve with it.

Run this file, or hand it to any command or to the pages (docs/plugins.md):

    dpgep --plugin examples/own_algorithm.py solve --dataset wine --algorithm noisy_pencil
"""

from collections.abc import Iterator
from dataclasses import dataclass

from dpgep_core import evaluate, load_dataset, solve
from dpgep_core import extension as lab


@lab.register(
    "noisy_pencil",
    "A and B with noise",
    lab.Source("DP-GEP Lab", "examples/own_algorithm.py"),
    lab.Guarantee("(ε, δ)-DP", lab.Verdict.HOLDS, "Two Gaussian answers, each for half of μ²."),
    models=("fda", "sir"),
)
@dataclass(frozen=True, kw_only=True)
class NoisyPencil(lab.Checked):
    """Ask for A and for B once, each with Gaussian noise, and solve the noisy problem.

    Parameters
    ----------
    xi : float
        Ridge ξ on B.
    """

    xi: lab.Xi = 0.1

    def noise_plan(self, public: lab.PublicFacts, grant: lab.Grant) -> lab.NoisePlan:
        """A and B once each. The curator refuses every other answer."""
        return tuple(
            lab.PlannedAnswer.of(query, lab.exact_sigma(query.sensitivity, grant, share=0.5), symbol)
            for query, symbol in ((lab.target(public), "sigma_A"), (lab.constraint(public), "sigma_B"))
        )

    def iterates(
        self, curator: lab.Curator[lab.Problem], public: lab.PublicFacts, start: lab.Array
    ) -> Iterator[lab.Array]:
        """Yield the solution once. The curator holds the rows, draws the noise and writes the ledger."""
        A, B = (
            curator.ask(query, sigma=planned.sigma, law=lab.Isotropic())
            for query, planned in zip(
                (lab.target(public), lab.constraint(public)), self.noise_plan(public, curator.grant), strict=True
            )
        )
        yield lab.Pencil(A, B).solve(public.k, self.xi)


if __name__ == "__main__":
    digits = load_dataset("digits")
    for name in ("noisy_pencil", "ssp"):
        release = solve(digits, algorithm=name, epsilon=4.0)
        accuracy = evaluate(release, digits).accuracy["lda"].private.accuracy
        print(f"{name}: accuracy {accuracy:.3f}, ε = {release.accounted.epsilon:.2f}, answers: {len(release.ledger)}")
