"""Each method in everyday words: what it does, and why its claim stands as it does. A method without words here is
described by its kind and its docstring alone."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Everyday:
    """What a method does, and why its verdict is what it is, for a second-year student."""

    idea: str
    why: str


_NO_CLAIM = "Exact numbers leave. Change one record and the answer changes in a way that someone can compute."

WORDS: Mapping[str, Everyday] = {
    "exact": Everyday(
        "The textbook answer: whiten by B, then take the leading eigenvectors. The ceiling of every chart.", _NO_CLAIM
    ),
    "sr": Everyday("Two ordinary eigenproblems in place of one generalized one: first B, then A seen through B.",
                   _NO_CLAIM),
    "rayleigh_flow": Everyday("Walks uphill on the quotient vᵀAv / vᵀBv, a small step at a time.", _NO_CLAIM),
    "truncated_rayleigh_flow": Everyday(
        "The same walk, keeping only the few largest entries after each step, for many columns and few rows.", _NO_CLAIM
    ),
    "ssp": Everyday(
        "Adds up products of entries, class sums and class counts over all rows, puts noise on these sums once, and "
        "does the rest of statistics on the noisy sums.",
        "One record can move the sums by a known amount, whatever the other rows are. Noise of that size, Gaussian, is "
        "worth exactly μ; nothing else ever touches the rows.",
    ),
    "dpsr": Everyday(
        "Finds the directions of B by noisy steps, measures the spread along each, then does the same for A seen "
        "through B.",
        "Directions carry noise, the measured spreads do not. The output is those spreads, turned: a rotation cannot "
        "hide lengths, so they can be read off and checked against any suspected data set. It is like a secret ballot "
        "whose total of one box is printed on the lid.",
    ),
    "dpsrs": Everyday(
        "DPSR that drops small entries in every step.",
        "Dropping entries of directions does not hide the spreads: they leave without noise, as in DPSR.",
    ),
    "dpsr_corrected": Everyday(
        "DPSR with noise on the spreads as well, and with whitening after the noise.",
        "Every number that leaves has a line in the ledger. Three lines, whose μ² add up to what was granted.",
    ),
    "dprf": Everyday(
        "Walks uphill on the noisy quotient; every step sees A and B under fresh noise.",
        "Each step is one noisy look at A and one at B. Their costs add up, and the paper's constants leave room.",
    ),
    "dptrf": Everyday(
        "The same walk, keeping only the few largest entries after each step.",
        "Dropping entries happens after the noise, so it costs nothing. The looks are those of DP-RF.",
    ),
    "sr_dp": Everyday(
        "Noise on A, noise on B, then the textbook answer on the noisy pair.",
        "Two noisy answers, half of the budget each. What is computed from them is free.",
    ),
    "analyze_gauss": Everyday(
        "Noise on the covariance, once; then its leading eigenvectors.",
        "One record moves the covariance by a bounded amount, and the noise is sized by that amount.",
    ),
    "mod_sulq": Everyday(
        "Noise on the covariance, once, more of it the more columns there are.",
        "Its proof bounds each entry by itself and adds up, which grows with d. The change of the whole matrix does "
        "not, so there is noise to spare.",
    ),
    "ppi": Everyday(
        "Multiply by the covariance, add noise, straighten, repeat.",
        "Each multiplication is a noisy answer, and their μ² add up to less than was promised.",
    ),
    "wishart": Everyday(
        "Adds a random positive matrix to the covariance, so that the result stays positive.",
        "The noise only ever adds. Some results are therefore possible under one data set and impossible under its "
        "neighbour, and seeing one of them settles the question.",
    ),
    "local_gaussian": Everyday(
        "Everybody adds noise to their own products before handing them in; nobody is trusted.",
        "Each report must hide a whole record by itself, so the noise is about √n times larger than with a trusted "
        "curator. At larger ε its rule is calibrated to a change that is too small.",
    ),
    "dp_spca": Everyday(
        "Looks at one random row per step, adds noise, moves a little.",
        "Most steps never look at your row, and nobody knows which ones did. That chance is worth a lot, more than the "
        "paper's own argument can show.",
    ),
    "dp_vrpca": Everyday(
        "One random row per step, corrected by the mean of all rows taken now and then.",
        "When your row is drawn, its correction counts in full; the paper divides it by n. At its noise that is far "
        "more than was promised.",
    ),
}  # fmt: skip
