"""``dpgep audit``: strict JSON alone on stdout, words for people, one line for a mistake."""

import json
import math

import pytest

from dpgep_core.cli import main

CONTRACT = {"algorithm", "trials", "claimed", "epsilon_lower_bound", "confidence"}
MORE = {"accounted", "ceiling", "distinguisher", "pair", "tpr", "fpr", "verdict", "mu_lower_bound", "unprotected"}


def strict(text: str) -> dict[str, object]:
    def refuse(constant: str) -> object:
        raise AssertionError(f"{constant} is not JSON")

    return json.loads(text, parse_constant=refuse)


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "--algorithm", "dpsr", "--trials", "40", "--seed", "3", "--json"]) == 0
    said = capsys.readouterr()
    found = strict(said.out)
    assert found.keys() >= CONTRACT | MORE
    assert found["claimed"] == {"epsilon": 1.0, "delta": 1000**-1.1}
    assert found["accounted"] == {
        "epsilon": None,
        "delta": 1000**-1.1,
        "mu": None,
        "reason": found["accounted"]["reason"],
    }
    assert "left without noise" in found["accounted"]["reason"]
    assert found["epsilon_lower_bound"] == found["ceiling"] == pytest.approx(2.34, abs=0.05)
    assert found["verdict"] == "the claim is false, shown by this attack"
    assert said.err == ""


def test_words(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--trials", "40", "--delta", "0.01", "--confidence", "0.9", "--pair", "orthogonal", "--set", "xi=0.1"]
    assert main(["audit", "--algorithm", "ssp", "--epsilon", "2", *options]) == 0
    said = capsys.readouterr().out
    for part in ("claimed by the authors: ε = 2 at δ = 0.01", "accounted by us:", "90 %, 40 + 40 runs"):
        assert part in said
    assert "no leak found by this attack" in said
    assert "finds nothing proves nothing" in said
    assert "audited" not in said


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--algorithm", "dspr"], "did you mean 'dpsr'"),
        (["--algorithm", "dpsr", "--trials", "3"], "trials"),
        (["--algorithm", "dpsr", "--epsilon", "0"], "epsilon"),
        (["--algorithm", "dpsr", "--pair", "identical"], "pair"),
        (["--algorithm", "dpsr", "--model", "lda"], "model"),
        (["--algorithm", "dpsr", "--set", "relation=add_remove"], "--set"),
        (["--algorithm", "dpsr", "--set", "xi"], "NAME=VALUE"),
        (["--algorithm", "dpsr", "--jobs", "0"], "jobs"),
        (["--algorithm", "ssp", "--distinguisher", "flat_gram"], "distinguisher"),
        (["--algorithm", "analyze_gauss", "--model", "fda"], "algorithm"),
    ],
)
def test_mistakes(options: list[str], named: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", *options]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert named in said.err


def test_the_algorithm_must_be_given(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["audit"])
    assert left.value.code == 2
    assert "--algorithm" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ["dpsr", "dpsr_corrected", "ssp"])
def test_the_defaults(algorithm: str, capsys: pytest.CaptureFixture[str]) -> None:
    """More than 5 where 1 is claimed, or no more than is accounted, in under two minutes."""
    assert main(["audit", "--algorithm", algorithm, "--json"]) == 0
    found = strict(capsys.readouterr().out)
    bound, seconds = found["epsilon_lower_bound"], found["seconds"]
    assert isinstance(bound, float)
    assert isinstance(seconds, float)
    assert bound > 5 if algorithm == "dpsr" else bound <= 1.0
    assert seconds < 120
    assert math.isfinite(bound)


@pytest.mark.parametrize("algorithm", ["ssp", "analyze_gauss"])
def test_a_release_by_products_is_attacked_by_its_components(
    algorithm: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A release by products keeps no moments, so the likelihood ratio of the moments does not fit it."""
    asked = ["audit", "--algorithm", algorithm, "--model", "pca", "--trials", "20", "--set", "memory=products"]
    assert main([*asked, "--json"]) == 0
    found = strict(capsys.readouterr().out)
    assert found["distinguisher"] != "likelihood_ratio"
    assert found["verdict"] == "no leak found by this attack"
    assert main([*asked, "--distinguisher", "likelihood_ratio"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "releases moments" in said.err
    assert said.err.count("\n") == 1


def test_what_no_author_claims_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "--algorithm", "sr_dp", "--trials", "20", "--set", "calibration=exact"]) == 0
    assert "claimed by the authors: nothing at this setting" in capsys.readouterr().out
