"""``dpgep release``, ``dpgep budget`` and ``dpgep score``: releases, what a budget was spent on, and public scores."""

import argparse
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from dpgep_core.cli.passing import add_dask, reported_passes
from dpgep_core.cli.shared import add_set, fields_of, parameters_of_both, read_set
from dpgep_core.cli.stating import statement_place
from dpgep_core.cli.terminal import print_json
from dpgep_core.datasets import open_dataset
from dpgep_core.datasets.silent import open_silently
from dpgep_core.errors import ParameterError
from dpgep_core.evaluate.private_rules import PRIVATE_RULES
from dpgep_core.params import Components, definition, parameters
from dpgep_core.paths import path_of
from dpgep_core.publishing import load_release
from dpgep_core.publishing.budget import USUAL_DELTA, Amount, Budget
from dpgep_core.publishing.budget_ledger import BudgetLedger
from dpgep_core.publishing.entry_chain import KeptEntry
from dpgep_core.publishing.placing import LEDGER, ledger_path
from dpgep_core.publishing.pricing import ReleaseRequest
from dpgep_core.publishing.releasing import Published, publish
from dpgep_core.publishing.scoring import ALL_PRIVATE, majority_share, private_scores, public_rows
from dpgep_core.publishing.statement import right_guesses
from dpgep_core.release import Setting
from dpgep_core.wording import decimal_text, number_text, plural

BY_SET = {name: parameters(Setting)[name] for name in ("relation", "declared_n")}
ROWS_CHANGED = (
    "The rows are not those that the budget was opened with. The release counts on the same budget all the same."
)
PUBLIC = "a labelled data set or file that you declare public: its published test split, or all rows of another one"
STATEMENT = "also write the privacy statement: .html, or .pdf with Chromium; must not be there yet"
SHARED_LEDGER = f"By default that of the page Release: the file that {LEDGER} names, or one in your data folder"


def add_command(commands: Any) -> None:
    """Put ``release``, ``budget`` and ``score`` under the subcommands."""
    parser = commands.add_parser("release", help="make one private release under a kept budget")
    parser.add_argument("--dataset", required=True, metavar="D", help="all of its rows are used")
    parser.add_argument("--model", default="fda", metavar="M")
    parser.add_argument("--algorithm", default="ssp", metavar="A")
    parser.add_argument("--epsilon", required=True, metavar="E", help="ε of the release, taken as an exact decimal")
    parser.add_argument(
        "--delta", metavar="DEL", help=f"δ of the release; that of the budget by default ({USUAL_DELTA})"
    )
    parser.add_argument("--n-components", metavar="K", help="number of components; free to change later")
    parser.add_argument("--budget-epsilon", metavar="E", help="ε of the whole budget; needed for the first release")
    parser.add_argument("--budget-delta", metavar="DEL", help=f"δ of the whole budget; {USUAL_DELTA} by default")
    parser.add_argument("--ledger", metavar="FILE", help=f"where budgets are kept; made if missing. {SHARED_LEDGER}")
    parser.add_argument("--out", required=True, metavar="FILE.npz", help="the release; must not be there yet")
    parser.add_argument("--statement", metavar="FILE", help=STATEMENT)
    add_set(parser, ", relation or declared_n")
    add_dask(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=_release)
    parser = commands.add_parser("budget", help="list what was released from kept budgets")
    parser.add_argument("--ledger", metavar="FILE", help=SHARED_LEDGER)
    parser.add_argument("--dataset", metavar="D", help="of one data set alone")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=_budget)
    parser = commands.add_parser("score", help="accuracy of classifiers made from a release alone, on public rows")
    parser.add_argument("release", metavar="FILE.npz")
    parser.add_argument("--public", required=True, metavar="D", help=PUBLIC)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=_score)


def _release(arguments: argparse.Namespace) -> None:
    request = _request(arguments)
    with statement_place(arguments.statement, request.out, request.ledger) as statement:
        with reported_passes(arguments.dask):
            published = publish(request)
        report = release_report(published)
        print_json(report) if arguments.json else print(_release_in_words(report, published))
        if statement is not None:  # last: the release is told of, whatever becomes of its statement
            statement.write(published)


def _request(arguments: argparse.Namespace) -> ReleaseRequest:
    found = read_set(arguments.set, {**parameters_of_both(arguments.model, arguments.algorithm), **BY_SET})
    common = {name: found.pop(name) for name in BY_SET if name in found}
    k, ledger = arguments.n_components, _ledger_path(arguments)
    data = open_silently(arguments.dataset)
    asked, limit = _amounts(arguments, ledger, data.name)
    return ReleaseRequest(
        asked=asked,
        limit=limit,
        dataset=data,
        model=arguments.model,
        algorithm=arguments.algorithm,
        ledger=ledger,
        out=path_of("out", arguments.out),
        n_components=None if k is None else int(definition(Components).parse("n-components", k)),
        params=found,
        **common,
    )


def _ledger_path(arguments: argparse.Namespace) -> Path:
    return ledger_path() if arguments.ledger is None else path_of("ledger", arguments.ledger)


def _amounts(arguments: argparse.Namespace, ledger: Path, dataset: str) -> tuple[Amount, Amount | None]:
    """(ε, δ) of the release, and of the budget where it is named. A δ that is left out follows the budget."""
    budget = BudgetLedger(ledger).budgets().get(dataset) if ledger.exists() else None
    most = USUAL_DELTA if budget is None else decimal_text(budget.limit.delta)
    epsilon, delta = arguments.budget_epsilon, arguments.budget_delta
    if epsilon is None and delta is not None:
        raise ParameterError("budget-delta", delta, "left out, or given together with budget-epsilon")
    limit = None if epsilon is None else Amount.of(epsilon, most if delta is None else delta, prefix="budget-")
    usual = most if limit is None else str(limit.delta)
    return Amount.of(arguments.epsilon, usual if arguments.delta is None else arguments.delta), limit


