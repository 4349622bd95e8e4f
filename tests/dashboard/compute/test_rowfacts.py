"""What the Data page says of rows is what they are."""

from dataclasses import replace

import numpy as np
import pytest

from dashboard.compute import rowfacts
from dashboard.figures import rows as drawn
from dashboard.figures.components import image_grid
from dashboard.figures.spectra import spectrum, spectrum_table
from dashboard.figures.style import Style
from dashboard.scenario import Scenario
from dpgep_core.datasets import Dataset, Preprocessing, load_dataset
from dpgep_core.evaluate import Reference
from dpgep_core.solve import plan


def small(**changes):
    X = np.array([[0.0, 5.0, 1.0], [3.0, 5.0, 1.0], [3.0, 5.0, 1.0], [20.0, 5.0, -9.0]])
    given = {"y": np.array([0, 1, 1, 1]), "classes": ("a", "b"), "preprocessing": Preprocessing(lower=0.0, upper=10.0)}
    return Dataset("toy", "Toy", X, **{**given, **changes})


def test_counts():
    found = rowfacts.facts(small())
    assert found.constant == (1,)
    assert found.duplicates == 1
    assert found.clipped.tolist() == [0.25, 0, 0.25]
    assert np.allclose(found.stored, np.linalg.norm(small().X, axis=1))
    assert np.allclose(found.bounded, [np.hypot(0.5, 0.1), *[np.sqrt(0.3**2 + 0.5**2 + 0.1**2)] * 2, np.hypot(1, 0.5)])
    assert np.allclose(found.final, 1)


def test_clipped_rows_logarithms_and_zero_rows():
    X = np.array([[0.0, 0.0], [3.0, 4.0], [0.3, 0.4]])
    data = Dataset("toy", "Toy", X, preprocessing=Preprocessing(rows="clip", radius=1.0))
    found = rowfacts.facts(data)
    assert found.shortened == pytest.approx(1 / 3)
    assert found.final.tolist() == pytest.approx([0, 1, 0.5])
    assert found.empty == 1
    logs = rowfacts.facts(replace(data, preprocessing=Preprocessing(log1p=(0,), lower=0.0, upper=1.0)))
    assert logs.clipped.tolist() == pytest.approx([1 / 3, 1 / 3])


def test_enormous_rows_neither_overflow_nor_warn():
    data = Dataset("toy", "Toy", np.array([[1.7e308, 1.7e308], [1.0, 2.0]]))
    found = rowfacts.facts(data)
    assert found.stored[0] == np.inf
    frame = drawn.norm_table(found)
    assert np.isfinite(frame[["from", "to"]].to_numpy()).all()
    drawn.norm_histogram(frame, "as stored", None, Style()).to_json()


def test_each_step_says_what_it_costs():
    learnt = small(classes_declared=False, learnt=("the column bounds", "the categories of 'c'"))
    privacy = {step.what: step.privacy for step in rowfacts.steps(learnt, rowfacts.facts(learnt))}
    assert privacy["Class set"] == privacy["Column bounds"] == privacy["The categories of 'c'"] == rowfacts.OPEN
    declared = {step.what: step.privacy for step in rowfacts.steps(small(), rowfacts.facts(small()))}
    assert rowfacts.OPEN not in declared.values()
    assert declared["Column bounds"] == rowfacts.FREE


