"""Refuses what a sidecar declares and a format cannot honour: a declaration is never dropped in silence."""

from dpgep_core.datasets.readers.options import READING_KEYS, Reading
from dpgep_core.datasets.readers.sidecar import Sidecar
from dpgep_core.errors import DataError, show_value

_OF_TEXT = ("delimiter", "encoding", "header")


def refuse_table_keys(where: str, sidecar: Sidecar, kind: str, honoured: tuple[str, ...] = ()) -> None:
    """Refuse keys that only a table with columns can honour; ``honoured`` and ``missing`` are keys of [reading]."""
    for key, value in (("drop", sidecar.drop), ("text", sidecar.text)):
        if value:
            allowed = "it is for tables (CSV and Parquet): leave those columns out of the file"
            raise DataError(where, f"{key} is declared, which {kind} cannot honour", allowed)
    _refuse_reading(where, sidecar, kind, tuple(key for key in READING_KEYS if key not in ("missing", *honoured)))


def refuse_text_keys(where: str, sidecar: Sidecar, kind: str) -> None:
    """Refuse keys that only text can honour."""
    _refuse_reading(where, sidecar, kind, (*_OF_TEXT, "zero_based"))


def refuse_sparse_keys(where: str, sidecar: Sidecar) -> None:
    """Refuse the key of LIBSVM text."""
    _refuse_reading(where, sidecar, "a table", ("zero_based",))


def check_only_label(where: str, sidecar: Sidecar, why: str) -> None:
    """Refuse any label but ``y`` where a format has one place for labels, without a name."""
    if sidecar.label not in (None, "", "y"):
        raise DataError(
            where, f"there is no label {show_value(sidecar.label)}: {why}", 'no label, "y" or "" is allowed'
        )


def _refuse_reading(where: str, sidecar: Sidecar, kind: str, keys: tuple[str, ...]) -> None:
    for key in keys:
        if getattr(sidecar.reading, key) != getattr(Reading(), key):
            what = f"reading.{key} is declared, which {kind} cannot honour"
            raise DataError(where, what, "leave it out of the sidecar")
