"""The file of a release: what it holds, and one clear sentence for each way it can be damaged."""

import hashlib
import io
import json
import pickle
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from made import request_for

from dpgep_core import DataError, ParameterError, load_dataset, load_release
from dpgep_core.publishing.budget import Amount
from dpgep_core.publishing.loaded_release import LoadedRelease
from dpgep_core.publishing.releasing import Published, publish


def saved(path: Path, arrays: dict[str, Any], *, sealed: bool = True) -> Path:
    """Arrays saved as a release is, with a seal that fits."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for name, values in arrays.items():
            member = io.BytesIO()
            np.lib.format.write_array(member, np.asarray(values), version=(1, 0), allow_pickle=True)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy"), member.getvalue())
        archive.comment = b"0" * 64
    whole = stream.getvalue()[:-64]
    path.write_bytes(whole + (hashlib.sha256(whole).hexdigest().encode() if sealed else b"0" * 64))
    return path


def arrays_of(published: Published) -> dict[str, Any]:
    with np.load(published.path) as archive:
        return {name: archive[name] for name in archive.files}


def with_header(arrays: dict[str, Any], **changes: Any) -> dict[str, Any]:
    header = json.loads(bytes(arrays["header"])) | changes
    return {**arrays, "header": np.frombuffer(json.dumps(header).encode(), np.uint8)}


def refused(path: Path) -> str:
    with pytest.raises(DataError) as caught:
        load_release(path)
    said = str(caught.value)
    assert said.startswith(path.name)
    assert "\n" not in said
    assert said.count(". ") == 0
    return said


def test_any_numpy_reads_the_arrays_without_pickles(released: Published) -> None:
    arrays = arrays_of(released)
    assert list(arrays) == ["header", "components", "gram", "sums", "counts"]
    assert arrays["gram"].shape == (13, 13)
    assert json.loads(bytes(arrays["header"]))["schema"] == "dp-gep-release"


def test_a_file_that_is_saved_again_as_it_is_loads(released: Published, tmp_path: Path) -> None:
    again = load_release(saved(tmp_path / "again.npz", arrays_of(released)))
    assert np.array_equal(again.components(), load_release(released.path).components())


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.9, 0.999])
def test_a_file_that_is_cut_short(released: Published, tmp_path: Path, share: float) -> None:
    content = released.path.read_bytes()
    path = tmp_path / "cut.npz"
    path.write_bytes(content[: int(share * len(content))])
    assert "cut short" in refused(path)


def test_every_changed_byte_is_noticed(released: Published, tmp_path: Path) -> None:
    content, path = released.path.read_bytes(), tmp_path / "changed.npz"
    for at in (*range(0, len(content), 37), *range(len(content) - 400, len(content))):
        changed = bytearray(content)
        changed[at] ^= 1 << (at % 8)
        path.write_bytes(bytes(changed))
        assert "nothing was loaded" in refused(path), at


def test_a_newer_version(released: Published, tmp_path: Path) -> None:
    path = saved(tmp_path / "newer.npz", with_header(arrays_of(released), version=2))
    assert "version 2 of the format, and version 1 is read here; a newer DP-GEP Lab is needed" in refused(path)


def test_another_schema_and_another_header(released: Published, tmp_path: Path) -> None:
    arrays = arrays_of(released)
    assert "schema 'other'" in refused(saved(tmp_path / "a.npz", with_header(arrays, schema="other")))
    assert "more" in refused(saved(tmp_path / "b.npz", with_header(arrays, more=1)))


@pytest.mark.parametrize("name", ["components", "gram", "sums", "counts"])
def test_an_array_of_another_shape(released: Published, tmp_path: Path, name: str) -> None:
    arrays = arrays_of(released)
    path = saved(tmp_path / "shape.npz", {**arrays, name: arrays[name][:-1]})
    assert f"array {name!r} is of type <f8 and shape" in refused(path)


def test_a_pickle_inside_is_not_run(released: Published, tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[Any, ...]:
            return Path.touch, (tmp_path / "trapped",)

    arrays = arrays_of(released)
    path = saved(tmp_path / "pickle.npz", {**arrays, "gram": np.array([Trap()], dtype=object)})
    assert "holds a pickle" in refused(path)
    assert not (tmp_path / "trapped").exists()
    pickle.loads(pickle.dumps(Trap()))  # the trap works
    assert (tmp_path / "trapped").exists()


def test_numbers_that_are_not_finite(released: Published, tmp_path: Path) -> None:
    arrays = arrays_of(released)
    arrays["gram"][0, 0] = np.nan
    assert "not finite" in refused(saved(tmp_path / "nan.npz", arrays))


def test_arrays_that_are_saved_by_numpy_itself(released: Published, tmp_path: Path) -> None:
    path = tmp_path / "again.npz"
    np.savez(path, **arrays_of(released))
    assert "hash does not fit" in refused(path)
    np.savez_compressed(path, **arrays_of(released))
    assert "compressed" in refused(path)
    np.savez(path, X=np.eye(3))
    assert "holds the arrays X" in refused(path)


def test_a_seal_that_does_not_fit(released: Published, tmp_path: Path) -> None:
    assert "hash does not fit" in refused(saved(tmp_path / "seal.npz", arrays_of(released), sealed=False))


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="path must be a release that can be read"):
        load_release(tmp_path / "none.npz")


def test_headers_that_cannot_be_used(released: Published, tmp_path: Path) -> None:
    changes: dict[str, Any]
    for changes in (
        {"preprocessing": {"rows": "odd"}}, {"preprocessing": {"lower": [0.0], "upper": [1.0]}}, {"model": "odd"},
        {"method_parameters": {}}, {"ledger": []}, {"n": 0}, {"model_parameters": {"centred": 3}, "model": "pca"},
        {"relation": "odd"}, {"epsilon": "much"}, {"delta": "-1e-6"}, {"classes": ["a"]}, {"views": [[0], [1]]},
        {"views": [["a"], [1]]}, {"n": -1},
    ):  # fmt: skip
        arrays = with_header(arrays_of(released), **changes)
        assert "the header cannot be used" in refused(saved(tmp_path / "bad.npz", arrays)), changes
    for changes in ({"n": "178"}, {"classes": None}, {"mu": True}, {"views": 3}):
        arrays = with_header(arrays_of(released), **changes)
        assert "of another kind" in refused(saved(tmp_path / "bad.npz", arrays)), changes


CHANGES: tuple[dict[str, Any], ...] = ({}, {"model": "pca", "n_components": 3}, {"xi": 2.0}, {"sparsity": 4})
PROGRAM = """
import sys, hashlib
from dpgep_core import load_dataset, load_release
release = load_release(sys.argv[1])
X = load_dataset("wine").X
for changes in ({}, {"model": "pca", "n_components": 3}, {"xi": 2.0}, {"sparsity": 4}):
    print(hashlib.sha256(release.transformer(**changes).transform(X).tobytes()).hexdigest())
