"""The headline numbers of one answer, as the page and the frames of the live panel show them."""

from dataclasses import dataclass

from dashboard.compute.results import Answer
from dashboard.text import words
from dpgep_core.evaluate.reference import NO_CLASSES_REASON
from dpgep_core.privacy.privacy_loss import at_most, mu_text
from dpgep_core.verdict import claimed_by_authors
from dpgep_core.wording import number_text


@dataclass(frozen=True, slots=True)
class Cell:
    """One number with its name, what to compare it with, and what it means."""

    label: str
    value: str
    note: str
    help: str


def cells(item: Answer) -> tuple[Cell, ...]:
    """Accuracy first where there are classes, then angle and cosine, then what it costs."""
    angle = Cell(
        "Principal angle",
        f"{item.diagnostic.principal_angles.mean():.1f}°",
        "90° shares nothing",
        "Mean angle between the private and the exact space of components; 0° is the same space.",
    )
    cosine = Cell(
        "Mean |cosine|",
        f"{item.diagnostic.mean_cosine_similarity:.3f}",
        f"{item.diagnostic.chance_cosine:.3f} by chance",
        "To the exact components at the same ξ and sparsity, one by one. It misleads where components swap.",
    )
    guess = Cell(
        "Best guess",
        words.guess_short(item.release),
        "500 by luck",
        "How often someone who knows all other rows can tell which of two rows was used, if the noise were secret.",
    )
    found = (_accuracy(item), angle, cosine, _sigma(item), _epsilon(item), guess)
    return tuple(cell for cell in found if cell is not None)


def _accuracy(item: Answer) -> Cell | None:
    if (scores := item.diagnostic.accuracy.get("lda")) is None:
        unscored = item.diagnostic.unscored
        if unscored == NO_CLASSES_REASON:
            return None
        return Cell("Accuracy (LDA)", "–", "not measured", f"Not measured, because {unscored}.")
    return Cell(
        "Accuracy (LDA)",
        f"{scores.private.accuracy:.3f}",
        f"{scores.non_private.accuracy:.3f} exact, {scores.random.accuracy:.3f} random",
        f"Linear discriminant on projected rows, {scores.private.n_test:,} held out. The projection is private, the "
        f"classifier trained on it is not. 95 % interval "
        f"{scores.private.low:.3f} to {scores.private.high:.3f}. Random projection {scores.random.accuracy:.3f}, "
        f"majority class {item.diagnostic.majority or 0:.3f}.",
    )


def _sigma(item: Answer) -> Cell | None:
    scales = [number_text(entry.sigma) for entry in item.release.ledger if entry.protected]
    if not scales:
        return None
    others = f"first of {len(scales)}: then {', '.join(scales[1:])}" if len(scales) > 1 else "on the one answer"
    return Cell("Noise σ", scales[0], others, "Scale of the noise, for each answer in the ledger.")


def _epsilon(item: Answer) -> Cell:
    claimed, accounted = item.release.claimed, item.release.accounted
    left = "none" if claimed is None or claimed.epsilon is None else number_text(claimed.epsilon, 4)
    bound = "no bound" if accounted.epsilon is None else at_most(accounted.epsilon)
    return Cell(
        "Claimed ε → accounted" if claimed is None or claimed_by_authors(item.release) else "Asked ε → accounted",
        f"{left} → {bound}",
        str(accounted.unbounded or mu_text(item.release.ledger.mu)),
        "The authors claim, or where they do not, you ask; the ledger proves. μ is the same guarantee without δ.",
    )
