"""Data sets of openml.org, as uploads: the same declarations are made of them, and nothing is cached on disk."""

import io
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from queue import Empty, Queue
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any, TypeVar, cast
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import urlopen

import numpy as np
import pandas as pd
from sklearn.datasets import fetch_openml

from dpgep_core.datasets.readers.text import MOST_TEXT_COLUMNS
from dpgep_core.datasets.upload import MOST_UNPACKED, Upload, receive
from dpgep_core.errors import DataError, DpgepError, ParameterError

NETWORK_PATIENCE = 6.0  # seconds for an answer about a set
PATIENCE_ROWS = 90.0  # seconds for its rows
_LIST = "https://www.openml.org/api/v1/json/data/list/"
_NAME = re.compile(r"[A-Za-z0-9_.()+-]{1,120}")
Fetched = TypeVar("Fetched")
Open = Callable[[str], bytes]
Fetch = Callable[..., Any]


@dataclass(frozen=True)
class OpenMLDataset:
    """A data set that openml.org has: its number, name and version, and its size before it is fetched."""

    number: int
    name: str
    version: int
    rows: int
    columns: int


def look_up(query: str, open_url: Open | None = None, patience: float = NETWORK_PATIENCE) -> OpenMLDataset:
    """The active set of a number or a name; of several of one name, the oldest version, as scikit-learn takes it.

    Raises
    ------
    ParameterError
        No number and no name, or none that is there.
    DataError
        The network, or the site, does not answer in time.
    """
    text = query.strip()
    if not _NAME.fullmatch(text):
        raise ParameterError("OpenML data set", text[:60], "a number, or a name of letters, digits and _ . ( ) + -")
    where = f"data_id/{text}" if text.isdigit() else f"data_name/{quote(text)}/status/active"
    opened = open_url or _open
    try:
        answer = wait_at_most(patience, lambda: opened(f"{_LIST}{where}/limit/100"))
        sets = cast(list[dict[str, Any]], json.loads(answer)["data"]["dataset"])
    except DpgepError:
        raise
    except HTTPError as error:
        if error.code == 412:  # how the site says that there are no results
            raise ParameterError("OpenML data set", text, "one that openml.org has and has not withdrawn") from error
        raise _no_answer(f"answer {error.code}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise _no_answer("an answer that is no list of data sets") from error
    chosen = min(sets, key=lambda each: int(each["version"]))
    sizes = {each["name"]: float(each["value"]) for each in chosen.get("quality", [])}
    return OpenMLDataset(
        int(chosen["did"]), str(chosen["name"]), int(chosen["version"]),
        int(sizes.get("NumberOfInstances", 0)), int(sizes.get("NumberOfFeatures", 0)),
    )  # fmt: skip


def fetch(found: OpenMLDataset, fetcher: Fetch = fetch_openml, patience: float = PATIENCE_ROWS) -> Upload:
    """Download the rows of a data set, the target in the last column, as an upload."""
    where = f"OpenML {found.number}"
    _check_size(where, found.rows, found.columns)
    bunch: Any = wait_at_most(patience, lambda: _fetch(found, fetcher))
    frame: pd.DataFrame = bunch.frame
    _check_size(where, *frame.shape)
    targets = [str(name) for name in (bunch.get("target_names") or [])]
    order = [*(name for name in frame.columns if str(name) not in targets), *targets]
    table = io.BytesIO()
    _plain(frame[order]).to_parquet(table, index=False)
    upload = receive(f"{found.name}.parquet", table.getvalue())
    details: dict[str, Any] = bunch.get("details") or {}
    source = f"OpenML {found.number}, {found.name} version {found.version}"
    return replace(upload, source=source, licence=str(details.get("licence") or ""))


def wait_at_most(seconds: float, call: Callable[[], Fetched]) -> Fetched:
    """Result or error of a call, waited for so long and no longer: a dead network can hold a call for minutes."""
    answers: Queue[tuple[bool, Any]] = Queue()

    def work() -> None:
        try:
            answers.put((True, call()))
        except Exception as error:  # raised again below, where the caller is
            answers.put((False, error))

    Thread(target=work, daemon=True, name="dpgep-openml").start()
    try:
        well, answer = answers.get(timeout=seconds)
    except Empty:
        raise _no_answer(f"no answer in {seconds:g} seconds") from None
    if well:
        return answer
    if isinstance(answer, HTTPError) or not isinstance(answer, OSError):
        raise answer
    raise _no_answer(str(getattr(answer, "reason", answer)) or type(answer).__name__) from answer


def _open(url: str) -> bytes:
    with urlopen(url, timeout=NETWORK_PATIENCE) as answer:  # the address begins with https, above
        return answer.read(1 << 22)


def _fetch(found: OpenMLDataset, fetcher: Fetch) -> Any:
    with TemporaryDirectory() as folder:
        try:
            return fetcher(
                data_id=found.number, as_frame=True, cache=False, data_home=folder, n_retries=1, parser="auto"
            )
        except (HTTPError, OSError):
            raise
        except Exception as error:
            reason = " ".join(str(error).split())[:200]
            raise DataError(f"OpenML {found.number}", f"cannot be read ({reason})", "a table of rows") from error


def _check_size(where: str, rows: int, columns: int) -> None:
    if columns > MOST_TEXT_COLUMNS:
        raise DataError(where, f"{columns:,} columns", f"at most {MOST_TEXT_COLUMNS:,} columns")
    if 8 * rows * columns > MOST_UNPACKED:
        size = f"{rows:,} rows of {columns:,} columns"
        raise DataError(where, size, f"at most {MOST_UNPACKED / 1e6:,.0f} MB in memory")


def _plain(frame: pd.DataFrame) -> pd.DataFrame:
    """Categories as words, sparse columns written out."""
    made = {
        str(name): column.astype(object).astype("string")
        if isinstance(column.dtype, pd.CategoricalDtype)
        else (np.asarray(column) if isinstance(column.dtype, pd.SparseDtype) else column)
        for name, column in frame.items()
    }
    return pd.DataFrame(made)


def _no_answer(what: str) -> DataError:
    return DataError("openml.org", f"cannot be reached ({what})", "a network; upload a file where there is none")
