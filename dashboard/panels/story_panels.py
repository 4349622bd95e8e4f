"""Panels that a step of a story looks at: those of the product at the scenario of the sidebar, and some of its own."""

from collections.abc import Callable, Mapping
from functools import partial

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard import cache
from dashboard.components.sketch import Points
from dashboard.compute.exchanges import Membership
from dashboard.compute.results import Answer
from dashboard.export import FigureSpec
from dashboard.figures.rows import changes, energies, guesses
from dashboard.panels import classifiers, components, curves, headline, lab_attack, lab_noise
from dashboard.panels.curves import Sketch
from dashboard.panels.lab import Bench
from dashboard.panels.shared import Scene, figure_of, labels, scene_at, show_figures, style
from dashboard.panels.story_release import budget_blocks, seed_figures, show_blocks, statement_paper
from dashboard.scenario import Scenario
from dashboard.stories import Show, Step
from dashboard.stories.proofs import energy_rows, leak_rows, member_rows, pair_rows, swap_rows
from dashboard.text import words
from dpgep_core.datasets import Dataset
from dpgep_core.errors import DpgepError
from dpgep_core.models.neighbours import COUNTEREXAMPLES

Options = Mapping[str, str]
SKETCHES = "story_sketches"  # in the session: what was drawn by hand, by question
# Formulas and made-up rows: nothing private is read.
PUBLIC = ("noise", "attack", "reconstruction", "counterexample", "kept budget", "statement")


def step_panels(step: Step, first: DeltaGenerator | None = None) -> None:
    """Draw every panel of a step; a setting that does not fit says so in its place.

    ``first`` is the place of the first panel, beside the words; the others stand below, over the whole width.
    """
    scenario: Scenario = st.session_state["scenario"]
    data: Dataset = st.session_state["data"]
    try:
        with first if first is not None else st.container(), st.spinner("Solving …"):
            scene = scene_at(scenario, data, style())
        for place, wanted in enumerate(step.look):
            with first if first is not None and not place else st.container():
                _draw_panel(scene, step, wanted)
    except DpgepError as error:
        (st if first is None else first).error(words.escape_markdown(str(error)))


def _draw_panel(scene: Scene, step: Step, wanted: Show) -> None:
    if wanted.panel in CURVES:
        CURVES[wanted.panel](scene, dict(wanted.options), sketch=_sketch(step, wanted))
    else:
        LOOKS[wanted.panel](scene, dict(wanted.options))


def _sketch(step: Step, wanted: Show) -> Sketch | None:
    """Curve that the visitor drew, where a panel shows the curve that was asked for."""
    points = sketches().get(step.question, ())
    if step.before.by_hand is None or not points or wanted.options != step.before.options:
        return None
    return Sketch(points, step.before.by_hand)


def sketches() -> dict[str, Points]:
    """Curves that the visitor has drawn in this session, by question."""
    return st.session_state.setdefault(SKETCHES, {})


def reads_rows(step: Step) -> bool:
    """Whether a panel of a step is made from the rows."""
    return any(shown.panel not in PUBLIC for shown in step.look)


def ready(shown: tuple[Show, ...]) -> bool:
    """Whether the panels' own controls show what a step wants: an exact curve is alone whatever the sidebar says."""
    return any(wanted.panel == "exact curve" for wanted in shown) or not st.session_state.get("only_exact")


def prepare(shown: tuple[Show, ...]) -> None:
    """Set the sidebar's and the panels' own controls as a step wants them. In a callback only."""
    st.session_state["only_exact"] = any(wanted.panel == "exact curve" for wanted in shown)
    arrange(shown)


def arrange(shown: tuple[Show, ...]) -> None:
    """Set the panels' own controls, before they are made."""
    for wanted in shown:
        options = dict(wanted.options)
        if wanted.panel == "noise":
            st.session_state["lab_answers"] = int(options["answers"])
            st.session_state["lab_rule"] = options["rule"]
        if wanted.panel == "attack":
            st.session_state["lab_attacked"], st.session_state["lab_trials"] = options["algorithm"], 100


def _curve(scene: Scene, options: Options, *, only_exact: bool = False, sketch: Sketch | None = None) -> None:
    metric = options["metric"]
    if (metric == "accuracy" and not scene.reference.scorable) or (metric == "truth" and scene.data.truth is None):
        metric = "cosine"
    curves.curves_panel(scene, over=options["over"], metric=metric, only_exact=only_exact or None, sketch=sketch)


def _reconstruction(scene: Scene, options: Options) -> None:
    if scene.scenario.model != "fda":
        st.info("The reconstruction is for Fisher's directions: choose that model.")
        return
    lab_attack.give_away(Bench.under(scene), options["algorithm"], told=True)


def _leak(scene: Scene) -> None:
    """Singular values of an output, and what they give away of B."""
    st.subheader("What the output gives away")
    for item in scene.answers:
        if not (rows := leak_rows(item, scene.reference)):
            st.info(f"{item.title} puts out no W = V(Λ_B + ξ)^-½V′ with a square V′: choose `dpsr` and k = d.")
            continue
        st.markdown(f"**{item.title}**: the thin SVD of W is U S Vᵀ. Beside 1/S² − ξ, what only the curator may see.")
        st.dataframe(pd.DataFrame(rows), hide_index=True, width="stretch", placeholder="–")


