"""Files that nobody should be able to harm a server with, and files that are merely broken."""

import gzip
import io
import os
import pickle
import tempfile
import zipfile
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

HARM = Path(tempfile.gettempdir(), f"dpgep-harm-{os.getpid()}")  # made only by code that a file brings along
GOOD = b"a,b,y\n" + b"".join(b"%d,%d,%d\n" % (i % 7, i % 5, i % 2) for i in range(40))


def npz(**arrays) -> bytes:
    out = io.BytesIO()
    np.savez_compressed(out, **arrays)
    return out.getvalue()


def parquet(table) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.table(table) if isinstance(table, dict) else table, out, compression="zstd")
    return out.getvalue()


def zip_bomb() -> bytes:
    """A small archive whose array would take terabytes."""
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f8", "fortran_order": False, "shape": (10**7, 10**5)})
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("X.npy", header.getvalue() + b"\0" * 10**6)
    return out.getvalue()


@cache
def deep_zip_bomb() -> bytes:
    """The array is small by its header, and the member behind it unpacks to much more."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("X.npy", "w") as member:
        np.lib.format.write_array_header_1_0(member, {"descr": "<f8", "fortran_order": False, "shape": (4, 2)})
        for _ in range(90):
            member.write(b"\0" * 10**6)
    return out.getvalue()


@cache
def crowded_zip() -> bytes:
    """Thousands of members, which a reader would list one by one."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for number in range(2_000):
            archive.writestr(f"{number}.npy", b"")
    return out.getvalue()


@cache
def gzip_bomb() -> bytes:
    """40 MB of text in 40 kB."""
    return gzip.compress(GOOD + b"1,2,0\n" * 7_000_000, 1)


@cache
def parquet_bomb() -> bytes:
    """Five million rows of one value: run lengths take a few bytes."""
    return parquet({name: pa.array(np.zeros(5_000_000)) for name in "ab"})


def parquet_word_bomb() -> bytes:
    """One long word in each of many rows, stored once."""
    word = "w" * 100_000
    return parquet({"a": pa.array(np.arange(2_000.0)), "b": pa.array([word] * 2_000), "y": pa.array([0, 1] * 1_000)})


def pickled() -> bytes:
    """A label array that would run code when it is read."""

    class Harm:
        def __reduce__(self):
            return (open, (str(HARM), "w"))

    return npz(X=np.eye(4), y=np.array([Harm()] * 4, dtype=object))


def mislabelled_gzip() -> bytes:
    return gzip.compress(GOOD)


def wide(columns: int) -> bytes:
    line = b",".join([b"1"] * columns)
    return line + b"\n" + line + b"\n"


