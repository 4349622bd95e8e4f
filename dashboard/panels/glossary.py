"""The glossary on the Learn page: searched, with the term that an address names on top."""

import streamlit as st

from dashboard.text import words
from dashboard.text.glossary import TERMS, Term, address, found


def glossary_panel() -> None:
    """All terms, or those that hold what is looked for."""
    st.header("Glossary", anchor="glossary")
    wanted = st.text_input("Look for a term", key="glossary_search", placeholder="sensitivity, μ, ridge …")
    terms = found(wanted)
    if not terms:
        st.caption(f"No term holds “{words.escape_markdown(wanted)}”.")
        return
    left, right = st.columns(2, gap="large")
    half = (len(terms) + 1) // 2
    left.markdown(_list(terms[:half]))
    right.markdown(_list(terms[half:]))


def asked() -> None:
    """The term that the address names."""
    term = TERMS.get(str(st.session_state.get("term") or ""))
    if term is None:
        return
    with st.container(border=True):
        st.markdown(f"#### {term.name}")
        st.markdown(term.meaning)
        st.button("Close", key="term_close", on_click=_close, type="tertiary")


def _close() -> None:
    st.session_state["term"] = ""


def _list(terms: list[Term]) -> str:
    return "\n\n".join(f"**{term.name}** [§]({address(term)})  \n{term.meaning}" for term in terms)
