"""What-if answers: which ε, how many rows, which ξ, each with what the noise leaves open."""

import pandas as pd
import streamlit as st

from dashboard import cache
from dashboard.compute.jobs import Job
from dashboard.compute.results import Found, answer_in
from dashboard.controls import choose
from dashboard.pages import QUESTIONS
from dashboard.panels.progress import fill
from dashboard.scenario import Scenario
from dashboard.text.sentences import REACHES, READS_ROWS, answer_sentence
from dashboard.text.words import escape_markdown
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.datasets import Dataset
from dpgep_core.errors import DpgepError
from dpgep_core.experiments.answers import BestRidge
from dpgep_core.learnt import learnt_sentence
from dpgep_core.method import method_entry
from dpgep_core.solve import plan

POLL = 1.0
USUAL = 0.9
SLOW = "Methods that answer in many steps are run anew at every place of the search: on large data that takes minutes."


def ask_panel(scenario: Scenario | None, data: Dataset | None) -> None:
    """The question, then an answer for each method of the sidebar."""
    if scenario is None or data is None:
        return
    st.caption("Asked about the data set, the model, the methods and the settings in the sidebar.")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        question = choose("Question", "question", QUESTIONS)
        measure = choose("Measured by", "reach", REACHES)
        target = st.session_state.setdefault("ask_kept", USUAL)
        if question != "xi":
            st.session_state.setdefault("ask_target", target)
            target = st.number_input("To reach", 0.01, 1.0, step=0.01, key="ask_target", help=REACHES[measure])
            st.session_state["ask_kept"] = target
        go = st.button("Ask", type="primary", key="ask_go")
    now = (scenario, data.name, question, measure, target)
    if go:
        st.session_state["ask_now"] = now
    if st.session_state.get("ask_now") != now:
        st.caption(f"{READS_ROWS} {SLOW}")
        return
    _answers(scenario, data, question, measure, float(target))


def _answers(scenario: Scenario, data: Dataset, question: str, measure: str, target: float) -> None:
    jobs: dict[str, Job[Found]] = {}
    for key in scenario.algorithms:
        if not ALGORITHMS[key].private or (question == "xi" and not method_entry(key).spends_once):
            why = (
                "has no noise to search over" if not ALGORITHMS[key].private else "pays anew for every ξ: no free best"
            )
            st.markdown(f"**{ALGORITHMS[key].title}** {why}.")
            continue
        jobs[key] = cache.search_for(scenario, key, data, question, target, measure)

    def draw(_found: list[tuple[Found, ...]]) -> None:
        for key, job in jobs.items():
            _show_answer(key, job, scenario, data, question, measure)

    fill(list(jobs.values()), draw, every=POLL, stopped=(), bar=False)
    st.caption(READS_ROWS)


def _show_answer(key: str, job: Job[Found], scenario: Scenario, data: Dataset, question: str, measure: str) -> None:
    title, found = ALGORITHMS[key].title, answer_in(job)
    if job.error is not None:
        said = str(job.error) if isinstance(job.error, DpgepError) else f"{type(job.error).__name__}: {job.error}"
        st.warning(f"{title}: {escape_markdown(said)}")
    elif found is None:
        st.progress(job.progress, text=f"{title}: searching, on the same noise draws at every place …")
    else:
        bound = plan(data, scenario.setting(key))
        if bound.learnt:
            st.warning(f"{title}: {escape_markdown(learnt_sentence(bound.learnt))}")
        st.markdown(f"**{title}.** {answer_sentence(found, question, measure, bound.public.n, bound.grant.delta)}")
        if isinstance(found, BestRidge):
            with st.expander("The median at every ξ", key=f"ridges_{key}"):
                table = pd.DataFrame({"ξ": found.grid, REACHES[measure]: found.medians})
                st.dataframe(table, hide_index=True, width="stretch", placeholder="–")