def release_report(published: Published) -> dict[str, Any]:
    """A release as one plain object: public settings, and the budget."""
    header, reservation = published.header, published.reservation
    return {
        **fields_of(header, "dataset model algorithm release"),
        "asked": {"epsilon": float(header.epsilon), "delta": float(header.delta)},
        **budget_report(reservation.budget),
        **fields_of(header, "mu slack"),
        "file": str(published.path),
        "sha256": published.sha256,
        "ledger_entry": reservation.entry,
        "warnings": [*published.warnings, *([ROWS_CHANGED] if reservation.rows_changed else [])],
        "seconds": published.seconds,
    }


def budget_report(budget: Budget) -> dict[str, Any]:
    """Limit, spent and left; δ is counted at the ε of the budget, by the accountant."""
    left = budget.left
    return {
        "budget": _amount(budget.limit),
        "spent": {"epsilon": float(budget.spent_epsilon), "delta": budget.spent_delta},
        "left": _amount(left),
        "accounted": {"epsilon": budget.accounted_epsilon, "delta": float(budget.limit.delta), "mu": budget.mu},
    }


def _amount(amount: Amount) -> dict[str, float]:
    return {"epsilon": float(amount.epsilon), "delta": float(amount.delta)}


def _release_in_words(report: Mapping[str, Any], published: Published) -> str:
    header, budget = published.header, published.reservation.budget
    asked = budget.charges[-1].asked
    lines = [
        f"released: {published.path}",
        f"          {header.dataset} · {header.model} · {header.algorithm}, {plural(header.n_components, 'component')}",
        f"sha256:   {published.sha256}",
        f"private:  ε = {decimal_text(asked.epsilon)} at δ = {decimal_text(asked.delta)} "
        f"(μ = {number_text(header.mu, 4)}): who knows all other rows is right at most {right_guesses(header.mu)} "
        "times in 1,000",
        *_budget_lines(budget),
        *(f"note: {warning}" for warning in report["warnings"]),
    ]
    return "\n".join(lines)


def _budget_lines(budget: Budget) -> list[str]:
    together = f"ε ≤ {number_text(budget.accounted_epsilon, 4)} at δ = {decimal_text(budget.limit.delta)}"
    return [
        f"budget:   ε = {decimal_text(budget.spent_epsilon)} of {decimal_text(budget.limit.epsilon)} spent, "
        f"{decimal_text(budget.left.epsilon)} left; δ = {decimal_text(budget.limit.delta)}",
        f"together: {plural(len(budget.charges), 'release')}, by the accountant {together} "
        f"(μ = {number_text(budget.mu, 4)})",
    ]


def _budget(arguments: argparse.Namespace) -> None:
    path = _ledger_path(arguments)
    ledger = BudgetLedger(path)
    named = arguments.dataset
    budgets = ledger.budgets() if named is None else {named: ledger.budget(named)}
    entries = ledger.entries()
    report = {name: {**budget_report(budget), "releases": _releases(entries, name)} for name, budget in budgets.items()}
    if arguments.json:
        print_json({"ledger": str(path), "datasets": report})
        return
    for name, budget in budgets.items():
        print(f"{name} ({budget.relation})")
        print("\n".join(f"  {line}" for line in _budget_lines(budget)))
        for one in report[name]["releases"]:
            where = one["file"] or "no file was written"
            print(f"  {one['at']}  ε = {one['epsilon']}, δ = {one['delta']}  {one['model']}  {where}")


def _releases(entries: Iterable[KeptEntry], dataset: str) -> list[dict[str, Any]]:
    """Releases of one data set, in order; a release without a file ended before it was written, and counts."""
    kept = tuple(entries)
    files = {entry.body["release"]: entry.body for entry in kept if entry.kind == "written"}
    found: list[dict[str, Any]] = []
    for entry in kept:
        body = entry.body
        if entry.kind == "reserved" and body["dataset"] == dataset:
            wrote = files.get(body["release"], {})
            one = {name: body[name] for name in ("release", "at", "epsilon", "delta", "rows_changed")}
            found.append({**one, "mu": float.fromhex(body["mu"]), "model": body["setting"].get("model"),
                          "file": wrote.get("file"), "sha256": wrote.get("sha256")})  # fmt: skip
    return found


def _score(arguments: argparse.Namespace) -> None:
    release = load_release(arguments.release)
    rows = public_rows(release, open_dataset(arguments.public))
    scores, floor = dict(private_scores(release, rows)), majority_share(rows)
    if arguments.json:
        print_json({"release": release.header.release, "public": arguments.public, "label": ALL_PRIVATE,
                    "majority": floor, "accuracy": {kind: asdict(one) for kind, one in scores.items()}})  # fmt: skip
        return
    print(f"{arguments.release} on the public rows of {arguments.public} ({ALL_PRIVATE})")
    for kind, one in scores.items():
        interval = f"95 % interval {one.low:.4f} to {one.high:.4f}"
        print(f"  {one.accuracy:.4f}  {PRIVATE_RULES[kind].title} ({kind}), {interval}")
    print(f"  {floor:.4f}  the commonest class of these rows")
