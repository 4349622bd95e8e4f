"""Chen et al.: Fisher discriminants of unit rows, DPSR against DPRF and against noise on the matrices."""

from collections.abc import Sequence
from functools import partial

from dpgep_core.experiments.cell_runner import SCORE_COLUMNS
from dpgep_core.experiments.papers import claims, leads, published
from dpgep_core.experiments.papers.averages import MethodVariant, mean_lines, percent, signed_rank_lines
from dpgep_core.experiments.papers.chen_methods import (
    CALIBRATIONS,
    CHEN_COMPONENTS,
    DPRF,
    DPRF_RANDOM,
    DPSR,
    NOISELESS,
    NOISY,
    SSP,
    STEPS,
    XI,
    ChenMethod,
    chance_tasks,
    tasks,
    with_exact,
)
from dpgep_core.experiments.papers.exhibit import (
    Exhibit,
    ExhibitPicture,
    LabelledCell,
    ResultLine,
    RunRecord,
    Scope,
    TableLayout,
)
from dpgep_core.params import USUAL_DELTA

PAPER = "Chen et al., On the Privacy-preserving Generalized Eigenvalue Problem"
EPSILONS = tuple(2.0**-power for power in range(11))
QUICK_EPSILONS = (1.0, 2.0**-3, 2.0**-6)
SEEDS, PAIRS, QUICK_PAIRS = 5, 20, 6
BY = ("data", "classifier", "method", "calibration", "start")
QUICK = ("MNIST", "a9a")  # bundled
CHEN_NEAR = 3.0  # points from a printed value that count as meeting it
NOTES = (
    "Rows to unit norm, no column bounds: what the paper does.",
    "Ten components, as in the paper. FDA has at most K − 1 that mean something (9 on ten classes, 1 on two); the rest "
    "are noise, which a classifier may still read.",
    "The RBF SVM is trained on 10,000 rows drawn at random and the random forest on 20,000, for time. The paper does "
    "not say how many it uses, nor how it splits data without a published test split (here 80/20 by the seed).",
    "Precision, recall and F1 are averages over classes weighted by their size, which the paper does not say but its "
    "numbers do: (29, 53, 37) for DPRF on Dota2 is what such averages give a classifier that always answers the larger "
    "class. Recall is then the accuracy.",
    "The printed recall of 80 for DPSR, RBF SVM, on MNIST does not go with its precision and F1 of 90; 90 is likely "
    "meant. It is compared as printed.",
    "Both SVMs are fitted after StandardScaler on the training rows; the linear one is LinearSVC of scikit-learn, "
    "whose loss is the squared hinge. The paper names neither.",
    "Rows fitted: 60,000 on MNIST and Fashion, 32,561 on a9a, 92,650 on Dota2 (its published training part; the paper "
    "lists 102,944, which is both parts) and 98,494 of 123,117 on RT-IoT2022. The paper speaks of a sample ratio among "
    "its parameters and does not say what it is; every row is used in every step here.",
    "DPRF carries the constants of this paper's Lemmas 1 and 2, 8/n and 6/n, at 'published'; Hu et al. print 4 and 7.",
    "DPSR has the noise of Algorithm 2. Theorem 12 states a larger σ (1.56 times on MNIST), which is the choice "
    "stated=theorem of dpsr.",
    "DPSR starts at random. DPRF starts at the exact answer as in the paper (oracle), which no guarantee covers, and "
    "at random beside it. DPSR releases eigenvalues without noise: no ε covers it at any calibration.",
)
LEAD_NOTES = (*NOTES, leads.LEAD_NOTE)


def _table_2(records: Sequence[RunRecord]) -> list[ResultLine]:
    every = with_exact(records)
    return mean_lines(
        [{**record, "metric": metric} for metric in SCORE_COLUMNS[1:] for record in every],  # recall is the accuracy
        ("metric", *BY),
        lambda record: percent(record, record["metric"]),
        lambda line: published.chen_table_2(line["method"], line["metric"], line["data"], line["classifier"]),
    )


def _verdict_2(lines: Sequence[ResultLine]) -> list[str]:
    return [
        *claims.agreement(lines, by=("method", "calibration", "start"), within=CHEN_NEAR),
        *leads.comparison(lines, "DPSR", "DPRF", expected="in the paper DPSR is ahead in nearly all"),
        *claims.floors(lines, SSP.name),
        *claims.best_matches(lines, CHEN_NEAR),
    ]


def _rivals() -> list[tuple[MethodVariant, MethodVariant]]:
    """Pairs that are tested: DPSR against DPRF within a calibration and across them, and ours against DPSR."""
    found: list[tuple[MethodVariant, MethodVariant]] = []
    for rule in CALIBRATIONS:
        one = ("DPSR", rule, "random")
        found += [(one, ("DPRF", rule, start)) for start in ("oracle", "random")]
        found.append(((SSP.name, "exact", "none"), one))
    # DPRF comes nearest to the printed accuracies from a random start, and starts at the exact answer in the paper.
    return [*found, *((("DPSR", "unit", "random"), ("DPRF", "published", start)) for start in ("random", "oracle"))]


def _figure(records: Sequence[RunRecord]) -> list[ResultLine]:
    return mean_lines(with_exact(records), ("epsilon", *BY), lambda record: percent(record, "accuracy"))


