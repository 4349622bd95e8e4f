"""Bring your own rows: send a file or fetch a set, look at it, declare what is public, use it, let it go."""

import shlex
from dataclasses import replace

import pandas as pd
import streamlit as st

from dashboard.export.csv import safe_frame
from dashboard.own_data import uploads
from dashboard.own_data.choices import Choices, sidecar_of
from dashboard.own_data.column_table import MOST_LISTED, SHARE, chosen_columns
from dashboard.own_data.uploads import Kept
from dashboard.panels import data_form
from dashboard.panels.shared import errors_on_page, labels
from dashboard.scenario import UPLOAD
from dashboard.text.words import READS, escape_markdown
from dpgep_core.datasets.findings import Chosen, columns_in_use, findings
from dpgep_core.datasets.glance import Glance, glance
from dpgep_core.datasets.openml import fetch, look_up
from dpgep_core.datasets.readers.options import Reading
from dpgep_core.datasets.upload import MOST_BYTES, UPLOAD_ENDINGS, Upload, receive
from dpgep_core.errors import DpgepError
from dpgep_core.wording import plural

FILE, GLANCE, DONE, WRONG = "up_file", "up_glance", "up_done", "up_wrong"
MANY = 3_000  # columns
STATE = (FILE, GLANCE, DONE, WRONG)


def upload_panel() -> None:
    """The steps, one below the other; each appears when the one before it is done."""
    st.markdown(
        "The file stays in the memory of this session and goes with it: nothing is written to disk, nothing is kept "
        "for other sessions, and nothing in it is ever run."
    )
    sent = st.file_uploader(
        f"A table of your own: {', '.join(UPLOAD_ENDINGS)}", key="up_sent", on_change=_taken_away,
        max_upload_size=MOST_BYTES // 1_000_000,
        help="Rows are samples. CSV and Parquet need a name for each column or none; NPZ the arrays X and y.",
    )  # fmt: skip
    if sent is not None and st.session_state.get("up_id") != sent.file_id:
        st.session_state["up_id"] = sent.file_id
        put_on_desk(sent.name, sent.getvalue())
    if wrong := st.session_state.get(WRONG):
        st.error(escape_markdown(wrong))
    upload: Upload | None = st.session_state.get(FILE)
    if upload is not None:
        _desk(upload)


def _taken_away() -> None:
    """Clear the form when the user removes the file. Leaving the page empties the widget, but does not call this."""
    if st.session_state.get("up_sent") is None:
        st.session_state.pop("up_id", None)
        forget_file()


def put_on_desk(name: str, data: bytes) -> None:
    """Begin with a file, from the uploader or from elsewhere."""
    forget_file()
    uploads.go_with_the_session()
    try:
        st.session_state[FILE] = receive(name, data)
    except DpgepError as error:
        st.session_state[WRONG] = str(error)


def put_upload_on_desk(upload: Upload) -> None:
    """Begin with a file that was checked already."""
    forget_file()
    uploads.go_with_the_session()
    st.session_state[FILE] = upload


def forget_file() -> None:
    """Clear the desk."""
    for key in [key for key in st.session_state if str(key).startswith(data_form.KEY)]:
        del st.session_state[key]
    for key in STATE:
        st.session_state.pop(key, None)


@errors_on_page()
def _desk(upload: Upload) -> None:
    st.subheader(escape_markdown(upload.name), anchor=False)
    written = data_form.writing(upload)
    looked = _glance_of(upload, written)
    _diagnosis(looked)
    found = st.container(key="up_findings")
    st.markdown("**Declare what is public**")
    # A declaration has what was declared: a header or an encoding that was found stays learnt from the rows.
    reading = replace(looked.reading, header=written.header, encoding=written.encoding, missing=data_form.gaps(looked))
    chosen = data_form.choices(upload, looked)
    if looked.columns:
        with found:
            _findings(looked, chosen)
            _show_columns(upload.name, looked, reading, chosen)
    if st.button("Use this data", type="primary", key="up_use"):
        _use(upload, looked, reading, chosen)
    if wrong := st.session_state.pop("up_refused", None):
        st.error(escape_markdown(wrong))
    if done := st.session_state.get(DONE):
        st.success(f"**{escape_markdown(done)}** is the data set of this session now.")
        st.page_link("app_pages/explore.py", label="Explore it →")


def _findings(looked: Glance, chosen: Choices) -> None:
    """Columns of the table that are used, those that are not, and a button for each remedy."""
    words = {*chosen.read_off, *chosen.categories}
    told = Chosen(purpose=chosen.purpose, label=chosen.label, left_out=chosen.drop, words=words)
    st.markdown(f"**{escape_markdown(columns_in_use(looked, told))}**")
    for number, finding in enumerate(findings(looked, told)):
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            st.markdown(escape_markdown(finding.said))
            for place, fix in enumerate(finding.fixes):
                key = f"up_fix_{number}_{place}"
                st.button(escape_markdown(fix.label), key=key, on_click=data_form.apply, args=(fix,))


