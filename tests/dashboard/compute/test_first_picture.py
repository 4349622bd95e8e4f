"""The rest of a page waits for the first picture: until the browser has drawn it, and not for ever."""

import threading
import time
from functools import partial

import pytest

from dashboard.compute import first_picture
from dashboard.compute.first_picture import FirstPictures
from dashboard.compute.turns import Turns


class MovedError(Exception):
    """The page has moved on."""


@pytest.fixture
def pictures():
    found = FirstPictures()
    found.open()
    return found


def test_without_a_server_nothing_is_awaited():
    assert FirstPictures().expect() is None


def test_the_rest_comes_when_the_picture_is_drawn_and_its_slider_is_ready(pictures):
    """Charts under the first window kept the slider waiting for seconds more."""
    name = pictures.expect()
    began = time.monotonic()
    threading.Timer(0.1, pictures.drawn, [name]).start()
    threading.Timer(0.3, partial(pictures.drawn, ready=True), [name]).start()
    pictures.wait(name, None)
    assert 0.3 <= time.monotonic() - began < first_picture.SLIDER


def test_a_slider_that_takes_long_holds_the_rest_up_no_longer_than_that(pictures, monkeypatch):
    monkeypatch.setattr(first_picture, "SLIDER", 0.2)
    name = pictures.expect()
    pictures.drawn(name)
    began = time.monotonic()
    pictures.wait(name, None)
    assert 0.2 <= time.monotonic() - began < first_picture.MOST


def test_while_the_slider_is_made_ready_jobs_have_the_processor_of_the_page(pictures, monkeypatch):
    own, seen = Turns(at_once=2), []
    monkeypatch.setattr(first_picture, "TURNS", own)
    name = pictures.expect()

    def look():
        seen.append(bool(own._drawing))
        pictures.drawn(name, ready=len(seen) > 3)

    with own.drawing():
        pictures.wait(name, look)
    assert (seen[0], seen[-1]) == (True, False)


def test_a_picture_that_was_drawn_before_holds_nothing_up(pictures):
    name = pictures.expect()
    pictures.drawn(name)
    pictures.drawn(name, ready=True)
    began = time.monotonic()
    pictures.wait(name, None)
    assert time.monotonic() - began < 1


def test_a_browser_that_does_not_answer_gets_the_rest_all_the_same(pictures, monkeypatch):
    monkeypatch.setattr(first_picture, "MOST", 0.2)
    pictures.wait(pictures.expect(), None)
    assert pictures._awaited == {}


def test_a_page_that_moves_on_does_not_wait_and_nothing_of_it_stays(pictures):
    def wanted():
        raise MovedError

    with pytest.raises(MovedError):
        pictures.wait(pictures.expect(), wanted)
    assert pictures._awaited == {}


def test_names_of_nobody_are_passed_over(pictures):
    pictures.drawn("made up")
    assert pictures._awaited == {}
