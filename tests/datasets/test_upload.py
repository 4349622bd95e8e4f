"""An uploaded set is the same as that file in a folder with the sidecar that the page hands out."""

import gzip
import io
import threading
import urllib.error

import numpy as np
import pandas as pd
import pytest
from sklearn.utils import Bunch

from dpgep_core import solve
from dpgep_core.datasets import load_dataset, openml
from dpgep_core.datasets.glance import glance
from dpgep_core.datasets.preprocessing import Preprocessing
from dpgep_core.datasets.readers.options import DeclaredResponse, Reading, TextColumn
from dpgep_core.datasets.readers.sidecar import Sidecar, parse_sidecar, read_sidecar
from dpgep_core.datasets.readers.sidecar_text import sidecar_text
from dpgep_core.datasets.upload import read_upload, receive
from dpgep_core.errors import DataError, ParameterError

from .bad_uploads import GOOD, npz, parquet

ODD = 'a "quoted" \\ name,\nwith = [signs] and é 😀 \x7f'
SIDECARS = {
    "nothing": Sidecar(),
    "label and classes": Sidecar(
        title=ODD, licence="CC", source="s", label="y", classes=("0", "1"), class_names=("n", ODD)
    ),
    "label by number": Sidecar(label=2, drop=(0, ODD), feature_names=("b", ODD)),
    "no label": Sidecar(label="", image_shape=(2, 3)),
    "bounds": Sidecar(
        preprocessing=Preprocessing(lower=0.1, upper=1e20, log1p=True), declared_n=9, declared_d=3, learnt=True
    ),
    "bounds by column": Sidecar(
        preprocessing=Preprocessing(lower=(0.0, -1e-7), upper=(1.0, 3.0), log1p=(1,), rows="clip", radius=2.5)
    ),
    "response": Sidecar(label="b", response=DeclaredResponse(column="b", edges=(1.0, 2.5))),
    "response without edges": Sidecar(response=DeclaredResponse()),
    "response by number": Sidecar(label=0, response=DeclaredResponse(column=0, slices=3)),
    "views": Sidecar(views=((0,), (1, 2))),
    "half and half": Sidecar(views=2),
    "reading": Sidecar(reading=Reading(delimiter="\t", encoding="cp1252", header=False, decimal=",", missing=-1.5)),
    "drop rows": Sidecar(reading=Reading(missing="drop", header=True)),
    "words": Sidecar(text=(TextColumn(column=ODD, categories=("u", ODD)), TextColumn(column=3))),
}


@pytest.mark.parametrize("sidecar", SIDECARS.values(), ids=SIDECARS)
def test_a_sidecar_reads_back_as_itself(tmp_path, sidecar):
    (tmp_path / "a.toml").write_text(sidecar_text(sidecar), encoding="utf-8")
    assert read_sidecar(tmp_path / "a.toml") == sidecar


MESSY = "name;größe;colour;when;y\n" + "".join(
    f"p{i};{i},5;{('red', 'blue', 'green')[i % 3]};2024-01-{i + 1:02d};{'ab'[i % 2]}\n" for i in range(28)
)
FILES = {
    "messy text in an old encoding": (
        "Mes données.txt",
        (MESSY + "p;;red;x;a\n").encode("cp1252"),
        Sidecar(
            label="y",
            classes=("a", "b"),
            drop=("name", "when"),
            text=(TextColumn(column="colour", categories=("red", "green")),),
            reading=Reading(decimal=",", missing=0.0),
            preprocessing=Preprocessing(lower=0.0, upper=(50.0, 1.0, 1.0)),
        ),
    ),
    "wide marks": (
        "a.tsv",
        MESSY.replace(";", "\t").encode("utf-16"),
        Sidecar(drop=(0, 3), text=(TextColumn(column="colour"),), reading=Reading(decimal=",")),
    ),
    "packed": ("b.csv.gz", gzip.compress(GOOD), Sidecar(preprocessing=Preprocessing(lower=0.0, upper=9.0), views=1)),
    "blanks": ("c.data", b"1   2  x\n3 4 y\n5  6 x\n", Sidecar(reading=Reading(missing="drop"))),
    "a response": (
        "d.csv",
        GOOD,
        Sidecar(label="b", response=DeclaredResponse(column="b", edges=(1.5, 3.5)), drop=("y",)),
    ),
    "arrays": ("e.npz", npz(X=np.arange(12.0).reshape(6, 2), y=[0, 1] * 3), Sidecar(label="y", classes=("1", "0"))),
    "sparse text": (
        "f.libsvm",
        b"1 1:3 2:1\n-1 2:2\n1 1:1\n",
        Sidecar(preprocessing=Preprocessing(lower=0.0, upper=(4.0, 4.0))),
    ),
    "packed sparse text": ("g.svm.gz", gzip.compress(b"1 1:3 2:1\n-1 2:2\n1 1:1\n"), Sidecar(label="")),
    "columns": (
        "h.parquet",
        parquet({"a": [1, None, 3, 4] * 2, "c": ["u", "v", "u", None] * 2, "y": [1, 0, 1, 0] * 2}),
        Sidecar(reading=Reading(missing="drop"), text=(TextColumn(column="c"),), learnt=True),
    ),
}


