"""The Python interface as other people's scripts call it."""

import inspect
import math
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import dpgep_core
from dpgep_core import (
    ALGORITHMS,
    MODELS,
    BudgetExceededError,
    DataError,
    Dataset,
    Diagnostic,
    DpgepError,
    ParameterError,
    Preprocessing,
    Release,
    UnknownNameError,
    dataset_names,
    evaluate,
    load_dataset,
    solve,
)
from dpgep_core.params import parameters
from dpgep_core.release import Setting

WINE_ROWS = 142  # of 178, once a fifth is held out


def toy(n: int = 40, d: int = 4, classes: tuple[str, ...] = ("a", "b"), split: bool = True) -> Dataset:
    rng = np.random.default_rng(0)
    y = np.arange(n) % max(len(classes), 1)
    X = rng.standard_normal((n, d)) + y[:, None]
    labels: Any = y if classes else None
    test: dict[str, Any] = {"X_test": X[:10], "y_test": None if labels is None else labels[:10]} if split else {}
    return Dataset("toy", "Toy", X, labels, classes=classes, preprocessing=Preprocessing(), **test)


class TestNames:
    def test_everything_promised_is_there(self) -> None:
        for name in ("load_dataset", "dataset_names", "solve", "evaluate", "MODELS", "ALGORITHMS"):
            assert name in dpgep_core.__all__
            assert inspect.getdoc(getattr(dpgep_core, name)) is not None

    def test_dataset_names(self) -> None:
        names = dataset_names()
        assert isinstance(names, list)
        assert {"mnist", "adult", "digits", "breast_cancer", "wine"} <= set(names)
        assert {f"synthetic_{kind}" for kind in ("pca", "fda", "cca", "sir", "sparse")} <= set(names)

    def test_load_dataset(self) -> None:
        dataset = load_dataset("wine")
        assert isinstance(dataset, Dataset)
        assert (dataset.n, dataset.d, dataset.n_classes) == (178, 13, 3)
        assert load_dataset("wine") is dataset

    def test_registries(self) -> None:
        assert {"pca", "fda"} <= set(MODELS)
        assert {"exact", "sr", "ssp", "dpsr", "dprf", "sr_dp", "analyze_gauss"} <= set(ALGORITHMS)
        for key, entry in [*MODELS.items(), *ALGORITHMS.items()]:
            assert entry.key == key
            assert entry.title

    def test_solve_signature(self) -> None:
        """Keyword-only after the three names, with the promised defaults."""
        parameters = inspect.signature(solve).parameters
        assert list(parameters)[:3] == ["dataset", "model", "algorithm"]
        defaults = {name: p.default for name, p in parameters.items()}
        assert (defaults["model"], defaults["algorithm"], defaults["epsilon"]) == ("fda", "ssp", 1.0)
        assert (defaults["delta"], defaults["seed"]) == (None, 0)
        for name in ("epsilon", "delta", "n_components", "seed"):
            assert parameters[name].kind is inspect.Parameter.KEYWORD_ONLY
        assert parameters["params"].kind is inspect.Parameter.VAR_KEYWORD


