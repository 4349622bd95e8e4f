"""A sweep is what its lists say: every combination that exists, once, checked before anything is computed."""

from pathlib import Path

import pytest

from dpgep_core.errors import ParameterError, UnknownNameError
from dpgep_core.experiments.grid import Sweep, cells_of, parse_sweep, read_sweep, setting_columns

FULL = {"datasets": ["wine"], "algorithms": ["ssp", "dpsr", "exact"], "epsilon": [0.1, 1.0], "xi": [0.01, 0.1],
        "sparsity": [0, 5], "seeds": 3}  # fmt: skip


def test_a_method_is_run_once_for_settings_it_does_not_have():
    """ssp has ξ and s, dpsr has ξ, exact has both and no ε: 3 seeds × (2·2·2 + 2·2 + 2·2) cells."""
    found = cells_of(parse_sweep(FULL))
    count = {key: sum(cell.setting.algorithm == key for cell in found) for key in ("ssp", "dpsr", "exact")}
    assert count == {"ssp": 24, "dpsr": 12, "exact": 12}
    assert len({cell.key("rows") for cell in found}) == len(found) == 48
    assert all("sparsity" not in dict(cell.setting.params) for cell in found if cell.setting.algorithm == "dpsr")


def test_values_that_only_another_method_knows_are_left_to_it():
    spec = {"datasets": ["wine"], "models": ["pca"], "algorithms": ["ppi", "dprf"], "start": ["random", "oracle"]}
    found = cells_of(parse_sweep(spec))
    assert {(cell.setting.algorithm, dict(cell.setting.params).get("start")) for cell in found} >= {
        ("dprf", "random"), ("dprf", "oracle"),
    }  # fmt: skip


def test_the_key_is_the_content_and_the_rows():
    one, other = cells_of(parse_sweep(FULL))[:2]
    assert one.key("rows") == cells_of(parse_sweep(FULL))[0].key("rows")
    assert one.key("rows") != other.key("rows")
    assert one.key("rows") != one.key("other rows")


def test_columns_are_the_lists():
    assert setting_columns(parse_sweep(FULL)) == ("dataset", "model", "algorithm", "epsilon", "seed", "xi", "sparsity")
    assert setting_columns(Sweep(datasets=("wine",), axes=(("epsilon", (1.0,)), ("n", (50,)))))[-1] == "rows"


@pytest.mark.parametrize(
    ("spec", "error", "words"),
    [
        ({}, ParameterError, "datasets"),
        ({"datasets": []}, ParameterError, "datasets must be a list with at least one value; got []"),
        ({"datasets": "wine"}, ParameterError, "datasets"),
        ({"datasets": ["vine"]}, UnknownNameError, "'vine'"),
        ({"datasets": ["wine"], "algorithm": ["ssp"]}, UnknownNameError, "'algorithm'"),
        ({"datasets": ["wine"], "epsilon": [0.0]}, ParameterError, "epsilon"),
        ({"datasets": ["wine"], "epsilon": 1.0}, ParameterError, "epsilon"),
        ({"datasets": ["wine"], "epsilon": [1.0, 1.0]}, ParameterError, "each value once"),
        ({"datasets": ["wine"], "epsilon": ["small"]}, ParameterError, "epsilon"),
        ({"datasets": ["wine"], "seeds": 0}, ParameterError, "seeds"),
        ({"datasets": ["wine"], "seeds": [1, 2]}, ParameterError, "seeds"),
        ({"datasets": ["wine"], "n": [3]}, ParameterError, "n"),
        ({"datasets": ["wine"], "classifiers": ["svm"]}, UnknownNameError, "'svm'"),
        ({"datasets": ["wine"], "models": ["fda"], "algorithms": ["ppi"]}, ParameterError, "some that solve fda"),
        ({"datasets": ["wine"], "calibration": ["wrong"]}, UnknownNameError, "'wrong'"),
    ],
)
def test_what_cannot_be_is_named(spec, error, words):
    with pytest.raises(error) as told:
        parse_sweep(spec)
    assert words in str(told.value)


def test_too_many_combinations_are_counted_before_they_are_made():
    spec = FULL | {"seeds": 100_000, "epsilon": [0.001 * i for i in range(1, 101)]}
    with pytest.raises(ParameterError, match="at most 1000000"):
        cells_of(parse_sweep(spec))


@pytest.mark.parametrize("text", ["datasets = [", "\x00", "datasets = ['wine'"])
def test_a_file_that_is_no_toml(tmp_path: Path, text):
    path = tmp_path / "spec.toml"
    path.write_text(text)
    with pytest.raises(ParameterError, match="a TOML file that can be read"):
        read_sweep(path)
    with pytest.raises(ParameterError, match="a TOML file that can be read"):
        read_sweep(tmp_path / "missing.toml")
