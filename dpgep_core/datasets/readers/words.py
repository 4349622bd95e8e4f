"""Fields of one column: words, gaps, and numbers in the ways people write them."""

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from dpgep_core.datasets.readers.options import THOUSANDS, Reading
from dpgep_core.datasets.readers.table import is_number

# A word in the first tuple is a class or a category where a column declares it, or holds words.
WORD_GAPS = ("NA", "N/A", "NaN", "nan", "NULL", "null", "None")
GAP_WORDS = (*WORD_GAPS, "", "?", "#N/A")
kernels: Any = pc
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True)
class Words:
    """A column as words: each once, and for each row which of them it has, −1 in a gap. A word may go unused."""

    codes: NDArray[np.intp]
    words: Any  # Arrow array of text

    @property
    def listed(self) -> list[str]:
        """The words."""
        return self.words.to_pylist()

    @property
    def used_codes(self) -> NDArray[np.intp]:
        """Codes that some row has."""
        return np.unique(self.codes[self.codes >= 0])

    @property
    def used_words(self) -> Any:
        """Arrow array of the words that some row has."""
        return self.words.take(pa.array(self.used_codes))

    @property
    def used(self) -> list[str]:
        """Words that some row has."""
        return self.used_words.to_pylist()

    @property
    def gaps(self) -> NDArray[np.bool_]:
        """(n,) where there is none."""
        return self.codes < 0

    def rows(self) -> list[str | None]:
        """The word of each row."""
        words = self.listed
        return [None if code < 0 else words[code] for code in self.codes.tolist()]


def words_of(column: Any, gaps: Collection[str] = GAP_WORDS) -> Words:
    """Trimmed words of an Arrow or NumPy column; those among ``gaps`` stand for nothing.

    A word is never written out for each row, however often it occurs.
    """
    arrow = pa.array(column) if isinstance(column, np.ndarray) else column
    chunked = arrow if isinstance(arrow, pa.ChunkedArray) else pa.chunked_array([arrow])
    if not pa.types.is_dictionary(chunked.type):
        chunked = chunked.cast(pa.string()).dictionary_encode()
    if not chunked.num_chunks:
        return Words(np.zeros(0, np.intp), pa.array([], pa.string()))
    whole: Any = chunked.unify_dictionaries().combine_chunks()
    again = kernels.utf8_trim_whitespace(whole.dictionary.cast(pa.string())).dictionary_encode()
    empty = np.asarray(kernels.is_in(again, pa.array(list(gaps))).to_numpy(zero_copy_only=False), bool)
    place = np.where(empty, -1, kernels.fill_null(again.indices, -1).to_numpy(zero_copy_only=False))
    index = np.asarray(kernels.fill_null(whole.indices, -1).to_numpy(zero_copy_only=False), np.intp)
    return Words(np.append(place, -1)[index].astype(np.intp), again.dictionary)  # index -1 takes the last: a gap


def gaps_of(reading: Reading, kept: Collection[str] = ()) -> tuple[str, ...]:
    """The words that stand for nothing: the usual and the declared ones, without those that are ``kept`` as words."""
    return tuple(word for word in (*GAP_WORDS, *reading.gaps) if word not in kept)


def label_gaps(column: Any, reading: Reading, classes: Collection[str]) -> tuple[str, ...]:
    """The words that stand for a missing label.

    ``NA``, ``None`` and ``null`` are classes where they are declared, or where the column holds words; beside numbers,
    they are gaps.
    """
    if classes or isinstance(column, np.ndarray):
        return gaps_of(reading, classes)
    used = words_of(column, gaps_of(reading, WORD_GAPS)).used
    others = [word for word in used if word not in WORD_GAPS]
    holds_words = not all(map(is_number, others)) if others else len(used) > 1
    return gaps_of(reading, WORD_GAPS if holds_words else ())


def numbers_of(column: Any, reading: Reading) -> NDArray[Any] | None:
    """(n,) numbers of a column, in their own type or with NaN in gaps; None where it holds anything else."""
    if isinstance(column, np.ndarray):
        return column
    kind = column.type
    if pa.types.is_boolean(kind) or pa.types.is_integer(kind) or pa.types.is_floating(kind):
        whole = column if column.null_count == 0 else column.cast(pa.float64(), safe=False)
        return np.asarray(whole.to_numpy(), dtype=np.uint8 if pa.types.is_boolean(kind) and whole is column else None)
    if pa.types.is_decimal(kind):
        return np.asarray(column.cast(pa.float64()).to_numpy(), dtype=np.float64)
    if not is_text(kind) and not pa.types.is_null(kind):
        return None
    found = words_of(column, gaps_of(reading))
    values = _values(found.used_words, reading)
    if values is None:
        return None
    every = np.full(len(found.words) + 1, np.nan)  # a gap, −1, takes the last
    every[found.used_codes] = values
    return every[found.codes]


