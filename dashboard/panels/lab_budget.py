"""Where the budget goes: the ledger of each chosen algorithm as a waterfall of μ² shares."""

import pandas as pd
import streamlit as st

from dashboard import cache
from dashboard.compute.evidence import outside, shares
from dashboard.compute.results import Answer, settings_text
from dashboard.figures import noise
from dashboard.panels.lab import Bench, labels, meaning
from dashboard.panels.shared import figure
from dashboard.scenario import command_line
from dashboard.text import words
from dashboard.text.glossary import linked
from dpgep_core.errors import DpgepError


def budget_panel(bench: Bench) -> None:
    """One waterfall for each algorithm of the sidebar."""
    st.subheader("Where the budget goes")
    st.markdown(
        linked(
            "Every answer takes a share of the budget, in μ². Loops share one line: more steps, less for each of them."
        )
    )
    labels(words.READS, words.SEED_KNOWN)
    for key in bench.scenario.algorithms:
        try:
            with st.spinner("Solving …"):
                item = cache.answer(bench.scenario, key, bench.data)
        except DpgepError as error:
            st.error(words.escape_markdown(str(error)))
            continue
        _one(bench, item)


def _one(bench: Bench, item: Answer) -> None:
    release = item.release
    settings = f"{settings_text(bench.scenario, [item])}. {words.READS.capitalize()}; {words.SEED_KNOWN}."
    st.markdown(f"#### {item.title}")
    standing = words.standing(item)
    st.markdown(
        f"**Claimed** by the authors: {standing.claimed}  \n**Accounted** by us: {standing.accounted}  \n"
        f"**Verdict** on {standing.subject}: {words.escape_markdown(standing.verdict)}"
    )
    if (unit := words.unit_of(item)) is not None:
        st.markdown(linked(unit))
    left, right = st.columns((3, 2), gap="large")
    with left:
        if out := outside(release.ledger):
            st.warning("Not in the sum: " + ", ".join(map(words.escape_markdown, out)) + ".")
        if parts := shares(release.ledger):
            if release.ledger.unprotected:
                st.markdown(linked(words.set_aside(parts, release.accounted.delta)))
            figure(
                lambda style: noise.waterfall(parts, bench.grant.mu * bench.grant.mu, style), bench.style,
                key=f"budget_{item.algorithm}", title=f"Where the budget of {item.title} goes",
                alt=f"Shares of μ² of {item.title}", caption=f"Each answer's share of μ². {settings}",
                rows=pd.DataFrame({"answer": p.name, "count": p.count, "μ²": p.squared} for p in parts),
            )  # fmt: skip
        st.code(command_line(bench.scenario, item.algorithm), language="bash", wrap_lines=True)
    with right:
        meaning(release.ledger.mu, release.accounted, bench.style, f"budget_{item.algorithm}", settings)
