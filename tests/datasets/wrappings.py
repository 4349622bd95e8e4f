"""Equal numbers in every file format."""

import gzip
import struct
from pathlib import Path

import numpy as np
import pandas as pd

SIDECAR = (
    'title = "Toy"\nlabel = "y"\nclasses = [-1, 1]\nclass_names = ["no", "yes"]\n[columns]\nlower = 0\nupper = 9\n'
)


def rows():
    """Whole numbers 0 … 9 in four columns, and labels −1, +1; the last column is not all zero."""
    X = (np.arange(80, dtype=np.uint8).reshape(20, 4) * 7) % 10
    return X, np.where(np.arange(20) % 3 == 0, 1, -1)


def write_npz(folder: Path, X, y):
    np.savez(folder / "toy.npz", X=X, y=y)


def write_csv(folder: Path, X, y):
    _frame(X, y).to_csv(folder / "toy.csv", index=False)


def write_bare_csv_gz(folder: Path, X, y):
    frame = pd.DataFrame(X).assign(label=y)
    frame.to_csv(folder / "toy.csv.gz", index=False, header=False)


def sidecar(writer) -> str:
    """What is declared: without a header, no column is called y."""
    return SIDECAR.replace('label = "y"', "label = 4") if writer is write_bare_csv_gz else SIDECAR


def write_libsvm(folder: Path, X, y):
    (folder / "toy.libsvm").write_text(_sparse_text(X, y))


def write_svm(folder: Path, X, y):
    (folder / "toy.svm").write_text(_sparse_text(X, y))


def write_parquet(folder: Path, X, y):
    _frame(X, y).to_parquet(folder / "toy.parquet")


def write_idx(folder: Path, X, y):
    """IDX labels are bytes, so ±1 is kept as signed ones."""
    images, labels = idx(X.reshape(-1, 2, 2), 0x08), idx(np.asarray(y, np.int8), 0x09)
    (folder / "toy-images-idx3-ubyte").write_bytes(images)
    (folder / "toy-labels-idx1-ubyte").write_bytes(labels)


def write_idx_gz(folder: Path, X, y):
    write_idx(folder, X, y)
    for plain in list(folder.glob("toy-*-ubyte")):
        plain.with_name(plain.name + ".gz").write_bytes(gzip.compress(plain.read_bytes()))
        plain.unlink()


def idx(array, kind: int) -> bytes:
    """Bytes of an IDX file."""
    return struct.pack(f">HBB{array.ndim}I", 0, kind, array.ndim, *array.shape) + array.tobytes()


def _sparse_text(X, y) -> str:
    fields = ([f"{j + 1}:{value!r}" for j, value in enumerate(row) if value] for row in X.tolist())
    return "".join(f"{label:+d} {' '.join(each)}\n" for label, each in zip(y.tolist(), fields, strict=True))


def _frame(X, y):
    return pd.DataFrame(X, columns=[f"c{j}" for j in range(X.shape[1])]).assign(y=y)


WRITERS = {
    "npz": write_npz,
    "csv": write_csv,
    "csv.gz without header": write_bare_csv_gz,
    "libsvm": write_libsvm,
    "svm": write_svm,
    "parquet": write_parquet,
    "idx": write_idx,
    "idx.gz": write_idx_gz,
}
