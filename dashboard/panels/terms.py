"""How a term that leads to the glossary looks: the text's own colour, with dots under it."""

import streamlit as st

LOOK = (
    "a[href^='learn?term='] { color: inherit !important; text-decoration: underline dotted !important; "
    "text-decoration-thickness: 1px !important; text-underline-offset: .2em; cursor: help; }"
)


def dress() -> None:
    """Once in each run, on every page."""
    st.html(f"<style>{LOOK}</style>")
