"""What `dpgep data` brings is what was published: it is checked, declared, and refused where it differs."""

import gzip
import io
import json
import subprocess
import tarfile
import tomllib
import zipfile
from dataclasses import replace

import numpy as np
import pytest

from dpgep_core.cli import main
from dpgep_core.datasets import dataset_names, load_dataset
from dpgep_core.datasets.files import read_file
from dpgep_core.datasets.obtain import CATALOGUE, bring, routes
from dpgep_core.datasets.obtain.bring import digest_of
from dpgep_core.datasets.obtain.unpack import UNPACK
from dpgep_core.datasets.readers.sidecar import read_sidecar
from dpgep_core.errors import DataError

RNG = np.random.default_rng(3)


def idx(values):
    head = b"\0\0\x08" + bytes([values.ndim]) + b"".join(n.to_bytes(4, "big") for n in values.shape)
    return gzip.compress(head + values.astype(np.uint8).tobytes())


@pytest.fixture
def images(tmp_path):
    """A small Fashion-MNIST as Debian lays it out: five and two images of 2 × 2."""
    folder = tmp_path / "published"
    folder.mkdir()
    for part, n in (("train", 5), ("t10k", 2)):
        (folder / f"{part}-images-idx3-ubyte.gz").write_bytes(idx(RNG.integers(0, 256, (n, 2, 2))))
        (folder / f"{part}-labels-idx1-ubyte.gz").write_bytes(idx(np.arange(n)))
    return folder


def zipped(path, **members):
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in members.items():
            archive.writestr(name.replace("__", "."), text)
    return path


def small(images):
    arrays = UNPACK["fashion"](sorted(images.iterdir()))
    return replace(
        CATALOGUE["fashion"],
        shape=(5, 2, 4),
        digest=digest_of(arrays),
        sidecar=CATALOGUE["fashion"].sidecar.replace("28, 28", "2, 2"),
    )


def test_a_set_that_came_is_read_with_what_its_sidecar_declares(images, tmp_path):
    found = bring(small(images), tmp_path / "data", images)
    assert found.confirmed
    data = read_file(found.path)
    assert (data.n, data.d, len(data.X_test), data.classes[9], data.classes_declared) == (5, 4, 2, "ankle boot", True)
    assert data.learnt == ()
    assert (data.preprocessing.lower, data.preprocessing.upper, data.licence) == (0.0, 255.0, "MIT")


def test_other_values_or_another_size_are_refused_and_nothing_is_written(images, tmp_path):
    known = small(images)
    with pytest.raises(DataError, match="digest"):
        bring(replace(known, digest="0" * 32), tmp_path / "data", images)
    with pytest.raises(DataError, match=r"5 \+ 2 rows of 4 columns came"):
        bring(replace(known, shape=(6, 2, 4)), tmp_path / "data", images)
    (images / "t10k-labels-idx1-ubyte.gz").unlink()
    with pytest.raises(DataError, match="t10k-labels"):
        bring(known, tmp_path / "data", images)
    assert not (tmp_path / "data").exists()


def test_a_digest_is_of_the_values_and_not_of_their_type():
    X, y = RNG.integers(0, 9, (7, 3)), np.arange(7)
    one = digest_of({"X": X.astype(np.uint8), "y": y.astype(np.int8)})
    assert one == digest_of({"X": X.astype(float), "y": y})
    assert one != digest_of({"X": X[::-1].astype(float), "y": y})


def test_tables_of_uci_are_taken_as_they_are(tmp_path):
    dota = zipped(tmp_path / "d.zip", dota2Train__csv="-1,223,2,2,0,1\n1,9,8,2,-1,0\n", dota2Test__csv="1,5,2,2,0,0\n")
    found = UNPACK["dota2"]([dota])
    assert found["X"].tolist() == [[223, 2, 2, 0, 1], [9, 8, 2, -1, 0]]
    assert (found["y"].tolist(), found["y_test"].tolist()) == ([-1, 1], [1])
    iot = "no,id.orig_p,proto,service,x,Attack_type\n0,1,udp,dns,.5,Wipro_bulb\n1,2,tcp,-,2,ARP_poisioning\n"
    found = UNPACK["rt_iot2022"]([zipped(tmp_path / "i.zip", RT_IOT2022=iot)])
    assert found["X"].tolist() == [[1, 1, 1, 0.5], [2, 0, 0, 2]]
    assert found["y"].tolist() == [11, 0]
    cover = zipped(tmp_path / "c.zip", covtype__data__gz=gzip.compress(b"2596,51,3,5\n2590,56,2,5\n"))
    assert UNPACK["covertype"]([cover])["y"].tolist() == [5, 5]
    package = tarred(
        tmp_path / "p.tar.gz", {"data/covtype.csv": b"Elevation,Aspect,Slope,Cover_Type\n2596,51,3,5\n2590,56,2,5\n"}
    )
    for part, values in UNPACK["covertype"]([cover]).items():
        np.testing.assert_array_equal(UNPACK["covertype"]([package])[part], values)
    crops = UNPACK["optical"]([zipped(tmp_path / "w.zip", WinnipegDataset__txt="label,f1,f2\n1,.5,2\n")])
    assert (crops["X"].tolist(), crops["y"].tolist()) == ([[0.5, 2.0]], [1])


