"""A report holds every figure, whichever tab is open, and says of one that is not complete that it is not."""

from dataclasses import replace
from threading import Event

import pytest

from dashboard import cache
from dashboard.compute.axes import AXES
from dashboard.compute.jobs import Job
from dashboard.figures.style import Style
from dashboard.panels import report
from dashboard.panels.shared import scene_at
from dashboard.scenario import from_query
from dpgep_core.datasets import load_dataset


@pytest.fixture
def scene(monkeypatch, brief):
    monkeypatch.setitem(AXES, "epsilon", replace(AXES["epsilon"], points=(0.1, 1.0)))
    scenario, _ = from_query({"dataset": "wine", "algorithms": "ssp,dpsr"})
    return scene_at(scenario, load_dataset("wine"), Style())


def test_every_figure_of_every_tab_is_in_it(scene):
    specs = {spec.key: spec for spec in report.report_figures(scene, None, {})}
    assert specs.keys() == {
        "epsilon_bars", "dots_ssp", "trade_ssp", "against", "by_iteration", "draws", "projection_0", "projection_1",
        "projection_2", "classifiers", "components", "spectra_ssp",
    }  # fmt: skip
    for spec in specs.values():
        assert spec.alt
        assert spec.title
        assert "seed 0" in spec.caption
        assert "seed known: not private" in spec.caption
        assert "Not complete" not in spec.caption
        assert spec.rows is not None
        assert len(spec.rows)
        light, dark = spec.figure(dark=False), spec.figure(dark=True)
        assert light.layout.font.color != dark.layout.font.color


def test_the_choices_of_the_page_are_kept(scene):
    choices = {"over": "xi", "metric": "angle", "across": 2, "up": 1, "component": 2, "classifiers": []}
    specs = {spec.key: spec for spec in report.report_figures(scene, None, choices)}
    assert specs["against"].title == "Mean principal angle to exact (degrees) against Ridge ξ"
    assert specs["projection_0"].caption.startswith("Component 2 across, 1 up")
    assert specs["components"].title == "The largest loadings of component 2"
    assert set(specs["classifiers"].rows["classifier"]) == {"LDA"}


def test_what_is_not_complete_says_so(scene, monkeypatch):
    ends = Event()

    def never():
        ends.wait(60)
        yield from ()

    endless = Job(never(), 20)
    monkeypatch.setattr(cache, "redraws", lambda *_: endless)
    monkeypatch.setattr(report, "WAIT", 0.3)
    specs = {spec.key: spec for spec in report.report_figures(scene, None, {"classifiers": []})}
    ends.set()
    assert specs["draws"].caption.startswith("Not complete: 0 % was computed. ")
