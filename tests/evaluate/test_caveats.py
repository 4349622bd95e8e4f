"""Settings and rows whose results look better, or more certain, than they are: what is said of them, everywhere."""

import json

import numpy as np
import pytest

from dpgep_core import Dataset, evaluate, load_dataset, solve
from dpgep_core.cli import main

RNG = np.random.default_rng(3)


def said(X, y=None, model="pca", **setting):
    """The caveats of the exact solution for some rows."""
    data = Dataset(name="made", title="Made", X=np.asarray(X, float), y=y, classes=() if y is None else ("a", "b"))
    return evaluate(solve(data, model, "ssp", **setting), data, classifiers=()).warnings


def test_constant_rows_have_no_exact_solution():
    """The principal angle of constant rows was "57°", to a solution that does not exist."""
    (warning,) = said(np.full((60, 4), 0.3), n_components=2)
    assert "no direction that is better than another" in warning


def test_fewer_directions_than_components():
    X = np.column_stack([RNG.random((80, 2)), np.zeros((80, 3))])
    (warning,) = said(X, n_components=4)
    assert warning.startswith("Of k = 4, only 2 directions of these rows carry anything")
    assert said(X, n_components=1) == ()


def test_classes_with_one_mean_have_no_direction():
    X = np.tile(RNG.random((40, 3)), (2, 1))
    y = np.repeat([0, 1], 40)
    whole = said(X, y, model="fda", test_size=0.0)
    assert "no direction that is better than another" in whole[0]


def test_isotropic_rows_do_not_determine_their_directions():
    X = RNG.standard_normal((400, 12))
    (warning,) = said(X, n_components=6)
    assert warning.startswith("Eigenvalues 6 and 7 are")
    assert "320 rows do not tell them apart" in warning
    spread = X * np.linspace(4, 1, 12)
    assert said(spread, n_components=1) == ()


@pytest.mark.parametrize(
    ("name", "model"), [("wine", "fda"), ("wine", "pca"), ("digits", "fda"), ("digits", "pca"), ("adult", "fda")]
)
def test_ordinary_data_are_not_doubted(name, model):
    data = load_dataset(name)
    release = solve(data, model, "ssp")
    assert evaluate(release, data, classifiers=()).warnings == ()
    assert not [warning for warning in release.warnings if "ε" in warning or "keeps all" in warning]


def test_all_directions_are_kept_whatever_the_noise():
    """Ten components of ten columns are the default for PCA, and looked like a perfect result."""
    release = solve("diabetes", "pca", "ssp", epsilon=0.1)
    (warning,) = [warning for warning in release.warnings if "keeps all" in warning]
    assert warning.startswith("k = 10 keeps all 10 columns")
    assert evaluate(release, "diabetes").principal_angles.max() < 1e-5
    assert not [w for w in solve("diabetes", "pca", "ssp", n_components=9).warnings if "keeps all" in w]


@pytest.mark.parametrize(
    ("epsilon", "words"),
    [
        (50.0, "protects next to nothing"),
        (1e-12, "leaves next to nothing of 142 rows"),
        (5e-324, "leaves next to nothing"),
        (1.0, ""),
        (10.0, ""),
    ],
)
def test_both_ends_of_epsilon_are_said(epsilon, words):
    found = [w for w in solve("wine", "fda", "ssp", epsilon=epsilon).warnings if "next to nothing" in w]
    assert len(found) == bool(words)
    assert words in "".join(found)
    assert not [w for w in solve("wine", "fda", "exact", epsilon=epsilon).warnings if "next to nothing" in w]
    assert not [w for w in solve("wine", "fda", "ssp", epsilon=epsilon, noise=False).warnings if "next to nothing" in w]


def test_the_command_says_what_the_page_says(capsys, tmp_path, monkeypatch):
    np.savez(tmp_path / "still.npz", X=np.ones((40, 3)))
    monkeypatch.setenv("DPGEP_DATA_DIR", str(tmp_path))
    command = ["solve", "--dataset", "still", "--model", "pca", "--algorithm", "ssp", "--n-components", "2"]
    assert main([*command, "--epsilon", "50"]) == 0
    notes = [line for line in capsys.readouterr().out.splitlines() if line.startswith("note: ")]
    assert any("no direction that is better than another" in note for note in notes)
    assert any("protects next to nothing" in note for note in notes)
    assert main([*command, "--json"]) == 0
    assert any("no direction" in warning for warning in json.loads(capsys.readouterr().out)["warnings"])
