"""A file made on demand is there when the browser comes for it, and goes with its session."""

import ast
from pathlib import Path
from types import SimpleNamespace

import pytest
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.memory_media_file_storage import MediaFileStorageError, MemoryMediaFileStorage

from dashboard import server as lab
from dashboard.panels import shared

DASHBOARD = Path(shared.__file__).parent.parent
NAME, MIME, CONTENT = "dpgep-wine.csv", "text/csv", b"a,b\n1,2\n"


class Server:
    """Streamlit's own store of files, and one session."""

    def __init__(self):
        self.storage = MemoryMediaFileStorage("/media")
        self.media_file_mgr = MediaFileManager(self.storage)
        self.sessions = {"mine"}

    def is_active_session(self, session):
        return session in self.sessions

    def click(self, make):
        """What a click on a deferred download does; returns how to come for the file."""
        url = self.media_file_mgr.execute_deferred(self.media_file_mgr.add_deferred(make, MIME, "1.(3).5", NAME))
        name = url.rsplit("/", 1)[1]
        return lambda: self.storage.get_file(name).content

    def runs_end(self, times):
        for _ in range(times):
            self.media_file_mgr.remove_orphaned_files()


@pytest.fixture
def server(monkeypatch):
    server = Server()
    monkeypatch.setattr(shared, "runtime", SimpleNamespace(exists=lambda: True, get_instance=lambda: server))
    session = SimpleNamespace(session_id="mine", pages_manager=SimpleNamespace(main_script_hash=""))
    monkeypatch.setattr(shared, "get_script_run_ctx", lambda: session)
    return server


def test_two_runs_that_end_take_a_file_that_nobody_holds(server):
    """Why this exists: should it pass no more, Streamlit has mended it."""
    file = server.click(lambda: CONTENT)
    server.runs_end(2)
    with pytest.raises(MediaFileStorageError):
        file()


def test_a_kept_file_waits_for_its_browser_and_goes_with_its_session(server):
    file = server.click(shared.held_for_session(lambda: CONTENT, NAME, MIME, "csv"))
    server.runs_end(5)
    assert file() == CONTENT
    server.media_file_mgr.clear_session_refs("mine")
    server.runs_end(2)
    with pytest.raises(MediaFileStorageError):
        file()


def test_a_second_file_of_a_button_takes_the_place_of_the_first(server):
    first = server.click(shared.held_for_session(lambda: CONTENT, NAME, MIME, "csv"))
    second = server.click(shared.held_for_session(lambda: b"other", NAME, MIME, "csv"))
    server.runs_end(5)
    assert second() == b"other"
    with pytest.raises(MediaFileStorageError):
        first()


def test_nothing_is_kept_for_a_session_that_has_gone(server):
    server.sessions.clear()
    file = server.click(shared.held_for_session(lambda: CONTENT, NAME, MIME, "csv"))
    server.runs_end(2)
    with pytest.raises(MediaFileStorageError):
        file()


def deferred(source):
    """Lines of Streamlit's own download buttons that are given a function."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "download_button"
        and any(isinstance(given, ast.Lambda | ast.Call) and not _bytes(given) for given in _data(node))
    ]


def _data(call):
    return [*call.args[1:2], *(named.value for named in call.keywords if named.arg == "data")]


def _bytes(node):
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "encode"


def test_no_page_makes_a_file_on_demand_without_keeping_it():
    assert deferred('st.download_button("a", lambda: b"", "n")') == [1]
    assert deferred('st.download_button("a", data=lambda: b"")') == [1]
    assert deferred('st.download_button("a", text.encode(), "n")') == []
    found = {path.name for path in DASHBOARD.rglob("*.py") if deferred(path.read_text(encoding="utf-8"))}
    assert found == {"shared.py"}


@pytest.fixture
def clock(server, monkeypatch):
    """The time by which functions behind buttons are kept."""
    clock = SimpleNamespace(now=100.0)
    monkeypatch.setattr(lab, "time", SimpleNamespace(monotonic=lambda: clock.now))
    monkeypatch.setattr(lab, "runtime", SimpleNamespace(exists=lambda: True, get_instance=lambda: server))
    monkeypatch.setattr("streamlit.runtime.media_file_manager._get_session_id", lambda: "mine")
    return clock


def shown_button(server):
    """A button of a page that is drawn anew meanwhile, and another page's runs that end."""
    name = server.media_file_mgr.add_deferred(lambda: CONTENT, MIME, "1.(3).5", NAME)
    server.media_file_mgr.clear_session_refs("mine")
    server.runs_end(3)
    return lambda: server.media_file_mgr.execute_deferred(name)


@pytest.mark.usefixtures("clock")
def test_a_button_of_a_page_that_is_drawn_anew_is_dead(server):
    """Why this exists: should it pass no more, Streamlit has mended it."""
    with pytest.raises(MediaFileStorageError, match="not found"):
        shown_button(server)()


def test_a_button_works_while_its_page_is_drawn_anew_and_not_for_ever(server, clock):
    server.media_file_mgr = lab.PatientFiles(server.storage)
    press = shown_button(server)
    assert press().endswith(".csv")
    server.media_file_mgr.add_deferred(lambda: CONTENT, MIME, "1.(3).5", NAME)  # the page has others
    clock.now += lab.HELD - 1
    server.runs_end(2)
    press()
    clock.now += 2
    server.runs_end(1)
    with pytest.raises(MediaFileStorageError, match="not found"):
        press()


def test_a_button_works_for_as_long_as_its_page_has_no_others(server, clock):
    """On a busy machine a page that is drawn anew takes longer than a button was kept: its file could not be had."""
    server.media_file_mgr = lab.PatientFiles(server.storage)
    press = shown_button(server)
    clock.now += 2 * lab.HELD
    server.runs_end(2)
    press()
    clock.now += lab.LONGEST - 2 * lab.HELD
    server.runs_end(1)
    with pytest.raises(MediaFileStorageError, match="not found"):
        press()


@pytest.mark.usefixtures("clock")
def test_buttons_of_a_session_that_has_gone_go_at_once(server):
    server.media_file_mgr = lab.PatientFiles(server.storage)
    press = shown_button(server)
    server.sessions.clear()
    server.runs_end(1)
    with pytest.raises(MediaFileStorageError, match="not found"):
        press()
