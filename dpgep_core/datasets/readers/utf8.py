"""Bytes of a table of text → clean UTF-8: encoding, line ends, and what is no text at all."""

import numpy as np

from dpgep_core.datasets.readers.remedies import ENCODING
from dpgep_core.errors import DataError

LONGEST_LINE = 4_000_000  # characters: 20,000 columns of 200
_STRETCH = 1 << 22
_LINE_END, _QUOTE = ord("\n"), ord('"')
_MAGIC = {
    b"PAR1": "a Parquet file (.parquet)",
    b"PK\x03\x04": "a zip archive, as .npz and .xlsx are",
    b"\x1f\x8b": "a gzip file (.gz)",
    b"\x93NUMPY": "a NumPy array",
    b"\x80\x04": "a Python pickle, which is never loaded",
    b"%PDF": "a PDF",
    b"\x89PNG": "a PNG image",
    b"SQLite": "a database",
}
_MARKS = {b"\xff\xfe\x00\x00": "utf-32", b"\xef\xbb\xbf": "utf-8", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}


def check_magic(where: str, data: bytes) -> None:
    """Refuse what is plainly another kind of file."""
    for start, kind in _MAGIC.items():
        if data.startswith(start):
            raise DataError(where, f"its first bytes are those of {kind}", "a file whose name tells its format")


def find_encoding(where: str, data: bytes) -> tuple[str, tuple[str, ...]]:
    for mark, name in _MARKS.items():
        if data.startswith(mark):
            return name, ()
    if b"\x00" in data[:4096]:
        for start, name in ((1, "utf-16-le"), (0, "utf-16-be")):  # one byte of each pair, in Latin text
            sample = data[start:4096:2]
            if sample.count(0) > 0.9 * len(sample):
                return name, (f"No mark tells the encoding; read as {name}.",)
        raise DataError(where, "it holds zero bytes", "a table of text is needed")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        _check_text(where, data)
        name = "latin-1" if any(byte in data for byte in (b"\x81", b"\x8d", b"\x8f", b"\x90", b"\x9d")) else "cp1252"
        return name, (f"Byte {error.start + 1} is no UTF-8; read as {name}: check names with accents.",)
    return "utf-8", ()


def _check_text(where: str, data: bytes) -> None:
    """Refuse what is neither UTF-8 nor mostly printable: it is no text in any encoding."""
    sample = data[:65536]
    control = sum(sample.count(byte) for byte in range(32) if byte not in (9, 10, 13))
    if control > 0.02 * len(sample):
        raise DataError(where, f"{100 * control / len(sample):.0f} % of its bytes are control characters", "text only")


def to_utf8(where: str, data: bytes, encoding: str) -> bytes:
    """The text as UTF-8 without a mark, lines ended by a line feed. Text that is that already is not copied."""
    if encoding == "utf-8":
        text = data.removeprefix(b"\xef\xbb\xbf")
        if not text.isascii():
            _strict(where, text, encoding)
    else:
        text = _strict(where, data, encoding).removeprefix("\ufeff").encode("utf-8")
    if b"\x00" in text:
        raise DataError(where, f"byte {text.index(0) + 1} of the text is a zero byte", "a table of text is needed")
    return text.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in text else text


def _strict(where: str, data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeError as error:
        start = getattr(error, "start", 0)
        raise DataError(where, f"byte {start + 1} is no {encoding}", str(ENCODING)) from error


def check_lines(where: str, text: bytes) -> tuple[int, bool, int]:
    """How many lines, whether quoted fields hold line ends, and the longest line; refuses a quote never closed."""
    longest = 0
    quotes, begins, lines, outside = 0, 0, 0, 0  # so far: quotes, where the line begins, lines, lines that end unquoted
    data, quoted_lines = np.frombuffer(text, np.uint8), False
    for first in range(0, data.size, _STRETCH):
        stretch = data[first : first + _STRETCH]
        ends = np.flatnonzero(stretch == _LINE_END)
        lengths = np.diff(ends + first, prepend=begins - 1)
        if (long := np.flatnonzero(lengths > LONGEST_LINE)).size:
            raise _endless(where, lines + int(long[0]) + 1, int(lengths[long[0]]))
        longest = max(longest, int(lengths.max(initial=0)))
        counted = quotes + np.cumsum(stretch == _QUOTE)
        if (even := np.flatnonzero(counted[ends] % 2 == 0)).size:
            outside = lines + int(even[-1]) + 1
        quoted_lines |= even.size < ends.size
        quotes, lines = int(counted[-1]), lines + ends.size
        begins = first + int(ends[-1]) + 1 if ends.size else begins
    longest = max(longest, data.size - begins)
    if longest > LONGEST_LINE:
        raise _endless(where, lines + 1, longest)
    if quotes % 2:
        raise DataError(where, f"a quote opened in line {outside + 1} is never closed", "each quote needs its pair")
    return lines + 1, quoted_lines, longest


def _endless(where: str, line: int, length: int) -> DataError:
    return DataError(where, f"line {line} is {length:,} bytes long", f"at most {LONGEST_LINE:,}")