REFUSED = {  # file name, bytes or what makes them where that takes long, what the message says
    "empty": ("a.csv", b"", "the file is empty"),
    "blank lines": ("a.csv", b"\n\n\n", "fewer than 2 fields"),
    "header only": ("a.csv", b"a,b,y\n", "there are no rows"),
    "one row": ("a.csv", b"a,b,y\n1,2,0\n", "at least 2 rows"),
    "one column": ("a.csv", b"a\n1\n2\n", "fewer than 2 fields"),
    "ragged": ("a.csv", GOOD + b"1,2\n", "line 42 has 2 fields; 3 as in the first row"),
    "ragged the other way": ("a.csv", GOOD + b"1,2,3,4\n", "line 42 has 4 fields; 3 as"),
    "an unclosed quote": ("a.csv", GOOD + b'1,"2,0\n3,4,1\n', "a quote opened in line 42 is never closed"),
    "a cell of 10 MB": ("a.csv", GOOD + b"1," + b"9" * 10**7 + b",0\n", "line 42 is 10,000,005 bytes long"),
    "a cell of 200 kB in the header": ("a.csv", b"a" * 200_000 + b",y\n1,2\n", "at most 131,072 characters"),
    "a million columns": ("a.csv", wide(10**6), "1,000,000 fields; at most 20,000 columns"),
    "binary junk": ("a.csv", bytes(range(1, 256)) * 40, "control characters"),
    "zero bytes": ("a.csv", b"a,b\x00,y\n1,2,0\n" * 9, "zero byte"),
    "only gaps": ("a.csv", b"a,b,y\n,,0\n,,1\n,,0\n", "column 'a' is empty in every row; leave it out"),
    "a gap": ("a.csv", GOOD + b",2,0\n", "column 'a' is empty in row 41 (1 gap)"),
    "a gap in the label": ("a.csv", GOOD + b"1,2,\n", "row 41 has no label"),
    "infinity": ("a.csv", GOOD + b"-inf,2,0\n", "column 'a' is -inf in row 41"),
    "a number beyond numbers": ("a.csv", GOOD + b"1e999,2,0\n", "column 'a' is inf in row 41"),
    "words": ("a.csv", GOOD + b"red,2,0\n", "column 'a' holds 'red' in row 41, which is no number"),
    "dates": ("a.csv", GOOD + b"2024-01-31,2,0\n", "column 'a' holds '2024-01-31' in row 41"),
    "complex numbers": ("a.csv", GOOD + b"1+2j,2,0\n", "column 'a' holds '1+2j' in row 41"),
    "a formula": ("a.csv", GOOD + b'=HYPERLINK(1),2,0\n', "column 'a' holds '=HYPERLINK(1)' in row 41"),
    "a script": ("a.csv", GOOD + b"<script>alert(1)</script>,2,0\n", "'<script>alert(1)</script>'"),
    "an id as label": ("a.csv", b"a,y\n" + b"".join(b"1,p%d\n" % i for i in range(1_500)), "1500 distinct labels"),
    "a fraction as label": ("a.csv", b"a,b\n1,.5\n2,.25\n", "label 0.25 is not a class"),
    "no known ending": ("a.xlsx", GOOD, "its ending tells no known format; one of .csv"),
    "a name that is only an ending": (".csv", GOOD, "its ending tells no known format"),
    "Parquet named csv": ("a.csv", parquet({"a": [1, 2], "y": [0, 1]}), "those of a Parquet file"),
    "zip named csv": ("a.csv", npz(X=np.eye(2)), "those of a zip archive"),
    "gzip named csv": ("a.csv", mislabelled_gzip(), "those of a gzip file (.gz)"),
    "csv named gzip": ("a.csv.gz", GOOD, "not those of the format in its name; a .csv.gz file"),
    "csv named Parquet": ("a.parquet", GOOD, "not those of the format in its name; a .parquet file"),
    "pickle named csv": ("a.csv", pickle.dumps({"X": 1}, protocol=4), "a Python pickle, which is never loaded"),
    "a cut gzip": ("a.csv.gz", gzip.compress(GOOD)[:40], "cannot be unpacked"),
    "a gzip bomb": ("a.csv.gz", gzip_bomb, "in memory"),
    "a zip bomb": ("a.npz", zip_bomb(), "would take 8,000,000.0 MB in memory"),
    "a deep zip bomb": ("a.npz", deep_zip_bomb, "in memory"),
    "a crowded zip": ("a.npz", crowded_zip, "very many members; at most 1,000"),
    "a zip that is no archive of arrays": ("a.npz", b"PK\x03\x04" + b"junk" * 50, "cannot be read"),
    "a Parquet bomb": ("a.parquet", parquet_bomb, "would take 80.0 MB in memory"),
    "a cut Parquet file": ("a.parquet", parquet({"a": [1, 2], "y": [0, 1]})[:-9], "cannot be read"),
    "nested Parquet": ("a.parquet", parquet({"a": [[1], [2]], "y": [0, 1]}), "column 'a' holds 'list<"),
    "words in Parquet": ("a.parquet", parquet({"a": ["u", "v"], "b": [1, 2], "y": [0, 1]}), "holds 'u' in row 1"),
    "pickled labels": ("a.npz", pickled(), "array 'y' holds pickled objects"),
    "an array of objects": ("a.npz", npz(X=np.array([[1, "a"]], dtype=object)), "array 'X' holds pickled objects"),
    "arrays and no X": ("a.npz", npz(data=np.eye(2), target=[0, 1]), "no array 'X' among ['data', 'target']"),
    "complex array": ("a.npz", npz(X=np.eye(2) * 1j), "entries of type complex128; real numbers"),
    "an array of words": ("a.npz", npz(X=np.array([["a", "b"], ["c", "d"]])), "entries of type <U1"),
    "an array of NaN": ("a.npz", npz(X=np.full((3, 2), np.nan)), "column 0, counted from 0, is empty in every row"),
    "three dimensions": ("a.npz", npz(X=np.zeros((2, 2, 2))), "shape (2, 2, 2)"),
    "LIBSVM index 0": ("a.libsvm", b"1 0:1\n-1 1:2\n", 'writes them; choose "from 0" for the first column'),
    "LIBSVM negative index": ("a.libsvm", b"1 -1:1\n-1 1:2\n", "line 1: index '-1'; column numbers from 1"),
    "LIBSVM huge index": ("a.libsvm", b"1 99999999999:1\n-1 1:1\n", "line 1: index '99999999999'; column"),
    "LIBSVM wide index": ("a.svm", b"1 2000000000:1\n-1 1:300\n", "in memory"),
    "LIBSVM index twice": ("a.libsvm", b"1 2:1 2:3\n-1 1:2\n", "line 1: index 2 after 2; each column once"),
    "LIBSVM words": ("a.libsvm", b"cat 1:1\ndog 1:2\n", "cat"),
}  # fmt: skip
