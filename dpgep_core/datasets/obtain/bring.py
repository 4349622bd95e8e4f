"""Bring a data set of the papers into the data folder: fetched, unpacked, checked, written with its sidecar."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpgep_core.datasets.obtain.catalogue import PublicSet
from dpgep_core.datasets.obtain.routes import fetch_files, unpack_debian
from dpgep_core.datasets.obtain.unpack import UNPACK
from dpgep_core.errors import DataError, DpgepError, ParameterError, reason_of

ROWS_AT_ONCE = 4_096
PARTS = ("X", "y", "X_test", "y_test")


@dataclass(frozen=True, slots=True)
class Brought:
    """A data set that has come: where it is, its digest, and whether a known digest confirms it."""

    path: Path
    digest: str
    confirmed: bool


def bring(wanted: PublicSet, folder: Path, given: Path | None = None) -> Brought:
    """Write ``NAME.npz`` and ``NAME.toml`` into a folder.

    Parameters
    ----------
    wanted : PublicSet
    folder : Path
        Made where it is not there.
    given : Path, optional
        What was downloaded by hand: an archive, a Debian package, or a folder of files. None: it is fetched.

    Raises
    ------
    ParameterError
        The set comes with the package, or cannot be brought; ``folder`` or ``given`` cannot be used.
    DataError
        It cannot be fetched, or what came is not the set: rows, columns or digest differ. Nothing is then written.
    """
    if wanted.bundled or wanted.obstacle:
        raise ParameterError("NAME", wanted.key, f"a set that can be brought ({wanted.key}: {wanted.way})")
    with TemporaryDirectory(prefix="dpgep-data-") as scratch:
        files = fetch_files(wanted, Path(scratch)) if given is None else _given_files(given, Path(scratch))
        try:
            arrays = UNPACK[wanted.key](files)
        except DpgepError:
            raise
        except Exception as error:  # any reader's own: what came is not what was published
            raise DataError(
                wanted.key, f"cannot be read ({reason_of(error)})", f"the files of {wanted.page}"
            ) from error
    digest = _check(wanted, arrays)
    return Brought(_write(wanted, arrays, folder), digest, bool(wanted.digest))


def is_here(wanted: PublicSet, folder: Path) -> bool:
    """Whether a folder holds its file."""
    return (folder / f"{wanted.key}.npz").is_file()


def digest_of(arrays: Mapping[str, NDArray[Any]]) -> str:
    """(32 hexadecimal digits) Digest of the values, whatever type they are stored in."""
    found = blake2b(digest_size=16)
    for part in PARTS:
        if part in arrays:
            rows = arrays[part]
            found.update(f"{part}{rows.shape}".encode())
            for start in range(0, len(rows), ROWS_AT_ONCE):
                found.update(np.ascontiguousarray(rows[start : start + ROWS_AT_ONCE], "<f8").tobytes())
    return found.hexdigest()


def _given_files(given: Path, scratch: Path) -> list[Path]:
    if given.is_dir():
        try:
            return sorted(given.iterdir())
        except OSError as error:
            raise ParameterError("--from", str(given), f"a folder that can be read ({reason_of(error)})") from None
    if not given.is_file():
        raise ParameterError("--from", str(given), "a file or a folder that is there")
    return unpack_debian(given, scratch) if given.suffix == ".deb" else [given]


def _check(wanted: PublicSet, arrays: Mapping[str, NDArray[Any]]) -> str:
    test = arrays.get("X_test", arrays["X"][:0])
    shape = (len(arrays["X"]), len(test), arrays["X"].shape[1])
    if shape != wanted.shape or len(arrays["y"]) != shape[0]:
        came = f"{shape[0]:,} + {shape[1]:,} rows of {shape[2]:,} columns came"
        raise DataError(wanted.key, came, f"{wanted.size} is what the papers have and is needed")
    digest = digest_of(arrays)
    if wanted.digest and digest != wanted.digest:
        raise DataError(wanted.key, f"the values have the digest {digest}", f"{wanted.digest} is needed")
    return digest


def _write(wanted: PublicSet, arrays: Mapping[str, NDArray[Any]], folder: Path) -> Path:
    """The sidecar first: a file without one would be read with classes learnt from its rows."""
    path, beside = folder / f"{wanted.key}.npz", folder / f"{wanted.key}.npz.part"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.with_suffix(".toml").write_text(wanted.toml, "utf-8")
        with beside.open("wb") as out:
            np.savez_compressed(out, **dict(arrays))  # pyright: ignore[reportArgumentType]
        os.replace(beside, path)
    except OSError as error:
        raise ParameterError("--into", str(folder), f"a folder that can be written ({reason_of(error)})") from error
    return path
