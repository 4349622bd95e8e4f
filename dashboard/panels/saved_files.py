"""Saved scenarios to and from a JSON file."""

from collections.abc import Sequence

import streamlit as st

from dashboard.panels.files import file_button
from dashboard.saving import exchange
from dashboard.saving import session as saved
from dashboard.saving.store import Saved, Store
from dashboard.text.words import escape_markdown


def files_panel(store: Store, items: Sequence[Saved]) -> None:
    """Export all; import a file after it was looked at."""
    st.subheader("To and from a file")
    file_button(
        "Export all as JSON", lambda: exchange.dumps(items), "dpgep-scenarios.json", "application/json",
        key="json_all", disabled=not items,
    )  # fmt: skip
    file = st.file_uploader(
        "Import from JSON", type="json", key=f"saved_import_{st.session_state.get('saved_imports', 0)}",
        max_upload_size=max(1, exchange.LARGEST // 1_000_000), help="What Export made, here or elsewhere.",
    )  # fmt: skip
    if file is not None:
        saved.say(_offer, store, file.getvalue(), file.name)
    if said := st.session_state.pop("saved_imported", None):
        st.success(said)


def _offer(store: Store, content: bytes, name: str) -> None:
    items, problems = exchange.loads(content, name)
    if problems:
        st.warning(
            "Kept as they are, and replaced when opened here:\n\n- " + "\n- ".join(map(escape_markdown, problems[:20]))
        )
    st.markdown(f"{len(items)} found: {escape_markdown(', '.join(name for name, _, _ in items[:20]))}")
    if st.button(f"Import {len(items)}", key="saved_do_import", type="primary"):
        added = store.add_all(items)
        st.session_state["saved_imported"] = f"{len(added)} imported."
        st.session_state["saved_imports"] = st.session_state.get("saved_imports", 0) + 1  # another, empty uploader
        st.rerun()