def test_both_editions_of_cifar_give_the_same_rows(tmp_path):
    from PIL import Image

    planes = RNG.integers(0, 256, (6, 2, 3, 1024), dtype=np.uint8)  # six batches of two images
    labels = RNG.integers(0, 10, (6, 2), dtype=np.uint8)
    names = [*(f"data_batch_{i}" for i in range(1, 6)), "test_batch"]
    pictures, binary = {}, {}
    for name, batch, own in zip(names, planes, labels, strict=True):
        out = io.BytesIO()
        Image.fromarray(np.ascontiguousarray(batch.transpose(0, 2, 1))).save(out, "PNG")
        pictures[f"{name}.png"] = out.getvalue()
        binary[f"{name}.bin"] = np.column_stack([own, batch.reshape(2, -1)]).tobytes()
    pictures["train_lables.json"] = json.dumps(labels[:5].ravel().tolist()).encode()
    pictures["test_lables.json"] = json.dumps(labels[5].tolist()).encode()
    found = [UNPACK["cifar10"]([tarred(tmp_path / f"{i}.tgz", files)]) for i, files in enumerate((pictures, binary))]
    assert found[0].keys() == found[1].keys()
    for part, values in found[0].items():
        np.testing.assert_array_equal(values, found[1][part])
    np.testing.assert_array_equal(found[0]["X"][0], planes[0, 0].ravel())


def tarred(path, files):
    with tarfile.open(path, "w:gz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(f"package/{name}")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return path


@pytest.mark.parametrize("name", [key for key, found in CATALOGUE.items() if found.sidecar])
def test_every_sidecar_can_be_read_and_bounds_every_column(name, tmp_path):
    found = CATALOGUE[name]
    (tmp_path / f"{name}.toml").write_text(found.toml)
    declared = read_sidecar(tmp_path / f"{name}.toml")
    assert declared.licence == found.licence
    assert not declared.learnt
    bounds = tomllib.loads(found.toml).get("columns", {})
    for side in ("lower", "upper"):
        assert not isinstance(bounds.get(side), list) or len(bounds[side]) == found.shape[2]
    if declared.class_names:
        assert len(declared.class_names) == len(declared.classes)


def test_without_a_network_the_message_says_what_to_do_by_hand(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(routes, "_run", broken)
    monkeypatch.setattr(routes, "urlopen", broken)
    for name in ("fashion", "cifar10", "dota2"):
        assert main(["data", name, "--into", str(tmp_path / "data")]) == 2
        said = capsys.readouterr().err
        assert f"dpgep data {name} --from FILE" in said
        assert "no route" in said
        assert said.count("\n") == 1


def test_a_package_of_pypi_is_fetched_where_the_publisher_does_not_answer(tmp_path, monkeypatch):
    asked = []

    def answer(address, timeout):
        asked.append(address)
        if "uci.edu" in address:
            broken()
        return io.BytesIO(b"package")

    monkeypatch.setattr(routes, "urlopen", answer)
    (found,) = routes.fetch_files(CATALOGUE["covertype"], tmp_path)
    assert asked == [*CATALOGUE["covertype"].files, CATALOGUE["covertype"].pypi]
    assert (found.name, found.read_bytes()) == ("scikit-multiflow-0.4.1.tar.gz", b"package")


def broken(*_, **__):
    raise OSError("no route to the host")


def test_a_package_manager_that_fails_is_quoted():
    error = subprocess.CalledProcessError(
        100, ["apt-get", "download", "x"], stderr=b"a\nE: Unable to locate package x\n"
    )
    assert routes._in_words(error) == "apt-get: E: Unable to locate package x"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["data", "iris"], "NAME must be one of mnist"),
        (["data", "mnist"], "comes with the package"),
        (["data", "real_sim"], "12 GB"),
        (["data", "dota2", "--from", "/no/such"], "--from"),
        (["data", "--from", "x"], "--from"),
    ],
)
def test_bad_input_of_data_is_one_line_and_code_2(words, said, capsys):
    assert main(words) == 2
    captured = capsys.readouterr()
    assert said in captured.err
    assert captured.err.count("\n") == 1


def test_a_folder_that_may_not_be_read_is_one_line(tmp_path, capsys, monkeypatch):
    def denied(_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.iterdir", denied)  # root may read every folder
    assert main(["data", "dota2", "--from", str(tmp_path)]) == 2
    assert "--from must be a folder that can be read (Permission denied)" in capsys.readouterr().err


def test_the_list_names_licence_size_and_command_of_every_set(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("DPGEP_DATA_DIR", str(tmp_path))
    assert main(["data"]) == 0
    out = capsys.readouterr().out
    for found in CATALOGUE.values():
        assert found.licence in out
        assert found.size in out
        assert found.page in out
    assert "dpgep data cifar10 (fetches 139 MB)" in out
    assert main(["data", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert {row["key"]: row["here"] for row in facts["sets"]}["mnist"]
    assert not {row["key"]: row["here"] for row in facts["sets"]}["dota2"]


def test_the_users_own_folder_is_read_where_the_environment_names_none(images, tmp_path, monkeypatch):
    monkeypatch.delenv("DPGEP_DATA_DIR", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert "fashion" not in dataset_names()
    bring(small(images), tmp_path / "dpgep-lab" / "data", images)
    assert "fashion" in dataset_names()
    assert load_dataset("fashion").n == 5


def test_fashion_is_found_where_debian_puts_it(images, monkeypatch):
    monkeypatch.delenv("DPGEP_DATA_DIR", raising=False)
    for module in ("bundled", "obtain.routes"):
        monkeypatch.setattr(f"dpgep_core.datasets.{module}.DEBIAN_FASHION", images)
    known = {**CATALOGUE, "fashion": small(images)}
    monkeypatch.setattr("dpgep_core.datasets.obtain.catalogue.CATALOGUE", known)
    assert dataset_names()[-1] == "fashion"
    monkeypatch.setattr("dpgep_core.datasets.bundled.MNIST_SHAPE", (2, 2))
    assert load_dataset("fashion").n == 5
