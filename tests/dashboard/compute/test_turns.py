"""Protects who computes when: pages in a row, so many at once; jobs beside them, and never starved."""

import threading
import time
from functools import partial

import pytest

from dashboard.compute import jobs, turns
from dashboard.compute.hands import Hands
from dashboard.compute.jobs import FIRST, LATER, AheadJob, ParallelJob
from dashboard.compute.turns import SPARE, Turns
from dpgep_core import wanted

PATIENCE = 20.0
COSTS = {"cheap": 0.002, "costly": 0.02}  # seconds of an item


def until(true, seconds=PATIENCE):
    ends = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < ends
        time.sleep(0.002)


class Page(threading.Thread):
    """A page that solves until it is let go."""

    def __init__(self, of, order, name, wanted=None):
        super().__init__(daemon=True)
        self.go, self.solves, self.ended = threading.Event(), False, None
        self._of, self._order, self._name, self._check = of, order, name, wanted

    def run(self):
        try:
            with self._of.solving(self._check):
                self._order.append(self._name)
                self.solves = True
                self.go.wait(PATIENCE)
        except InterruptedError as error:
            self.ended = error


def test_pages_solve_in_the_order_in_which_they_asked_and_so_many_at_once():
    of, order = Turns(at_once=2), []
    pages = []
    for name in range(5):
        pages.append(Page(of, order, name))
        pages[-1].start()
        until(lambda: len(of._waiting) + len(of._solving) == len(pages))
    until(lambda: len(order) == 2)
    time.sleep(0.05)
    assert order == [0, 1]
    for done in range(5):
        pages[done].go.set()
        until(lambda done=done: len(order) == min(5, done + 3))
    assert order == [0, 1, 2, 3, 4]
    until(lambda: of.idle)


def test_a_page_that_is_closed_while_it_waits_never_solves():
    closed = threading.Event()

    def wanted():
        if closed.is_set():
            raise InterruptedError

    of, order = Turns(at_once=1), []
    first, second, third = Page(of, order, "first"), Page(of, order, "second", wanted), Page(of, order, "third")
    for page in (first, second, third):
        page.start()
        until(lambda page=page: page.solves or of._waiting)
    closed.set()
    until(lambda: second.ended is not None)
    first.go.set()
    until(lambda: third.solves)
    assert order == ["first", "third"]
    third.go.set()


def test_whoever_has_a_turn_needs_no_other():
    of = Turns(at_once=1)
    with of.solving(None), of.solving(None):
        assert len(of._solving) == 1
    with of.item(FIRST, 0.0) as has, of.solving(None):
        assert has
        assert not of._solving
    assert of.idle


def test_jobs_leave_a_processor_to_a_page_that_is_drawn_and_all_to_pages_that_solve(monkeypatch):
    of = Turns(at_once=2)
    of._last_item = time.monotonic()
    with of.item(FIRST, 0.0) as one, of.item(FIRST, 0.0) as two, of.item(FIRST, 0.0) as three:
        assert (one, two, three) == (True, True, False)
    with of.drawing(), of.item(FIRST, 0.0) as one, of.item(FIRST, 0.0) as two:
        assert (one, two) == (True, False)
    of._solving = {threading.Thread(), threading.Thread()}
    with of.item(FIRST, 0.0) as one:
        assert not one
    monkeypatch.setattr(turns, "STARVED", 0.0)
    with of.item(FIRST, 0.0) as one, of.item(FIRST, 0.0) as two:
        assert (one, two) == (True, False)  # one now and then, however many pages there are


def test_higher_ranks_wait_while_a_job_of_a_lower_one_is_at_work():
    of = Turns(at_once=2)
    with of.job(FIRST), of.item(LATER, 0.0) as later, of.item(FIRST, 0.0) as first:
        assert (later, first) == (False, True)
    with of.item(LATER, 0.0) as later:
        assert later


def test_of_those_that_wait_the_one_with_the_lowest_order_goes_first():
    """Three methods begin together: once the ends of one of them waited for all places of another."""
    of, began = Turns(at_once=1), []

    def ask(order):
        with of.item(FIRST, PATIENCE, order) as has:
            assert has
            began.append(order)

    with of.item(FIRST, 0.0):
        threads = [threading.Thread(target=ask, args=[order]) for order in ((1, 0.2), (0, 5.0), (1, 0.1), (0, 1.0))]
        for thread in threads:
            thread.start()
        until(lambda: len(of._asking) == 4)
    for thread in threads:
        thread.join()
    assert began == [(0, 1.0), (0, 5.0), (1, 0.1), (1, 0.2)]
    assert not of._asking


def test_jobs_begin_with_what_can_be_dragged_and_then_share_the_processors(monkeypatch):
    monkeypatch.setattr(jobs, "TURNS", Turns(at_once=1))
    monkeypatch.setattr(ParallelJob, "threads", 1)
    made, gate = [], threading.Event()

    def part(name, seconds):
        gate.wait(PATIENCE)
        ends = time.thread_time() + seconds
        while time.thread_time() < ends:
            pass
        made.append(name)

    both = [ParallelJob(iter([partial(part, *one)] * 9), 9, FIRST, urgent=3) for one in COSTS.items()]
    for job in both:
        job.look()
    until(lambda: len(jobs.TURNS._asking) == 1)
    gate.set()
    until(lambda: all(job.look() is not None and job.finished for job in both))
    assert sorted(made[:6]) == ["cheap"] * 3 + ["costly"] * 3
    last = max(number for number, name in enumerate(made) if name == "cheap")
    assert made[:last].count("costly") <= 6  # by turns it would be eight


