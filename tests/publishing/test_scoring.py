"""Classifiers of a release, scored on rows that are public by the user's word."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from made import ONE, request_for

from dpgep_core import DataError, load_dataset, load_release
from dpgep_core.cli import main
from dpgep_core.evaluate.private_rules import PRIVATE_RULES
from dpgep_core.publishing import LoadedRelease
from dpgep_core.publishing.budget import Amount
from dpgep_core.publishing.releasing import Published, publish
from dpgep_core.publishing.scoring import majority_share, private_scores, public_rows


@pytest.fixture(scope="module")
def adult(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("adult")
    return publish(request_for(folder, "adult", asked=Amount.of("1", "1e-6"))).path


def test_accuracies_on_the_published_test_split(adult: Path) -> None:
    release = load_release(adult)
    rows = public_rows(release, load_dataset("adult"))
    assert len(rows.X) == 16281
    scores = dict(private_scores(release, rows))
    assert set(scores) == set(PRIVATE_RULES)
    assert scores["lda"].accuracy > 0.82 > majority_share(rows)
    assert scores["ridge"].accuracy > 0.81


def test_a_classifier_is_one_of_scikit_learn(adult: Path) -> None:
    data = load_dataset("adult")
    assert data.X_test is not None
    assert data.y_test is not None
    classifier = load_release(adult).classifier("lda_projected")
    truth = np.array(data.classes)[data.y_test]
    assert classifier.score(data.X_test, truth) > 0.82
    shares = classifier.predict_proba(data.X_test[:50])
    assert np.allclose(shares.sum(axis=1), 1)
    assert np.array_equal(classifier.classes_[shares.argmax(axis=1)], classifier.predict(data.X_test[:50]))
    with pytest.raises(DataError, match="no probabilities"):
        load_release(adult).classifier("ridge").predict_proba(data.X_test[:5])


def test_fewer_components_project_and_all_columns_do_not(tmp_path: Path) -> None:
    much = Amount.of("8", "1e-6")  # with little, noise may leave one class only, and any two classifiers agree
    release = load_release(publish(request_for(tmp_path, asked=much, limit=much, params=ONE)).path)
    X = load_dataset("wine").X
    full, one = release.classifier("lda"), release.classifier("lda_projected", n_components=1)
    assert np.array_equal(full.predict(X), release.classifier("lda_projected").predict(X))  # K − 1 components say all
    assert not np.allclose(one.decision_function(X), full.decision_function(X))


def test_rows_that_cannot_score_are_refused(released: Published) -> None:
    release: LoadedRelease = load_release(released.path)
    wine = load_dataset("wine")
    with pytest.raises(DataError, match="the release was made from these rows"):
        public_rows(release, wine)
    with pytest.raises(DataError, match="64 columns"):
        public_rows(release, load_dataset("digits"))
    other = replace(wine, name="other")
    assert len(public_rows(release, other).X) == 178
    with pytest.raises(DataError, match="no labels"):
        public_rows(release, replace(other, y=None, classes=()))
    with pytest.raises(DataError, match="classes that the release does not know: a, b, c"):
        public_rows(release, replace(other, classes=("a", "b", "c")))


def test_a_release_without_class_sums_classifies_nothing(tmp_path: Path) -> None:
    release = load_release(publish(request_for(tmp_path, model="pca")).path)
    with pytest.raises(DataError, match="a release of model fda or sir is needed"):
        release.classifier()


def test_the_command(adult: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", str(adult), "--public", "adult", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["label"].startswith("all private")
    assert found["accuracy"]["lda"]["accuracy"] > 0.82
    assert main(["score", str(adult), "--public", "adult"]) == 0
    assert "Nearest class mean (nearest_centroid)" in capsys.readouterr().out
    assert main(["score", str(adult), "--public", "wine"]) == 2


def test_the_command_takes_public_rows_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = load_dataset("wine")
    np.savez(tmp_path / "mine.npz", X=data.X, y=data.y)
    (tmp_path / "mine.toml").write_text('classes = ["0", "1", "2"]\n')
    made = publish(request_for(tmp_path, dataset=replace(data, classes=("0", "1", "2"))))
    assert main(["score", str(made.path), "--public", str(tmp_path / "mine.npz"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["public"].endswith("mine.npz")
