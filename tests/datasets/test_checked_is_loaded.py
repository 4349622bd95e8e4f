"""What is checked is what is loaded: no file says one size to the check and another to the reader."""

import gzip
import io
import struct
import warnings
import zipfile

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpgep_core.datasets.files import read_file
from dpgep_core.datasets.readers.sidecar import Sidecar
from dpgep_core.datasets.upload import read_upload, receive
from dpgep_core.errors import DataError

from .wrappings import idx

SMALL, LARGE = np.eye(4), np.zeros((4_000, 1_000))


def stored(array, *, claimed=None):
    """Bytes of a member; ``claimed``: another shape in its header."""
    whole = io.BytesIO()
    np.save(whole, array)
    if claimed is None:
        return whole.getvalue()
    header = io.BytesIO()
    facts = {"descr": array.dtype.str, "fortran_order": False, "shape": claimed}
    np.lib.format.write_array_header_1_0(header, facts)
    return header.getvalue() + array.tobytes()


def archive(*members):
    packed = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as made:
        warnings.simplefilter("ignore")  # of two members with one name
        for name, content in members:
            made.writestr(name, content)
    return packed.getvalue()


def refused(tmp_path, name, data, match):
    """From a folder and as an upload alike."""
    (tmp_path / name).write_bytes(data)
    with pytest.raises(DataError, match=match):
        read_file(tmp_path / name)
    if "idx" not in name:
        with pytest.raises(DataError, match=match):
            read_upload(receive(name, data), Sidecar(), key="toy")


LABELS = ("y.npy", stored(np.arange(4) % 2))
TWICE = {
    "with and without ending": [("X", stored(SMALL)), ("X.npy", stored(LARGE))],
    "the other way round": [("X.npy", stored(LARGE)), ("X", stored(SMALL))],
    "the same name": [("X.npy", stored(SMALL)), ("X.npy", stored(LARGE))],
    "labels": [("X.npy", stored(SMALL)), ("y", stored(np.arange(4) % 2))],
    "another array": [("X.npy", stored(SMALL)), ("z", stored(SMALL)), ("z.npy", stored(LARGE))],
}


@pytest.mark.parametrize("members", TWICE.values(), ids=TWICE)
def test_two_members_of_one_name(tmp_path, members):
    """The size of one was checked and the other loaded: 7 MB became 1.5 GiB."""
    refused(tmp_path, "a.npz", archive(*members, LABELS), "two members are called '[Xyz]'")


@pytest.mark.parametrize(("claimed", "said"), [((2, 4), "more bytes"), ((9, 4), "fewer bytes"), ((4, 3), "more bytes")])
def test_an_array_of_another_size_than_its_header_says(tmp_path, claimed, said):
    data = archive(("X.npy", stored(SMALL, claimed=claimed)), LABELS)
    refused(tmp_path, "a.npz", data, f"array 'X' has {said} than its header says")


@pytest.mark.parametrize("member", ["X.npy", "X"])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("kind", ["u1", "<f4", ">i2", "?"])
def test_arrays_are_read_as_numpy_reads_them(tmp_path, member, order, kind):
    array = np.array(np.arange(12).reshape(4, 3), dtype=kind, order=order)
    (tmp_path / "a.npz").write_bytes(archive((member, stored(array)), LABELS))
    with np.load(tmp_path / "a.npz") as theirs:
        np.testing.assert_array_equal(read_file(tmp_path / "a.npz").X, theirs["X"])


def test_a_member_with_a_wrong_checksum(tmp_path):
    """An empty rest is read to its end, or nobody would look at the checksum."""
    data = bytearray(archive(("X.npy", b"\x00" * 64), LABELS))
    whole = archive(("X.npy", stored(SMALL)), LABELS)
    place = whole.index(b"PK\x01\x02") + 16
    data = bytearray(whole)
    data[place] ^= 0xFF
    refused(tmp_path, "a.npz", bytes(data), "cannot be read")


