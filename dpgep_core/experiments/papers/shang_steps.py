"""Shang et al.: what is compared, and the steps and epochs that the paper leaves open."""

from typing import Any

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
