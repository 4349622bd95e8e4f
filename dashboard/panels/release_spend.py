"""One release on the page: the kept budget, what is asked for, its price, and the button that spends it."""

from dataclasses import dataclass, replace

import streamlit as st

from dashboard.compute import releases
from dashboard.compute.results import STEPS_TEXTS
from dashboard.figures.budget import budget_alt, budget_bars
from dashboard.panels.shared import chart, style
from dashboard.scenario import Scenario, as_text
from dashboard.text.glossary import linked
from dashboard.text.words import escape_markdown
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.datasets import Dataset
from dpgep_core.errors import DpgepError, with_notes
from dpgep_core.learnt import learnt_facts
from dpgep_core.models import MODELS
from dpgep_core.publishing.budget import USUAL_DELTA, Amount, Budget
from dpgep_core.publishing.placing import ledger_path
from dpgep_core.publishing.pricing import PricedPlan, ReleaseRequest, priced_plan
from dpgep_core.publishing.releasing import publish
from dpgep_core.publishing.statement import right_guesses
from dpgep_core.release import default_parameters
from dpgep_core.wording import decimal_text, number_text, plural

ASKED, MADE = "release_asked", "release_made"  # in the session: what was asked for, and what came of it
CHANGED = "The rows are not those that the budget was opened with. The release was counted on the same budget."
DECLARED = (
    "Declare them in the file `NAME.toml` beside the data (`classes`, `lower` and `upper`, `declared_n`), or, for n,"
    " in the sidebar under “Privacy and size”. The document `docs/data.md` lists every key."
)
DELTA_HELP = "Keep it far below 1/n. It may be all of the budget's δ each time: δ is composed, and not added up."
PLAYS_NO_PART = "A release uses all rows, as they are declared, and no seed."


@dataclass(frozen=True)
class Asked:
    """Values that the form was sent with."""

    scenario: Scenario
    asked: Amount
    limit: Amount | None


def budget_panel(name: str) -> Budget | None:
    """Rest of the budget of a data set; None where no budget was opened."""
    budget = releases.kept_budget(name)
    if budget is None:
        st.markdown("No budget is open for this data set. The first release opens one, and it stays.")
        return None
    spent, limit = decimal_text(budget.spent_epsilon), decimal_text(budget.limit.epsilon)
    st.markdown(
        linked(
            f"**{decimal_text(budget.left.epsilon)} of ε = {limit} is left**, at δ = "
            f"{decimal_text(budget.limit.delta)}. {plural(len(budget.charges), 'release')} took ε = {spent}; "
            "by the accountant, all together are worth "
            f"ε ≤ {number_text(budget.accounted_epsilon, 4)} (μ = {number_text(budget.mu, 4)})."
        )
    )
    chart(budget_bars(budget, style()), "kept_budget", budget_alt(budget), "dpgep-budget")
    return budget


def places_panel() -> None:
    """Where the ledger and the files of releases are kept."""
    st.caption(
        f"Budgets are kept in `{escape_markdown(str(ledger_path()))}`, releases in "
        f"`{escape_markdown(str(releases.releases_folder()))}`."
    )


def missing_panel(scenario: Scenario, data: Dataset) -> bool:
    """List of what must be declared before anything is released; whether something is missing."""
    setting = scenario.with_algorithms(releases.METHOD).setting(releases.METHOD)
    missing = learnt_facts(data, replace(setting, test_size=0.0, bounds=True))
    if missing:
        facts = "\n".join(f"- {escape_markdown(fact)}" for fact in missing)
        st.error(f"Nothing can be released yet. These were read off the rows, and must be declared:\n\n{facts}")
        st.markdown(DECLARED)
    return bool(missing)


