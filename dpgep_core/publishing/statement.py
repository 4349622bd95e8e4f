"""The one-page privacy statement of a release, for whoever answers for the data, and the code that loads it."""

from collections.abc import Iterable
from decimal import Decimal
from html import escape

from dpgep_core.method import method_entry
from dpgep_core.models import model_entry
from dpgep_core.privacy.accountant import best_guess
from dpgep_core.privacy.privacy_loss import at_most
from dpgep_core.publishing.release_file import ReleaseHeader
from dpgep_core.wording import decimal_text, number_text

NEIGHBOURS = {
    "replace_one": "one row, with its label, had been replaced by any other allowed row. The number of rows is public",
    "add_remove": "one row, with its label, had been left out or added. The declared number of rows is public",
}
NOT_COVERED = (
    "A person who is in several rows: the guarantee is for one row. For g rows of one person, multiply μ by g.",
    "What anyone could infer about a person from the rest of the population, had that person's row never been there.",
    "Other releases of the same rows: their budgets add up, and this file knows only of itself.",
    "Choices made by looking at the rows before this release, such as ε, ξ, the model, or bounds that were read off "
    "the rows.",
    "The time that the computation took, the memory it used, and the ledger of budgets, which stay with the data.",
    "Rows that are projected, or classified, with this release later: the projections are theirs, and not protected.",
)
STYLE = """
body{font:15px/1.45 system-ui,sans-serif;color:#1a1a1a;background:#fff}body{max-width:46rem;margin:1.5rem auto}
body{padding:0 1rem}
h1{font-size:1.45rem;margin:0 0 .2rem}h2{font-size:1.05rem;margin:1rem 0 .2rem}p,ul{margin:.25rem 0}li{margin:.1rem 0}
table{border-collapse:collapse;margin:.3rem 0}td,th{text-align:left;padding:.15rem .9rem .15rem 0;vertical-align:top}
pre{background:#f4f4f4;padding:.5rem .7rem;overflow-x:auto;font-size:12.5px}small{color:#555}
.sign td{border-top:1px solid #888;padding-top:.2rem;min-width:13rem}.sign{margin-top:2.2rem}
@media print{body{font-size:11px;margin:0}pre{font-size:10px}@page{size:A4;margin:14mm}}
"""


def right_guesses(mu: float) -> str:
    """How often the best attacker is right, of 1,000 times."""
    return at_most(1000 * best_guess(mu))


def loading_code(name: str) -> str:
    """Ten lines of Python that load a release and use it."""
    return f"""from dpgep_core import load_release

release = load_release({name!r})  # checks schema, shapes and hash
print(release.header.epsilon, release.header.delta, release.header.mu)

projection = release.transformer()  # a scikit-learn transformer
Z = projection.transform(X)  # X: rows as they are stored, before any preparation

# Free: other settings from the same file, without the rows and at no further cost.
other = release.transformer(model={"pca"!r}, n_components=2)
"""


def privacy_statement(header: ReleaseHeader, name: str, sha256: str) -> str:
    """The statement as an HTML page that prints on one sheet; ``name`` is the file's, and ``sha256`` its digest."""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>Privacy statement: {escape(header.dataset)}</title><style>{STYLE}</style></head>"
        f"<body><main>{statement_text(header, name, sha256)}</main></body></html>\n"
    )


def statement_text(header: ReleaseHeader, name: str, sha256: str) -> str:
    """Text of the statement in HTML, without a page around it; names are escaped."""
    parts = (
        f"<h1>Privacy statement: a release from “{escape(header.dataset)}”</h1>",
        f"<p><small>{escape(name)} · made {escape(header.made)} · release {escape(header.release)}</small></p>",
        "<h2>What was protected, and against whom</h2>",
        f"<p>Each row of the data set. Suppose {escape(NEIGHBOURS[header.relation])}. Someone who has this file, knows "
        "every other row, and has all the time and computers there are, is to say which of the two data sets it was "
        f"made from. They are right <b>at most {right_guesses(header.mu)} times in 1,000</b>; by tossing a coin they "
        "are right 500 times.</p>",
        "<h2>The guarantee</h2>",
        _table(_guarantee(header)),
        "<h2>How it was made</h2>",
        f"<p>{escape(_made(header))}</p>",
        "<h2>What is not covered</h2>",
        "<ul>" + "".join(f"<li>{escape(each)}</li>" for each in NOT_COVERED) + "</ul>",
        "<h2>To use it</h2>",
        f"<pre>{escape(loading_code(name))}</pre>",
        f"<p><small>SHA-256 of the file: {sha256}</small></p>",
        '<table class="sign"><tr><td>Place and date</td><td>Data protection officer</td></tr></table>',
    )
    return "".join(parts)


def _guarantee(header: ReleaseHeader) -> Iterable[tuple[str, str]]:
    yield (
        "ε, δ",
        f"({decimal_text(Decimal(header.epsilon))}, {decimal_text(Decimal(header.delta))})-differential privacy",
    )
    yield "μ", f"{number_text(header.mu, 4)}, in Gaussian differential privacy"
    yield (
        "Exact to the last bit",
        f"whole numbers throughout; of δ, {number_text(header.slack, 2)} is kept for the difference between the "
        "discrete noise that was drawn and rounded Gaussian noise",
    )
    for number, entry in enumerate(header.ledger, start=1):
        noise = f"one record changes it by at most {entry['sensitivity']:.6g}; noise of scale {entry['sigma']:.6g}"
        yield "The one answer" if len(header.ledger) == 1 else f"Answer {number}", f"{entry['query']}: {noise}"


def _made(header: ReleaseHeader) -> str:
    model, method = model_entry(header.model), method_entry(header.algorithm)
    versions = ", ".join(f"{name} {text}" for name, text in sorted(header.versions.items()))
    if header.relation == "add_remove":
        rows = f"all rows, of which there are {header.n:,} by declaration, in"
    else:
        rows = f"all {header.n:,} rows of"
    return (
        f"{model.title} by {method.title}, {header.n_components} components, from {rows} "
        f"{header.d:,} columns. Each row was first brought into the unit ball by public rules. "
        f"{_left(len(header.ledger))}, under discrete Gaussian noise from the entropy of the operating system; no seed "
        "was used, and the release cannot be made again. Everything else in the file was computed from those noisy "
        f"sums and from public settings. Software: {versions}."
    )


def _left(answers: int) -> str:
    """How the sums left."""
    if answers == 1:
        return "The sums over the rows left once"
    second = "the second about the noisy centres that the first gave"
    if answers == 2:
        return f"Sums over the rows left in two answers, {second}"
    third = "and the third of the rows brought to even spread by the noisy scatter that these two gave"
    return f"Sums over the rows left in three answers, {second}, {third}"


def _table(rows: Iterable[tuple[str, str]]) -> str:
    lines = (f'<tr><th scope="row">{escape(head)}</th><td>{escape(text)}</td></tr>' for head, text in rows)
    return f"<table>{''.join(lines)}</table>"
