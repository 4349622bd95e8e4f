"""What a page has is told by its name: a step of the slider sends no frame again."""

import asyncio
import gc
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.requests import Request

from dashboard import server
from dashboard.compute import parcels, reels
from dashboard.compute.jobs import Job
from dashboard.compute.parcels import Parcels
from dashboard.compute.reels import Reels
from dashboard.figures import live_frames


@pytest.fixture
def served(monkeypatch):
    """The parcels of a server that runs."""
    one = Parcels()
    one.open()
    for module in (parcels, live_frames, reels, server):
        monkeypatch.setattr(module, "PARCELS", one)
    return one


def frame(at):
    return live_frames.Frame(at, {"accuracy": at}, "p" * 2000, "", "ü" * 3000, "", (("1", "", None, ""),))


GRID = tuple(float(place) for place in range(26))


def told(here):
    found = [frame(at) for at in GRID]
    return live_frames.track("t", "#000000", "solid", found, GRID, constant=False, here=here)


def test_a_panel_is_told_one_frame_and_the_names_of_the_others(served):
    first, other = told(3.0), told(4.0)
    assert len(json.dumps(told(None)["frames"])) < 1500  # 26 frames of 5 kB were sent at each step
    assert first["frames"]["3"]["points"] == "p" * 2000
    assert all(isinstance(one, str) for place, one in first["frames"].items() if place != "3")
    assert {**first["frames"], "3": None, "4": None} == {**other["frames"], "3": None, "4": None}


def test_names_are_fetched_as_the_frames_they_stand_for(served):
    names = [one for place, one in told(3.0)["frames"].items() if place in ("5", "7")]
    scope = {"type": "http", "headers": [], "path_params": {"names": ",".join([*names, "no-such-name"])}}
    with ThreadPoolExecutor(1) as thread:  # a browser test may have left a loop in this one
        answer = thread.submit(lambda: asyncio.run(server._frames(Request(scope)))).result()
    found = json.loads(answer.body)
    assert answer.headers["cache-control"] == "no-store"
    assert [found[name]["accuracy"] for name in names] == [5.0, 7.0]
    assert found.keys() == set(names)


@pytest.fixture
def working():
    """A job that makes one frame each time it is allowed to."""
    gate = threading.Semaphore(0)

    def items():
        for at in GRID[:3]:
            gate.acquire(timeout=20)
            yield frame(at)

    return Job(items(), 3), gate


def until_made(own, name, count):
    ends = time.monotonic() + 20
    while len(found := own.made([name])[name]) < count:
        assert time.monotonic() < ends
        time.sleep(0.01)
    return found


def test_a_panel_asks_for_the_frames_that_are_made_meanwhile(served, working):
    job, gate = working
    own = Reels()
    name = own.know(job, live_frames.told_text)
    assert name == own.know(job, live_frames.told_text)
    assert own.made([name, "no-such-job"]) == {name: []}
    gate.release()
    first = until_made(own, name, 1)
    assert [(at, json.loads(served.of([one])[one])["accuracy"]) for at, one in first] == [(0.0, 0.0)]
    gate.release(2)
    found = until_made(own, name, 3)
    assert found[0] == first[0]
    assert [at for at, _ in found] == list(GRID[:3])


def test_a_frame_that_was_let_go_is_told_anew(served, working):
    job, gate = working
    own = Reels()
    name = own.know(job, live_frames.told_text)
    gate.release()
    ((_, kept),) = until_made(own, name, 1)
    served._texts.clear()
    assert own.made([name])[name] == [(0.0, kept)]
    assert kept in served.of([kept])


def test_a_job_that_nobody_has_is_forgotten_and_one_that_has_ended_need_not_be_asked(served, working):
    job, gate = working
    own = Reels()
    name = own.know(job, live_frames.told_text)
    gate.release(3)
    until_made(own, name, 3)
    while not job.finished:
        job.look()
    assert own.know(job, live_frames.told_text) is None
    del job, working
    gc.collect()
    assert len(own._reels) <= 1  # the fixture's own
    assert own.made(["no-such-job"]) == {}


def test_without_a_server_frames_are_told_whole():
    assert told(3.0)["frames"]["5"]["accuracy"] == 5.0


def test_texts_that_were_not_named_for_long_make_room():
    some = Parcels(most=250)
    some.open()
    names = [some.name(letter * 100) for letter in "ab"]
    assert some.name("a" * 100) == names[0]
    some.name("c" * 100)
    assert some.of(names) == {names[0]: "a" * 100}


def test_a_name_tells_nothing_to_who_was_not_told_it():
    one, other = Parcels(), Parcels()
    one.open()
    other.open()
    assert one.name("text") != other.name("text")
    assert other.of([one.name("text")]) == {}
