"""The caption and the notes of a sweep: every setting with the method that has it, every sentence with its subject."""

import pandas as pd
import pytest

from dashboard.text.sweep_notes import MOST, notes
from dashboard.text.sweep_settings import BEST, sweep_caption
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.experiments.grid import parse_sweep
from dpgep_core.release import VERSION
from dpgep_core.setting_warnings import overspent_sentence

SSP, GAUSS = (ALGORITHMS[key].title for key in ("ssp", "analyze_gauss"))
SWEEP = parse_sweep(
    {"datasets": ["wine", "digits"], "models": ["pca"], "algorithms": ["ssp", "analyze_gauss"],
     "epsilon": [0.1, 0.5, 1.0, 3.0, 10.0], "steps": [2], "seeds": 5}
)  # fmt: skip


def cells(spent=lambda asked, _key, _dataset: asked, warned=""):
    """The table of the sweep: a cell spends what a function of its ε, its method and its data set says."""
    sizes = {"wine": (142, 13, 10), "digits": (1438, 64, 10)}
    rows = [
        {"dataset": dataset, "model": "pca", "algorithm": key, "epsilon": asked, "seed": seed, "n": n, "d": d, "k": k,
         "steps": 2.0 if key == "ssp" else None, "accounted_epsilon": spent(asked, key, dataset)}
        for dataset, (n, d, k) in sizes.items() for key in SWEEP.algorithms
        for asked in dict(SWEEP.axes)["epsilon"] for seed in range(5)
    ]  # fmt: skip
    over = [
        overspent_sentence(r["epsilon"], r["accounted_epsilon"]) * (r["accounted_epsilon"] > r["epsilon"]) for r in rows
    ]
    return pd.DataFrame(rows).assign(warnings=[f"{said} {warned}".strip() for said in over])


def caption(table, **more):
    return sweep_caption(table, SWEEP, **{"band": "mean", "seeds": 5, "by_classifier": True, "level": False, **more})


def test_the_caption_has_every_setting_that_a_figure_promises():
    """A picture that is passed on told neither the rows nor the version, and gave ``steps`` to every method."""
    said = caption(cells())
    for words in (
        "Wine cultivars with n = 142, d = 13, k = 10", "Small handwritten digits with n = 1,438, d = 64, k = 10",
        "Principal components", "LDA", "ε = 0.1 to 10", "δ = n^-1.1", "replace-one", f"{SSP} with steps = 2", "5 seeds",
        f"; {GAUSS};", f"DP-GEP Lab {VERSION}", "Reads the private data; seed known: not private.",
    ):  # fmt: skip
        assert words in said, words
    assert said.count("steps") == 1


def test_a_parameter_of_all_drawn_methods_is_said_once():
    said = caption(cells().query("algorithm == 'ssp' and dataset == 'wine' and epsilon == 1"))
    assert "; ε = 1; steps = 2; " in said
    assert f"; {SSP}; " in said
    assert "digits" not in said


@pytest.mark.parametrize("level", [True, False])
def test_a_line_without_privacy_is_told_of_where_one_is_drawn(level):
    assert (BEST in caption(cells(), level=level)) is level


def test_who_spends_too_much_is_named_once_with_the_data_set():
    """Eight sentences began with "This setting" and named neither."""
    table = cells(lambda asked, key, data: asked * (1.15 if (key, data) == ("analyze_gauss", "wine") else 1))
    said = " ".join(notes(table, SWEEP))
    assert "This setting" not in said
    assert f"On Wine cultivars, {GAUSS} may spend up to ε = " in said
    assert said.count("may spend up to") == 1
    assert "more than is asked for at 4 other values of ε" in said


def test_a_small_share_is_not_none():
    said = " ".join(notes(cells(lambda asked, key, _: asked * (0.001 if key == "ssp" else 1)), SWEEP))
    assert f"{SSP} down to less than 1 % of ε = 0.1 on Wine cultivars" in said
    assert " 0 %" not in said


def test_other_warnings_are_kept_with_what_they_concern_and_are_few():
    table = cells(lambda asked, *_: 2 * asked, "k = 10 keeps all.")
    said = " ".join(notes(table, SWEEP))
    assert said.count("k = 10 keeps all.") == 1
    assert "This setting" not in said
    many = table.assign(warnings=[f"Warning {number}." for number in range(len(table))])
    found = notes(many, SWEEP)
    assert f"For {SSP} on Wine cultivars: Warning 0." in found
    assert sum("Warning" in one for one in found) == MOST
    assert f"The table of every cell has {len(table) - MOST} further warnings." in found
