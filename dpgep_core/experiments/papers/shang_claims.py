"""Claims of Shang et al.'s figure and table, at the paper's step and over the open ones."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from dpgep_core.experiments.papers.claims import agreement, has_proof, of_printed
from dpgep_core.experiments.papers.exhibit import ResultLine, grouped
from dpgep_core.experiments.papers.outcome import Outcome, Trial, outcome, variant_in_words
from dpgep_core.experiments.papers.trends import count_leads, count_monotone, lead

SHANG_NEAR = 1.0  # points from a printed value that count as meeting it


def table_verdict(lines: Sequence[ResultLine]) -> list[str]:
    own = _papers_own(lines)
    return [
        *agreement(own, by=("measure", "data", "method", "calibration"), within=SHANG_NEAR),
        *_orders(own, lower=False),
        *_over_steps(lines),
    ]


def _papers_own(lines: Sequence[ResultLine]) -> list[ResultLine]:
    """Lines at the paper's step and the usual epochs, without the labels of step and epochs."""
    keys = {method: key for method, _, key in METHODS}
    return [
        replace(line, labels={name: value for name, value in line.labels.items() if name not in ("step", "epochs")})
        for line in lines
        if step_labels(paper_steps(line.labels["data"], keys.get(line.labels["method"], "")))
        == {name: line.labels.get(name) for name in ("step", "epochs")}
    ]


def _over_steps(lines: Sequence[ResultLine]) -> list[str]:
    """How far the open settings move a value: the lowest and the highest over steps and epochs."""
    found: list[str] = []
    stepped = [line for line in lines if line.labels["calibration"] == "published" and line.labels.get("step")]
    for (measure, data, method), own in grouped(stepped, ("measure", "data", "method")).items():
        some = [(line.ours, line.labels) for line in own if line.ours is not None]
        if len(some) > 1:
            low, high = (pick(some, key=lambda one: one[0]) for pick in (min, max))
            found.append(
                f"{method} on {data}, {measure}, published noise: {low[0]:.1f} ({_at_step(low[1])}) to "
                f"{high[0]:.1f} ({_at_step(high[1])}) over {len(some)} choices of step and epochs, which the paper "
                "leaves open."
            )
    return found


def _at_step(labels: Mapping[str, Any]) -> str:
    epochs = f", m = {labels['epochs']}" if labels["epochs"] else ""
    return f"η = {labels['step']:g}/n{epochs}"


def printed_outcomes(lines: Sequence[ResultLine]) -> list[Outcome]:
    """Outcome of each printed value at the paper's step: met or not, by the measure that comes nearest to it."""
    nearest: dict[tuple[tuple[str, Any], ...], ResultLine] = {}
    others: list[ResultLine] = []  # a random projection has no printed value; it is looked up by measure
    for line in _papers_own(lines):
        if line.gap is None:
            others.append(line)
            continue
        place = tuple((name, value) for name, value in line.labels.items() if name != "measure")
        best = nearest.setdefault(place, line)
        nearest[place] = line if abs(line.gap) < abs(best.gap or 0.0) else best
    return of_printed([*nearest.values(), *others], SHANG_NEAR, lambda at: f"{at['method']} on {at['data']}")


def order_outcomes(lines: Sequence[ResultLine]) -> list[Outcome]:
    """Outcome of each order that the paper draws, at the published rules and at exact accounting."""
    found: list[Outcome] = []
    for one, others, name in (("DP-SPCA", BASELINES, "the baselines"), ("DP-VRPCA", BASELINES, "the baselines"),
                              ("DP-VRPCA", ("DP-SPCA",), "DP-SPCA")):  # fmt: skip
        ways: list[Trial] = []
        for rule in ("published", "exact"):
            rivals = [(other, "published") for other in others]
            held, places = lead(lines, (one, rule), rivals, lower=True)
            covered = has_proof({"method": one, "calibration": rule})
            ways.append(Trial(name=variant_in_words(rule), held=held, of=places, proved=covered))
        found += outcome(f"{one} closer than {name}", ways)
    return found


