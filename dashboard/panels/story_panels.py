"""What a step of a story looks at: the panels of the product, at the scenario of the sidebar."""

from collections.abc import Callable, Mapping
from functools import partial

import streamlit as st

from dashboard.panels import (
    classifiers,
    components,
    curves,
    headline,
    lab_attack,
    lab_budget,
    lab_noise,
    ledger,
    story_extras,
)
from dashboard.panels.lab import Bench
from dashboard.panels.shared import Scene, scene_at, style
from dashboard.scenario import Scenario
from dashboard.stories import Show, Step
from dashboard.text import words
from dpgep_core.datasets import Dataset
from dpgep_core.errors import DpgepError
from dpgep_core.privacy.ledger import Grant
from dpgep_core.solve import plan

Options = Mapping[str, str]
PUBLIC = ("noise", "attack", "reconstruction", "counterexample")  # formulas and made-up rows: nothing private is read


def step_panels(step: Step) -> None:
    """Draw every panel of a step; a setting that does not fit says so in its place."""
    scenario: Scenario = st.session_state["scenario"]
    data: Dataset = st.session_state["data"]
    try:
        with st.spinner("Solving …"):
            scene = scene_at(scenario, data, style())
        for wanted in step.look:
            LOOKS[wanted.panel](scene, dict(wanted.options))
    except DpgepError as error:
        st.error(words.escape_markdown(str(error)))


def ready(shown: tuple[Show, ...]) -> bool:
    """Whether the panels' own controls stand as a step wants them."""
    return bool(st.session_state.get("only_exact")) == any(wanted.panel == "exact curve" for wanted in shown)


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


def _curve(scene: Scene, options: Options, *, only_exact: bool = False) -> None:
    metric = options["metric"]
    if (metric == "accuracy" and not scene.reference.scorable) or (metric == "truth" and scene.data.truth is None):
        metric = "cosine"
    curves.against(scene, over=options["over"], metric=metric, only_exact=only_exact or None)


def _reconstruction(scene: Scene, options: Options) -> None:
    if scene.scenario.model != "fda":
        st.info("The reconstruction is for Fisher's directions: choose that model.")
        return
    lab_attack.give_away(_bench(scene), options["algorithm"])


def _bench(scene: Scene) -> Bench:
    bound = plan(scene.data, scene.scenario.setting("exact"))
    delta = scene.scenario.delta if scene.scenario.delta is not None else bound.grant.delta
    grant = Grant(epsilon=scene.scenario.epsilon, delta=delta)
    return Bench(scene.scenario, scene.data, bound.public.n, grant, scene.style)


LOOKS: Mapping[str, Callable[[Scene, Options], None]] = {
    "numbers": lambda scene, _: headline.headline_panel(scene),
    "components": lambda scene, _: components.components_panel(scene),
    "curve": _curve,
    "exact curve": partial(_curve, only_exact=True),
    "iterations": lambda scene, _: curves.iterations(scene),
    "classifiers": lambda scene, _: classifiers.classifiers_panel(scene),
    "ledger": lambda scene, _: ledger.ledger_panel(scene),
    "noise": lambda scene, _: lab_noise.noise_panel(_bench(scene)),
    "budget": lambda scene, _: lab_budget.budget_panel(_bench(scene)),
    "attack": lambda scene, _: lab_attack.attack_panel(_bench(scene), solved=False),
    "reconstruction": _reconstruction,
    "leak": lambda scene, _: story_extras.leak(scene),
    "swaps": lambda scene, _: story_extras.swaps(scene),
    "energy": lambda scene, _: story_extras.energy(scene),
    "counterexample": lambda _, options: story_extras.counterexample(options["key"]),
    "membership": lambda scene, _: story_extras.membership(scene),
}
