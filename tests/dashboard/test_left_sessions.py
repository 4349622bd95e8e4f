"""A page that was closed is not kept in memory for ever."""

from types import SimpleNamespace

from dashboard import cache
from dashboard.left_sessions import COMES_BACK, close_left
from dashboard.scenario import Scenario
from dpgep_core.datasets import load_dataset


class _Server:
    """What is asked of Streamlit's runtime."""

    def __init__(self, *names):
        self.names, self.open = set(names), set(names)
        self._session_mgr = SimpleNamespace(
            list_sessions=lambda: [SimpleNamespace(session=SimpleNamespace(id=name)) for name in sorted(self.names)]
        )

    def is_active_session(self, name):
        return name in self.open

    def close_session(self, name):
        assert name not in self.open
        self.names.remove(name)


def test_sessions_without_a_page_are_closed_after_a_while_and_others_never():
    server, left = _Server("stays", "leaves", "comes back"), {}
    server.open = {"stays"}
    close_left(server, left, 0.0)
    server.open.add("comes back")
    close_left(server, left, COMES_BACK - 1)
    assert server.names == {"stays", "leaves", "comes back"}
    close_left(server, left, COMES_BACK)
    assert server.names == {"stays", "comes back"}
    server.open.remove("comes back")
    close_left(server, left, COMES_BACK + 10)  # its time begins again
    close_left(server, left, 2 * COMES_BACK)
    assert server.names == {"stays", "comes back"}
    close_left(server, left, 2 * COMES_BACK + 10)
    assert server.names == {"stays"}
    server.names.clear()
    close_left(server, left, 3 * COMES_BACK)
    assert left == {}


def test_the_runtime_of_the_streamlit_that_is_installed_can_be_asked():
    from streamlit.runtime import Runtime
    from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

    assert all(callable(getattr(Runtime, name)) for name in ("is_active_session", "close_session"))
    assert callable(WebsocketSessionManager.list_sessions)


def test_seeds_of_small_tables_do_not_drive_out_the_reference_of_a_large_one():
    """It was made again and again, while what was made before was still held."""
    large = Scenario(dataset="synthetic_sparse", model="pca", algorithms=("ssp",))
    rows = load_dataset("synthetic_sparse")
    kept = cache.reference_of(large, rows)
    wine = load_dataset("wine")
    for seed in range(20):
        cache.reference_of(Scenario(dataset="wine", model="fda", algorithms=("ssp",), seed=seed), wine)
    assert cache.reference_of(large, rows) is kept
