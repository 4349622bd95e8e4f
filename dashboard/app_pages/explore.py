"""Explore: one screen that shows what privacy costs, and tabs that say more."""

from collections.abc import Callable, Mapping
from html import escape

import streamlit as st

from dashboard import display
from dashboard.pages import TABS
from dashboard.panels import classifiers, components, curves, draws, headline, live, report
from dashboard.panels.shared import Scene, chart, downloads, errors_on_page, scene_at, show_figures, style, what_if
from dashboard.scenario import Scenario
from dashboard.text import words
from dpgep_core.datasets import Dataset
from dpgep_core.models import MODELS
from dpgep_core.wording import number_text

COVERED = 560  # pixels of the picture that a class is asked about
LOOK = """<style>
[data-testid=stMainBlockContainer] { padding: 3.8rem 2rem 2rem; }
[data-testid=stMainBlockContainer] > div > [data-testid=stVerticalBlock] { gap: .5rem; }
.dpgep-header { display: flex; flex-wrap: wrap; gap: 0 1rem; align-items: baseline; }
.dpgep-header h1 { font-size: 1.3rem; padding: 0; margin: 0; }
.dpgep-header span { font-size: .9rem; opacity: .85; }
@media (min-width: 641px) { /* a long title breaks beside the buttons, which do not leave its row */
  [data-testid=stElementContainer]:has(> [data-testid=stHtml] > .dpgep-header) { flex: 1 1 0; min-width: 0; } }
</style>"""


@errors_on_page()
def main() -> None:
    """Solve the scenario and draw it."""
    scenario: Scenario = st.session_state["scenario"]
    data: Dataset = st.session_state["data"]
    st.html(LOOK)
    with st.spinner("Solving …"):
        scene = scene_at(scenario, data, style())
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.html(_title(scene))
        chips = st.container(horizontal=True, vertical_alignment="center", width="content")
    with chips, what_if():
        _count(scenario)
    if _hides_answer(scene):
        return
    bare = display.current().bare  # a picture of the page, without what one presses
    if not bare:
        with chips:
            st.button("Tour", type="tertiary", on_click=live.begin_tour, help="Five things to know about this page.")
    figure = live.live_panel(scene, first=bool(st.session_state.get("first_look")) and not bare)
    if not bare:
        with chips:
            if figure is not None:
                with st.popover("Figure", type="tertiary", help="The picture below as a file."):
                    downloads(figure)
            report.toolbar(scene, figure)
    headline.numbers(scene)
    headline.warnings(scene)
    live.after_first_picture()
    _tabs(scene)


def _title(scene: Scene) -> str:
    """The header line: data set, model, sizes and seed."""
    public = scene.answers[0].release.public
    facts = (f"n = {public.n:,}", f"d = {public.d:,}", f"k = {public.k}", f"seed {scene.scenario.seed}")
    what = f"{scene.data.title} · {MODELS[scene.scenario.model].title}"
    return f'<header class="dpgep-header"><h1>{escape(what)}</h1><span>{" · ".join(facts)}</span></header>'


def _curves(scene: Scene) -> None:
    if all(len(item.release.history) == 1 for item in scene.answers):  # methods that answer once have no steps
        curves.curves_panel(scene)
        return
    left, right = st.columns(2, gap="large")
    with left:
        curves.curves_panel(scene)
    with right:
        curves.iterations_panel(scene)


def _components(scene: Scene) -> None:
    components.components_panel(scene)
    components.projections_panel(scene)
    show_figures(components.spectra_figures(scene))


PARTS: Mapping[str, Callable[[Scene], None]] = {
    "privacy": headline.meaning,
    "curves": _curves,
    "classifiers": classifiers.classifiers_panel,
    "components": _components,
    "draws": draws.draws_panel,
    "ledger": headline.ledger_panel,
}


def _tabs(scene: Scene) -> None:
    """One part under the cockpit; the others are not computed."""
    state = st.session_state
    if state.get("tab") not in TABS:
        state["tab"] = "curves" if state.get("over") else next(iter(TABS))  # an older link names the curve's axis
    keys = {title: key for key, title in TABS.items()}

    def turned() -> None:
        state["tab"] = keys[state["tab_title"]]

    state["tab_title"] = TABS[state["tab"]]
    for key, tab in zip(TABS, st.tabs(list(TABS.values()), key="tab_title", on_change=turned), strict=True):
        if tab.open:
            with tab:
                PARTS[key](scene)


def _hides_answer(scene: Scene) -> bool:
    """Whether answers stay hidden: in a class until someone asks for them, and again after a new question.

    Moving ε, ξ, s or n is no new question: a class drags and sees.
    """
    if not st.session_state.get("hidden"):
        return False
    asked = (scene.scenario.dataset, scene.scenario.model, scene.scenario.algorithms)
    if st.session_state.get("revealed") == asked:
        return False
    named = " and ".join(item.title for item in scene.answers)
    st.markdown(
        f"### What will {words.escape_markdown(named)} leave of this at ε = {number_text(scene.scenario.epsilon)}?"
    )
    if st.button("Show the answer", type="primary"):
        st.session_state["revealed"] = asked
        st.rerun()
    spec = components.projections_figures(scene)[0]  # the exact picture: what the class is asked about
    chart(spec.draw(scene.style).update_layout(height=COVERED), "covered", spec.alt, spec.name)
    return True


def _count(scenario: Scenario) -> None:
    seen: set[Scenario] = st.session_state.setdefault("seen", set())
    seen.add(scenario)
    st.caption(f"Settings looked at: {len(seen)}, not covered by any ε.")


main()
