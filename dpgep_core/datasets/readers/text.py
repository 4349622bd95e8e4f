"""Bytes of a text table → clean UTF-8 and what its writing is: encoding, delimiter and header."""

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from dpgep_core.datasets.readers.limits import check_size
from dpgep_core.datasets.readers.options import DELIMITERS, Reading
from dpgep_core.datasets.readers.table import has_header, shown
from dpgep_core.errors import DataError

MOST_COLUMNS = 20_000
LONGEST_LINE = 4_000_000  # characters: 20,000 columns of 200
_SAMPLE_LINES = 50
_CELL = 8  # bytes of a number in memory
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
_BLANKS = re.compile(r'("[^"]*")|[ \t]+')


@dataclass(frozen=True, kw_only=True)
class Written:
    """A text table and how it is written.

    Parameters
    ----------
    text : bytes
        UTF-8 without a mark; blanks between fields are single.
    names : tuple of str
        Of the columns; their positions where there is no header.
    encoding, delimiter, header
        As declared, or as found.
    quoted_lines : bool
        Whether quoted fields hold line ends.
    warnings : tuple of str
        What was guessed and may be wrong.
    """

    text: bytes
    names: tuple[str, ...]
    encoding: str
    delimiter: str
    header: bool
    quoted_lines: bool
    warnings: tuple[str, ...] = ()


def decode(where: str, data: bytes, reading: Reading, label: str | int | None) -> Written:
    """Decode a text table and find out its writing."""
    check_magic(where, data)
    encoding, warnings = (reading.encoding, ()) if reading.encoding else _encoding(where, data)
    text = _decoded(where, data, encoding)
    lines_there, quoted_lines = _check_lines(where, text)
    head = [line for line in islice(io.BytesIO(text), _SAMPLE_LINES) if line.strip()]
    lines = [line.decode("utf-8").rstrip("\n") for line in head]
    delimiter = reading.delimiter or _delimiter(lines)
    if delimiter == " ":
        text = b"".join(_single_blanks(line.decode("utf-8")).encode("utf-8") + b"\n" for line in io.BytesIO(text))
        lines = [_single_blanks(line) for line in lines]
    if lines and (columns := lines[0].count(delimiter) + 1) > MOST_COLUMNS:
        raise DataError(where, f"the first line has {columns:,} fields", f"at most {MOST_COLUMNS:,} columns")
    rows = _fields(where, lines[:2], delimiter)
    top = rows[0] if rows else []
    if len(top) < 2:
        raise DataError(where, "the first line has fewer than 2 fields", f"columns parted by one of {_said()}")
    check_size(where, _CELL * lines_there * len(top))
    header = reading.header if reading.header is not None else has_header(top, rows[1] if len(rows) > 1 else [], label)
    names = tuple(name.strip() for name in top) if header else tuple(str(j) for j in range(len(top)))
    return Written(
        text=text, names=names, encoding=encoding, delimiter=delimiter, header=header,
        quoted_lines=quoted_lines, warnings=(*warnings, *_repeated(names)),
    )  # fmt: skip


def check_magic(where: str, data: bytes) -> None:
    """Refuse what is plainly another kind of file."""
    for start, kind in _MAGIC.items():
        if data.startswith(start):
            raise DataError(where, f"its first bytes are those of {kind}", "a file whose name tells its format")


def _encoding(where: str, data: bytes) -> tuple[str, tuple[str, ...]]:
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
        return name, (f"Byte {error.start} is no UTF-8; read as {name}: check names with accents.",)
    return "utf-8", ()


def _check_text(where: str, data: bytes) -> None:
    """What is neither UTF-8 nor mostly printable is no text in any encoding."""
    sample = data[:65536]
    control = sum(sample.count(byte) for byte in range(32) if byte not in (9, 10, 13))
    if control > 0.02 * len(sample):
        raise DataError(where, f"{100 * control / len(sample):.0f} % of its bytes are control characters", "text only")


def _decoded(where: str, data: bytes, encoding: str) -> bytes:
    try:
        text = data.decode("utf-8-sig" if encoding == "utf-8" else encoding)
    except UnicodeError as error:
        start = getattr(error, "start", 0)
        raise DataError(where, f"byte {start} is no {encoding}", "choose another encoding") from error
    if "\x00" in text:
        raise DataError(where, f"character {text.index(chr(0))} is a zero byte", "a table of text is needed")
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").encode("utf-8")


def _check_lines(where: str, text: bytes) -> tuple[int, bool]:
    """How many lines, and whether quoted fields hold line ends; refuses endless lines and a quote never closed."""
    quotes, begins, lines, outside = 0, 0, 0, 0  # so far: quotes, where the line begins, lines, lines that end unquoted
    data, quoted_lines = np.frombuffer(text, np.uint8), False
    for first in range(0, data.size, _STRETCH):
        stretch = data[first : first + _STRETCH]
        ends = np.flatnonzero(stretch == _LINE_END)
        lengths = np.diff(ends + first, prepend=begins - 1)
        if (long := np.flatnonzero(lengths > LONGEST_LINE)).size:
            raise _endless(where, lines + int(long[0]) + 1, int(lengths[long[0]]))
        counted = quotes + np.cumsum(stretch == _QUOTE)
        if (even := np.flatnonzero(counted[ends] % 2 == 0)).size:
            outside = lines + int(even[-1]) + 1
        quoted_lines |= even.size < ends.size
        quotes, lines = int(counted[-1]), lines + ends.size
        begins = first + int(ends[-1]) + 1 if ends.size else begins
    if data.size - begins > LONGEST_LINE:
        raise _endless(where, lines + 1, data.size - begins)
    if quotes % 2:
        raise DataError(where, f"a quote opened in line {outside + 1} is never closed", "each quote needs its pair")
    return lines + 1, quoted_lines


def _endless(where: str, line: int, length: int) -> DataError:
    return DataError(where, f"line {line} is {length:,} bytes long", f"at most {LONGEST_LINE:,}")


def _delimiter(lines: Sequence[str]) -> str:
    """The one that cuts most lines alike; of those, the one that makes most fields."""
    best, delimiter = (0, 0), ","
    for each in DELIMITERS:
        plain = [_single_blanks(line) for line in lines] if each == " " else lines
        try:
            widths = Counter(len(fields) for fields in csv.reader(plain, delimiter=each))
        except csv.Error:  # so long a field that this is not what parts them
            continue
        width, share = widths.most_common(1)[0] if widths else (0, 0)
        if width > 1 and (share, 0 if each == " " else width) > best:
            best, delimiter = (share, 0 if each == " " else width), each
    return delimiter


def _fields(where: str, lines: Sequence[str], delimiter: str) -> list[list[str]]:
    try:
        return list(csv.reader(lines, delimiter=delimiter))
    except csv.Error as error:
        raise DataError(where, f"its first lines are no table ({error})", "rows of short fields are needed") from error


def _single_blanks(line: str) -> str:
    return _BLANKS.sub(lambda found: found.group(1) or " ", line).strip()


def _repeated(names: Sequence[str]) -> tuple[str, ...]:
    twice = [name for name, times in Counter(names).items() if times > 1]
    if not twice:
        return ()
    places = [str(j) for j, name in enumerate(names) if name == twice[0]]
    some = ", ".join(places[:12]) + (" …" if len(places) > 12 else "")
    return (f"The column name {shown(twice[0])} stands for columns {some}: told apart by their number.",)


def _said() -> str:
    return ", ".join({"\t": "tab", " ": "blank"}.get(each, each) for each in DELIMITERS)