def _show_columns(where: str, looked: Glance, reading: Reading, chosen: Choices) -> None:
    """A line for each column: whether it is used, what it holds, its share of the rows' length, and its bounds."""
    frame = chosen_columns(where, looked, reading, chosen)
    share = st.column_config.ProgressColumn(format="percent", min_value=0.0, max_value=1.0)
    st.dataframe(safe_frame(frame), hide_index=True, width="stretch", placeholder="–", column_config={SHARE: share})
    if len(looked.columns) > MOST_LISTED:
        st.caption(f"The first {MOST_LISTED:,} columns.")


def _glance_of(upload: Upload, reading: Reading) -> Glance:
    """Glance at the file, computed again only if the file or its format changed."""
    kept: tuple[Upload, Reading, Glance] | None = st.session_state.get(GLANCE)
    if kept is None or kept[0] is not upload or kept[1] != reading:
        with st.spinner("Looking …"):
            kept = (upload, reading, glance(upload, reading))
        st.session_state[GLANCE] = kept
    return kept[2]


def _use(upload: Upload, looked: Glance, reading: Reading, chosen: Choices) -> None:
    """With the form as it stands in this run: what was typed last came with the click."""
    st.session_state.pop(DONE, None)
    try:
        with st.spinner("Reading the rows …"):
            kept = uploads.add(upload, sidecar_of(upload.name, looked, reading, chosen))
    except DpgepError as error:
        st.session_state["up_refused"] = str(error)
        return
    st.session_state[DONE] = kept.data.title
    uploads.choose(kept.data.name)
    st.rerun()


def _diagnosis(looked: Glance) -> None:
    labels(READS)
    if max(looked.d, len(looked.columns)) > MANY:
        st.warning(
            f"More than {MANY:,} columns: every model but PCA forms matrices of that size, squared, and is slow."
        )
    reading = looked.reading
    if not looked.columns:
        classes = plural(len(looked.classes), "class") if looked.classes else "no classes"
        st.markdown(f"**{looked.n:,}** rows, **{looked.d:,}** columns of numbers, {classes}.")
        for warning in looked.warnings:
            st.warning(escape_markdown(warning))
        return
    found = f" Read as {reading.encoding}, fields separated by {data_form.SAID[reading.delimiter]}."
    how = found if reading.encoding else ""
    first = {True: " The first line names the columns.", False: " The first line is a row.", None: ""}[reading.header]
    st.markdown(f"**{looked.n:,}** rows, **{len(looked.columns):,}** columns.{how}{first}")
    for warning in looked.warnings:
        st.warning(escape_markdown(warning))
    frame = pd.DataFrame(looked.preview)
    shown = looked.names[: frame.shape[1]]
    frame.columns = pd.Index([f"{j}: {name}" for j, name in enumerate(shown)])
    st.dataframe(safe_frame(frame), hide_index=True, width="stretch", placeholder="–")
    if len(shown) < len(looked.names):
        st.caption(f"The first {len(shown)} columns.")


def uploads_panel() -> None:
    """A box for each."""
    for key, kept in uploads.session_uploads().items():
        with st.expander(f"{escape_markdown(kept.data.title)}: keep what was declared, or let the rows go"):
            _kept_set(key, kept)


def _kept_set(key: str, kept: Kept) -> None:
    name = key.removeprefix(UPLOAD)
    st.markdown(
        f"On the command line the same set is a file in a folder. Save your file as `{kept.file_name}` and this "
        f"declaration beside it as `{kept.toml_name}`:"
    )
    st.download_button(
        f"Download {kept.toml_name}", kept.sidecar, kept.toml_name, "text/plain", key=f"toml_{key}", on_click="ignore"
    )
    st.code(kept.sidecar, language="toml", wrap_lines=True)
    st.code(f"DPGEP_DATA_DIR=FOLDER dpgep solve --dataset {shlex.quote(name)}", language="bash", wrap_lines=True)
    st.button("Let these rows go", key=f"forget_{key}", on_click=uploads.forget, args=(key,))


def openml_panel() -> None:
    """Ask for a name, fetch it, and go on at the upload's form."""
    st.markdown(
        "The server fetches the rows from openml.org, into this session alone. Everything about them is then declared "
        "as for a file of your own: what their page says of them was usually computed from these rows."
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input("Name or number", key="openml_query", placeholder="iris, or 61")
        st.button("Fetch", type="primary", on_click=_fetch, key="openml_fetch")
    if wrong := st.session_state.pop("openml_wrong", None):
        st.error(escape_markdown(wrong))


def _fetch() -> None:
    """Runs before the page does, so that the part to go on with can be chosen."""
    query = str(st.session_state.get("openml_query", ""))
    try:
        with st.spinner("Asking openml.org …"):
            upload = fetch(look_up(query))
    except DpgepError as error:
        st.session_state["openml_wrong"] = str(error)
        return
    put_upload_on_desk(upload)
    st.session_state["rows"] = "upload"
