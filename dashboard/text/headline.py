"""One line of numbers per answer, as the table of Explore and the frames of the live panel show them."""

from dataclasses import dataclass

from dashboard.compute.results import Answer
from dashboard.text import words
from dpgep_core.evaluate.diagnostic import Accuracies
from dpgep_core.evaluate.reference import NO_CLASSES_REASON
from dpgep_core.method import Verdict
from dpgep_core.privacy.privacy_loss import at_most, mu_text
from dpgep_core.verdict import HOLDING, claimed_by_authors, judge
from dpgep_core.wording import number_text

CHIPS = {
    Verdict.HOLDS: "holds",
    Verdict.HOLDS_OTHERWISE: "holds, other proof",
    Verdict.FALSE: "false",
    Verdict.UNKNOWN: "not known",
    Verdict.NONE: "no claim",
}


@dataclass(frozen=True, slots=True)
class Cell:
    """One number with its name, what to compare it with, and what it means.

    Parameters
    ----------
    label, value, note, help : str
    share : float, optional
        Place of the value between its floor (0) and its ceiling (1), for a bar; None where there is no bar.
    tone : str
        ``"good"`` or ``"bad"`` for a verdict, which the page shows as a coloured chip; ``""`` for a plain note.
    """

    label: str
    value: str
    note: str
    help: str
    share: float | None = None
    tone: str = ""


def cells(item: Answer) -> tuple[Cell, ...]:
    """Accuracy first where there are classes, then angle and cosine, then what it costs."""
    angle = Cell(
        "Principal angle",
        f"{item.diagnostic.principal_angles.mean():.1f}°",
        "",
        "Mean angle between the private and the exact space of components. 0° is the same space; 90° shares nothing.",
    )
    cosine = Cell(
        "Mean |cosine|",
        f"{item.diagnostic.mean_cosine_similarity:.3f}",
        f"chance {item.diagnostic.chance_cosine:.2f}",
        "To the exact components at the same ξ and sparsity, one by one. It misleads where components swap.",
    )
    found = (_accuracy(item), angle, cosine, _epsilon(item), _guess(item))
    return tuple(cell for cell in found if cell is not None)


def _accuracy(item: Answer) -> Cell | None:
    if (scores := item.diagnostic.accuracy.get("lda")) is None:
        unscored = item.diagnostic.unscored
        if unscored == NO_CLASSES_REASON:
            return None
        return Cell("Accuracy (LDA)", "–", "not measured", f"Not measured, because {unscored}.")
    majority = item.diagnostic.majority or 0.0
    return Cell(
        "Accuracy (LDA)",
        f"{scores.private.accuracy:.3f}",
        f"of {scores.non_private.accuracy:.3f}",
        f"Linear discriminant on projected rows, {scores.private.n_test:,} held out. The projection is private, the "
        f"classifier trained on it is not. 95 % interval {scores.private.low:.3f} to {scores.private.high:.3f}. The "
        f"bar runs from what reading no row gives (random projection {scores.random.accuracy:.3f}, majority class "
        f"{majority:.3f}) to what no privacy gives ({scores.non_private.accuracy:.3f}).",
        share=accuracy_share(scores, majority),
    )


def accuracy_share(scores: Accuracies, majority: float) -> float:
    """Place of the private accuracy between the better floor (random projection, majority class) and no privacy.

    Where no privacy is no better than the floor there is nothing to keep: the share is 0.
    """
    floor = max(scores.random.accuracy, majority)
    room = scores.non_private.accuracy - floor
    return 0.0 if room <= 0 else min(max((scores.private.accuracy - floor) / room, 0.0), 1.0)


def _epsilon(item: Answer) -> Cell:
    claimed, accounted = item.release.claimed, item.release.accounted
    left = "none" if claimed is None or claimed.epsilon is None else number_text(claimed.epsilon, 4)
    bound = "no bound" if accounted.epsilon is None else at_most(accounted.epsilon)
    verdict = judge(item.release).verdict
    worth = str(accounted.unbounded or mu_text(item.release.ledger.mu))
    return Cell(
        "Claimed ε → accounted" if claimed is None or claimed_by_authors(item.release) else "Asked ε → accounted",
        f"{left} → {bound}",
        CHIPS[verdict],
        f"The authors claim, or where they do not, you ask; the ledger proves: {worth}.",
        tone="" if verdict is Verdict.NONE else "good" if verdict in HOLDING else "bad",
    )


def _guess(item: Answer) -> Cell:
    return Cell(
        "Best guess",
        words.guess_short(item.release),
        "" if item.release.accounted.unbounded else mu_text(item.release.ledger.mu),
        "How often someone who knows all other rows can tell which of two rows was used, if the noise were secret. "
        "Luck gives 500. μ is the same guarantee without δ.",
    )
