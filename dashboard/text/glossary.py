"""Every term of the screens in plain words, and texts whose terms lead to them. No streamlit."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

PAGE = "learn"  # where the glossary is shown


@dataclass(frozen=True, slots=True)
class Term:
    """One entry. ``words`` are what a text may call it, beside its name; only they are linked."""

    slug: str
    name: str
    meaning: str
    words: tuple[str, ...] = ()


TERMS: Mapping[str, Term] = {
    term.slug: term
    for term in (
        Term("record", "Record (unit of privacy)", "What one replacement may change. Here: one row with its label.",
             ("unit of privacy", "record")),
        Term("neighbours", "Neighbouring data sets", "Two data sets that differ in one record. Replace-one: as many "
             "rows, one of them exchanged. Add/remove: one row more or one fewer.",
             ("neighbouring data sets", "neighbouring relation", "neighbours")),
        Term("dp", "Differential privacy (DP)", "A promise about how results are made, not about any one result: on "
             "neighbouring data sets the algorithm gives almost the same distribution of results.",
             ("differential privacy", "differentially private")),
        Term("epsilon", "ε", "Between neighbours, the probability of any event changes at most by a factor e^ε, apart "
             "from δ. Smaller means more private and more noise.", ("privacy loss ε", "ε")),
        Term("delta", "δ", "How much probability may escape the rule of ε. It belongs far below 1/n. It is not how "
             "likely a leak is.", ("δ",)),
        Term("loss", "Privacy loss", "Logarithm of how much likelier a result is under one neighbour than under the "
             "other. For Gaussian noise it is normal with mean μ²/2 and variance μ².", ("privacy loss",)),
        Term("mu", "μ-GDP", "Telling the neighbours apart is at least as hard as telling one draw of N(0, 1) from one "
             "of N(μ, 1). One number, without a δ.", ("μ-GDP", "μ")),
        Term("rho", "ρ-zCDP", "For every α > 1, the Rényi divergence of order α between neighbours is at most ρα. "
             "Gaussian noise has ρ = μ²/2.", ("ρ-zCDP", "zCDP", "ρ")),
        Term("local", "Local DP", "Each person adds noise to their own record before anybody sees it. No curator is "
             "needed, and far more noise is.", ("local DP", "local model")),
        Term("renyi", "Rényi DP", "A bound on the Rényi divergence of one order α between neighbours. zCDP is such a "
             "bound for every order at once.", ("Rényi DP", "Rényi divergence")),
        Term("pld", "Privacy loss distribution (PLD)", "The whole distribution of the privacy loss. The losses of "
             "several answers add, so their distributions convolve, and what comes out is exact up to the grid.",
             ("privacy loss distributions", "privacy loss distribution", "PLD")),
        Term("amplification", "Amplification by sub-sampling", "An answer from a few rows, drawn at random and not "
             "told, costs less than one from all of them: most often the record in question was not drawn.",
             ("amplification by sub-sampling", "amplification")),
        Term("trade-off", "Trade-off function", "For each rate of false alarms, the lowest rate of misses that any "
             "test between neighbours can have.", ("trade-off function", "trade-off curve")),
        Term("sensitivity", "Sensitivity Δ", "The most that a statistic can change between two neighbours, over all "
             "rows that are allowed and not only those at hand; measured here in the Frobenius norm.",
             ("sensitivities", "sensitivity")),
        Term("norms", "Frobenius norm, spectral norm", "Frobenius: root of the sum of all squared entries. Spectral: "
             "the most that a matrix stretches a vector of length 1.", ("Frobenius norm", "spectral norm")),
        Term("gaussian", "Gaussian mechanism", "The statistic plus normal noise of variance σ². It is exactly "
             "(Δ/σ)-GDP.", ("Gaussian mechanism",)),
        Term("calibration", "Calibration", "The rule that makes σ out of ε, δ, Δ and the number of answers m.",
             ("calibration", "calibrated")),
        Term("composition", "Composition", "What several answers cost together. For Gaussian noise, μ² adds up.",
             ("composition",)),
        Term("post-processing", "Post-processing", "Computing further from a private result, without the data. It "
             "costs nothing.", ("post-processing",)),
        Term("accountant", "Accountant", "The calculation that goes from the noise that was used to the guarantee.",
             ("accountant", "exact accounting")),
        Term("ledger", "Ledger", "The list of everything the data were asked, with the noise on it. The accountant "
             "reads nothing else.", ("ledger",)),
        Term("budget", "Budget", "The whole cost that one has agreed not to pass.", ("privacy budget", "budget")),
        Term("curator", "Curator", "The one piece of code that sees rows.", ("curator",)),
        Term("peek", "Peek", "An exact answer, with no noise: unprotected, and the ledger says so.",
             ("unprotected", "without noise")),
        Term("three", "Claimed, accounted, attacked ε", "Claimed: what a paper states. Accounted: what the ledger "
             "proves, ε is at most this. Attacked: what an attack has shown, ε is at least this.",
             ("claimed", "accounted", "attacked")),
        Term("audit", "Audit", "Running an algorithm many times on two neighbours and guessing which one was used. "
             "Guesses that are right too often bound ε from below.", ("audit", "attack")),
        Term("tpr", "TPR and FPR", "Share of hits; share of false alarms.", ("TPR", "FPR", "false alarms")),
        Term("clopper-pearson", "Clopper–Pearson interval", "An exact confidence interval for a proportion. With it, "
             "counts of an attack become a bound on ε.", ("Clopper–Pearson",)),
        Term("public-bound", "Public bound, clipping", "A range that was fixed without looking at the rows. Clipping "
             "pushes a record into it.", ("public column bounds", "public bounds", "public bound", "clipped")),
        Term("seed", "Seed", "The number that fixes the noise. Good for repeating a result, never for releasing one: "
             "who knows it can subtract the noise.", ("seed",)),
        Term("models", "PCA, FDA, CCA, SIR", "Directions in which rows vary most; that separate classes best; in which "
             "two groups of columns agree most; along which E[x | y] changes most.", ("PCA", "FDA", "CCA", "SIR")),
        Term("pencil", "Pencil (A, B), generalized eigenvector", "A pair of matrices, and a vector v with Av = λBv.",
             ("generalized eigenvector", "generalized eigenvalue problem", "pencil")),
        Term("rayleigh", "Generalized Rayleigh quotient", "vᵀAv / vᵀBv. The generalized eigenvectors are where it is "
             "stationary.", ("generalized Rayleigh quotient", "Rayleigh quotient")),
        Term("scatter", "Between and within scatter", "How class means spread about the overall mean; how rows spread "
             "about their own class mean. Together they are the covariance.", ("between scatter", "within scatter")),
        Term("whitening", "Whitening", "New coordinates in which B is the identity.",
             ("whitening", "whitened", "whitener")),
        Term("ridge", "Ridge ξ", "A number added to the diagonal of B, so that dividing by eigenvalues near zero does "
             "not blow up noise. It is no privacy parameter.", ("ridge", "ξ")),
        Term("noise-edge", "Noise edge", "About the largest eigenvalue of the noise matrix alone: s√(2d)/n. With two "
             "steps, ρ² times that: the rows of the second step are as long as their distance ρ from the centres.",
             ("noise edge", "noise floor")),
        Term("eigengap", "Eigengap", "Distance from one eigenvalue to the next. Where it is small, noise turns "
             "directions into each other.", ("eigengap",)),
        Term("power-iteration", "Power iteration, PPI", "Multiply, straighten, repeat, until only the leading "
             "directions are left. PPI adds noise each time.", ("power iteration",)),
        Term("admm", "ADMM", "Alternating direction method of multipliers: a convex problem in two parts, each solved "
             "in turn and pulled towards the other. It makes the private start of Hu et al.", ("ADMM",)),
        Term("lower-bound", "Lower bound, upper bound", "Upper: no data of the kind are worse than that. Lower: for "
             "every method some data are as bad as that. Neither is a rate: a method may be better than its upper "
             "bound on any data at hand.", ("lower bounds", "lower bound", "upper bounds", "upper bound")),
        Term("sparsity", "Sparsity s, support, truncation", "How many entries of a direction may differ from zero, and "
             "which ones. Truncation keeps the s largest.", ("sparsity", "truncation", "support")),
        Term("component", "Component, loading", "A direction that comes out; its entry for one feature.",
             ("components", "component", "loadings")),
        Term("cosine", "Cosine similarity", "|uᵀv| of two vectors of length 1. At 1 they lie on one line, at 0 they "
             "are at right angles. The sign of an eigenvector means nothing. It is measured against the exact "
             "components at the same ξ; after two steps or three, or with ξ = 0, against those at the ridge that was "
             "used. A larger ridge may raise accuracy while the cosine to a small ξ falls: those are two questions.",
             ("cosine similarity", "cosine")),
        Term("cleaning", "Cleaned eigenvalues", "Eigenvalues of a released matrix, moved to where the known law of the "
             "noise puts them on average. Free, for it reads only what was released.", ("cleaned eigenvalues",)),
        Term("angles", "Principal angles", "The angles between two subspaces, the pair that agrees best first.",
             ("principal angles", "principal angle")),
        Term("subspace", "Subspace distance", "Norm of the difference of the two orthogonal projections; a rotation "
             "within the subspace does not count. ‖V − V̂‖²_F of Shang et al. counts it. Signs are aligned first here: "
             "a flipped sign does not count.", ("subspace distance",)),
        Term("procrustes", "Procrustes", "The rotation, mirroring and scaling that lay one picture best upon another.",
             ("Procrustes",)),
        Term("random", "Random-projection baseline", "The same measure for random directions: what knowing nothing "
             "scores.", ("random projection", "random direction")),
        Term("oracle", "Oracle start", "Starting from the exact answer. Not private.",
             ("oracle start", "starts at the answer")),
        Term("band", "Quantile band", "Holds the stated share of the draws at each point. It is no confidence interval "
             "of their mean.", ("soft bands", "bands")),
        Term("scores", "Precision, recall, F1", "Of the rows that a classifier calls a class, the share that are of "
             "it; of those that are of it, the share that it finds; the harmonic mean of both. Averaged over classes "
             "by their size here, which makes recall the accuracy.", ("precision", "recall", "F1")),
        Term("tests", "Wilcoxon signed-rank test, effect size, Holm correction", "Wilcoxon: are paired differences "
             "symmetric about zero? It does not say how large they are; the effect size does. Holm: keeps many tests "
             "at once from finding something by luck.", ("Wilcoxon", "effect size", "Holm")),
        Term("ssp", "ssp", "Our algorithm: class sums and counts leave with noise, then second moments about these "
             "noisy centres; all else is post-processing. In one step everything leaves at once.",
             ("sufficient statistics",)),
    )
}  # fmt: skip

_SLUGS = {word.casefold(): term.slug for term in TERMS.values() for word in term.words}
# What is no prose: code, links, images, badges and formulas of markdown.
_KEPT = re.compile(r"(`[^`]*`|!?\[[^\]]*\]\([^)]*\)|:[a-z-]+\[[^\]]*\]|\$[^$]*\$|https?://\S+)")


def search_terms(text: str) -> list[Term]:
    """Terms whose name, words or meaning hold the text; all of them for an empty one."""
    wanted = text.casefold().strip()
    return [
        term
        for term in TERMS.values()
        if any(wanted in part.casefold() for part in (term.name, term.meaning, term.slug, *term.words))
    ]


def linked(text: str, most: int = 4) -> str:
    """Markdown whose terms, each at its first place and ``most`` of them, lead to the glossary.

    A link says the definition when the mouse rests on it and opens the glossary beside the page, so that nothing set
    here is lost. Words in code, links, badges and formulas stay as they are.
    """
    seen: set[str] = set()

    def link(match: re.Match[str]) -> str:
        term = TERMS[_SLUGS[match.group(0).casefold()]]
        if term.slug in seen or len(seen) >= most:
            return match.group(0)
        seen.add(term.slug)
        return f'[{match.group(0)}]({address(term)} "{_quote(term.meaning)}")'

    parts = enumerate(_KEPT.split(text))  # every second one is kept as it is
    return "".join(part if place % 2 else _pattern().sub(link, part) for place, part in parts)


def address(term: Term) -> str:
    """Link to the explanation of a term, from any page."""
    return f"{PAGE}?term={term.slug}"


def _quote(meaning: str) -> str:
    """For the title of a markdown link: no quote ends it, no mark in it is read as markup."""
    return meaning.replace('"', "'").replace("|", "\\|").replace("_", "\\_")


@cache
def _pattern() -> re.Pattern[str]:
    words = sorted((word for term in TERMS.values() for word in term.words), key=len, reverse=True)
    choices = "|".join(map(re.escape, words))
    return re.compile(rf"(?<![\w^/=‖√-])(?:{choices})(?![\w′²^/₀-₉]|-[a-z])", re.IGNORECASE)
