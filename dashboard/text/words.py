"""Sentences about privacy on all screens. Pure text, from numbers; the wording is decided here once."""

import math
import re
from collections.abc import Iterator, Sequence

from dashboard.compute.evidence import Share
from dashboard.compute.results import Answer
from dpgep_core.datasets.files import BOUNDS_LEARNT
from dpgep_core.learnt import NUMBER_OF_ROWS
from dpgep_core.method import method_entry
from dpgep_core.privacy import Claim, Unbounded
from dpgep_core.privacy.accountant import best_guess, epsilon_of, loss_beyond
from dpgep_core.privacy.privacy_loss import accounted_text, mu_text
from dpgep_core.protocols import has_floor, ridge_of
from dpgep_core.release import Release
from dpgep_core.verdict import judge
from dpgep_core.wording import number_text

WHAT_IF = (
    "**What-if page.** It reads the real rows and compares with the exact answer, under a seed that is known: nothing "
    "here is a private release, screenshots included, and choosing ε, ξ or s by what you see also uses the data. "
    "Use it for data you may see."
)
ANSWERS_ALONE = "That is so for the curator's answers; nobody here has checked what else the code reads."
RELEASES = (
    "**Private.** The only page whose results may leave. A release takes its noise from the operating system, is paid "
    "for from a budget that is kept, and holds nothing that was read without noise; nor does this page. It cannot tell "
    "you whether a setting is a good one: explore with data you may see, and decide before you release."
)
TOUR = (  # what the tour shows of Explore, and one sentence about it
    (".dpgep-live label", "Drag ε. Further left is more private, and noisier. The number can be typed too."),
    (".dpgep-live .pictures > :first-child", "The exact answer: the rows on two components without any privacy."),
    (".dpgep-live .pictures > :last-child", "The same rows under a private method, turned to fit the exact picture."),
    (
        ".dpgep-table",
        "One line a method: what is left of the accuracy, and the claimed ε beside the ε that we can prove.",
    ),
    (
        "[data-testid=stTabs]",
        "The tabs say more: bands over many draws, classifiers, components, the ledger and the code.",
    ),
)
SEED_KNOWN = "seed known: not private"
READS = "reads the private data"
MADE_UP = "made-up rows: nothing private is read"
FORMULA = "formula: no rows are read"
DOTS = "1,000 guesses: dark are right by luck, coloured the most that seeing the result can add."
THREE_WORDS = (
    "**Claimed** is what the authors promise. **Accounted** is what our ledger proves: ε is at most that. **Attacked** "
    "is what an attack has shown: ε is at least that. The verdict follows from the numbers at this setting: *false* "
    "where a known pair of data sets needs more than is claimed, *not known* where an upper bound alone exceeds it."
)
LAB = (
    "**What-if page.** Formulas and made-up rows are public; parts that run on your rows say so, and under a known "
    "seed nothing they show is a private release. ε here is what it would be if the noise were secret."
)
WORST = (
    "Noise is sized by the most that one record could change, over all rows that the public bounds allow, not by your "
    "data. Here is the worst pair found in the plane: move the record and watch it get better."
)
WHITENED = (
    "Chen et al. noise a gradient of Ã = ΦᵀAΦ, Φ = V(Λ_B + ξ)^-½, as if one record moved it by 8/(nξ). If Λ_B left "
    "with noise that is a theorem; while Λ_B is exact, Φ moves too, and the worst pair grows as 1/(nξ²)."
)
LEDGER = (
    "Every read of private rows by the algorithm, in order: no other goes past the curator. Squares of μ add up "
    "(composition); an unprotected read has no finite μ."
)
NO_LEAK = "An attack that finds nothing proves nothing: *no leak found by this attack* is all that may be said."


def standing(item: Answer, *, attacked: bool) -> list[str]:
    """Claim, proof and verdict of an answer at its setting, as markdown; with a line for an attack that was not run."""
    release, judgement = item.release, judge(item.release)
    return [
        f"**Claimed** by the authors: {judgement.claim}",
        f"**Accounted** by us: {accounted_text(release.accounted, release.ledger.mu)}",
        *["**Attacked**: no attack was run on this page"] * attacked,
        f"**Verdict** on {judgement.subject}: {escape_markdown(judgement.sentence)}",
    ]


def claimed_short(release: Release) -> str:
    """The claimed ε in a table cell."""
    return judge(release).claim_short.replace("ε = ", "")


def guess_short(release: Release) -> str:
    """The best guess in a table cell."""
    if method_entry(release.setting.algorithm).unproved:
        return "no bound"
    right = right_of_thousand(release.ledger.mu, release.accounted)
    return "no bound" if right is None else f"{right:,} of 1,000"


def right_of_thousand(mu: float, accounted: Claim) -> int | None:
    """How often of 1,000 the best attacker guesses right; None where nothing bounds it. Without a μ, (ε, δ) does."""
    if math.isnan(mu):
        if accounted.epsilon is None:
            return None
        return math.ceil(1000 * (1 - (1 - accounted.delta) / (1 + math.exp(min(accounted.epsilon, 700)))))
    return None if math.isinf(mu) else math.ceil(1000 * best_guess(mu))


def guess_of(release: Release) -> str:
    """`guess_sentence` of a release; for an algorithm from outside the package, of what its ledger can bound."""
    entry = method_entry(release.setting.algorithm)
    if entry.unproved:
        return (
            "How often someone who knows everything else guesses your row is not bounded: no proof is registered that "
            "this algorithm, which comes from outside the package, reads the rows through the curator alone."
        )
    said = guess_sentence(release.ledger.mu, release.accounted)
    return f"{said} {ANSWERS_ALONE}" if entry.outside and entry.private else said


