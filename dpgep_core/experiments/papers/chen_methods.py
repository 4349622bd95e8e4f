"""The methods that Chen et al. compare, with ours, and what one run of each is."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dpgep_core.experiments.grid import Cell
from dpgep_core.experiments.papers import published
from dpgep_core.experiments.papers.exhibit import LabelledCell, RunRecord, Scope
from dpgep_core.experiments.papers.places import RANDOM_METHOD
from dpgep_core.experiments.papers.random_projection import RandomProjection
from dpgep_core.release import Setting

CHEN_COMPONENTS = 10
XI, STEPS = 0.01, 15


@dataclass(frozen=True, slots=True, kw_only=True)
class ChenMethod:
    """A method under one calibration. ``full`` ones are left out of quick runs."""

    name: str
    algorithm: str
    calibration: str
    start: str = "random"
    full: bool = False

    def params(self, eta: float, xi: float = XI) -> dict[str, Any]:
        """Settings of the paper, by name."""
        found: dict[str, Any] = {"xi": xi}
        if self.algorithm in ("dpsr", "dprf", "sr", "rayleigh_flow"):
            found |= {"step_size": eta, "n_iterations": STEPS}
        if self.algorithm in ("dpsr", "dprf", "sr_dp"):
            found["calibration"] = self.calibration
        if self.algorithm in ("dprf", "rayleigh_flow"):
            found["start"] = self.start
        if self.algorithm == "ssp":
            found["steps"] = 1
        return found


CALIBRATIONS = ("published", "unit", "exact")
SSP = ChenMethod(name="SSP (ours)", algorithm="ssp", calibration="exact", start="none")
DPSR = tuple(ChenMethod(name="DPSR", algorithm="dpsr", calibration=rule) for rule in CALIBRATIONS)
DPRF = tuple(ChenMethod(name="DPRF", algorithm="dprf", calibration=rule, start="oracle") for rule in CALIBRATIONS)
DPRF_RANDOM = (
    ChenMethod(name="DPRF", algorithm="dprf", calibration="published"),
    ChenMethod(name="DPRF", algorithm="dprf", calibration="unit", full=True),
)
NOISY = tuple(ChenMethod(name="SR+DP", algorithm="sr_dp", calibration=rule, start="none") for rule in CALIBRATIONS)
NOISELESS = (
    ChenMethod(name="SR (no privacy)", algorithm="sr", calibration="none"),
    ChenMethod(name="RF (no privacy)", algorithm="rayleigh_flow", calibration="none", start="oracle"),
)


def tasks(
    scope: Scope,
    methods: Sequence[ChenMethod],
    *,
    epsilons: Sequence[float] = (1.0,),
    seeds: Sequence[int],
    quick: Sequence[str] = published.PAPER_CLASSIFIERS,
    eta: float = 1.0,
    kept: Sequence[str] = published.CHEN_DATA,
) -> list[LabelledCell]:
    """A cell for every combination; those that share a release stand beside each other."""
    return [
        LabelledCell(
            labels={"data": data, "classifier": classifier, "method": method.name, "calibration": method.calibration,
                    "start": method.start, "epsilon": epsilon, "seed": seed},
            cell=chen_cell(name, method, epsilon, seed, classifier, eta),
        )
        for data, name in scope.few(kept).items()
        for seed in seeds
        for method in methods
        if not (scope.quick and method.full)
        for epsilon in epsilons
        for classifier in scope.classifiers_to_train(published.PAPER_CLASSIFIERS, quick)
    ]  # fmt: skip


def chance_tasks(
    scope: Scope,
    *,
    along: str = "epsilon",
    values: Sequence[float] = (1.0,),
    seeds: Sequence[int],
    classifiers: Sequence[str],
    kept: Sequence[str] = published.CHEN_DATA,
) -> list[LabelledCell]:
    """Random projections of each data set, one for a seed, which are the same all along a curve."""
    return [
        LabelledCell(
            labels={"data": data, "classifier": classifier, "method": RANDOM_METHOD, "calibration": "none",
                    "start": "none", along: value, "seed": seed},
            cell=RandomProjection(
                cell=chen_cell(name, SSP, 1.0, seed, classifier, 1.0), components=CHEN_COMPONENTS, seed=seed
            ),
        )
        for data, name in scope.few(kept).items()
        for seed in seeds
        for classifier in classifiers
        for value in values
    ]  # fmt: skip


def chen_cell(
    name: str, method: ChenMethod, epsilon: float, seed: int, classifier: str, eta: float, xi: float = XI
) -> Cell:
    """Cell of a method on a data set, by our name, with every parameter written out."""
    setting = Setting(
        model="fda",
        algorithm=method.algorithm,
        epsilon=epsilon,
        n_components=CHEN_COMPONENTS,
        seed=seed,
        bounds=False,
        params=tuple(sorted(method.params(eta, xi).items())),
    )
    return Cell(dataset=name, setting=setting, n=None, classifiers=(classifier,))


def with_exact(records: Sequence[RunRecord]) -> list[RunRecord]:
    """The records, with the exact projection, which every release carries, before the random ones."""
    chance = [record for record in records if record["method"] == RANDOM_METHOD]
    released = [record for record in records if record["method"] != RANDOM_METHOD]
    ours = [record for record in released if record["method"] == SSP.name and "error" not in record]
    name = {"method": "non-private", "calibration": "none", "start": "none", "kind": "_non_private"}
    return [*released, *({**record, **name} for record in ours), *chance]
