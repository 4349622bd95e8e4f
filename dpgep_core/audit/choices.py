"""Choices of what to attack and how, with the strongest known attack where nothing is chosen."""

from dataclasses import dataclass, replace
from typing import Annotated, Any

from dpgep_core.audit.case import FLOWS
from dpgep_core.method import MethodEntry, method_entry
from dpgep_core.models import MODELS, model_entry
from dpgep_core.params import Checked, Components, Delta, Epsilon, Knob, Seed, defaults

Trials = Annotated[
    int,
    Knob(symbol="N", label="Trials", integer=True, low=20, high=1_000_000, high_open=False, soft=(100, 20_000),
         scale="log", doc="Runs of an attack on each of two neighbouring data sets. More runs can show a larger ε."),
]  # fmt: skip
Confidence = Annotated[
    float,
    Knob(symbol=r"1-\alpha", label="Confidence", low=0.5, high=1, soft=(0.8, 0.999),
         doc="How sure a lower bound is to be: in this share of repetitions it does not pass the truth."),
]  # fmt: skip
AttackRows = Annotated[
    int,
    Knob(symbol="n", label="Rows of the pair", integer=True, low=20, high=1_000_000, high_open=False,
         soft=(100, 10_000), scale="log", doc="Rows of the two neighbouring data sets."),
]  # fmt: skip
AttackColumns = Annotated[
    int,
    Knob(symbol="d", label="Columns of the pair", integer=True, low=2, high=100, high_open=False, soft=(2, 20),
         doc="Columns of the two neighbouring data sets."),
]  # fmt: skip


# W = V(Λ_B + ξ)^-½V′: square outputs show Λ_B, if it has no noise
SQUARE_REDUCTIONS = ("dpsr", "dpsrs", "dpsr_corrected")


@dataclass(frozen=True, kw_only=True)
class Attack(Checked):
    """An attack: target and method. None leaves the choice to `resolve`.

    Parameters
    ----------
    pair, distinguisher : str or None
        Keys of `PAIRS` and `DISTINGUISHERS`.
    trials : int
        Runs that are tested on each side; a distinguisher that learns takes as many more to learn from.
    rows, columns : int
        Size of the pair.
    params : tuple of (name, value)
        Settings of the model and the algorithm.
    """

    algorithm: str = "dpsr"
    model: str | None = None
    pair: str | None = None
    distinguisher: str | None = None
    trials: Trials = 1000
    epsilon: Epsilon = 1.0
    delta: Delta | None = None
    n_components: Components | None = None
    seed: Seed = 0
    confidence: Confidence = 0.95
    rows: AttackRows = 1000
    columns: AttackColumns = 5
    params: tuple[tuple[str, Any], ...] = ()


def resolve(attack: Attack) -> Attack:
    """The attack with every choice made: the strongest known for the algorithm and model."""
    entry = method_entry(attack.algorithm)
    usual = "fda" if "fda" in entry.models else entry.models[0]
    model = usual if attack.model is None else attack.model
    model_entry(model)
    pair, distinguisher, k = _strongest(entry, model, attack)
    return replace(
        attack,
        model=model,
        pair=pair if attack.pair is None else attack.pair,
        distinguisher=distinguisher if attack.distinguisher is None else attack.distinguisher,
        n_components=k if attack.n_components is None else attack.n_components,
    )


def _strongest(entry: MethodEntry, model: str, attack: Attack) -> tuple[str, str, int | None]:
    identity = MODELS[model].make().identity_constraint
    wanted = dict(attack.params).get("memory") == "products"
    products = wanted and not MODELS[model].make().whole_matrices  # then no moments are kept
    if entry.spends_once and not products:
        steps = dict(attack.params).get("steps", defaults(entry.make).get("steps", 1))
        return "corner" if steps > 1 else "orthogonal", "likelihood_ratio", None
    if attack.distinguisher == "reused_noise":
        return "generic", "reused_noise", attack.columns
    if entry.key in SQUARE_REDUCTIONS and not identity:
        if attack.pair == "constant":
            return "constant", "flat_gram", None
        square = attack.n_components in (None, attack.columns) and attack.pair != "nearly_constant"
        return "generic", "svd_identity" if square else "learned", attack.columns if square else None
    pair = "opposite" if model == "cca" else "switch"
    if attack.pair not in (None, pair) or (model == "cca" and entry.key not in FLOWS):
        return pair, "learned", 1 if model == "pca" else None  # all d eigenvectors together say nothing
    return pair, "replay", 1
