"""The file of a release: one ``.npz`` of plain arrays with a header, sealed by a hash of every other byte.

The seal is the comment of the archive, its last 64 bytes: the SHA-256 of all bytes before it. Any NumPy reads the
arrays; `read_release` also checks that nothing was changed, cut off or added.
"""

import hashlib
import io
import json
import zipfile
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from types import UnionType
from typing import Any, cast, get_args, get_origin, get_type_hints

import numpy as np

from dpgep_core.errors import DataError, ParameterError, list_names, reason_of, show_value
from dpgep_core.privacy.query import Array

SCHEMA, FORMAT = "dp-gep-release", 1
SEAL = 64  # hexadecimal digits at the end of the file
NUMBER = np.dtype("<f8")
LONGEST_HEADER = 64 << 20
WRITE_IT_AGAIN = "a release as `dpgep release` wrote it is needed; nothing was loaded"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseHeader:
    """Everything public about a release. Each field is plain JSON.

    Parameters
    ----------
    release, made : str
        Random name, and time in UTC.
    dataset, model, algorithm : str
        Names.
    model_parameters, method_parameters : dict
        Parameters of both, by name.
    n, d, columns, n_components : int
        Public number of rows, columns of the rows, columns of class sums, and components.
    weight : float
        w² of the class sums, paid for.
    relation : str
        Neighbouring relation.
    classes, feature_names : list of str
        Declared names.
    image_shape, views : list or None
        Declared shape of an image, and columns of two views.
    preprocessing : dict
        Preprocessing of each row, of the released rows and of any other.
    epsilon, delta : str
        The guarantee, in exact decimals.
    noise_edge : float or None
        Spectral edge of the noise in the scatter of the averages. None in a file of one answer that does not say it.
    mu, slack : float
        μ of the noise, and the part of δ that the difference of discrete from rounded Gaussian noise may take.
    ledger : list of dict
        Every answer with its sensitivity and σ.
    versions : dict
        Versions of the software.
    """

    release: str
    made: str
    dataset: str
    model: str
    algorithm: str
    model_parameters: dict[str, Any]
    method_parameters: dict[str, Any]
    n: int
    d: int
    columns: int
    n_components: int
    weight: float
    relation: str
    classes: list[str]
    feature_names: list[str]
    image_shape: list[int] | None
    views: list[list[int]] | None
    preprocessing: dict[str, Any]
    epsilon: str
    delta: str
    mu: float
    slack: float
    ledger: list[dict[str, Any]]
    versions: dict[str, str]
    noise_edge: float | None = None

    @property
    def sigma(self) -> float:
        """Scale of the noise on the second moments, which the last answer holds."""
        return float(self.ledger[-1]["sigma"])


@dataclass(frozen=True, slots=True, eq=False)
class ReleasedArrays:
    """Numbers of a release: noisy, or made from what is noisy.

    Parameters
    ----------
    components : array (d, k)
    gram : array (d, d)
        Σ x xᵀ.
    sums : array (d, K)
        Σ of x over each class; one column where there are no classes.
    counts : array (K,)
        Rows of each class.
    """

    components: Array
    gram: Array
    sums: Array
    counts: Array


def header_bytes(header: ReleaseHeader) -> bytes:
    """The header as the file has it; an error for one that no file can hold."""
    found = {"schema": SCHEMA, "version": FORMAT, **asdict(header)}
    return json.dumps(found, ensure_ascii=False, allow_nan=False).encode()