def _table_2_tasks(scope: Scope) -> list[LabelledCell]:
    seeds, known = scope.repeats(SEEDS, 1), published.PAPER_CLASSIFIERS
    trained = scope.classifiers_to_train(known, known)
    return [
        *tasks(scope, AGAINST, seeds=seeds, kept=QUICK),
        *chance_tasks(scope, seeds=seeds, classifiers=trained, kept=QUICK),
    ]


def _figure_tasks(methods: Sequence[ChenMethod], eta: float, scope: Scope) -> list[LabelledCell]:
    seeds, quick = scope.repeats(SEEDS, 1), ("linear_svm",)
    epsilons = QUICK_EPSILONS if scope.quick else EPSILONS
    trained = scope.classifiers_to_train(published.PAPER_CLASSIFIERS, quick)
    return [
        *tasks(scope, methods, epsilons=epsilons, seeds=seeds, quick=quick, eta=eta),
        *chance_tasks(scope, values=epsilons, seeds=seeds, classifiers=trained),
    ]


def _comparison_verdict(other: str, lines: Sequence[ResultLine]) -> list[str]:
    return [
        *leads.comparison(lines, "DPSR", other, expected="in the paper DPSR is the higher curve"),
        *claims.floors(lines, SSP.name),
    ]


def settings(eta: float) -> str:
    """Settings that all values of an exhibit share."""
    return f"unit rows, k = {CHEN_COMPONENTS}, ξ = {XI:g}, η = {eta:g}, m = {STEPS}, δ = {USUAL_DELTA}"


def _chart(
    key: str, title: str, data: tuple[str, ...], methods: Sequence[ChenMethod], other: str, eta: float
) -> Exhibit:
    return Exhibit(
        key=key,
        paper=PAPER,
        title=title,
        data=data,
        classifiers=published.PAPER_CLASSIFIERS,
        unit="accuracy, %",
        fixed=settings(eta),
        drawn=True,
        tasks=partial(_figure_tasks, methods, eta),
        lines=_figure,
        verdict=partial(_comparison_verdict, other),
        notes=LEAD_NOTES,
        picture=ExhibitPicture(x="epsilon", panel=("data", "classifier"), curve=("method", "calibration", "start")),
        outcomes=lambda lines: leads.of_lead(lines, "DPSR", other),
        seeds=SEEDS,
        cell=("data", "classifier"),
    )


AGAINST = (*DPSR, *DPRF, *DPRF_RANDOM, SSP)
FIRST, SECOND = published.CHEN_DATA[:3], published.CHEN_DATA[3:]
EXHIBITS = (
    Exhibit(
        key="chen-table-2", paper=PAPER, title="Precision, recall and F1 at ε = 1", data=published.CHEN_DATA,
        classifiers=published.PAPER_CLASSIFIERS, unit="%", lines=_table_2, verdict=_verdict_2, notes=LEAD_NOTES,
        tasks=_table_2_tasks,
        outcomes=lambda lines: claims.of_printed(lines, CHEN_NEAR), seeds=SEEDS, fixed=settings(1.0),
        cell=("metric", "data", "classifier"),
        grid=TableLayout(pick=("metric", "classifier"), rows=("method", "calibration", "start"), columns=("data",),
                  within=CHEN_NEAR),
    ),
    Exhibit(
        key="chen-table-3", paper=PAPER, title="Wilcoxon signed-rank p of DPSR against DPRF at ε = 1",
        data=published.CHEN_DATA, classifiers=published.PAPER_CLASSIFIERS, unit="p",
        lines=lambda records: signed_rank_lines(records, _rivals()), verdict=claims.significance,
        outcomes=lambda lines: [*claims.of_significance(lines, "DPSR", "DPRF"),
                                *claims.of_no_difference(lines, "DPSR", "DPRF")],
        seeds=PAIRS, cell=("data", "classifier"), fixed=settings(1.0),
        notes=(*NOTES, "The paper does not say what its pairs are. Here: accuracies of runs with the same seed. With "
               "six pairs p is at least 0.031, with twenty 2e-6. A small p says that a difference is there, not which "
               "way it points: the column 'ahead' does."),
        tasks=lambda scope: tasks(scope, AGAINST, seeds=scope.repeats(PAIRS, QUICK_PAIRS), kept=QUICK,
                                  quick=("linear_svm",)),
        grid=TableLayout(pick=("classifier",), rows=("method", "of_method", "against", "calibration", "start"),
                  columns=("data",), also="ahead"),
    ),
    _chart("chen-figure-1", "Accuracy against ε, DPSR and DPRF, η = 1", FIRST, AGAINST, "DPRF", 1.0),
    _chart("chen-figure-2", "Accuracy against ε, DPSR and DPRF, η = 1", SECOND, AGAINST, "DPRF", 1.0),
    _chart("chen-figure-3", "Accuracy against ε, DPSR and SR+DP, η = 1", FIRST, (*DPSR, *NOISY, SSP), "SR+DP", 1.0),
    _chart("chen-figure-4", "Accuracy against ε, DPSR and SR+DP, η = 1", SECOND, (*DPSR, *NOISY, SSP), "SR+DP", 1.0),
    _chart("chen-supplement-figure-1", "Accuracy against ε, η = 0.5, with the non-private methods",
           published.CHEN_DATA, (*AGAINST, *NOISELESS), "DPRF", 0.5),
    _chart("chen-supplement-figure-2", "Accuracy against ε, η = 0.25, with the non-private methods",
           published.CHEN_DATA, (*AGAINST, *NOISELESS), "DPRF", 0.25),
)  # fmt: skip