class TestSolve:
    def test_by_name_and_by_object_is_the_same(self) -> None:
        by_name, by_object = solve("wine"), solve(load_dataset("wine"))
        assert by_name.components.tobytes() == by_object.components.tobytes()

    def test_release(self) -> None:
        release = solve("wine", "fda", "ssp", epsilon=2.0, delta=1e-4, n_components=2, seed=3)
        assert isinstance(release, Release)
        assert release.dataset == "wine"
        assert release.components.shape == (13, 2)
        assert release.components.dtype == np.float64
        assert release.claimed is not None
        assert (release.claimed.epsilon, release.claimed.delta) == (2.0, 1e-4)
        assert release.accounted.epsilon == pytest.approx(2.0)
        assert release.accounted.delta == 1e-4
        assert [entry.query for entry in release.ledger]
        assert release.public.n == WINE_ROWS
        assert release.status == "ok"
        assert release.seconds >= 0
        assert release.version
        assert (release.setting.epsilon, release.setting.seed, release.setting.n_components) == (2.0, 3, 2)

    def test_default_delta_and_components(self) -> None:
        release = solve("wine")
        assert release.accounted.delta == pytest.approx(WINE_ROWS**-1.1)
        assert release.components.shape == (13, 2)  # K − 1
        assert solve("wine", "pca").components.shape == (13, 10)
        assert solve(toy(), "pca").components.shape == (4, 4)  # d at most

    def test_non_private_methods_claim_nothing(self) -> None:
        for key in ("exact", "sr"):
            release = solve("wine", "fda", key)
            assert release.claimed is None
            assert release.accounted.epsilon is None

    def test_components_are_sorted(self) -> None:
        release = solve("digits", "pca", "ssp", epsilon=1e4, n_components=5)
        assert release.pencil is not None
        quotients = release.pencil.quotients(release.components)
        assert (np.diff(quotients) <= 1e-12).all()

    def test_a_release_holds_no_rows(self) -> None:
        """Nothing that leaves refers to the data: only arrays of size d, and public facts."""
        release = solve(toy(n=37, d=5), "fda", "ssp")
        seen: set[int] = set()

        def walk(thing: Any) -> None:
            if id(thing) in seen:
                return
            seen.add(id(thing))
            if isinstance(thing, np.ndarray):
                assert 37 not in thing.shape
            elif isinstance(thing, dict):
                for value in thing.values():
                    walk(value)
            elif isinstance(thing, list | tuple | set | frozenset):
                for value in thing:
                    walk(value)
            elif inspect.ismethod(thing):
                walk(thing.__self__)
            elif inspect.isfunction(thing):
                for cell in thing.__closure__ or ():
                    walk(cell.cell_contents)
            elif type(thing).__module__.startswith("dpgep_core"):
                assert not isinstance(thing, Dataset)
                for name in {*getattr(thing, "__dict__", {}), *getattr(type(thing), "__slots__", ())}:
                    walk(getattr(thing, name, None))

        walk(release)
        assert len(seen) > 20

    def test_parameters_of_model_and_algorithm_by_name(self) -> None:
        assert solve("wine", "pca", "ssp", centred=False, xi=0.5).method.xi == 0.5
        assert solve("wine", "fda", "dpsr", calibration="exact", n_iterations=3).method.n_iterations == 3
        assert solve("wine", "fda", "ssp", weight=0.25).method.weight == 0.25

    def test_more_components_than_classes_carry_is_allowed_with_a_warning(self) -> None:
        release = solve("wine", "fda", "ssp", n_components=5)
        assert release.components.shape == (13, 5)
        assert any("2 of k = 5 components carry anything" in warning for warning in release.warnings)

    def test_k_of_all_columns(self) -> None:
        assert solve("wine", "fda", "exact", n_components=13).components.shape == (13, 13)

    def test_numbers_of_numpy_are_numbers(self) -> None:
        plain = solve("wine", epsilon=2, seed=7, n_components=2)
        other = solve("wine", epsilon=np.float32(2), seed=np.int64(7), n_components=np.int8(2))
        assert plain.components.tobytes() == other.components.tobytes()
        assert plain.setting == other.setting

    def test_every_digit_of_a_seed_counts(self) -> None:
        one, other = (solve("wine", seed=seed).components for seed in (2**53, 2**53 + 1))
        assert not np.array_equal(one, other)
        assert solve("wine", seed=2**63 - 1).setting.seed == 2**63 - 1

    def test_the_name_of_a_data_set_is_no_part_of_the_noise(self) -> None:
        from dataclasses import replace

        wine = load_dataset("wine")
        renamed = replace(wine, name="other", X=np.asfortranarray(wine.X.astype(np.float64)))
        assert solve(renamed).components.tobytes() == solve(wine).components.tobytes()


class TestEvaluate:
    def test_diagnostic(self) -> None:
        release = solve("wine", epsilon=100.0)
        diagnostic = evaluate(release, "wine")
        assert isinstance(diagnostic, Diagnostic)
        assert not isinstance(diagnostic, Release)
        assert diagnostic.label == "reads the private data"
        assert diagnostic.cosine_similarity.shape == (2,)
        assert 0 <= diagnostic.mean_cosine_similarity <= 1
        assert set(diagnostic.accuracy) == {"lda", "linear_svm"}
        for scores in diagnostic.accuracy.values():
            for score in (scores.private, scores.non_private, scores.random):
                assert 0 <= score.accuracy <= 1

    def test_exact_is_its_own_reference(self) -> None:
        diagnostic = evaluate(solve("wine", "fda", "exact"), load_dataset("wine"), classifiers=())
        assert diagnostic.mean_cosine_similarity == pytest.approx(1.0)
        assert diagnostic.subspace_distance == pytest.approx(0.0, abs=1e-6)
        assert diagnostic.explained == pytest.approx(1.0)

    def test_another_data_set_is_refused(self) -> None:
        with pytest.raises(ParameterError, match="wine"):
            evaluate(solve("wine"), "digits")

    def test_unknown_classifier(self) -> None:
        with pytest.raises(UnknownNameError, match="lda"):
            evaluate(solve("wine"), "wine", classifiers=("perceptron",))