"""


def test_another_process_gives_the_same_transform_bit_by_bit(released: Published) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(released.path)], capture_output=True, text=True, check=True
    )
    release, X = load_release(released.path), load_dataset("wine").X
    here = [hashlib.sha256(release.transformer(**changes).transform(X).tobytes()).hexdigest() for changes in CHANGES]
    assert ran.stdout.split() == here
    assert len(set(here)) == 4


def test_what_is_free_is_what_the_driver_would_have_made(released: Published) -> None:
    release = load_release(released.path)
    assert np.array_equal(release.components(), release.components(n_components=2))
    assert release.models == ("pca", "fda", "cca", "sir")
    assert release.components(model="sir", n_components=1).shape == (13, 1)
    assert np.count_nonzero(release.components(sparsity=3), axis=0).max() == 3
    assert release.ridge(100.0) == 100.0
    assert release.ridge(1e-9) == release.ridge(1e-8) > 1e-8
    assert release.ridge(1e-9, floor=False) == 1e-9
    with pytest.raises(ParameterError, match="at most the number of columns, 13"):
        release.components(n_components=14)
    with pytest.raises(ParameterError, match="xi must be"):
        release.components(xi=-1.0)


def test_a_transformer_is_one_of_scikit_learn(released: Published) -> None:
    from sklearn.base import clone
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    projection = load_release(released.path).transformer()
    X = load_dataset("wine").X
    assert make_pipeline(projection, StandardScaler()).fit(X).transform(X).shape == (178, 2)
    again = clone(projection).set_output(transform="pandas").transform(X)
    assert list(again.columns) == list(projection.get_feature_names_out())
    assert projection.components_.shape == (2, 13)
    assert np.array_equal(pickle.loads(pickle.dumps(projection)).transform(X), projection.transform(X))
    named = list(load_dataset("wine").feature_names)
    assert np.array_equal(projection.transform(pd.DataFrame(X, columns=named)), projection.transform(X))
    assert np.array_equal(projection.transform(pl.DataFrame(X, schema=named)), projection.transform(X))
    with pytest.raises(DataError, match="4 columns"):
        projection.transform(np.ones((3, 4)))


@pytest.mark.parametrize("make", [LoadedRelease.transformer, LoadedRelease.classifier])
@pytest.mark.parametrize("table", [pd.DataFrame, pl.DataFrame])
def test_a_table_goes_by_the_names_that_were_released(make: Any, table: Any, released: Published) -> None:
    """Columns in another order, or others, were taken by position: another projection, without a word."""
    made, data = make(load_release(released.path)), load_dataset("wine")
    names = list(data.feature_names)
    rows = {name: data.X[:, place] for place, name in enumerate(names)}
    apply = made.transform if hasattr(made, "transform") else made.decision_function
    assert np.array_equal(apply(table(rows)), apply(data.X))
    assert np.array_equal(apply(pd.DataFrame(data.X)), apply(data.X))  # columns that are only counted
    for changed in ([*reversed(names)], ["another", *names[1:]]):
        with pytest.raises(DataError, match=f"its column 1 is named '{changed[0]}'; '{names[0]}' is needed there"):
            apply(table(dict.fromkeys(changed, data.X[:, 0])))


def test_a_classifier_answers_with_the_labels_of_the_rows(tmp_path: Path) -> None:
    """It answered with text, which no label of whole numbers equals: ``score`` ended in scikit-learn's error."""
    much = Amount.of("8", "1e-6")
    data = load_dataset("digits")
    path = publish(request_for(tmp_path, "digits", asked=much, limit=much)).path
    classifier = load_release(path).classifier()
    assert classifier.classes_.tolist() == list(range(10))
    assert classifier.score(data.X, data.y) > 0.9
