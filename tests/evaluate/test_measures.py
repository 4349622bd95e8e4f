"""The registry of measures: a number computed from components is the number of the diagnostic."""

import math

import pytest

from dpgep_core import Setting, evaluate, load_dataset, solve
from dpgep_core.errors import UnknownNameError
from dpgep_core.evaluate import Reference
from dpgep_core.evaluate.measures import CURVE_MEASURES, MEASURES, SWEEP_MEASURES, TARGETS, score_of
from dpgep_core.evaluate.threshold import reference_for


@pytest.fixture(scope="module")
def scene():
    data = load_dataset("wine")
    release = solve(data, "fda", "ssp", epsilon=1.0, seed=3)
    return Reference.of(data, release.setting), release, evaluate(release, data, classifiers=("lda",))


@pytest.mark.parametrize("key", [key for key, m in MEASURES.items() if m.compute and m.of_diagnostic])
def test_curves_and_diagnostics_say_the_same_number(scene, key):
    reference, release, diagnostic = scene
    assert score_of(key, reference, release) == pytest.approx(MEASURES[key].of_diagnostic(diagnostic), rel=1e-12)


def test_a_measure_that_the_data_do_not_allow_is_nan(scene):
    reference, release, _ = scene
    assert math.isnan(score_of("truth", reference, release))


def test_each_view_of_the_registry_has_what_it_needs(scene):
    assert all(measure.compute for measure in CURVE_MEASURES.values())
    assert all(measure.column for measure in SWEEP_MEASURES.values())
    assert set(TARGETS) < set(CURVE_MEASURES)
    with pytest.raises(UnknownNameError, match="accuracy, cosine, subspace"):
        reference_for(load_dataset("wine"), Setting(), "f1")