def guess_sentence(mu: float, accounted: Claim) -> str:
    """The meaning of ε, from μ: the first sentence wherever an ε is shown. Without a μ, ε and δ give a looser bound."""
    right = right_of_thousand(mu, accounted)
    if right is None and accounted.unbounded not in (None, Unbounded.UNPROTECTED):
        return f"How often someone who knows everything else guesses your row is not bounded: {accounted.reason}."
    if right is None:
        return "There is no guarantee: someone who knows everything else may tell which row was used every time."
    return (
        "A fair coin decides whether your row or a stand-in is used. Someone who knows everything else sees the result "
        f"and guesses which: right at most **{right:,}** times in 1,000; blind guessing gives 500. "
        "These are worst cases, *if the noise were secret*."
    )


def odds_sentence(mu: float, epsilon: float) -> str:
    """Sentence about the odds after the result, from μ and ε."""
    share, beyond = 100 / (1 + math.exp(-epsilon)), loss_beyond(mu, epsilon)
    if share > 99:
        return f"Who starts at 50:50 may end almost certain at this ε (μ = {number_text(mu)})."
    most = math.ceil(share)
    return f"Who starts at 50:50 ends at {most}:{100 - most} at most, save in about {_rate(beyond)} results."


def unit_line(relation: str, n: int, delta: float, learnt: Sequence[str] = ()) -> str:
    """The protected rows, and what this δ would also admit; ``learnt`` is what was read off the rows."""
    change = "replaced by any allowed row" if relation == "replace_one" else "added or removed"
    return (
        f"Protects **one row and its label**, {change}. {_about_n(relation, n, learnt)} Someone with 3 rows gets "
        f"3 × μ. n·δ = {number_text(n * delta, 2)}: by δ alone, a mechanism that publishes some whole row in about "
        f"{100 * -math.expm1(-n * delta):.0f} of 100 releases would pass; Gaussian noise does not do that, μ shows it."
    )


def _about_n(relation: str, n: int, learnt: Sequence[str]) -> str:
    """Sentence about where n comes from: public if rows are replaced, else declared or read off the rows."""
    if relation == "replace_one":
        return f"The number of rows, {n:,}, is public."
    if NUMBER_OF_ROWS in learnt:
        return f"n = {n:,} was read off the rows, which no ε covers: declare it."
    return f"Averages and noise follow the declared n = {n:,}, whatever number is there."


def unit_of(item: Answer) -> str | None:
    """Unit of what an answer guarantees; None where nothing is guaranteed."""
    public, accounted = item.release.public, item.release.accounted
    if not item.private or accounted.epsilon is None:
        return None
    return unit_line(public.relation, public.n, accounted.delta, item.release.learnt)


def meaning_sentences(item: Answer) -> Iterator[str]:
    """The meaning of an answer's numbers, beginning with the guess of an attacker."""
    mu, accounted = item.release.ledger.mu, item.release.accounted
    yield guess_of(item.release)
    if method_entry(item.release.setting.algorithm).unproved:
        return
    if 0 < mu < math.inf:
        yield odds_sentence(mu, accounted.epsilon or 0.0)
    yield from filter(None, (unit_of(item), ridge_line(item, has_floor(item.release.method))))


def set_aside(parts: Sequence[Share], delta: float) -> str:
    """Worth of the noisy answers, had the others not left."""
    mu = math.sqrt(sum(part.squared for part in parts))
    return (
        f"With the unprotected answers set aside, the noisy ones are worth **ε = "
        f"{number_text(epsilon_of(mu, delta), 2)}** ({mu_text(mu)}). That is no guarantee: they were not set aside."
    )


def relation_words(relation: str) -> str:
    """A neighbouring relation for a sentence."""
    return "one record replaced, label included" if relation == "replace_one" else "one record more or fewer"


def preprocessing_words(learnt: Sequence[str]) -> str:
    """Name of the preprocessing of a data set."""
    if BOUNDS_LEARNT in learnt:
        return "Preprocessing, with bounds learnt from the rows, which no ε covers"
    return "Preprocessing, public"


def ridge_line(item: Answer, floor: bool) -> str | None:
    """ξ asked and ξ effective, where the two can differ."""
    facts = item.release.facts
    if "xi_effective" not in facts or item.release.public.identity_constraint:
        return None
    asked, used, edge = ridge_of(item.release.method) or 0.0, facts["xi_effective"], facts["noise_edge"]
    if not floor and asked:
        return f"ξ = {number_text(used)} asked and used; floor off (the noise edge is {number_text(edge)})."
    if used > asked:
        least = "the noise edge" if facts["xi_least"] == edge else f"0.4 of the noise edge, {number_text(edge)}"
        if not asked:
            return f"ξ = **{number_text(used)}** by the noise: {least}. The exact answer is compared at this ridge."
        return (
            f"ξ = {number_text(asked)} asked, **{number_text(used)}** effective: raised to {least}. A "
            "smaller ξ changes nothing."
        )
    return f"ξ = {number_text(used)} asked and effective; the noise edge is {number_text(edge)}."


CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")  # also of direction


def escape_markdown(text: str) -> str:
    """Text from an address or a file, for markdown that shows it as it is: no picture to fetch, no link, no formula."""
    line = CONTROLS.sub(lambda found: ascii(found[0])[1:-1], " ".join(text.split()))
    return re.sub(r"([\\`*\[\]<>~$:#|!]|(?<!\w)_|_(?!\w))", r"\\\1", line)


def _rate(share: float) -> str:
    if share <= 0:
        return "none of"
    if share >= 0.005:
        return f"{100 * share:.1f} of 100"
    return f"{1e5 * share:.0f} of 100,000" if share >= 1e-5 else f"{1e7 * share:.0f} of 10 million"