WRONG: list[tuple[str, dict[str, Any], str, str]] = [
    ("epsilon zero", {"epsilon": 0}, "epsilon", "> 0"),
    ("epsilon negative", {"epsilon": -1.0}, "epsilon", "> 0"),
    ("epsilon NaN", {"epsilon": math.nan}, "epsilon", "finite"),
    ("epsilon infinite", {"epsilon": math.inf}, "epsilon", "finite"),
    ("epsilon text", {"epsilon": "1"}, "epsilon", "finite number"),
    ("epsilon bool", {"epsilon": True}, "epsilon", "finite number"),
    ("epsilon None", {"epsilon": None}, "epsilon", "finite number"),
    ("delta zero", {"delta": 0.0}, "delta", "> 0 and < 1"),
    ("delta one", {"delta": 1.0}, "delta", "> 0 and < 1"),
    ("delta beyond", {"delta": 1.5}, "delta", "> 0 and < 1"),
    ("delta NaN", {"delta": math.nan}, "delta", "> 0 and < 1"),
    ("both tiny", {"epsilon": 1e-60, "delta": 1e-60}, "epsilon", ">= 1e-50 where delta is 1e-60"),
    ("k zero", {"n_components": 0}, "n_components", ">= 1"),
    ("k negative", {"n_components": -2}, "n_components", ">= 1"),
    ("k fractional", {"n_components": 1.5}, "n_components", "whole number"),
    ("k beyond the columns", {"n_components": 14}, "n_components", "at most the number of columns, 13"),
    ("xi negative", {"xi": -0.1}, "xi", ">= 0"),
    ("xi NaN", {"xi": math.nan}, "xi", ">= 0"),
    ("xi None", {"xi": None}, "xi", ">= 0"),
    ("seed negative", {"seed": -1}, "seed", ">= 0"),
    ("seed fractional", {"seed": 0.5}, "seed", "whole number"),
    ("seed text", {"seed": "a"}, "seed", "whole number"),
    ("noise not a switch", {"noise": None}, "noise", "true or false"),
    ("relation None", {"relation": None}, "relation", "replace_one, add_remove"),
    ("relation unknown", {"relation": "replace"}, "relation", "replace_one, add_remove"),
    ("as_if zero", {"as_if": 0}, "as_if", "> 0"),
    ("as_if beyond all numbers", {"as_if": 1e301}, "as_if", "> 0 and <= 1e+300"),
    ("sparsity beyond the columns", {"sparsity": 14}, "sparsity", "at most the number of columns, 13; 0 keeps all"),
    ("weight zero", {"weight": 0}, "weight", "> 0"),
    ("floor a number", {"floor": 1}, "floor", "true or false"),
    ("iterations zero", {"algorithm": "dprf", "n_iterations": 0}, "n_iterations", ">= 1 and <= 1e+06"),
    ("step size zero", {"algorithm": "dprf", "step_size": 0.0}, "step_size", "> 0"),
    ("calibration", {"algorithm": "dpsr", "calibration": "none"}, "calibration", "published, unit, exact, forgetful"),
    ("ridge of dpsr", {"algorithm": "dpsr", "xi": 0}, "xi", "> 0 for dpsr"),
]


