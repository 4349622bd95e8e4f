"""Pages other than the first, opened by their address."""

import time

from page import ENTRY, written
from streamlit.testing.v1 import AppTest

from dashboard.compute.turns import TURNS
from dashboard.pages import OWNER

PATIENCE = 120.0  # seconds


def open_at(page, state=(), **query):
    """A page as a browser would open it, without one; ``state`` is what its controls were left at."""
    app = AppTest.from_file(ENTRY, default_timeout=120)
    for name, value in dict(state).items():
        app.session_state[name] = value
    for name, text in query.items():
        app.query_params[name] = text
    return app.switch_page(f"app_pages/{page}.py").run()


def sound(app):
    """No exception, no error; returns what the page says."""
    assert [e.value for e in app.exception] == []
    assert [e.value for e in app.error] == []
    return written(app) + "\n".join(str(t.value.to_dict()) for t in app.table)


def query(app):
    """The address, one value a name, as the browser shows it: without the page that it belongs to."""
    found = {name: value[-1] if isinstance(value, list) else value for name, value in app.query_params.items()}
    return {name: value for name, value in found.items() if name != OWNER}


def until(true):
    """Wait for it."""
    ends = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < ends, "it took too long"
        time.sleep(0.05)


def filled(app, ready):
    """What the page says once work beside it has shown itself: looked at when that work rests, not all the while."""

    def looked():
        until(lambda: not TURNS.jobs)
        return ready(sound(app.run()))

    until(looked)
    return sound(app)


def press(app, label):
    """Click the button of that label; the page as it is then."""
    next(button for button in app.button if button.label == label).click().run()
    return app
