"""The story about publishing: a seed that gives all away, a budget, power cuts, and a page that says what is paid."""

from dataclasses import replace

import numpy as np
import pytest

from dashboard.compute.publishing import (
    HERE,
    OTHERWISE,
    asked_release,
    crashes,
    second_budget,
    statement_header,
    subtracted_seed,
)
from dashboard.panels.story_file import DRAWN, scene_of
from dashboard.panels.story_release import crash_rows, statement_paper
from dashboard.scenario import Scenario
from dpgep_core.datasets import load_dataset
from dpgep_core.publishing.pricing import ReleaseRequest
from dpgep_core.publishing.releasing import publish

WINE = {"dataset": "wine", "algorithms": "ssp", "epsilon": "0.25"}


def test_a_known_seed_is_subtracted_and_another_one_is_not():
    data, scenario = load_dataset("wine"), Scenario(dataset="wine", algorithms=("ssp",), epsilon=0.1)
    found = subtracted_seed(scenario, data)
    assert found.error < 1e-14
    assert np.abs(found.noise).max() > np.abs(found.exact).max()
    other = subtracted_seed(replace(scenario, seed=1), data)
    assert np.abs(found.left - other.noise - found.exact).max() > 0.1 * np.abs(found.exact).max()


def test_a_second_release_is_counted_or_refused():
    data = load_dataset("wine")
    budget, refusal = second_budget(Scenario(dataset="wine", epsilon=0.25), data)
    assert (float(budget.left.epsilon), refusal) == (0.25, "")
    budget, refusal = second_budget(Scenario(dataset="wine", epsilon=0.6), data)
    assert float(budget.left.epsilon) == 0.5
    assert "0.6 is asked for and 0.5 of 1 is left" in refusal


def test_only_one_order_never_leaves_noise_uncounted():
    assert all(crash.honest for crash in crashes(HERE))
    assert [crash.honest for crash in crashes(OTHERWISE)] == [True, False, False]
    assert list(crash_rows()["noise first"].str.endswith("nobody knows of it")) == [False, True, True]


def test_the_page_that_is_signed_is_the_page_of_the_release(tmp_path):
    scenario, data = Scenario(dataset="wine", epsilon=0.5), load_dataset("wine")
    example = statement_header(scenario, data)
    priced = asked_release(scenario, data)
    request = {"dataset": data, "asked": priced.charge.asked, "limit": priced.charge.asked}
    made = publish(ReleaseRequest(**request, ledger=tmp_path / "kept.ledger", out=tmp_path / "r.npz")).header
    of_the_rows = {"release": made.release, "made": made.made, "noise_edge": made.noise_edge}
    assert replace(example, **of_the_rows) == made


def test_a_name_is_text_on_the_paper():
    scene = scene_of(WINE)
    odd = replace(scene, data=replace(scene.data, name="<script>alert(1)</script>"))
    assert "<script>" not in statement_paper(odd).html
    assert "&lt;script&gt;" in statement_paper(odd).html


@pytest.mark.parametrize("panel", ["kept budget", "statement"])
def test_an_example_is_no_release(panel, monkeypatch, tmp_path):
    """Neither panel draws noise or touches a ledger."""
    ledger = tmp_path / "kept.ledger"
    monkeypatch.setenv("DPGEP_LEDGER", str(ledger))
    scene = scene_of(WINE)
    for name in ("dpgep_core.privacy.discrete.draw_symmetric", "dpgep_core.publishing.releasing.run"):
        monkeypatch.setattr(name, lambda *_, **__: pytest.fail("noise was drawn"))
    assert list(DRAWN[panel](scene, {}))
    assert not ledger.exists()
