"""``dpgep bench``: pairs, the committed ratios, and the page that is written from them."""

import json

import pytest

from benchmarks import bench, report, versions
from benchmarks.paired import Comparison, Measured, measure
from dpgep_core.cli import main
from dpgep_core.errors import ParameterError

ROWS = json.loads(bench.COMMITTED.read_text("utf-8"))


def measured(name, ratio):
    return Measured(name=name, ratio=ratio, ours=1.0, other=ratio, unit="ms", note="")


def test_both_sides_run_in_turn_and_the_median_counts():
    calls = []
    found = measure(
        Comparison(name="x", ours=lambda: calls.append("o"), other=lambda: calls.append("t"), per=10, note="n"), 2
    )
    assert "".join(calls) == "ot" + "oto" * 2
    assert found.ratio is not None
    assert found.ours is not None
    assert found.ratio > 0
    assert found.ours < 1


def test_a_peer_that_is_missing_is_said_and_not_measured():
    found = measure(Comparison(name="x", ours=pytest.fail, other=None, note="x is not installed"), 3)
    assert (found.ratio, found.note) == (None, "x is not installed")


def test_a_ratio_that_halves_is_told():
    before = {"a": 8.0, "b": 4.0}
    assert bench.halved([measured("a", 4.1), measured("b", 3.0), measured("new", 0.1)], before) == []
    assert len(bench.halved([measured("a", 3.9), measured("b", 1.9)], before)) == 2


def test_the_command_prints_the_list_of_the_contract(monkeypatch, capsys):
    monkeypatch.setattr(bench, "run", lambda **_: [measured("dprf", 2.0)])
    assert main(["bench", "--json", "--quick"]) == 0
    (one,) = json.loads(capsys.readouterr().out)
    assert {"name", "ratio", "ours", "other", "unit", "note"} <= set(one)


def test_the_command_fails_where_a_ratio_halves(monkeypatch, capsys):
    monkeypatch.setattr(bench, "run", lambda **_: [measured("dprf", bench.committed()["dprf"] / 3)])
    assert main(["bench", "--json", "--check"]) == 1
    assert "dprf" in capsys.readouterr().err


def test_the_page_shows_what_is_committed():
    page = report.PAGE.read_text("utf-8")
    assert report.table(ROWS["before"], ROWS["now"]) in page
    assert report.FIGURE.read_text("utf-8") == report.picture(ROWS["before"], ROWS["now"])


@pytest.mark.parametrize("part", ["before", "now"])
def test_the_named_figures_are_there(part):
    named = {"ssp epsilon", "ssp xi", "dprf", "dpsr", "sr_dp", "ppi", "dp_spca step", "dp_vrpca step"}
    assert named | ({"moments"} if part == "now" else set()) <= {one["name"] for one in ROWS[part] if one["ratio"]}


@pytest.mark.slow
def test_no_ratio_halves(capsys):
    """The short form, on whatever machine this is."""
    assert main(["bench", "--quick", "--check", "--json"]) == 0, capsys.readouterr().err


def test_a_checkout_that_cannot_be_measured_is_named(tmp_path):
    """Another version may lack what the benchmark of today asks for."""
    (tmp_path / "dpgep_core").mkdir()
    (tmp_path / "dpgep_core" / "solve.py").write_text("")
    (tmp_path / "dpgep_core" / "__init__.py").write_text("raise ImportError('too old')\n")
    with pytest.raises(ParameterError, match=r"--before.*too old"):
        list(versions.pairs(str(tmp_path), ["ssp xi"], quality=False))