class TestErrors:
    """Every error names the parameter, the value and what is allowed, and is one of ours."""

    @pytest.mark.parametrize(("change", "name", "allowed"), [pytest.param(*rest, id=title) for title, *rest in WRONG])
    def test_parameters(self, change: dict[str, Any], name: str, allowed: str) -> None:
        value = change[name]
        with pytest.raises(ParameterError) as caught:
            solve("wine", **change)
        assert isinstance(caught.value, DpgepError | ValueError)
        assert caught.value.name == name
        assert caught.value.value is value or caught.value.value == value
        assert allowed in caught.value.allowed
        assert str(caught.value) == f"{name} must be {caught.value.allowed}; got {caught.value.value!r}."
        assert "\n" not in str(caught.value)

    @pytest.mark.parametrize(
        ("change", "kind", "near"),
        [
            ({"dataset": "wyne"}, "dataset", "wine"),
            ({"model": "fdaa"}, "model", "fda"),
            ({"model": 3}, "model", ""),
            ({"model": None}, "model", ""),
            ({"algorithm": "spp"}, "algorithm", "ssp"),
            ({"algorithm": ["ssp"]}, "algorithm", ""),
            ({"xii": 1}, "parameter", "xi"),
            ({"centred": True}, "parameter", ""),  # of pca, not of fda
        ],
    )
    def test_unknown_names(self, change: dict[str, Any], kind: str, near: str) -> None:
        with pytest.raises(UnknownNameError) as caught:
            solve(**{"dataset": "wine", **change})
        assert isinstance(caught.value, ParameterError)
        assert caught.value.name == kind
        assert len(caught.value.known) >= 1
        assert f"did you mean {near!r}?" in str(caught.value) or not near

    def test_algorithm_that_does_not_fit_the_model(self) -> None:
        with pytest.raises(
            ParameterError, match=r"algorithm must be one of .*ssp.* for model 'fda'; got 'analyze_gauss'"
        ):
            solve("wine", "fda", "analyze_gauss")

    @pytest.mark.parametrize(("classes", "found"), [((), "no class"), (("only",), "1 class")])
    def test_fda_needs_two_classes(self, classes: tuple[str, ...], found: str) -> None:
        with pytest.raises(DataError, match=found) as caught:
            solve(toy(classes=classes), "fda")
        assert "at least 2 classes" in caught.value.allowed
        assert solve(toy(classes=classes), "pca").status == "ok"

    def test_one_row_is_no_data_set(self) -> None:
        with pytest.raises(DataError, match="at least 2 rows"):
            Dataset("one", "One", np.ones((1, 3)))

    def test_two_rows_cannot_be_split(self) -> None:
        with pytest.raises(DataError, match="1 row to fit on") as caught:
            solve(Dataset("two", "Two", np.eye(2)), "pca")
        assert "at least 2" in caught.value.allowed

    def test_two_rows_that_are_split_already(self) -> None:
        data = Dataset("two", "Two", np.eye(2), np.array([0, 1]), np.eye(2), np.array([0, 1]), ("a", "b"))
        assert solve(data).status == "ok"

    @pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
    def test_rows_are_finite(self, bad: float) -> None:
        X = np.ones((5, 2))
        X[3, 1] = bad
        with pytest.raises(DataError, match="row 3, column 1"):
            Dataset("bad", "Bad", X)

    @pytest.mark.parametrize("label", [-1, 2])
    def test_labels_are_in_the_declared_set(self, label: int) -> None:
        y = np.array([0, 1, 0, label])
        with pytest.raises(DataError, match="labels outside the class set"):
            Dataset("bad", "Bad", np.ones((4, 2)), y, classes=("a", "b"))

    def test_a_singular_constraint_asks_for_a_ridge(self) -> None:
        with pytest.raises(ParameterError, match="xi must be > 0 here, since B is singular"):
            solve("digits", "fda", "exact", xi=0)

    def test_budget_errors_are_ours(self) -> None:
        assert issubclass(BudgetExceededError, DpgepError)
        error = BudgetExceededError("A", 2.0, 1.0, 1e-5)
        assert (error.query, error.needed, error.granted, error.delta) == ("A", 2.0, 1.0, 1e-5)
        assert "epsilon must be at least 2" in str(error)


EXTREMES: dict[str, tuple[float, ...]] = {
    "epsilon": (1e-300, 1e300), "delta": (1e-300, 1 - 1e-12), "as_if": (1e-9, 1e9), "xi": (1e-300, 1e300),
    "step_size": (1e-300, 1e300), "seed": (2**63 - 1,), "weight": (1e-12, 1e12),
}  # fmt: skip


def extremes() -> Iterator[Any]:
    """Every algorithm with the ends of the parameters that it has, in one order whatever the hash seed."""
    for key, entry in ALGORITHMS.items():
        there = {*parameters(entry.make), *parameters(Setting)}
        for name, values in EXTREMES.items():
            for value in values if name in there else ():
                steps = (name, value) == ("as_if", 1e9)  # as many steps to account for as rows are pretended
                marks = [pytest.mark.slow] if steps else []
                yield pytest.param(key, name, value, marks=marks, id=f"{key}-{name}={value:g}")


class TestExtremeButAllowed:
    """Anything a parameter allows gives finite columns or one of our errors, never a stack trace from below."""

    @pytest.mark.parametrize(("key", "name", "value"), list(extremes()))
    def test_extremes(self, key: str, name: str, value: float) -> None:
        for model in (m for m in ALGORITHMS[key].models if m in MODELS):
            try:
                release = solve(toy(), model, key, **{name: value})
            except DpgepError:
                continue
            assert np.isfinite(release.components).all()

    def test_every_extreme_is_that_of_some_algorithm(self) -> None:
        assert {case.values[1] for case in extremes()} == set(EXTREMES)


@pytest.mark.parametrize("imported", ["dpgep_core", "dpgep_core.cli"])
def test_an_import_waits_for_no_library_that_few_runs_need(imported: str) -> None:
    """Each worker process and each command imports the package: pandas, scikit-learn and the like take a second."""
    slow = "{'pandas', 'pyarrow', 'sklearn', 'scipy.stats', 'dp_accounting', 'streamlit', 'plotly'}"
    code = f"import sys, {imported}; print(*sorted({slow} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.split() == []