@pytest.mark.parametrize(("name", "data", "sidecar"), FILES.values(), ids=FILES)
def test_the_same_set_from_a_folder(tmp_path, monkeypatch, name, data, sidecar):
    """The page tells how: the file under its short name, and the declaration beside it."""
    upload = receive(name, data)
    reading = glance(upload, sidecar.reading).reading if upload.tabular else sidecar.reading
    sidecar = parse_sidecar("x", {}) if sidecar is None else sidecar
    full = Sidecar(**{**vars(sidecar), "reading": reading, "title": upload.name, "source": f"file {upload.name}"})
    ours = read_upload(upload, full, key=f"upload_{upload.slug}")
    (tmp_path / f"{upload.slug}{upload.ending}").write_bytes(data)
    (tmp_path / f"{upload.slug}.toml").write_text(sidecar_text(full), encoding="utf-8")
    monkeypatch.setenv("DPGEP_DATA_DIR", str(tmp_path))
    theirs = load_dataset(upload.slug)
    same(ours, theirs)
    first, second = (solve(each, model="pca", algorithm="ssp", epsilon=1.0, seed=3) for each in (ours, theirs))
    assert np.array_equal(first.components, second.components)


def same(ours, theirs):
    assert np.array_equal(ours.X, theirs.X)
    assert ours.X.dtype == theirs.X.dtype
    for field in ("y", "response"):
        one, other = getattr(ours, field), getattr(theirs, field)
        assert (one is None and other is None) or np.array_equal(one, other)
    for field in ("title", "source", "classes", "classes_declared", "preprocessing", "feature_names", "edges",
                  "edges_declared", "views", "declared_n", "learnt"):  # fmt: skip
        assert getattr(ours, field) == getattr(theirs, field), field


def test_what_was_learnt_is_said_with_every_release(tmp_path):
    named = Reading(header=True)
    learnt = Sidecar(preprocessing=Preprocessing(lower=0.0, upper=7.0), learnt=True, reading=named)
    dataset = read_upload(receive("a.csv", GOOD), learnt, key="upload_a")
    said = "not covered by any ε here: the class set; the column bounds."
    assert any(said in warning for warning in solve(dataset, seed=0).warnings)
    assert not any("not covered" in w for w in solve(dataset, algorithm="exact", seed=0).warnings)
    public = Sidecar(preprocessing=Preprocessing(lower=0, upper=7), classes=dataset.classes, reading=named)
    declared = read_upload(receive("a.csv", GOOD), public, key="a")
    assert not any("not covered" in w for w in solve(declared, seed=0).warnings)


def test_a_look_at_arrays_with_gaps_and_a_response():
    """What the form then asks about may not stop the look."""
    looked = glance(receive("a.npz", npz(X=np.array([[1, np.nan], [2, 3], [4, 5]]), y=[0.5, 1.5, 2.5])))
    assert (looked.n, looked.d, looked.classes) == (3, 2, ())
    assert "label 0.5 is not a class" in looked.warnings[0]
    assert glance(receive("a.npz", npz(X=np.eye(3), y=[1, 0, 1]))).classes == ("0", "1")
    assert glance(receive("a.npz", npz(X=np.eye(3)))).classes == ()