def test_a_page_that_waits_for_its_browser_leaves_its_processor_to_jobs():
    of = Turns(at_once=2)
    of._last_item = time.monotonic()
    with of.drawing():
        with of.resting(), of.item(FIRST, 0.0) as one, of.item(FIRST, 0.0) as two:
            assert (one, two) == (True, True)
        with of.item(FIRST, 0.0) as one, of.item(FIRST, 0.0) as two:
            assert (one, two) == (True, False)
    with of.resting():
        assert of.idle
    assert of.idle


def test_what_nobody_waits_for_has_the_turns_that_are_left_over_and_one_at_a_time():
    of = Turns(at_once=2)
    with of.solving(None), of.item(SPARE, 0.0) as spare:
        assert not spare
    with of.drawing(), of.item(SPARE, 0.0) as spare:
        assert not spare
    with of.job(LATER), of.item(SPARE, 0.0) as spare:
        assert not spare
    with of.item(SPARE, 0.0) as spare, of.item(SPARE, 0.0) as other:
        assert (spare, other) == (True, False)


def test_what_may_be_asked_next_is_made_nearest_first_and_follows_the_page(monkeypatch):
    monkeypatch.setattr(jobs, "TURNS", Turns(at_once=1))
    made, go = [], threading.Semaphore(0)

    def make(place):
        go.acquire(timeout=PATIENCE)
        made.append(place)

    job = AheadJob([0.1, 0.2, 0.4, 0.8, 1.6], make)
    job.look_from(0.2)
    go.release()
    until(lambda: len(made) == 1)
    job.look_from(1.6)
    for _ in range(4):
        go.release()
    until(lambda: job.finished)
    assert made[0] == 0.2
    assert made[2:] in ([1.6, 0.8, 0.4], [1.6, 0.8, 0.1], [0.8, 0.4, 0.1])  # the second may have been begun before
    assert sorted(made) == [0.1, 0.2, 0.4, 0.8, 1.6]


def test_a_place_at_which_a_hand_rests_is_made_before_all_others(monkeypatch):
    """Letting go of the slider there once waited for a pass over the rows from its beginning."""
    monkeypatch.setattr(jobs, "TURNS", Turns(at_once=1))
    made, hands = [], Hands()
    job = AheadJob([0.1, 0.2, 0.4], made.append)
    hands.know("mine", [job])
    hands.rest("another", 1)
    hands.rest("mine", 7)
    hands.rest("mine", 2)
    until(lambda: made == [0.4])
    hands.rest("mine", 2)
    job.look_from(0.4)
    until(lambda: job.finished)
    assert made == [0.4, 0.2, 0.1]


def test_what_was_begun_for_a_hand_ends_when_it_moves_on_and_is_made_later(monkeypatch):
    own = Turns(at_once=1)
    monkeypatch.setattr(jobs, "TURNS", own)
    begun, ended, hands = threading.Event(), threading.Event(), Hands()

    def make(_place):
        check = wanted.look()
        begun.set()
        try:
            until(lambda: check())
        except wanted.NotWantedError:
            ended.set()
            raise

    job = AheadJob([0.1, 0.2], make)
    hands.know("mine", [job])
    hands.rest("mine", 0)
    assert begun.wait(PATIENCE)
    assert not own.idle
    hands.rest("mine", None)
    assert ended.wait(PATIENCE)
    until(lambda: own.idle)
    until(lambda: sorted(job._left) == [0.1, 0.2])


def test_independent_items_are_made_at_once_and_each_is_made_once(monkeypatch):
    own = Turns(at_once=3)
    monkeypatch.setattr(jobs, "TURNS", own)
    monkeypatch.setattr(ParallelJob, "threads", 3)
    together = threading.Barrier(3, timeout=PATIENCE)

    def part(number):
        if number < 3:
            together.wait()  # passes when three are there
        return number

    job = ParallelJob((lambda number=number: part(number) for number in range(9)), 9, FIRST)
    until(lambda: job.look() is not None and job.finished)
    assert sorted(job.look()) == list(range(9))
    assert job.error is None


def test_an_error_of_one_part_ends_the_job_and_keeps_what_was_found(monkeypatch):
    monkeypatch.setattr(jobs, "TURNS", Turns(at_once=2))
    monkeypatch.setattr(ParallelJob, "threads", 2)

    def failing():
        raise ValueError("ridge")

    job = ParallelJob(iter([lambda: 1, failing]), 2, FIRST)
    until(lambda: job.look() is not None and job.finished)
    assert set(job.look()) <= {1}
    assert str(job.error) == "ridge"


@pytest.mark.parametrize("found", [1, 4])
def test_there_is_at_least_one_processor(monkeypatch, found):
    monkeypatch.setattr(turns.os, "sched_getaffinity", lambda _: set(range(found)), raising=False)
    assert Turns().at_once == found


def test_a_thread_that_ended_without_a_word_holds_no_turn():
    of, order = Turns(at_once=1), []
    of._solving = of._drawing = {gone := threading.Thread(target=lambda: None)}
    gone.start()
    gone.join()
    page = Page(of, order, "next")
    page.start()
    until(lambda: page.solves)
    page.go.set()
    page.join()
    with of.item(FIRST, 0.0) as has:
        assert has
