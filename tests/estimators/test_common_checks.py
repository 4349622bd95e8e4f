"""scikit-learn's own battery, over every estimator and every algorithm whose guarantee holds."""

import inspect
import os
import re
import subprocess
import sys
import warnings

import pytest
from sklearn.utils.estimator_checks import check_estimator

from dpgep_core.estimators import DPCCA, DPFDA, DPPCA, DPSIR, PrivacyLeakWarning, PrivateProjection
from dpgep_core.estimators.declared import sound_algorithms
from dpgep_core.method import ALGORITHMS, Verdict
from dpgep_core.publishing.pricing import releasable_algorithms

ESTIMATORS = {"pca": DPPCA, "cca": DPCCA, "fda": DPFDA, "sir": DPSIR}
CASES = [(model, algorithm) for model in ESTIMATORS for algorithm in sound_algorithms(model)]
OFTEN = (*((model, algorithm) for model in ESTIMATORS for algorithm in releasable_algorithms()), ("pca", "dprf"))
NEEDS_AN_ENVIRONMENT = {"check_array_api_input": "SCIPY_ARRAY_API is not set"}  # read on import: see the process below


@pytest.mark.parametrize(
    ("model", "algorithm"), [pytest.param(*case, marks=() if case in OFTEN else pytest.mark.slow) for case in CASES]
)
def test_every_check_passes(model: str, algorithm: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the battery declares no classes, and chooses n that a large δ does not suit
        found = check_estimator(ESTIMATORS[model](algorithm=algorithm), on_fail=None)
    assert len(found) > 40
    others = [each for each in found if each["status"] != "passed"]
    for each in others:
        assert each["status"] == "skipped", (each["check_name"], each["exception"])
        assert NEEDS_AN_ENVIRONMENT[each["check_name"]] in str(each["exception"])


IN_A_PROCESS = """
import warnings
warnings.simplefilter("ignore")
from sklearn.utils.estimator_checks import check_estimator
from dpgep_core.estimators import DPCCA, DPFDA, DPPCA, DPSIR
from dpgep_core.estimators.declared import sound_algorithms
for model, estimator in (("pca", DPPCA), ("cca", DPCCA), ("fda", DPFDA), ("sir", DPSIR)):
    for algorithm in sound_algorithms(model):
        for each in check_estimator(estimator(algorithm=algorithm), on_fail=None):
            print(each["check_name"], each["status"])
"""


@pytest.mark.slow
def test_no_check_is_skipped_where_the_environment_is_set() -> None:
    done = subprocess.run(
        [sys.executable, "-c", IN_A_PROCESS],
        env={**os.environ, "SCIPY_ARRAY_API": "1"},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    lines = done.stdout.splitlines()
    assert [line for line in lines if not line.endswith(" passed")] == []
    assert lines.count("check_array_api_input passed") == len(CASES)


def test_the_battery_sees_a_fault() -> None:
    class Forgetful(DPPCA):
        def transform(self, X: object) -> object:
            return super().transform(X)[:1]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = check_estimator(Forgetful(), on_fail=None)
    assert any(each["status"] == "failed" for each in found)


def test_the_algorithms_are_those_whose_guarantee_holds() -> None:
    for model in ESTIMATORS:
        offered = sound_algorithms(model)
        assert set(releasable_algorithms()) <= set(offered)
        unsound = {key for key, e in ALGORITHMS.items() if e.guarantee.verdict in (Verdict.FALSE, Verdict.NONE)}
        assert not unsound & set(offered)


def test_the_docstring_names_them() -> None:
    for model, estimator in ESTIMATORS.items():
        assert all(f"``{key}``" in (estimator.__doc__ or "") for key in sound_algorithms(model))


@pytest.mark.parametrize("estimator", ESTIMATORS.values())
def test_the_docstring_describes_every_parameter_and_attribute(estimator: type[PrivateProjection]) -> None:
    """What all estimators share is written once; ``help`` of each shows it, and each parameter once."""
    entries = re.findall(r"^(\w[\w, ]*) : ", inspect.getdoc(estimator) or "", re.MULTILINE)
    named = [name for entry in entries for name in entry.split(", ")]
    assert len(named) == len(set(named))
    assert set(inspect.signature(estimator).parameters) <= set(named)
    assert {"components_", "epsilon_", "ledger_", "leaks_", "release_"} <= set(named)
    assert "As in" not in (estimator.__doc__ or "")


def test_undeclared_classes_are_said() -> None:
    with pytest.warns(PrivacyLeakWarning, match="Read off the rows.*the class set"):
        DPFDA(random_state=0).fit([[0.0, 1], [1, 0], [0, 2], [3, 0]], [0, 1, 0, 1])
