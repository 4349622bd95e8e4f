"""TaskProcesses beside the server: one for each name, a few at once, ended by closing what they listen to."""

import pytest
from lab import until

from dashboard.compute.task_processes import AT_ONCE, TaskProcesses
from dpgep_core.errors import ParameterError

LISTENS = "code"  # a module of Python's that runs until its input ends


@pytest.fixture
def some():
    found = TaskProcesses()
    yield found
    found.close()


def test_a_name_that_runs_is_left_to_run(some):
    some.start("one", LISTENS)
    first = some.running("one")
    some.start("one", LISTENS)
    assert some.running("one") is first
    assert some.busy() == ["one"]


def test_only_so_many_and_then_there_is_room_again(some):
    for i in range(AT_ONCE):
        some.start(str(i), LISTENS)
    with pytest.raises(ParameterError, match="run must be started once one of the 2 that are running has ended"):
        some.start("more", LISTENS)
    some.start("0", LISTENS)  # runs already
    assert some.running("more") is None
    some.cancel("0")
    assert some.running("0").cancelled
    until(lambda: "0" not in some.busy())
    some.start("more", LISTENS)
    assert set(some.busy()) == {"1", "more"}


def test_its_last_word_says_why_it_ended(some):
    some.start("none", "dashboard.no_such_module")
    until(lambda: some.running("none").failed is not None)
    assert "the process ended with 1" in some.running("none").failed
    assert "No module named dashboard.no_such_module" in some.running("none").failed


def test_closing_ends_all(some):
    some.start("one", LISTENS)
    some.close()
    assert some.busy() == []