def release_bytes(header: ReleaseHeader, arrays: ReleasedArrays) -> bytes:
    """The whole file."""
    members = {"header": np.frombuffer(header_bytes(header), dtype=np.uint8)}
    members |= {f.name: np.ascontiguousarray(getattr(arrays, f.name), dtype=NUMBER) for f in fields(ReleasedArrays)}
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for name, values in members.items():
            member = io.BytesIO()
            np.lib.format.write_array(member, values, version=(1, 0), allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy"), member.getvalue())  # no time of day in it
        archive.comment = b"0" * SEAL
    whole = stream.getvalue()[:-SEAL]
    return whole + hashlib.sha256(whole).hexdigest().encode("ascii")


def read_release(path: Path) -> tuple[ReleaseHeader, ReleasedArrays]:
    """Header and arrays of a file, once all of it is checked.

    Raises
    ------
    ParameterError
        If there is no such file.
    DataError
        In one sentence, for a file that is cut short, changed, of a newer version, of other shapes, or no release.
    """
    where = path.name
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ParameterError("path", str(path), f"a release that can be read ({reason_of(error)})") from None
    try:
        return _checked(where, content)
    except DataError:
        raise
    except Exception as error:  # whatever a changed byte makes zipfile, NumPy or the header's parser say
        raise DataError(where, f"the file is damaged ({reason_of(error)})", WRITE_IT_AGAIN) from error


def _checked(where: str, content: bytes) -> tuple[ReleaseHeader, ReleasedArrays]:
    if not zipfile.is_zipfile(io.BytesIO(content)):
        raise DataError(where, "the file is cut short, or is no release", WRITE_IT_AGAIN)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        if 0 < len(archive.comment) < SEAL:
            raise DataError(where, "the file is cut short", WRITE_IT_AGAIN)
        members = _members(where, archive)
        text = bytes(_array(where, "header", members["header"], np.dtype(np.uint8), None))
        header = _header(where, text)
        d, K, k = header.d, header.columns, header.n_components
        shapes = {"components": (d, k), "gram": (d, d), "sums": (d, K), "counts": (K,)}
        arrays = {name: _array(where, name, members[name], NUMBER, shape) for name, shape in shapes.items()}
    if content[-SEAL:] != hashlib.sha256(content[:-SEAL]).hexdigest().encode("ascii"):
        raise DataError(where, "a byte was changed, or the arrays were saved again: its hash does not fit",
                        WRITE_IT_AGAIN)  # fmt: skip
    return header, ReleasedArrays(**arrays)


def _members(where: str, archive: zipfile.ZipFile) -> dict[str, bytes]:
    expected = ["header", *(f.name for f in fields(ReleasedArrays))]
    found = [info.filename.removesuffix(".npy") for info in archive.infolist()]
    if found != expected:
        problem = f"the file holds the arrays {list_names(found)}"
        raise DataError(where, problem, f"a release holds {list_names(expected)}; nothing was loaded")
    if any(info.compress_type != zipfile.ZIP_STORED for info in archive.infolist()):
        raise DataError(where, "the arrays were compressed", WRITE_IT_AGAIN)
    return {name: archive.read(info) for name, info in zip(expected, archive.infolist(), strict=True)}


def _array(where: str, name: str, member: bytes, dtype: np.dtype[Any], shape: tuple[int, ...] | None) -> Any:
    """One array; its own header is checked before anything is made of it, so that no pickle is run."""
    stream = io.BytesIO(member)
    version = np.lib.format.read_magic(stream)
    read: Any = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    found, fortran, kind = read(stream)
    if kind.hasobject:
        raise DataError(where, f"array {name!r} holds a pickle, which runs code when it is loaded", WRITE_IT_AGAIN)
    if kind != dtype or fortran or (shape is not None and found != shape):
        expected = f"numbers of type {dtype.str} in shape {shape if shape is not None else '(length,)'}"
        raise DataError(
            where,
            f"array {name!r} is of type {kind.str} and shape {found}",
            f"{expected} are needed; nothing was loaded",
        )
    values = np.frombuffer(member, dtype=dtype, offset=stream.tell())
    if values.size != int(np.prod(found)) or (name == "header" and values.size > LONGEST_HEADER):
        raise DataError(where, f"array {name!r} is cut short", WRITE_IT_AGAIN)
    if dtype == NUMBER and not np.isfinite(values).all():
        raise DataError(where, f"array {name!r} holds numbers that are not finite", WRITE_IT_AGAIN)
    return values.reshape(found).astype(dtype.newbyteorder("="))


def _header(where: str, text: bytes) -> ReleaseHeader:
    said = cast("dict[str, Any]", json.loads(text.decode()))
    if said.get("schema") != SCHEMA:
        raise DataError(where, f"the header names the schema {show_value(said.get('schema'))}", WRITE_IT_AGAIN)
    version = said.pop("version", None)
    if version != FORMAT:
        newer = isinstance(version, int) and version > FORMAT
        more = "a newer DP-GEP Lab is needed" if newer else f"version {FORMAT} is needed"
        raise DataError(where, f"the file is of version {show_value(version)} of the format, and version {FORMAT} "
                        "is read here", f"{more}; nothing was loaded")  # fmt: skip
    del said["schema"]
    said.setdefault("noise_edge", None)  # files of one answer from before there were two
    names = {f.name for f in fields(ReleaseHeader)}
    if said.keys() != names:
        odd = sorted(names ^ said.keys())
        raise DataError(where, f"the header lacks fields or has others: {list_names(odd)}", WRITE_IT_AGAIN)
    hints = get_type_hints(ReleaseHeader)
    if wrong := sorted(name for name, value in said.items() if not _is_of(hints[name], value)):
        raise DataError(where, f"fields of the header are of another kind: {list_names(wrong)}", WRITE_IT_AGAIN)
    return ReleaseHeader(**said)


def _is_of(hint: Any, value: object) -> bool:
    """Whether a value of JSON is of the kind that a field names; what lists and objects hold is checked where it is
    used."""
    kinds = [get_origin(kind) or kind for kind in (get_args(hint) if isinstance(hint, UnionType) else (hint,))]
    if isinstance(value, bool):
        return bool in kinds
    return isinstance(value, tuple(kinds)) or (float in kinds and isinstance(value, int))
