"""Method pages in words: docstrings as paragraphs, verdicts, parameters as rows, everyday words. No streamlit."""

import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass

from dashboard.scenario import as_text
from dashboard.text.words import escape_markdown
from dpgep_core.method import MethodEntry, Verdict
from dpgep_core.params import Choice, Knob, Parameter, defaults, parameters
from dpgep_core.wording import number_text

MEANING: Mapping[Verdict, str] = {
    Verdict.HOLDS: "The claim holds: noise is large enough for what one record can change, and the ledger adds it up.",
    Verdict.HOLDS_OTHERWISE: (
        "Where the claim is made its number is right, and the published proof is not, or does not cover it. Someone "
        "who trusts it is protected, by an argument that the paper does not give."
    ),
    Verdict.FALSE: (
        "For some settings there are two data sets, one record apart, that its answers tell apart more often than the "
        "claim allows. No careful reading saves the claim; the method needs a change, or a smaller range."
    ),
    Verdict.UNKNOWN: "Neither a proof nor an attack is known. That is not a guarantee.",
    Verdict.NONE: "Nobody claims that this is private. It is here to compare with.",
}
EVERYDAY: Mapping[str, str] = {
    "spends once": (
        "It asks the data **one** question, with noise, and computes everything else from that noisy answer. What is "
        "computed from a private answer is free, so ridge, sparsity and the number of components may change afterwards."
    ),
    "two steps": (
        "It asks the data **twice**, with noise, and computes everything else from these noisy answers. What is "
        "computed from a private answer is free, so ridge, sparsity and the number of components may change afterwards."
    ),
    "iterates": (
        "It asks the data again in **every step**, and each answer carries fresh noise. Costs add up (μ² does), so "
        "more steps mean more noise in each of them."
    ),
    "outside": (
        "It comes from outside the package. It should ask the data through the curator, which counts every answer and "
        "refuses one that would cost more than ε. Nobody checks whether its code reads the data in another way."
    ),
    "open": "It reads the data **without noise**. What it finds may show any single record.",
}


def paragraphs(cls: type) -> tuple[str, ...]:
    """The docstring of a method up to its parameters, as paragraphs."""
    text = inspect.cleandoc(cls.__doc__ or "")
    text = re.split(r"\n\s*Parameters\n-+", text)[0]
    text = re.sub(r"``(.+?)``|`(.+?)`", lambda m: m.group(1) or m.group(2), text)
    return tuple(" ".join(part.split()) for part in text.split("\n\n") if part.strip())


def departures(cls: type) -> str:
    """The docstring's sentence about where it departs from the paper, "" where there is none."""
    _, found, rest = " ".join(paragraphs(cls)).partition("Departs from the paper")
    text = rest.lstrip(",: ")
    return text[:1].upper() + text[1:] if found else ""


def details(cls: type) -> tuple[str, ...]:
    """The docstring below its first line, without what `departures` gives."""
    before = " ¶ ".join(paragraphs(cls)[1:]).partition("Departs from the paper")[0]
    return tuple(part.strip() for part in before.split("¶") if part.strip())


def link(url: str) -> str:
    """An address for a browser from a DOI, an arXiv number or an address; "" where there is none."""
    scheme, _, rest = url.partition(":")
    known = {"doi": "https://doi.org/", "arXiv": "https://arxiv.org/abs/"}
    return known[scheme] + rest if scheme in known else url if scheme == "https" else ""


def everyday(entry: MethodEntry) -> str:
    """Kind of a method, for someone who has not read the paper."""
    if not entry.private:
        return EVERYDAY["open"]
    if entry.outside and not entry.spends_once:
        return EVERYDAY["outside"]
    if defaults(entry.make).get("steps") == 2:
        return EVERYDAY["two steps"]
    steps = {"n_iterations", "step_size", "epochs", "n_epochs"} & parameters(entry.make).keys()
    return EVERYDAY["iterates" if steps and not entry.spends_once else "spends once"]


def parameter_rows(cls: type) -> list[dict[str, str]]:
    """The parameters of a method, as rows of a table that reads Markdown."""
    usual = defaults(cls)
    rows: list[dict[str, str]] = []
    for name, parameter in parameters(cls).items():
        default = "the model's own" if usual.get(name) is None else as_text(usual[name])
        meant = f"**{parameter.label}**. {_meaning(parameter)} Allowed: {escape_markdown(parameter.allowed)}. "
        symbol = f"${parameter.symbol}$" if parameter.symbol else ""
        row = {"Symbol": symbol, "Name": f"`{name}`", "What it is": f"{meant}Default: {escape_markdown(default)}."}
        rows.append(row)
    return rows


def _meaning(parameter: Parameter) -> str:
    if isinstance(parameter, Choice):
        return parameter.doc + " " + "; ".join(f"*{key}*: {text}" for key, text in parameter.options.items()) + "."
    if isinstance(parameter, Knob):
        low, high = parameter.soft
        return f"{parameter.doc} The slider shows {number_text(low, 6)} to {number_text(high, 6)}."
    return parameter.doc


@dataclass(frozen=True, slots=True)
class Everyday:
    """Explanation of a method and of its verdict, for a second-year student."""

    idea: str
    why: str


_NO_CLAIM = "Exact numbers leave. Change one record and the answer changes in a way that someone can compute."

# A method without words here is described by its kind and its docstring alone.
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
        "Adds up the rows of each class and puts noise on these sums. Then it adds up products of entries of the rows "
        "about these noisy centres, with noise again, and does the rest of statistics on the noisy sums.",
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
