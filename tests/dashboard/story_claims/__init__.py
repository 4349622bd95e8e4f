"""The numbers that the stories say: for each story its steps in order, then what its last page asks to try."""

from collections.abc import Mapping

from story_claims import cliff, forest, leak, leave, once, ridge, rows, sigma, sparse, worst
from story_claims.claim import Claim

CLAIMS: Mapping[str, tuple[tuple[Claim, ...], ...]] = {
    module.__name__.rpartition(".")[2]: module.CLAIMS
    for module in (cliff, forest, leak, leave, once, ridge, rows, sigma, sparse, worst)
}
