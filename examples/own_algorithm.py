"""Your own algorithm, registered from outside the package, beside `ssp` of the laboratory.

Run this file by itself, or hand it to any command: dpgep --plugin examples/own_algorithm.py solve --dataset wine
--algorithm noisy_pencil. See docs/plugins.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from dpgep_core import evaluate, load_dataset, solve
from dpgep_core.extension import (
    Array,
    Checked,
    Curator,
    Guarantee,
    Isotropic,
    Pencil,
    Problem,
    Public,
    Source,
    Verdict,
    Xi,
    constraint,
    exact_sigma,
    register,
    target,
)


@register(
    "noisy_pencil",
    "A and B with noise",
    Source("DP-GEP Lab", "examples/own_algorithm.py"),
    Guarantee("(ε, δ)-DP", Verdict.HOLDS, "Two Gaussian answers, each for half of μ²."),
    models=("fda", "sir"),
)
@dataclass(frozen=True, kw_only=True)
class NoisyPencil(Checked):
    """Ask for A and for B once, each with Gaussian noise, and solve the noisy problem.

    Parameters
    ----------
    xi : float
        Ridge ξ on B.
    """

    xi: Xi = 0.1

    def iterates(self, curator: Curator[Problem], public: Public, start: Array) -> Iterator[Array]:
        """Yield the solution once. The curator holds the rows and the noise, and writes the ledger."""
        answers: list[Array] = []
        for query in (target(public), constraint(public)):
            sigma = exact_sigma(query.sensitivity, curator.grant, share=0.5)
            answers.append(curator.ask(query, sigma=sigma, law=Isotropic()))
        yield Pencil(*answers).solve(public.k, self.xi)


if __name__ == "__main__":
    digits = load_dataset("digits")
    for name in ("noisy_pencil", "ssp"):
        release = solve(digits, algorithm=name, epsilon=4.0)
        accuracy = evaluate(release, digits).accuracy["lda"].private.accuracy
        answers = len(release.ledger)
        print(f"{name}: accuracy {accuracy:.3f} at ε = {release.accounted.epsilon:.2f}, noisy answers: {answers}")