def parquet_that_says(rows, holds):
    """A table of ``holds`` rows whose footer tells ``rows`` as their total."""
    whole = io.BytesIO()
    pq.write_table(pa.table({"a": np.zeros(holds), "y": np.arange(holds) % 2}), whole, row_group_size=holds)
    data = whole.getvalue()
    (length,) = struct.unpack("<I", data[-8:-4])
    footer = data[-8 - length : -8]
    true, false = varint(holds), varint(rows, len(varint(holds)))
    changed = footer.replace(true, false, 1)  # the total comes first
    assert changed != footer
    return data[: -8 - length] + changed + data[-8:]


def varint(number, length=0):
    """A number as the footer of a Parquet file stores it, padded to a length."""
    rest, made = number << 1, bytearray()
    while rest > 127 or len(made) + 1 < length:
        made.append(rest & 0x7F | 0x80)
        rest >>= 7
    return bytes([*made, rest])


def test_a_footer_that_tells_few_rows_of_many(tmp_path):
    data = parquet_that_says(20, 3_000_000)
    assert pq.ParquetFile(io.BytesIO(data)).metadata.num_rows == 20
    refused(tmp_path, "a.parquet", data, "disagree about how many rows")


@pytest.mark.parametrize(("shape", "said"), [((2, 2, 2), "more there"), ((4, 2, 2), "12 there")])
def test_images_of_another_number_than_their_header_says(tmp_path, shape, said):
    for pack, ending in ((bytes, ""), (gzip.compress, ".gz")):
        right = idx(np.zeros((3, 2, 2), np.uint8), 0x08)
        wrong = right[:4] + struct.pack(">3I", *shape) + right[16:]
        (tmp_path / "a-labels-idx1-ubyte").write_bytes(idx(np.zeros(3, np.uint8), 0x08))
        refused(tmp_path, f"a-images-idx3-ubyte{ending}", pack(wrong), said)


def test_a_gzip_file_that_says_it_is_short(tmp_path):
    """The last four bytes of a gzip file tell a length, and nobody asks them."""
    text = b"a,b,y\n" + b"1,2,0\n1,3,1\n" * 50
    packed = gzip.compress(text)
    refused(tmp_path, "a.csv.gz", packed[:-4] + struct.pack("<I", 10), "cannot be unpacked")


def test_packed_sparse_text_is_measured_unpacked(tmp_path, monkeypatch):
    text = b"1 1:1\n-1 2:1\n" * 20_000
    packed = gzip.compress(text)
    assert len(packed) * 50 < len(text)
    (tmp_path / "a.svm.gz").write_bytes(packed)
    assert read_file(tmp_path / "a.svm.gz").n == 40_000
    monkeypatch.setattr("dpgep_core.datasets.readers.source.memory_limit", lambda: 3 * len(text))
    refused(tmp_path, "a.svm.gz", packed, "in memory")


@pytest.mark.parametrize("writes", ["npz", "libsvm"])
def test_a_file_that_grows_between_the_look_and_the_load(tmp_path, monkeypatch, writes):
    """The check holds for what is read, even where another program writes in between."""
    monkeypatch.setattr("dpgep_core.datasets.readers.source.memory_limit", lambda: 50_000)
    path = tmp_path / f"a.{writes}"
    small = archive(("X.npy", stored(SMALL)), LABELS) if writes == "npz" else b"1 1:1\n-1 2:1\n"
    large = archive(("X.npy", stored(LARGE)), LABELS) if writes == "npz" else b"1 1:1\n-1 2:1\n" * 10_000
    path.write_bytes(small)
    from dpgep_core.datasets.readers import source

    of = source.Content.of

    def then_it_grows(file, beside=None):
        content = of(file, beside)
        file.write_bytes(large)
        return content

    monkeypatch.setattr(source.Content, "of", then_it_grows)
    with pytest.raises(DataError, match="in memory"):
        read_file(path)
