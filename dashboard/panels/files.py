"""Download buttons whose file is made when it is asked for."""

from collections.abc import Callable
from threading import Thread
from typing import Literal

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import add_script_run_ctx, get_script_run_ctx


def file_button(
    label: str,
    make: Callable[[], bytes],
    name: str,
    mime: str,
    *,
    key: str,
    disabled: bool = False,
    width: Literal["content", "stretch"] = "content",
    type: Literal["primary", "secondary", "tertiary"] = "secondary",
    help: str | None = None,
) -> None:
    """A download whose file, once made, stays for the session that asked until that session's next run."""
    st.download_button(
        label, kept(make, name, mime, key), name, mime, key=key, on_click="ignore", disabled=disabled, width=width,
        type=type, help=help,
    )  # fmt: skip


def kept(make: Callable[[], bytes], name: str, mime: str, key: str) -> Callable[[], bytes]:
    """Make a file on demand, and hold it for the session.

    Streamlit registers a file made on demand for nobody. The ends of any two script runs, a polling fragment's or
    another session's, then delete it, and a browser that comes for it a moment too late gets nothing. So the file is
    registered as those that are made beforehand are: for its session, until the session runs again or ends.
    """
    context = get_script_run_ctx()

    def made() -> bytes:
        content = make()
        if context is not None and runtime.exists() and runtime.get_instance().is_active_session(context.session_id):
            files = runtime.get_instance().media_file_mgr
            holding = Thread(
                target=files.add, args=(content, mime, f"made.{key}", name), kwargs={"is_for_static_download": True}
            )
            add_script_run_ctx(holding, context)  # whose file it is; Streamlit calls us in a thread without
            holding.start()
            holding.join()
        return content

    return made