def _figures_panel(
    title: str, figures: Callable[[Scene], list[FigureSpec]], refuse: Callable[[Scene], str], scene: Scene, _: Options
) -> None:
    """Figures under a title, or the reason why there are none."""
    st.subheader(title)
    if reason := refuse(scene):
        st.info(reason)
        return
    show_figures(figures(scene))


def _without_constraint(scene: Scene) -> str:
    in_pca = scene.answers[0].release.public.identity_constraint
    return "In PCA B is the identity and never moves: choose another model." if in_pca else ""


def _without_classifier(scene: Scene) -> str:
    return "" if scene.reference.scorable else f"No classifier is scored here, because {scene.reference.unscored}."


def swaps_figures(scene: Scene) -> list[FigureSpec]:
    """How far real rows move B when they are exchanged, beside the proved bound."""
    found = cache.row_swaps(scene.scenario, scene.data)
    return [
        figure_of(
            scene, partial(changes, found), key="swaps", title="How far one row moves B",
            alt=f"Histogram of n times the change of B; worst made-up row {found.made_up:.2f}, "
            f"proved {found.proved:.2f}",
            caption="Noise has to reach the line on the right, whatever the rows are. ", rows=swap_rows(found),
        )
    ]  # fmt: skip


def energy_figures(scene: Scene) -> list[FigureSpec]:
    """The share of the squared length of the rows that each column carries."""
    rows = energy_rows(scene.scenario, scene.data)
    shares, names = rows["share of the energy"].to_numpy(float), list(rows["column"])
    return [
        figure_of(
            scene, partial(energies, shares, names), key="energy", title="Energy by column",
            alt=f"Share of the squared length of the rows by column, the largest {100 * shares.max():.0f} %",
            caption="Share of the squared length of the rows as the algorithm sees them. ", rows=rows,
        )
    ]  # fmt: skip


def _counterexample(key: str) -> None:
    """A published constant that fails, at growing n."""
    example = COUNTEREXAMPLES[key]
    st.subheader("The pair of neighbours")
    labels(words.MADE_UP)
    title, pair, why = map(words.escape_markdown, (example.title, example.pair, example.why))
    st.markdown(f"**{title}.** {pair} {why}")
    st.dataframe(pair_rows(key), hide_index=True, width="stretch", placeholder="–")


def membership_figures(scene: Scene) -> list[FigureSpec]:
    """Right guesses about who was in a forest, beside what ε allows: one figure for each algorithm."""
    return [
        _membership_figure(scene, item, cache.members(scene.scenario, item.algorithm, scene.data))
        for item in scene.answers
    ]


def _membership_figure(scene: Scene, item: Answer, found: Membership) -> FigureSpec:
    return figure_of(
        scene, partial(guesses, found), key=f"membership_{item.algorithm}",
        title=f"Was this row in it? {item.title}",
        alt=f"Right guesses {100 * found.right:.1f} %, allowed {100 * found.allowed:.1f} %",
        caption=f"A random forest trained on {found.trained_on:,} projected rows, asked about {found.asked:,}, "
        f"half of them its own. It is surer of rows it knows: {found.inside:.2f} against {found.outside:.2f} of "
        "its trees vote for the true label. ",
        rows=member_rows(found),
    )  # fmt: skip


CURVES: Mapping[str, Callable[..., None]] = {"curve": _curve, "exact curve": partial(_curve, only_exact=True)}
LOOKS: Mapping[str, Callable[[Scene, Options], None]] = {
    **CURVES,
    "numbers": lambda scene, _: headline.headline_panel(scene),
    "components": lambda scene, _: components.components_panel(scene),
    "iterations": lambda scene, _: curves.iterations_panel(scene),
    "classifiers": lambda scene, _: classifiers.classifiers_panel(scene),
    "ledger": lambda scene, _: headline.ledger_panel(scene),
    "noise": lambda scene, _: lab_noise.noise_panel(Bench.under(scene)),
    "budget": lambda scene, _: lab_noise.budget_panel(Bench.under(scene)),
    "attack": lambda scene, _: lab_attack.attack_panel(Bench.under(scene), told=True),
    "reconstruction": _reconstruction,
    "leak": lambda scene, _: _leak(scene),
    "swaps": partial(_figures_panel, "Exchange one row for another", swaps_figures, _without_constraint),
    "energy": partial(_figures_panel, "Which columns carry the rows?", energy_figures, lambda _: ""),
    "counterexample": lambda _, options: _counterexample(options["key"]),
    "same seed": lambda scene, _: show_blocks(seed_figures(scene)),
    "kept budget": lambda scene, _: show_blocks(budget_blocks(scene), words.FORMULA),
    "statement": lambda scene, _: show_blocks([statement_paper(scene)], words.FORMULA),
    "spectra": partial(
        _figures_panel, "Eigenvalues under the noise", components.spectra_figures, components.without_sums
    ),
    "membership": partial(_figures_panel, "Was this row in it?", membership_figures, _without_classifier),
}