def figure_verdict(lines: Sequence[ResultLine]) -> list[str]:
    found: list[str] = []
    for method in dict.fromkeys(line.labels["method"] for line in lines):
        found += count_monotone(
            [line for line in lines if line.labels["method"] == method], "epsilon", method, down=True
        )
    return found + _orders(lines, lower=True)


def _orders(lines: Sequence[ResultLine], *, lower: bool) -> list[str]:
    """The paper's claims at its own constants, and ours against every method at constants that hold."""
    ours, rivals = ("SSP (ours)", "exact"), tuple((name, "published") for name in BASELINES)
    valid = (*rivals, ("PPI", "exact"), ("Gaussian", "exact"), ("DP-SPCA", "exact"), ("DP-VRPCA", "exact"))
    return [
        *count_leads(lines, ("DP-SPCA", "published"), rivals, lower=lower),
        *count_leads(lines, ("DP-VRPCA", "published"), rivals, lower=lower),
        *count_leads(lines, ("DP-VRPCA", "published"), (("DP-SPCA", "published"),), lower=lower),
        *count_leads(lines, ours, valid, lower=lower),
    ]


StepParams = tuple[tuple[str, Any], ...]
METHODS = (
    ("PPI", "published", "ppi"), ("PPI", "replaced", "ppi"), ("PPI", "exact", "ppi"),
    ("MOD-SULQ", "published", "mod_sulq"), ("Gaussian", "published", "analyze_gauss"),
    ("Gaussian", "replaced", "analyze_gauss"), ("Gaussian", "exact", "analyze_gauss"),
    ("DP-SPCA", "published", "dp_spca"), ("DP-SPCA", "exact", "dp_spca"),
    ("DP-VRPCA", "published", "dp_vrpca"), ("DP-VRPCA", "exact", "dp_vrpca"), ("SSP (ours)", "exact", "ssp"),
)  # fmt: skip
# η is 1/(2n) and 1/n on rows whose largest entry is 1, and scaling rows by R scales a gradient by R²: on unit rows n η
# is a half and the whole of the squared norm that such rows have, which is known beside the rows. A row of a9a is 14
# ones; about 100 of MNIST and 880 of CIFAR-10 are what grey values come to.
SQUARED_NORM = {"a9a": 14.0, "MNIST": 100.0, "CIFAR10": 880.0}
STEP_SHARE = {"dp_spca": 0.5, "dp_vrpca": 1.0}
BASELINES = ("PPI", "MOD-SULQ", "Gaussian")
EPOCHS, MORE_EPOCHS = 2, (1, 2, 5)


def paper_steps(data: str, algorithm: str) -> StepParams:
    """The paper's step for rows of this squared norm, and the epochs that stand for its unknown number."""
    if algorithm not in STEP_SHARE:
        return ()
    step = STEP_SHARE[algorithm] * SQUARED_NORM.get(data, 1.0)
    return (("n_epochs", EPOCHS), ("step_size", step)) if algorithm == "dp_vrpca" else (("step_size", step),)


def other_steps(data: str) -> list[tuple[str, str, str, StepParams]]:
    """Steps and epochs beside the paper's, under its noise: its formula as it stands, and MNIST's rows."""
    norms = dict.fromkeys((1.0, SQUARED_NORM.get(data, 1.0), SQUARED_NORM["MNIST"]))
    found = [("DP-SPCA", "published", "dp_spca", (("step_size", STEP_SHARE["dp_spca"] * norm),)) for norm in norms]
    found += [("DP-VRPCA", "published", "dp_vrpca", (("n_epochs", epochs), ("step_size", norm)))
              for norm in norms for epochs in MORE_EPOCHS]  # fmt: skip
    return [way for way in found if way[3] != paper_steps(data, way[2])]


def step_labels(params: StepParams) -> dict[str, Any]:
    given = dict(params)
    return {"step": given.get("step_size"), "epochs": given.get("n_epochs")}