def test_the_edge_is_that_of_the_release():
    """The line in the spectrum is the noise that a release at this ε has; a tenth of ε raises it about tenfold."""
    wine = load_dataset("wine")
    edges = []
    for epsilon in (1.0, 0.1):
        scenario = Scenario(dataset="wine", epsilon=epsilon)
        bound = plan(wine, scenario.setting("ssp"))
        reference = Reference.of(wine, scenario.rows(published=False).setting("exact"))
        found = rowfacts.spectra(scenario, wine, reference)
        edge = found.edges[epsilon]
        assert edge == pytest.approx(bound.facts["noise_edge"])
        assert np.allclose(np.sort(found.target), np.linalg.eigvalsh(reference.problem.pencil.target))
        edges.append(edge)
        assert found.edges[0.5] == pytest.approx(
            plan(wine, Scenario(dataset="wine", epsilon=0.5).setting("ssp")).facts["noise_edge"]
        )
        figure = spectrum(spectrum_table(found), found.edges, epsilon, Style())
        line, band = figure.layout.shapes
        assert line.y0 == band.y1 == edge
        assert band.y0 <= edge
        assert figure.layout.xaxis.type == "log"
        (slider,) = figure.layout.sliders
        moves = {step.label: step.args[0] for step in slider.steps}
        assert slider.steps[slider.active].args[0]["shapes[1].y1"] == edge
        assert moves["0.5"]["shapes[0].y1"] == moves["0.5"]["shapes[1].y1"] == found.edges[0.5]
        assert "ε = 0.5" in moves["0.5"]["annotations[0].text"]
        (label,) = figure.layout.annotations
        assert f"ε = {epsilon:g}" in label.text
        assert (label.xref, label.yref, label.xanchor) == ("paper", "paper", "left")  # beside every line, whatever ε
        assert slider.steps[0].label == "0.001"
    assert 5 < edges[1] / edges[0] < 12


def test_names_are_escaped_in_figures():
    name = "<img src=x onerror=alert(1)>"
    data = small(classes=(name, "b"), feature_names=(name, "b", "c"))
    found = rowfacts.facts(data)
    for figure in (
        drawn.classes(rowfacts.class_counts(data), Style()),
        drawn.clipped(drawn.clipped_table(found, data.feature_names), Style()),
    ):
        assert "<img" not in figure.to_json().replace("\\u003c", "<")


def test_first_rows_with_repeated_names():
    data = small(feature_names=("label", "x", "x"))
    assert list(rowfacts.first_rows(data).columns) == ["(label)", "label", "x [1]", "x [2]"]


def test_means_of_classes_are_those_of_the_rows():
    wine = load_dataset("wine")
    means = rowfacts.facts(wine).class_means
    for code in range(wine.n_classes):
        assert np.allclose(means[code], wine.X[wine.y == code].mean(axis=0))
    assert rowfacts.facts(replace(wine, y=None, classes=())).class_means.size == 0


def test_images_stand_in_their_places():
    digits = load_dataset("digits")
    some, shape = digits.X[:12].astype(float), digits.image_shape
    figure = image_grid(some, shape, [digits.classes[code] for code in digits.y[:12]], Style())
    canvas = np.array(figure.data[0].z, dtype=float)
    high, wide = shape
    first = canvas[canvas.shape[0] // 2 - high : canvas.shape[0] // 2, :wide]
    assert np.allclose(first * (some[0].max() - some[0].min()), some[0].reshape(shape) - some[0].min())
    assert np.isfinite(canvas).sum() == 12 * high * wide
    assert [each.text for each in figure.layout.annotations] == [digits.classes[code] for code in digits.y[:12]]
    room = canvas.shape[0] // 2 - high
    assert figure.layout.annotations[0].y == (room - 1) / 2  # amid the free rows above its image, not on it


def test_the_column_that_drowns_the_others_is_named():
    shares = np.array([0.9, 0.06, 0.04])
    names = ("income", "age", "bmi")
    unbounded = small(preprocessing=Preprocessing())
    assert rowfacts.heavy_column(unbounded, names, shares) == "income carries 90 % of the rows: give it a bound."
    assert rowfacts.heavy_column(small(), names, shares).endswith("with its bounds.")
    assert rowfacts.heavy_column(small(), names, shares, bounds=False).endswith("switch bounds on.")
    assert rowfacts.heavy_column(small(), names, np.array([0.4, 0.3, 0.3])) == ""
    table = rowfacts.column_table(small(), names, shares)
    assert table["column"].tolist() == list(names)
    assert table["upper"].tolist() == [10.0] * 3
    assert not table["logarithm"].any()
