"""A table of text → its rows, and what its writing is: delimiter, header, names, what stands above the table."""

import csv
import io
import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import islice

from dpgep_core.datasets.readers.header import HEADER_LEARNT, find_header, name_on_one_line
from dpgep_core.datasets.readers.options import DELIMITERS, Reading
from dpgep_core.datasets.readers.source import check_size
from dpgep_core.datasets.readers.utf8 import check_lines, check_magic, find_encoding, to_utf8
from dpgep_core.datasets.readers.words import gaps_of
from dpgep_core.errors import DataError, show_value
from dpgep_core.wording import plural

MOST_TEXT_COLUMNS = 20_000
ENCODING_LEARNT = "the encoding, which is not UTF-8 (declare it: encoding)"
_DELIMITERS_IN_WORDS = ", ".join({"\t": "tab", " ": "blank"}.get(each, each) for each in DELIMITERS)
_SAMPLE_LINES = 50
_MOST_ABOVE = 10_000  # lines above a table
_CELL = 8  # bytes of a number in memory
_BLANKS = re.compile(r'("[^"]*")|[ \t]+')
_SEPARATOR = re.compile(rb"sep=([,;|\t])")  # how Excel says which delimiter follows


@dataclass(frozen=True, kw_only=True)
class Written:
    """A text table and how it is written.

    Parameters
    ----------
    text : bytes
        The rows alone, as UTF-8 without a mark; blanks between fields are single.
    names : tuple of str
        Of the columns; their positions where there is no header.
    head : tuple of rows of str
        The first rows as they stand.
    first_line : int
        Which line of the file the rows begin in, from 1.
    encoding, delimiter, header
        As declared, or as found.
    quoted_lines : bool
        Whether quoted fields hold line ends.
    longest : int
        Bytes of the longest line.
    warnings : tuple of str
        What was guessed and may be wrong.
    learnt : tuple of str
        What was guessed from rows: one row could change how all others are read.
    """

    text: bytes
    names: tuple[str, ...]
    head: tuple[tuple[str, ...], ...]
    first_line: int
    encoding: str
    delimiter: str
    header: bool
    quoted_lines: bool
    longest: int
    warnings: tuple[str, ...] = ()
    learnt: tuple[str, ...] = ()


def decode(where: str, data: bytes, reading: Reading, wanted: Collection[str] = ()) -> Written:
    """Decode a text table and find out its writing. ``wanted`` are names by which columns are declared."""
    check_magic(where, data)
    encoding, warnings = (reading.encoding, ()) if reading.encoding else find_encoding(where, data)
    text = to_utf8(where, data, encoding)
    lines_there, quoted_lines, longest = check_lines(where, text)
    start = _start(text, reading)
    text = text[start.offset :]
    delimiter = reading.delimiter or start.delimiter or _delimiter(_sample(text))
    if delimiter == " ":
        text = b"".join(_single_blanks(line.decode("utf-8")).encode("utf-8") + b"\n" for line in io.BytesIO(text))
    _check_width(where, text, delimiter)
    rows = _records(where, _sample(text), delimiter)
    top = rows[0] if rows else []
    if len(top) < 2:
        raise DataError(
            where, "the first line has fewer than 2 fields", f"columns separated by one of {_DELIMITERS_IN_WORDS}"
        )
    check_size(where, _CELL * lines_there * len(top))
    found = find_header(reading.header, wanted, rows, _names_above(where, start.comment, delimiter, len(top)))
    names, body = found.names or tuple(map(str, range(len(top)))), _record_end(text) if found.in_table else 0
    if found.names and _row_names(rows):
        names = ("", *names)
    learnt = (*((HEADER_LEARNT,) if found.learnt else ()), *((ENCODING_LEARNT,) if warnings else ()))
    warnings += (f"{plural(start.lines, 'line')} at the start: blank or comments, skipped.",) if start.said else ()
    return Written(
        text=text[body:], names=names, head=tuple(map(tuple, rows[1 if body else 0 :])),
        first_line=1 + start.lines + text[:body].count(b"\n"), encoding=encoding, delimiter=delimiter,
        header=bool(found.names), quoted_lines=quoted_lines, longest=longest,
        warnings=(*warnings, *_repeated_names(names)), learnt=learnt,
    )  # fmt: skip


@dataclass(frozen=True)
class _Start:
    """Where the table begins: after ``lines`` lines that are blank, comments, or name the delimiter."""

    offset: int
    lines: int
    comment: str = ""
    delimiter: str = ""
    said: bool = False


