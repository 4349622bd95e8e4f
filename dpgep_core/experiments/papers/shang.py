"""Shang et al.: principal subspaces by noisy stochastic gradients, and what a linear SVM makes of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from dpgep_core.datasets import Dataset, load_dataset
from dpgep_core.evaluate.classify import CLASSIFIERS, project, score
from dpgep_core.experiments.grid import Cell
from dpgep_core.experiments.papers import published
from dpgep_core.experiments.papers.averages import mean_lines
from dpgep_core.experiments.papers.data import half
from dpgep_core.experiments.papers.exhibit import (
    Exhibit,
    ExhibitPicture,
    LabelledCell,
    ResultLine,
    RunRecord,
    Scope,
    TableLayout,
)
from dpgep_core.experiments.papers.shang_claims import (
    METHODS,
    SHANG_NEAR,
    StepParams,
    figure_verdict,
    order_outcomes,
    other_steps,
    paper_steps,
    printed_outcomes,
    step_labels,
    table_verdict,
)
from dpgep_core.privacy.randomness import orthonormal_frame, permutation
from dpgep_core.release import Setting
from dpgep_core.solve import plan, run

PAPER = "Shang et al., PCA in the Stochastic Differential Privacy Model (UAI 2022)"
DELTA, EPSILON, SHANG_COMPONENTS = 0.001, 0.1, 10
FIXED = f"unit rows, k = {SHANG_COMPONENTS}, δ = {DELTA:g}"
EPSILONS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
QUICK_EPSILONS = (0.01, 0.1, 1.0)
SEEDS, QUICK_SEEDS = 3, 1  # of the figure
ARRANGEMENTS, TRAINED, QUICK_ARRANGEMENTS = 10, 10, 2
FEW_ARRANGEMENTS = 3  # arrangements behind each of the other steps and epochs
TRAINING_SHARE = 0.1
QUICK = ("a9a",)
SLOW_METHOD = ("DP-VRPCA", "exact")  # its accounting takes half a minute for each budget; left out of quick runs
ALL_COLUMNS = "all columns"  # no algorithm: what the classifier makes of the rows themselves
RANDOM = "random directions"  # no algorithm: what it makes of directions that know nothing
UNPROJECTED = ("a9a",)  # data whose columns are few enough for the classifier to train on all of them
BINARY = ("a9a", "Real-sim")  # one decision: both measures are the same
NOTES = (
    "Rows to unit norm and nothing else. The paper scales rows to a largest entry of 1 and then each column to unit "
    "norm, which is learnt from the rows.",
    "Steps: the paper's η = 1/(2n) and 1/n are for rows whose largest entry is 1. A row of a9a is then 14 ones, and "
    "its squared norm multiplies gradient and noise; on unit rows the same step is 7/n and 14/n (about 50/n and 100/n "
    "on MNIST). The column scaling after it, m, and the k of each panel of the figure stay open.",
    "Second moment about zero, as in the paper. T = n steps, 60,000 at most; δ = 0.001 throughout; PPI takes 15 steps.",
    "PPI and the Gaussian mechanism have a sensitivity of 1/n in their papers, where a row comes or goes: 'published'. "
    "'Replaced' is the same rule with √2/n, for a row that is replaced; so is exact accounting.",
    "The gradient is 2xxᵀv, the derivative of |xᵀv|², to which G = 2 belongs. The paper's update of DP-VRPCA prints "
    "xxᵀv without the 2: half the step at the same noise.",
    "The linear SVM is LinearSVC of scikit-learn (squared hinge loss), after StandardScaler on the training rows; "
    "the paper names neither.",
    "'No projection' trains on all columns. On a9a the printed non-private accuracy is nearer to that than to what ten "
    "components give. On the 784 columns of MNIST the solver of the SVM does not converge, so it is not run there.",
    "Table 1 of the paper has bounds up to constants and no values: nothing of it can be compared. Its 'noise "
    "magnitude' of DP-SPCA is the λ² that is used here, without its factor of 20.",
    "DP-VRPCA's published noise does not cover what it reveals; under exact accounting it needs far more.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrangement:
    """A subspace from one half of the rows, and the mean score of SVMs trained on a tenth of all, from the rest."""

    dataset: str
    algorithm: str
    calibration: str
    arrangement: int
    params: StepParams = ()

    def content(self) -> dict[str, Any]:
        return {"dataset": self.dataset, "algorithm": self.algorithm, "calibration": self.calibration,
                "arrangement": self.arrangement, "epsilon": EPSILON, "delta": DELTA, "k": SHANG_COMPONENTS,
                **dict(self.params)}  # fmt: skip

    def compute(self) -> dict[str, Any]:
        """Accuracy over classes, and of the one-against-rest decisions that a linear SVM is made of."""
        data, order = half(self.dataset, self.arrangement)
        with threadpool_limits(1):
            components, status = self._subspace(data)
            scores = [self._train_and_score(data, order, components, turn) for turn in range(TRAINED)]
        accuracy, binary = np.mean(scores, axis=0)
        return {"accuracy": float(accuracy), "one_against_rest": float(binary), "status": status}

    def _subspace(self, data: Dataset) -> tuple[Any, str]:
        if self.algorithm == ALL_COLUMNS:
            return np.eye(data.d), "ok"
        if self.algorithm == RANDOM:
            return orthonormal_frame(self.arrangement, data.d, SHANG_COMPONENTS, "baseline"), "ok"
        release = run(plan(data, _setting(self.algorithm, self.calibration, EPSILON, self.arrangement, self.params)))
        return release.components, release.status

    def _train_and_score(
        self, data: Dataset, order: NDArray[np.intp], components: Any, turn: int
    ) -> tuple[float, float]:
        whole, labels = _all_rows(self.dataset)
        rest = order[order.size // 2 :]
        mixed = rest[permutation(turn, rest.size, "classifier", "tenth")]
        cut = round(TRAINING_SHARE * order.size)
        train, test = np.sort(mixed[:cut]), np.sort(mixed[cut:])
        bare = replace(data.preprocessing, lower=None, upper=None, log1p=False)
        rows = [project(whole[part], bare, components) for part in (train, test)]
        model = CLASSIFIERS["linear_svm"].make(turn).fit(rows[0], labels[train])
        decided = np.atleast_2d(model.decision_function(rows[1]).T).T > 0
        truth = labels[test][:, None] == (model.classes_ if decided.shape[1] > 1 else model.classes_[1:])
        found = score(model.predict(rows[1]), labels[test], train.size)
        return found.accuracy, float((decided == truth).mean())


@lru_cache(maxsize=2)
def _all_rows(name: str) -> tuple[NDArray[Any], NDArray[np.intp]]:
    whole = load_dataset(name)
    assert whole.y is not None
    return whole.X, whole.y


def _setting(algorithm: str, calibration: str, epsilon: float, seed: int, more: StepParams) -> Setting:
    params: dict[str, Any] = {"centred": False, **dict(more)}
    if algorithm in ("ppi", "analyze_gauss", "dp_spca", "dp_vrpca"):
        params["calibration"] = "exact" if calibration == "exact" else "published"
    if algorithm == "ssp":
        params["steps"] = 1
    # Both papers behind these two prove a sensitivity of 1/n, that of a row which comes or goes.
    printed = algorithm in ("ppi", "analyze_gauss") and calibration == "published"
    return Setting(model="pca", algorithm=algorithm, epsilon=epsilon, delta=DELTA, n_components=SHANG_COMPONENTS,
                   seed=seed, relation="add_remove" if printed else "replace_one", bounds=False,
                   params=tuple(sorted(params.items())))  # fmt: skip


def _ways(data: str, scope: Scope) -> list[tuple[str, str, str, StepParams, range]]:
    bare = (
        *((("no projection", "none", ALL_COLUMNS),) if data in UNPROJECTED else ()),
        ("random projection", "none", RANDOM),
        ("non-private", "none", "exact"),
    )
    seeds = scope.repeats(ARRANGEMENTS, QUICK_ARRANGEMENTS)
    found = [(*way, paper_steps(data, way[2]), seeds) for way in (*bare, *METHODS)]
    return found + [(*way, range(min(len(seeds), FEW_ARRANGEMENTS))) for way in other_steps(data) if not scope.quick]


def _table_tasks(scope: Scope) -> list[LabelledCell]:
    return [
        LabelledCell(
            labels={"data": data, "method": method, "calibration": rule, **step_labels(params), "seed": arrangement},
            cell=Arrangement(dataset=name, algorithm=algorithm, calibration=rule, arrangement=arrangement,
                             params=params),
        )
        for data, name in scope.few(QUICK).items()
        for method, rule, algorithm, params, seeds in _ways(data, scope)
        for arrangement in seeds
    ]  # fmt: skip


def _table(records: Sequence[RunRecord]) -> list[ResultLine]:
    marked = [
        {**record, "measure": measure}
        for measure in ("accuracy", "one against rest")
        for record in records
        if measure == "accuracy" or record["data"] not in BINARY
    ]
    return mean_lines(
        marked,
        ("measure", "data", "method", "calibration", "step", "epochs"),
        lambda record: 100 * _value_of(record),
        lambda labels: published.shang_table_3(labels["method"], labels["data"]),
    )


def _value_of(record: RunRecord) -> float:
    """Value of the measure that a record is marked with."""
    return record[record["measure"].replace(" ", "_")]


def _figure_tasks(scope: Scope) -> list[LabelledCell]:
    return [
        LabelledCell(
            labels={"data": data, "method": method, "calibration": rule, "epsilon": epsilon, "seed": seed},
            cell=Cell(dataset=name, n=None, classifiers=(),
                      setting=_setting(algorithm, rule, epsilon, seed, paper_steps(data, algorithm))),
        )
        for data, name in scope.few(QUICK).items()
        for method, rule, algorithm in [way for way in METHODS if way[:2] != SLOW_METHOD or not scope.quick]
        for epsilon in (QUICK_EPSILONS if scope.quick else EPSILONS)
        for seed in scope.repeats(SEEDS, QUICK_SEEDS)
    ]  # fmt: skip


def _figure(records: Sequence[RunRecord]) -> list[ResultLine]:
    by = ("measure", "data", "epsilon", "method", "calibration")
    measures = ("shang distance", "subspace distance")
    return mean_lines([{**record, "measure": measure} for measure in measures for record in records], by, _value_of)


EXHIBITS = (
    Exhibit(
        key="shang-figure-1", paper=PAPER, title="Distance of the private subspace against ε, ten components",
        data=("a9a", "MNIST", "CIFAR10"), unit="distance", drawn=True, tasks=_figure_tasks, lines=_figure,
        fixed=FIXED,
        verdict=figure_verdict, outcomes=order_outcomes, seeds=SEEDS, cell=("data", "measure"),
        notes=(*NOTES, "The paper's measure is ‖V − V̂‖²_F (here 'shang distance'), which a rotation within the "
               "subspace changes; 'subspace distance', ‖VVᵀ − V̂V̂ᵀ‖_F, does not mind one."),
        picture=ExhibitPicture(x="epsilon", panel=("data", "measure"), curve=("method", "calibration")),
    ),
    Exhibit(
        key="shang-table-3", paper=PAPER, title="Accuracy of a linear SVM on ten private components, ε = 0.1",
        data=published.SHANG_DATA, unit="%", fixed=FIXED, tasks=_table_tasks, lines=_table, verdict=table_verdict,
        outcomes=printed_outcomes, seeds=ARRANGEMENTS, cell=("data", "measure"),
        grid=TableLayout(pick=("measure",), rows=("method", "calibration", "step", "epochs"), columns=("data",),
                         within=SHANG_NEAR),
        notes=(*NOTES, "Half of the rows find the subspace, a tenth of all, from the other half, train, the rest of "
               "that half tests; ten turns of each of ten arrangements. 'One against rest' is the mean accuracy of "
               "the binary decisions inside the multi-class SVM, whose floor on ten classes is 90 %."),
    ),
)  # fmt: skip