def ask_panel(scenario: Scenario, data: Dataset, budget: Budget | None) -> None:
    """The form: ε and δ as exact decimals, and the budget where none is open. Sending it spends nothing."""
    setting = scenario.with_algorithms(releases.METHOD).setting(releases.METHOD)
    free = default_parameters(setting.model, releases.METHOD) | dict(setting.params)
    ridge = f"ξ = {number_text(free['xi'], 6)}" if free["xi"] else "ξ by the noise"
    st.markdown(
        f"**{escape_markdown(data.title)}**, **{MODELS[scenario.model].title}**, "
        f"{plural(scenario.components(data), 'component')}, {ridge}, s = {free['sparsity'] or 'all'}, by "
        f"{ALGORITHMS[releases.METHOD].title} in {STEPS_TEXTS[free['steps']]}. "
        "Model, k, ξ and s can be changed afterwards from the file, at no cost."
    )
    with st.form("release_form"):
        left, right = st.columns(2)  # two rows: on a phone the δ of an amount follows its ε
        epsilon = left.text_input("ε of this release", as_text(scenario.epsilon), help="An exact decimal, such as 0.5.")
        usual = USUAL_DELTA if budget is None else decimal_text(budget.limit.delta)
        delta = right.text_input("δ of this release", usual, help=DELTA_HELP)
        limit = None
        if budget is None:
            left, right = st.columns(2)
            most = left.text_input("ε of the whole budget", "1", help="For all releases of this data set, for ever.")
            limit = (most, right.text_input("δ of the whole budget", USUAL_DELTA))
        sent = st.form_submit_button("Show the price", type="secondary" if ASKED in st.session_state else "primary")
    if sent:
        st.session_state.pop(MADE, None)
        whole = None if limit is None else Amount.of(*limit, prefix="budget ")
        st.session_state[ASKED] = Asked(scenario, Amount.of(epsilon, delta), whole)


def spend_panel(scenario: Scenario, data: Dataset, budget: Budget | None) -> None:
    """The price of what was asked for, and the button that pays it."""
    asked: Asked | None = st.session_state.get(ASKED)
    if asked is None or asked.scenario != scenario:  # of another setting: ask again
        return
    request = releases.release_request(scenario, data, asked.asked, asked.limit)
    priced = priced_plan(request)
    after = _after(budget, request, priced)
    epsilon, delta = decimal_text(asked.asked.epsilon), decimal_text(asked.asked.delta)
    with st.container(border=True):
        st.markdown(
            linked(
                f"Whoever knows all other rows will be right **at most {right_guesses(priced.charge.mu)} times in "
                f"1,000** about one row (μ = {number_text(priced.charge.mu, 4)}). The release is exact to the last "
                f"bit; {number_text(priced.slack, 2)} of δ is kept for that."
            )
        )
        st.markdown(f"Left afterwards: ε = {decimal_text(after.left.epsilon)} of {decimal_text(after.limit.epsilon)}.")
        for warning in priced.plan.warnings:
            st.warning(escape_markdown(warning))
        pressed = st.button(f"Release, and spend ε = {epsilon} at δ = {delta}", type="primary", key="release_spend")
        st.caption("What is spent cannot be taken back.")
    if pressed:
        del st.session_state[ASKED]  # first: a second click finds nothing to spend
        with st.spinner("Paying, summing the rows, drawing the noise …"):
            _make(request)
        st.rerun()


def _after(budget: Budget | None, request: ReleaseRequest, priced: PricedPlan) -> Budget:
    """The budget after the release; an error says what is asked and what is left."""
    if budget is None:
        assert request.limit is not None
        budget = Budget(request.dataset.name, request.limit, request.relation)
    return budget.charged(priced.charge)


def _make(request: ReleaseRequest) -> None:
    try:
        releases.make_folder()
        published = publish(request)
        changed = CHANGED if published.reservation.rows_changed else ""
        st.session_state[MADE] = (published.header.dataset, published.path.name, "", changed)
    except DpgepError as error:
        st.session_state[MADE] = (request.dataset.name, "", with_notes(error), "")


def made_panel(name: str) -> None:
    """Outcome of the last click, until something else is asked."""
    dataset, file, problem, changed = st.session_state.get(MADE, ("", "", "", ""))
    if dataset != name:
        return
    if problem:
        st.error(escape_markdown(problem))
        return
    st.success(f"Released as {escape_markdown(file)}. It is the first of the list below.")
    if changed:
        st.warning(changed)