class TestOpenML:
    """Without a network: what is opened is made up."""

    LIST = (
        b'{"data":{"dataset":[{"did":1590,"name":"toy","version":2,"quality":[]},'
        b'{"did":61,"name":"toy","version":1,"quality":[{"name":"NumberOfInstances","value":"6"},'
        b'{"name":"NumberOfFeatures","value":"3"}]}]}}'
    )

    def test_the_oldest_active_version_of_a_name(self):
        asked = []
        found = openml.look_up(" toy ", lambda url: asked.append(url) or self.LIST)
        assert (found.number, found.version, found.rows, found.columns) == (61, 1, 6, 3)
        assert asked[0].startswith("https://www.openml.org/api/v1/json/data/list/data_name/toy/status/active/")
        openml.look_up("61", lambda url: asked.append(url) or self.LIST)
        assert "/data_id/61/" in asked[1]

    def test_rows_become_an_upload_with_the_target_last(self):
        colour = pd.Categorical(["r", "g", None] * 2, categories=["r", "g", "never"])
        frame = pd.DataFrame({"kind": ["p", "q"] * 3, "size": np.arange(6.0), "colour": colour})
        given = {}

        def fetcher(**options):
            given.update(options)
            return Bunch(frame=frame, target_names=["kind"], details={"licence": "CC BY 4.0"})

        upload = openml.fetch(openml.OpenMLDataset(61, "toy", 1, 6, 3), fetcher)
        assert given["cache"] is False  # nothing is left in the user's home
        looked = glance(upload)
        assert looked.names == ("size", "colour", "kind")
        assert looked.label == 2
        assert looked.columns[1].gaps == 2
        assert (upload.name, upload.licence) == ("toy.parquet", "CC BY 4.0")
        assert upload.source == "OpenML 61, toy version 1"

    @pytest.mark.parametrize("query", ["", "../x", "a b", "<script>", "x" * 200, "a/b", "name?x=1"])
    def test_names_are_checked_before_anyone_is_asked(self, query):
        with pytest.raises(ParameterError, match="a number, or a name"):
            openml.look_up(query, lambda _: pytest.fail("asked"))

    @pytest.mark.parametrize(
        ("error", "reason"),
        [
            (urllib.error.URLError("Name or service not known"), "Name or service not known"),
            (TimeoutError("timed out"), "timed out"),
            (ConnectionResetError("reset"), "reset"),
            (urllib.error.HTTPError("u", 503, "down", {}, io.BytesIO()), "answer 503"),
        ],
    )
    def test_no_network(self, error, reason):
        def fails(url):
            raise error

        with pytest.raises(DataError, match=rf"openml.org: cannot be reached \({reason}\); a network"):
            openml.look_up("iris", fails)

    def test_a_network_that_never_answers(self):
        with pytest.raises(DataError, match=r"no answer in 0\.05 seconds"):
            openml.look_up("iris", lambda _: threading.Event().wait(5) or b"", patience=0.05)

    def test_unknown_and_too_large(self):
        def unknown(url):
            raise urllib.error.HTTPError(url, 412, "Precondition Failed", {}, io.BytesIO())

        with pytest.raises(ParameterError, match=r"one that openml\.org has"):
            openml.look_up("no_such", unknown)
        with pytest.raises(DataError, match="an answer that is no list of data sets"):
            openml.look_up("iris", lambda _: b"<html>")
        with pytest.raises(DataError, match="at most 20,000 columns"):
            openml.fetch(openml.OpenMLDataset(1, "wide", 1, 10, 10**6), lambda **_: pytest.fail("fetched"))
        with pytest.raises(DataError, match="at most 1,074 MB"):
            openml.fetch(openml.OpenMLDataset(1, "long", 1, 10**9, 10), lambda **_: pytest.fail("fetched"))
