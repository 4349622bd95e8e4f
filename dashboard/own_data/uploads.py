"""The data sets that a session brought along. They are in the session's state and nowhere else, and go with it."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from threading import Timer
from typing import Any

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dashboard.cache import mark_own
from dashboard.scenario import UPLOAD
from dpgep_core.datasets import Dataset, dataset_names, load_dataset
from dpgep_core.datasets.readers.sidecar import Sidecar
from dpgep_core.datasets.readers.sidecar_text import sidecar_text
from dpgep_core.datasets.upload import MOST_UNPACKED, Upload, read_upload
from dpgep_core.errors import DataError, DpgepError

_STATE, _NEXT = "uploads", "upload_next"
_STOPPED = 10.0  # seconds after which a run that was told to stop has stopped


@dataclass(frozen=True)
class Kept:
    """One uploaded set.

    Parameters
    ----------
    data : Dataset
        The rows. The file itself is not kept.
    file_name : str
        What the file has to be called in a folder, beside ``NAME.toml``.
    sidecar : str
        That TOML.
    """

    data: Dataset
    file_name: str
    sidecar: str = field(repr=False)

    @property
    def toml_name(self) -> str:
        """Name that the sidecar file needs."""
        return f"{self.data.name.removeprefix(UPLOAD)}.toml"


def session_uploads() -> Mapping[str, Kept]:
    """Data sets that this session uploaded, by key."""
    return st.session_state.setdefault(_STATE, {})


def find_dataset(name: str) -> Dataset:
    """Data set that this session uploaded, or that everybody has."""
    own = session_uploads().get(name)
    return load_dataset(name) if own is None else own.data


def add(upload: Upload, sidecar: Sidecar) -> Kept:
    """Read an upload as declared and keep the set in this session; an earlier one of that name gives way."""
    slug = _free_name(upload.slug)
    key = f"{UPLOAD}{slug}"
    sidecar = replace(
        sidecar,
        title=sidecar.title or upload.name,
        source=sidecar.source or upload.source or f"file {upload.name}",
        licence=sidecar.licence or upload.licence,
    )
    data = read_upload(upload, sidecar, key=key)
    _check_room({name: kept.data for name, kept in session_uploads().items()} | {key: data})
    mark_own(data)
    kept = Kept(data, f"{slug}{upload.ending}", sidecar_text(sidecar))
    st.session_state[_STATE] = {**session_uploads(), key: kept}
    go_with_the_session()
    return kept


def choose(key: str) -> None:
    """Select a data set in the next run. The widget of this run exists already and cannot change."""
    st.session_state[_NEXT] = key


def chosen_next() -> str | None:
    """Key that `choose` selected since the last run, once."""
    return st.session_state.pop(_NEXT, None)


def forget(key: str) -> None:
    """Let an uploaded set go."""
    st.session_state[_STATE] = {name: kept for name, kept in session_uploads().items() if name != key}


def _check_room(sets: Mapping[str, Dataset]) -> None:
    """Limit of what one session may hold in all."""
    total = sum(data.X.nbytes for data in sets.values())
    if total > MOST_UNPACKED:
        held, most = f"{total / 1e6:,.0f} MB of rows in this session", f"at most {MOST_UNPACKED / 1e6:,.0f} MB"
        raise DataError("uploads", held, f"{most}: let some go first")


def _free_name(slug: str) -> str:
    """Name that no other data set has. The same file in a folder would get the same name."""
    try:
        taken = set(dataset_names())
    except DpgepError:  # the folder cannot be read
        taken = set[str]()
    while slug in taken or f"{UPLOAD}{slug}" in taken:
        slug += "_mine"
    return slug


@dataclass(frozen=True, eq=False)
class _Held:
    """Places of a session that hold on to rows: its state, and the parts of pages that run alone."""

    state: Any
    parts: Any

    def let_go(self) -> None:
        """Empty both, and again when a run that was still going on has stopped."""
        self._empty()
        again = Timer(_STOPPED, self._empty)
        again.daemon = True
        again.start()

    def _empty(self) -> None:
        self.parts.clear()
        for key in list(self.state.filtered_state):
            with suppress(KeyError):  # gone meanwhile
                del self.state[key]


@st.cache_resource(scope="session", show_spinner=False, on_release=_Held.let_go)
def _at_the_end(_held: _Held) -> _Held:
    """Register what must be freed when the page is closed: the server may keep its last session in memory for long."""
    return _held


def go_with_the_session() -> None:
    """Make this session end when its page is closed: it holds uploaded rows and must not wait for someone to return."""
    context = get_script_run_ctx()
    if context is None or not runtime.exists():
        return
    server = runtime.get_instance()
    if hasattr(server, "mark_session_nonresumable"):
        server.mark_session_nonresumable(context.session_id)
    _at_the_end(_Held(context.session_state, context.fragment_storage))
