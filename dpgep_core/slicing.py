"""Edges of slices at private quantiles of a response: released once, and paid for in every run that uses them."""

from dataclasses import dataclass

from dpgep_core.datasets import Dataset, resolve_dataset
from dpgep_core.errors import ParameterError
from dpgep_core.knobs import whole_number
from dpgep_core.models.response_counts import edges_at_quantiles, public_cuts, running_counts
from dpgep_core.params import usual_delta
from dpgep_core.privacy import Claim, Curator, Grant, Ledger, PlannedAnswer
from dpgep_core.privacy.calibration import exact

MOST_SLICES = 100
NEEDED = 'a data set in memory with a response of real numbers: a sidecar names it under [response], as column = "…"'


@dataclass(frozen=True, slots=True)
class ReleasedEdges:
    """Edges of slices at private quantiles of a response, and what they have cost.

    ``edges`` and ``mu`` belong together: `Dataset.with_edges` takes both, and later runs count μ in.
    """

    edges: tuple[float, ...]
    ledger: Ledger
    accounted: Claim

    @property
    def mu(self) -> float:
        """μ that was spent."""
        return self.ledger.mu


def release_edges(
    dataset: Dataset | str,
    slices: int,
    between: tuple[float, float],
    *,
    epsilon: float = 0.1,
    delta: float | None = None,
    seed: int | None = None,
) -> ReleasedEdges:
    """Cut a response at quantiles that are told with noise, so that private methods accept the slices.

    Parameters
    ----------
    dataset : Dataset or str
        A data set with a response, or its name. All of its fitted rows are asked; its own edges are not looked at.
    slices : int
        How many parts of about equal size; fewer where the response takes few values.
    between : pair of float
        Public range of the response, chosen without looking at the rows. Values outside count as the ends.
    epsilon, delta : float
        What the edges may cost, under either neighbouring relation. δ is n^-1.1 by default; n is the declared number of
        rows where there is one, and else that of the rows, which is public where a record is replaced.
    seed : int or None
        None takes the system's entropy. A known seed is no noise: use one for tests alone.

    Raises
    ------
    ParameterError
        If there is no response, or a number is out of place.
    """
    data = resolve_dataset(dataset)
    if data.response is None:
        raise ParameterError("dataset", data.name, NEEDED)
    slices = int(whole_number(2, MOST_SLICES).check("slices", slices))
    n = data.n if data.declared_n is None else data.declared_n
    grant = Grant(epsilon=epsilon, delta=usual_delta(n) if delta is None else delta)
    cuts = public_cuts(*between)
    query = running_counts(cuts)
    planned = PlannedAnswer.of(query, exact(query.sensitivity, grant), "sigma")
    curator = Curator(data.response, grant, seed=seed, plan=(planned,))
    answer = curator.ask(query, sigma=planned.sigma)
    edges = edges_at_quantiles(answer, cuts, slices, n)
    return ReleasedEdges(edges, curator.ledger, curator.ledger.accounted(grant.delta))
