"""From published files to arrays, as they are: nothing is scaled, sorted or left out."""

import gzip
import io
import json
import tarfile
import zipfile
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from dpgep_core.datasets.obtain.catalogue import ATTACKS
from dpgep_core.datasets.readers import idx
from dpgep_core.datasets.readers.sidecar import Sidecar
from dpgep_core.datasets.readers.source import Content

if TYPE_CHECKING:
    from pandas import DataFrame

Arrays = dict[str, NDArray[Any]]
Files = Sequence[Path]
IMAGE, ROWS_OF_BATCH = 3 * 32 * 32, 10_000
BATCHES = tuple(f"data_batch_{i}" for i in range(1, 6))
IOT_WORDS = ("proto", "service")  # columns of words, coded by their alphabetical order


def _idx_files(files: Files) -> Arrays:
    found: Arrays = {}
    for part, ending in (("train", ""), ("t10k", "_test")):
        path = _named(files, f"{part}-images-idx3-ubyte")
        table = idx.read_idx(Content.of(path, _named(files, f"{part}-labels-idx1-ubyte")), Sidecar())
        assert table.y is not None
        found |= {f"X{ending}": table.X, f"y{ending}": np.asarray(table.y)}
    return found


def _named(files: Files, name: str) -> Path:
    for path in files:
        if path.name.startswith(name):
            return path
    raise FileNotFoundError(f"{name} is not among the files")


def _cifar(files: Files) -> Arrays:
    with tarfile.open(files[0]) as archive:
        names = {Path(name).name: name for name in archive.getnames()}
        read = _cifar_from_npm if "data_batch_1.png" in names else _cifar_from_binary
        return read(lambda name: cast(IO[bytes], archive.extractfile(names[name])).read())


def _cifar_from_binary(read: Callable[[str], bytes]) -> Arrays:
    def batch(name: str) -> NDArray[np.uint8]:
        return np.frombuffer(read(f"{name}.bin"), np.uint8).reshape(-1, 1 + IMAGE)

    train, test = np.concatenate([batch(name) for name in BATCHES]), batch("test_batch")
    return {"X": train[:, 1:], "y": train[:, 0], "X_test": test[:, 1:], "y_test": test[:, 0]}


def _cifar_from_npm(read: Callable[[str], bytes]) -> Arrays:
    """Pictures whose lines are images, pixel by pixel; lines become the usual planes of red, green and blue."""
    from PIL import Image

    def batch(name: str) -> NDArray[np.uint8]:
        pixels = np.asarray(Image.open(io.BytesIO(read(f"{name}.png"))).convert("RGB"))
        return pixels.transpose(0, 2, 1).reshape(len(pixels), IMAGE)

    labels = [np.array(json.loads(read(f"{part}_lables.json")), np.uint8) for part in ("train", "test")]
    train = np.concatenate([batch(name) for name in BATCHES])
    return {"X": train, "y": labels[0], "X_test": batch("test_batch"), "y_test": labels[1]}


def _dota(files: Files) -> Arrays:
    """Two tables without a header: the result, then cluster, mode, type and heroes."""
    found: Arrays = {}
    for ending, name in (("", "Train.csv"), ("_test", "Test.csv")):
        with _member(files[0], name) as file:
            table = _table(file, header=None).to_numpy(np.int16)
        found |= {f"X{ending}": table[:, 1:], f"y{ending}": table[:, 0]}
    return found


def _iot(files: Files) -> Arrays:
    """A table with row numbers in front, which are left out; words become codes in alphabetical order."""
    with _member(files[0], "") as file:
        table = _table(file, index_col=0)
    label = table.pop("Attack_type").to_numpy(str)
    for name in IOT_WORDS:
        table[name] = np.unique(table[name].to_numpy(str), return_inverse=True)[1]
    y = np.array([ATTACKS.index(word) for word in label], np.int16)
    return {"X": table.to_numpy(np.float64), "y": y, "feature_names": np.array(table.columns, str)}


def _covertype(files: Files) -> Arrays:
    """UCI's archive, or a package of PyPI that has the same table under a header."""
    read = _covertype_from_pypi if tarfile.is_tarfile(files[0]) else _covertype_from_uci
    table = read(files[0]).to_numpy(np.int16)
    return {"X": table[:, :-1], "y": table[:, -1]}


def _covertype_from_uci(archive: Path) -> "DataFrame":
    with _member(archive, ".data.gz") as packed, gzip.open(packed) as file:
        return _table(file, header=None)


def _covertype_from_pypi(package: Path) -> "DataFrame":
    with tarfile.open(package) as archive:
        name = next(name for name in archive.getnames() if name.endswith("/covtype.csv"))
        return _table(cast(IO[bytes], archive.extractfile(name)))


def _crops(files: Files) -> Arrays:
    with _member(files[0], ".txt") as file:
        table = _table(file)
    y = table.pop("label").to_numpy(np.int16)
    return {"X": table.to_numpy(np.float32), "y": y, "feature_names": np.array(table.columns, str)}


def _table(file: IO[bytes] | gzip.GzipFile, **how: Any) -> "DataFrame":
    import pandas as pd  # here, as pandas takes long to import, and most processes unpack nothing

    return pd.read_csv(file, **how)


@contextmanager
def _member(archive: Path, ending: str) -> Generator[IO[bytes]]:
    """The first file of an archive whose name ends so; a file that is no archive is taken as it is."""
    if not zipfile.is_zipfile(archive):
        with archive.open("rb") as file:
            yield file
        return
    with zipfile.ZipFile(archive) as opened:
        names = [name for name in opened.namelist() if name.endswith(ending) and not name.endswith("/")]
        if not names:
            raise FileNotFoundError(f"{archive.name} has no file that ends in {ending}")
        with opened.open(names[0]) as file:
            yield file


UNPACK: Mapping[str, Callable[[Files], Arrays]] = {
    "fashion": _idx_files, "cifar10": _cifar, "dota2": _dota, "rt_iot2022": _iot, "covertype": _covertype,
    "optical": _crops,
}  # fmt: skip