Changes = dict[str, str | bool]


def other_readings(column: Any, reading: Reading) -> list[Changes]:
    """Changes of the reading under which a column of words is one of numbers, the likelier first."""
    texts = words_of(column, gaps_of(reading)).used_words
    if not is_text(column.type) or not all(map(_DIGIT.search, texts[:3].to_pylist())) or not len(texts):
        return []
    marks = [mark for mark in THOUSANDS if mark != reading.decimal and not reading.thousands]
    tried: list[Changes] = [
        *([{"decimal": ","}] if reading.decimal == "." else []),
        *({"thousands": mark} for mark in marks),
        *([] if reading.percent else [{"percent": True}]),
        *({"decimal": ",", "thousands": mark} for mark in THOUSANDS if mark != ","),
    ]
    works = [changes for changes in tried if _values(texts, replace(reading, **cast(Any, changes))) is not None]
    fewest = [changes for changes in works if not any(other.items() < changes.items() for other in works)]
    return sorted(fewest, key=lambda changes: (len(changes), "decimal" in changes and reading.delimiter in ("", ",")))


def odd_words(column: Any, reading: Reading, most: int = 3) -> list[str]:
    """The few words of a column that otherwise holds numbers; none where it holds many, or hardly any number."""
    if not is_text(column.type):
        return []
    found = words_of(column, gaps_of(reading))
    used, counts = np.unique(found.codes[found.codes >= 0], return_counts=True)
    odd: list[str] = []
    rows = 0
    for word, count in zip(found.words.take(pa.array(used)).to_pylist(), counts.tolist(), strict=True):
        if not _plain(word, reading):
            odd.append(word)
            rows += count
        if len(odd) > most:
            return []
    return odd if 2 * rows < int(counts.sum()) else []


def first_word(column: Any, reading: Reading) -> tuple[int, str]:
    """Row, from 1, and text of an entry that is no number."""
    if not is_text(column.type):
        return 1, str(column.type)
    found = words_of(column, gaps_of(reading))
    used, words = found.used_codes.tolist(), found.listed
    wrong = next((code for code in used if not _plain(words[code], reading)), used[0])
    return int(np.flatnonzero(found.codes == wrong)[0]) + 1, words[wrong]


def _plain(word: str, reading: Reading) -> bool:
    """Whether one word is a number."""
    if reading.decimal == "." and is_number(word):
        return True
    return _values(pa.array([word]), reading) is not None


def holds_whole_numbers(column: Any) -> bool:
    """Whether an Arrow column is of a type of whole numbers, and has no gap."""
    return not isinstance(column, np.ndarray) and pa.types.is_integer(column.type) and column.null_count == 0


def is_text(kind: Any) -> bool:
    """Whether an Arrow type holds words."""
    return (
        pa.types.is_string(kind)
        or pa.types.is_large_string(kind)
        or pa.types.is_string_view(kind)
        or (pa.types.is_dictionary(kind) and is_text(kind.value_type))
    )


def _values(texts: Any, reading: Reading) -> NDArray[np.float64] | None:
    """Numbers of distinct words; None where one is no number."""
    if len(texts) <= 6 and {str(word).lower() for word in texts.to_pylist()} <= {"true", "false"}:
        return np.array([float(word.lower() == "true") for word in texts.to_pylist()])
    share = None
    if reading.percent:
        share = np.asarray(kernels.ends_with(texts, "%").to_numpy(zero_copy_only=False), bool)
        texts = kernels.utf8_trim_whitespace(kernels.utf8_rtrim(texts, "%"))
    if (mark := reading.thousands) and mark != reading.decimal:
        point = "[.]" if reading.decimal == "." else ","
        grouped = kernels.match_substring_regex(texts, rf"^[+-]?\d{{1,3}}([{mark}]\d{{3}})+({point}\d*)?$")
        texts = kernels.if_else(grouped, kernels.replace_substring(texts, mark, ""), texts)
    if reading.decimal == ",":
        if kernels.any(kernels.match_substring(texts, ".")).as_py():
            return None  # a point is no decimal mark here, and may be one of thousands
        texts = kernels.replace_substring(texts, ",", ".")
    try:
        values = np.asarray(texts.cast(pa.float64()).to_numpy(zero_copy_only=False), dtype=np.float64)
    except pa.ArrowInvalid:
        return None
    return values if share is None else np.where(share, values / 100, values)
