"""Login through OpenID Connect, where the server's ``secrets.toml`` has an ``[auth]`` section; else nothing changes."""

from importlib.util import find_spec

import streamlit as st

from dashboard.text.words import escape_markdown

NEEDED = ("authlib", "httpx")  # what Streamlit's login takes
ASK = "This server asks who you are before it shows anything."


def has_login() -> bool:
    """Whether there is a login: Streamlit then knows of everyone whether they are logged in."""
    return "is_logged_in" in st.user


def require_login() -> None:
    """End the page at a login button until someone is logged in; then say who, and offer to log out."""
    if not has_login():
        return
    if not st.user.is_logged_in:
        st.title("DP-GEP Lab")
        st.markdown(ASK)
        if missing := [name for name in NEEDED if find_spec(name) is None]:
            st.error(
                f"A login is configured, and the server lacks {', '.join(missing)}: pip install 'dpgep-lab[login]'."
            )
        else:
            st.button("Log in", on_click=st.login, type="primary")
        st.stop()
    name = str(st.user.get("name") or st.user.get("email") or st.user.get("sub") or "someone")
    with st.sidebar, st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"Logged in as {escape_markdown(name)}")
        st.button("Log out", on_click=st.logout, type="tertiary")


def owner() -> str:
    """Key of a user's saved scenarios: issuer and subject, which never change; "" if there is no login."""
    if not has_login() or not st.user.is_logged_in:
        return ""
    return f"{st.user.get('iss', '')} {st.user.get('sub', '')}"
