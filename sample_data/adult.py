"""UCI Adult in the binary encoding known as a9a: 14 fields as 123 columns of 0 and 1.

Each numeric field is cut at fixed edges, each other field has one column per word. An unknown value, written ``?``,
sets none of its field's columns. Edges, words and their order are those of the a9a file that LIBSVM hands out.
"""

import csv
import lzma
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from io import TextIOWrapper

import numpy as np
from numpy.typing import NDArray

from sample_data import Table

UNKNOWN = "?"
CLASS_NAMES = ("<=50K", ">50K")


@dataclass(frozen=True)
class Cut:
    """A numeric field: column j is set where the value lies in the j-th interval, upper edge included."""

    field: str
    edges: tuple[int, ...]

    @property
    def names(self) -> list[str]:
        """Meaning of each column."""
        middle = [f"{low} < {self.field} ≤ {high}" for low, high in zip(self.edges, self.edges[1:], strict=False)]
        return [f"{self.field} ≤ {self.edges[0]}", *middle, f"{self.field} > {self.edges[-1]}"]

    def column(self, value: str) -> int:
        """The column that a value sets."""
        return bisect_left(self.edges, int(value))


@dataclass(frozen=True)
class Words:
    """A field of words: column j is set where the value is the j-th word."""

    field: str
    words: tuple[str, ...]

    @property
    def names(self) -> list[str]:
        """Meaning of each column."""
        return [f"{self.field} = {word}" for word in self.words]

    def column(self, value: str) -> int:
        """The column that a value sets."""
        return self.words.index(value)


def _words(field: str, *groups: str) -> Words:
    return Words(field, tuple(" ".join(groups).split()))


FIELDS: tuple[Cut | Words, ...] = (
    Cut("age", (25, 32, 40, 49)),
    _words("work class", "Private Self-emp-not-inc Self-emp-inc Federal-gov Local-gov State-gov",
           "Without-pay Never-worked"),
    Cut("final weight", (106_637, 158_656, 196_337, 259_865)),
    _words("education", "Bachelors Some-college 11th HS-grad Prof-school Assoc-acdm Assoc-voc 9th 7th-8th 12th",
           "Masters 1st-4th 10th Doctorate 5th-6th Preschool"),
    Cut("education level", (8, 9, 10, 12)),
    _words("marital status", "Married-civ-spouse Divorced Never-married Separated Widowed",
           "Married-spouse-absent Married-AF-spouse"),
    _words("occupation", "Tech-support Craft-repair Other-service Sales Exec-managerial Prof-specialty",
           "Handlers-cleaners Machine-op-inspct Adm-clerical Farming-fishing Transport-moving Priv-house-serv",
           "Protective-serv Armed-Forces"),
    _words("relationship", "Wife Own-child Husband Not-in-family Other-relative Unmarried"),
    _words("race", "White Asian-Pac-Islander Amer-Indian-Eskimo Other Black"),
    _words("sex", "Female Male"),
    Cut("capital gain", (0,)),
    Cut("capital loss", (0,)),
    Cut("hours per week", (34, 39, 40, 47)),
    _words("country", "United-States Cambodia England Puerto-Rico Canada Germany Outlying-US(Guam-USVI-etc) India",
           "Japan Greece South China Cuba Iran Honduras Philippines Italy Poland Jamaica Vietnam Mexico Portugal",
           "Ireland France Dominican-Republic Laos Ecuador Taiwan Haiti Columbia Hungary Guatemala Nicaragua",
           "Scotland Thailand Yugoslavia El-Salvador Trinadad&Tobago Peru Hong Holand-Netherlands"),
)  # fmt: skip
FEATURE_NAMES: tuple[str, ...] = tuple(name for field in FIELDS for name in field.names)


def load_adult() -> Table:
    """Adult as 32,561 + 16,281 rows of 123 zeros and ones (uint8); labels +1 for an income above 50K, else −1."""
    return Table(*_encode(_records("adult.data.xz")), *_encode(_records("adult.test.xz")))


def _records(file: str) -> Iterator[list[str]]:
    """The records of a raw file: 14 fields and the income. The test file's first line is a remark."""
    with files("sample_data").joinpath(file).open("rb") as packed, lzma.open(packed) as raw:
        for record in csv.reader(TextIOWrapper(raw, "ascii"), skipinitialspace=True):
            if len(record) == len(FIELDS) + 1:
                yield record


def _encode(records: Iterator[list[str]]) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
    offsets = np.cumsum([0, *(len(field.names) for field in FIELDS)])[:-1].tolist()
    places = list(zip(FIELDS, offsets, strict=True))
    set_columns: list[list[int]] = []
    labels: list[int] = []
    for *values, income in records:
        known = zip(places, values, strict=True)
        set_columns.append([first + field.column(value) for (field, first), value in known if value != UNKNOWN])
        labels.append(1 if income.rstrip(".") == CLASS_NAMES[1] else -1)
    X = np.zeros((len(labels), len(FEATURE_NAMES)), np.uint8)
    for row, columns in zip(X, set_columns, strict=True):
        row[columns] = 1
    return X, np.array(labels, np.int8)
