"""Login where it is configured, and nothing of it where it is not."""

import pytest
from page import ENTRY, written
from streamlit.testing.v1 import AppTest

from dashboard import login


class User(dict):
    """Visitor that Streamlit reports."""

    is_logged_in = property(lambda self: self["is_logged_in"])


def opened(monkeypatch, user, installed=True):
    monkeypatch.setattr(login, "find_spec", lambda _name: object() if installed else None)
    monkeypatch.setattr(login.st, "user", User(user))
    page = AppTest.from_file(ENTRY, default_timeout=120)
    page.query_params["dataset"] = "wine"
    return page.switch_page("app_pages/methods.py").run()


def test_without_configuration_nothing_changes(monkeypatch, capfd):
    page = opened(monkeypatch, {})
    assert [e.value for e in page.exception] == []
    assert "Log" not in " ".join(b.label for b in page.button)
    assert login.owner() == ""
    assert "secrets" not in "".join(capfd.readouterr())


def test_before_login_there_is_nothing_but_the_button(monkeypatch):
    page = opened(monkeypatch, {"is_logged_in": False})
    assert [e.value for e in page.exception] == []
    assert [b.label for b in page.button] == ["Log in"]
    assert login.ASK in written(page)
    assert len(page.selectbox) == len(page.metric) == len(page.get("plotly_chart")) == 0
    assert login.owner() == ""


def test_a_login_that_cannot_work_is_said(monkeypatch):
    page = opened(monkeypatch, {"is_logged_in": False}, installed=False)
    assert [e.value for e in page.exception] == []
    (error,) = [e.value for e in page.error]
    assert "lacks authlib, httpx" in error
    assert len(page.button) == 0


def test_after_login_the_pages_and_who_it_is(monkeypatch):
    user = {"is_logged_in": True, "iss": "https://id.example", "sub": "7", "name": "![p](http://evil.example/p.png)"}
    page = opened(monkeypatch, user)
    assert [e.value for e in page.exception] == []
    assert "Log out" in [b.label for b in page.button]
    assert "Logged in as" in written(page)
    assert "![p](" not in written(page).replace("\\!", "")
    assert login.owner() == "https://id.example 7"


@pytest.mark.parametrize("named", [{"email": "a@b.example"}, {"sub": "7"}, {}])
def test_everyone_has_some_name(monkeypatch, named):
    assert "Logged in as" in written(opened(monkeypatch, {"is_logged_in": True, **named}))