def _start(text: bytes, reading: Reading) -> _Start:
    """Find what stands above the table. Where no header is declared to be there, a first row of gaps is not skipped."""
    gaps = tuple(word.encode() for word in gaps_of(reading) if word.startswith("#")) if reading.header is False else ()
    hollow = b" \n" if reading.header is False else b" \t,;|\"'\n"
    offset, lines, comment, delimiter, said = 0, 0, b"", b"", False
    for line in islice(io.BytesIO(text), _MOST_ABOVE):
        separator = _SEPARATOR.fullmatch(line.strip(b' "\n'))
        if line.startswith(b"#") and not line.startswith(gaps):
            comment, said = line, True
        elif separator is not None and not lines:
            delimiter = separator[1]
        elif line.strip(hollow):
            break
        offset, lines = offset + len(line), lines + 1
    return _Start(offset, lines, comment.decode("utf-8").lstrip("# "), delimiter.decode(), said)


def _names_above(where: str, comment: str, delimiter: str, columns: int) -> tuple[str, ...]:
    """Names in the last comment line, as NumPy writes them; none where they are not one for each column."""
    line = _single_blanks(comment) if delimiter == " " else comment
    names = _records(where, line, delimiter)[0] if line.strip() else []
    return tuple(map(name_on_one_line, names)) if len(names) == columns else ()


def _row_names(rows: Sequence[Sequence[str]]) -> bool:
    """Whether every row has one field more than the header, as R writes row names."""
    return len(rows) > 2 and all(len(row) == len(rows[0]) + 1 and row[-1].strip() for row in rows[1:])


def ragged_line_error(where: str, written: Written) -> DataError:
    """Says which line has another number of fields than the columns there are."""
    expected = len(written.names)
    reader = csv.reader(io.TextIOWrapper(io.BytesIO(written.text), "utf-8", newline=""), delimiter=written.delimiter)
    line = written.first_line
    try:
        for row in reader:
            if row and len(row) != expected:
                fields = f"line {line} has {plural(len(row), 'field')}"
                return DataError(where, fields, f"{expected:,} as in the first row are needed")
            line = written.first_line + reader.line_num
    except csv.Error:  # a field too long for this reader, which only looks for the line
        pass
    return DataError(where, f"line {line} or one below it is no row of {expected:,} fields", "rows of equal length")


def _check_width(where: str, text: bytes, delimiter: str) -> None:
    line = text[: text.find(b"\n")] if b"\n" in text[: 1 << 23] else text
    if (columns := line.count(delimiter.encode()) + 1) > MOST_TEXT_COLUMNS:
        raise DataError(where, f"the first line has {columns:,} fields", f"at most {MOST_TEXT_COLUMNS:,} columns")


def _sample(text: bytes) -> str:
    return b"".join(line for line in islice(io.BytesIO(text), _SAMPLE_LINES) if line.strip()).decode("utf-8")


def _record_end(text: bytes) -> int:
    """Where the first row ends: at a line end outside quotes."""
    quotes = begin = 0
    while (end := text.find(b"\n", begin)) >= 0:
        quotes += text.count(b'"', begin, end)
        if quotes % 2 == 0:
            return end + 1
        begin = end + 1
    return len(text)


def _delimiter(sample: str) -> str:
    """The one that cuts most rows alike; of those, the one that makes most fields."""
    best, delimiter = (0, 0), ","
    for each in DELIMITERS:
        plain = "\n".join(map(_single_blanks, sample.split("\n"))) if each == " " else sample
        try:
            widths = Counter(len(row) for row in csv.reader(io.StringIO(plain, newline=""), delimiter=each) if row)
        except csv.Error:  # so long a field that this is not what parts them
            continue
        width, share = widths.most_common(1)[0] if widths else (0, 0)
        if width > 1 and (share, 0 if each == " " else width) > best:
            best, delimiter = (share, 0 if each == " " else width), each
    return delimiter


def _records(where: str, sample: str, delimiter: str) -> list[list[str]]:
    try:
        return [row for row in csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter) if row]
    except csv.Error as error:
        most = f"at most {csv.field_size_limit():,} characters in a field"
        raise DataError(where, "its first lines hold an endless field", most) from error


def _single_blanks(line: str) -> str:
    return _BLANKS.sub(lambda found: found.group(1) or " ", line).strip()


def _repeated_names(names: Sequence[str]) -> tuple[str, ...]:
    twice = [name for name, times in Counter(names).items() if times > 1]
    if not twice:
        return ()
    places = [str(j) for j, name in enumerate(names) if name == twice[0]]
    some = ", ".join(places[:12]) + (" …" if len(places) > 12 else "")
    return (f"The column name {show_value(twice[0])} stands for columns {some}: told apart by their number.",)
