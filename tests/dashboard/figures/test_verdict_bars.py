"""Claimed against accounted on one axis: every number of the table is a mark, and no bound is no number."""

import math

import pytest

from dashboard.compute.noise_plans import planned_verdict, stated_noise
from dashboard.figures.style import Style
from dashboard.figures.verdicts import EpsilonBar, epsilon_bars, epsilon_table
from dashboard.panels.epsilon_bars import method_bars, scene_bars
from dashboard.panels.story_file import scene_of
from dashboard.scenario import Scenario
from dpgep_core import ALGORITHMS, load_dataset
from dpgep_core.method import Verdict
from dpgep_core.solve import plan, run
from dpgep_core.verdict import judge

BARS = [
    EpsilonBar("holds", 1.0, 0.5, Verdict.HOLDS),
    EpsilonBar("false", 1.0, None, Verdict.FALSE, needed=3.0),
    EpsilonBar("exact", None, None, Verdict.NONE),
]


def marks(figure, name):
    return [
        (x, y)
        for trace in figure.data
        if (trace.name or "").startswith(name)
        for x, y in zip(trace.x, trace.y, strict=True)
    ]


def test_every_number_is_a_mark_on_the_axis():
    figure = epsilon_bars(BARS, Style())
    assert marks(figure, "claimed") == [(1.0, 0), (1.0, 1)]
    assert marks(figure, "accounted") == [(0.5, 0)]
    assert marks(figure, "needed") == [(3.0, 1)]
    low, high = figure.layout.xaxis.range
    assert low < math.log10(0.5)
    assert high > math.log10(3.0)
    assert [note.text for note in figure.layout.annotations] == [
        "<b>holds</b>: ε ≤ 0.5, holds", "<b>false</b>: no bound, false", "<b>exact</b>: no guarantee is claimed",
    ]  # fmt: skip


def test_an_epsilon_that_no_author_claims_is_only_asked_for():
    """The legend and the table said "claimed" of calibrations of our own."""
    ours = EpsilonBar("ours", 2.0, 0.7, Verdict.HOLDS, by_authors=False)
    figure = epsilon_bars([*BARS, ours], Style())
    assert marks(figure, "claimed") == [(1.0, 0), (1.0, 1)]
    assert marks(figure, "asked for, not claimed") == [(2.0, 3)]
    assert {trace.name for trace in epsilon_bars([ours], Style()).data if trace.name} == {
        "asked for, not claimed", "accounted"}  # fmt: skip
    table = epsilon_table([*BARS, ours])
    assert [list(table[name].dropna()) for name in ("asked", "claimed")] == [[1.0, 1.0, 2.0], [1.0, 1.0]]


def test_calibrations_of_our_own_are_not_called_claimed():
    scene = scene_of({"dataset": "wine", "algorithms": "dpsr,ssp", "calibration": "exact"})
    table = scene_bars(scene).rows.set_index("method")
    judged = {item.title: judge(item.release) for item in scene.answers}
    assert {one.by_authors for one in judged.values()} == {True, False}
    for title, one in judged.items():
        assert table.loc[title, "asked"] == one.asked
        assert (table["claimed"].notna()[title]) == one.by_authors


@pytest.mark.parametrize("dark", [False, True])
def test_the_colour_of_a_bar_follows_the_verdict_beside_it(dark):
    """A bar said "false" in red or "not proved at this setting" in grey, whatever the verdict on the run was."""
    style = Style(dark=dark)
    colours = {
        Verdict.HOLDS: style.good, Verdict.HOLDS_OTHERWISE: style.good, Verdict.FALSE: style.bad,
        Verdict.UNKNOWN: style.quiet,
    }  # fmt: skip
    for verdict, colour in colours.items():
        figure = epsilon_bars([EpsilonBar("one", 1.0, 0.5, verdict)], style)
        (line,) = [trace for trace in figure.data if trace.mode == "lines"]
        assert line.line.color == colour
        assert figure.layout.annotations[0].text.endswith(f"ε ≤ 0.5, {verdict}")


def test_no_bound_is_a_dotted_bar_to_the_end():
    lines = [trace for trace in epsilon_bars(BARS, Style(dark=True)).data if trace.mode == "lines"]
    assert [line.line.dash for line in lines] == ["solid", "dot"]
    assert lines[1].x[1] == pytest.approx(10 ** epsilon_bars(BARS, Style()).layout.xaxis.range[1])
    assert math.isinf(epsilon_table(BARS)["accounted"][1])


def test_words_and_ticks_fit_on_a_phone():
    """The verdict "holds, but not by the published proof" ran out of a picture of 370 pixels, and ticks were turned."""
    long = EpsilonBar("Private power iteration (Hardt & Roth)", 1.0, 0.527, Verdict.HOLDS_OTHERWISE)
    figure = epsilon_bars([long, EpsilonBar("far", 1.0, 1e5, Verdict.FALSE)], Style())
    lines = [line for note in figure.layout.annotations for line in note.text.split("<br>")]
    assert lines[1] == "ε ≤ 0.527, holds, but not by the published proof"
    assert max(map(len, lines)) <= 60
    assert list(figure.layout.xaxis.ticktext) == ["1", "100", "10,000", "1,000,000"]


def test_methods_are_judged_from_their_plans_as_their_runs_are():
    scene = scene_of({"dataset": "wine", "algorithms": "ssp,dpsr,dprf"})
    ran = scene_bars(scene).rows.set_index("method")
    planned = method_bars(scene.scenario, scene.data, Style()).rows.set_index("method")
    for item in scene.answers:
        assert planned.loc[item.title, "accounted"] == pytest.approx(ran.loc[item.title, "accounted"])
        assert planned.loc[item.title, "verdict"] == ran.loc[item.title, "verdict"] == judge(item.release).verdict
    assert len(planned) == sum(entry.private for entry in ALGORITHMS.values())


def test_the_view_of_all_methods_says_of_a_run_what_the_command_line_says():
    """On PCA of digits it said "false" of DPSR, which holds there, and "not proved" of DP-SPCA, which is false."""
    data, scenario = load_dataset("digits"), Scenario(dataset="digits", model="pca", algorithms=("dpsr",))
    figure = method_bars(scenario, data, Style())
    rows = figure.rows.set_index("method")
    for key, verdict in {"dpsr": Verdict.HOLDS_OTHERWISE, "dp_spca": Verdict.FALSE}.items():
        release = run(plan(data, scenario.setting(key)))
        title = ALGORITHMS[key].title
        assert rows.loc[title, "verdict"] == judge(release).verdict == verdict
        assert rows.loc[title, "needed"] == pytest.approx(judge(release).needed)
        assert f"{title}</b>" in "".join(note.text for note in figure.draw(Style()).layout.annotations)
    assert "at this setting" in figure.caption
    assert "instead" not in figure.caption


def test_a_method_for_another_model_is_said_to_be_judged_on_that_one():
    scenario = Scenario(dataset="wine", model="fda", params=(("n_iterations", 4),))
    said = method_bars(scenario, load_dataset("wine"), Style()).caption
    assert "Methods that are judged on Principal components instead: " in said
    assert "DP-SPCA" in said
    assert ", n_iterations=4." in said


def test_a_method_that_cannot_be_used_has_no_bar():
    scenario, data = Scenario(dataset="wine", model="fda", n_components=99), load_dataset("wine")
    stated = stated_noise(scenario, "ssp", data)
    assert stated.problem
    assert planned_verdict(scenario, "ssp", data) is None
