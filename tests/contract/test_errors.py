"""Whatever a user gave, the message about it is one short line that can be shown on any terminal and page."""

import pickle

import numpy as np
import pandas as pd
import pytest

from dashboard.pages import own_parameters
from dashboard.scenario import from_query
from dpgep_core.cli import main
from dpgep_core.errors import (
    BudgetExceededError,
    DataError,
    DpgepError,
    ParameterError,
    UnknownNameError,
    list_names,
    one_line,
    reason_of,
    show_value,
)
from dpgep_core.params import Components, Seed, Sparsity, definition

LONG = "x" * 100_000
CONTROL = "\x1b[31mred\x07\r\n\u202egnp.exe\x00\ud800"


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


class Broken:
    def __repr__(self):
        raise RuntimeError("no")


HOSTILE = {
    "long text": LONG,
    "control characters": CONTROL,
    "400 digits": 10**400,
    "10,000 digits": 16**8_000,
    "negative": -(10**400),
    "long list": list(range(100_000)),
    "deep list": nested(5_000),
    "wide and deep": [[[[1] * 100] * 100] * 100] * 100,
    "mapping": {LONG: LONG, 2: CONTROL},
    "array": np.zeros((1_000, 1_000)),
    "frame": pd.DataFrame({"\x1b": range(5_000)}),
    "bytes": LONG.encode(),
    "no repr": Broken(),
    "not a number": float("nan"),
}


@pytest.mark.parametrize("value", HOSTILE.values(), ids=HOSTILE)
def test_every_error_is_one_short_line(value):
    text = value if isinstance(value, str) else show_value(value)
    errors = (
        ParameterError(text, value, text),
        UnknownNameError("dataset", value, ["wine", text]),
        DataError(text, text, text),
        DpgepError(text),
    )
    for error in errors:
        said = str(error)
        assert said.isprintable()
        assert 0 < len(said) <= 2_100
        said.encode("utf-8")
    assert len(show_value(value)) <= 350


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("a" * 1_000, f"'{'a' * 54}' … '{'a' * 26}' (1,000 letters)"),
        ("/tmp/x\n", r"'/tmp/x\n'"),
        (10**400, "a whole number of about 400 digits"),
        (12345678901234567890, "12345678901234567890"),
        (list(range(1_000)), "[0, 1, 2, 3, 4, 5, …] (1,000 values)"),
        ((1.5, "a"), "(1.5, 'a')"),
        ((1,), "(1,)"),
        ({"a": [1]}, "{'a': [1]}"),
        (nested(9), "[[[[…]]]]"),
        (np.float64("nan"), "nan"),
        (np.uint8(7), "7"),
        (np.zeros((3, 2)), "ndarray of shape (3, 2)"),
        (True, "True"),
        (None, "None"),
    ],
)
def test_what_is_shown_of_a_value(value, said):
    assert show_value(value) == said


def test_text_for_one_line():
    assert one_line("two\n lines\x1b[0m") == r"two lines\x1b[0m"
    assert one_line("ε stays, ü too") == "ε stays, ü too"
    assert one_line("y" * 50, 10) == "yyyyyyyyyy… (50 letters)"


def test_many_names_are_counted_and_the_nearest_is_still_told():
    error = UnknownNameError("dataset", "set_77x", [f"set_{i}" for i in range(500)])
    assert "and 476 more (did you mean 'set_77'?)" in str(error)
    assert list_names(["a", "b", "c"], 2) == "a, b and 1 more"


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (UnicodeDecodeError("utf-8", b"\xff\xfe", 0, 1, "invalid start byte"), "byte 0 is not UTF-8 text"),
        (RecursionError("maximum recursion depth exceeded"), "it is nested too deeply"),
        (OverflowError("int too large to convert to float"), "it holds a number that is too large"),
        (ValueError("Exceeds the limit: use sys.set_int_max_str_digits() …"), "it holds a number that is too large"),
        (MemoryError(), "it does not fit into memory"),
        (FileNotFoundError(2, "No such file or directory"), "No such file or directory"),
        (ValueError("bad \x1b[31m value\nhere"), r"bad \x1b[31m value here"),
        (KeyError(), "KeyError"),
    ],
)
def test_other_libraries_errors_are_put_into_words(error, said):
    assert reason_of(error) == said


@pytest.mark.parametrize(
    "error",
    [
        ParameterError("xi", -1.0, "a finite number >= 0"),
        UnknownNameError("model", "svm", ("fda", "pca")),
        DataError("a.csv", "it is empty", "rows are needed"),
        BudgetExceededError("moments", 2.0, 1.0, 1e-6),
    ],
)
def test_errors_cross_processes_whole(error):
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))


@pytest.mark.parametrize("annotated", [Seed, Components, Sparsity])
@pytest.mark.parametrize(
    "text", ["9" * 400, "-" + "9" * 400, "9" * 6_000, "1e400", "²", "1_0_", "nan", "-0.5", str(2**63)]
)
def test_a_whole_number_that_cannot_be_is_shown_as_typed(annotated, text):
    with pytest.raises(ParameterError) as caught:
        definition(annotated).parse("k", text)
    assert str(caught.value).endswith(f"got {show_value(text)}.")


@pytest.mark.parametrize("value", [10**400, -(10**400), 2**63, np.uint64(2**63), float("inf"), True, "3", [3], None])
def test_whole_numbers_that_no_array_holds(value):
    with pytest.raises(ParameterError, match="k must be a whole number"):
        definition(Sparsity).check("k", value)


@pytest.mark.parametrize("name", ["epsilon", "seed", "dataset", "story", "step", "run", "over", CONTROL, LONG])
@pytest.mark.parametrize("value", [LONG, CONTROL, "9" * 400, "²"], ids=["long", "control", "400 digits", "²"])
def test_an_address_is_never_echoed_whole(name, value):
    problems = [*from_query({name: value})[1]]
    for page in ("explore", "learn", "compare"):
        problems += own_parameters(page, {name: value})[1]
    assert problems
    assert all(problem.isprintable() and len(problem) < 900 for problem in problems)


WRONG = ("9" * 400, "9" * 6_000, "²", "1e400", "nan", "", CONTROL.replace("\x00", ""), LONG[:5_000])


@pytest.mark.parametrize(
    "value", WRONG, ids=["400 digits", "6000 digits", "²", "1e400", "nan", "empty", "control", "long"]
)
@pytest.mark.parametrize(
    "arguments",
    [
        ["--port"],
        *(["solve", "--dataset", "wine", option] for option in ("--epsilon", "--delta", "--seed", "--n-components")),
        ["solve", "--dataset"],
        ["solve", "--dataset", "wine", "--model"],
        ["solve", "--dataset", "wine", "--set"],
        ["ask", "epsilon", "--dataset", "wine", "--target"],
        ["ask", "xi", "--dataset", "wine", "--draws"],
        ["ask"],
        *(
            ["audit", "--algorithm", "ssp", option]
            for option in ("--trials", "--jobs", "--seed", "--confidence", "--pair")
        ),
        ["sweep", "none.toml", "--out", "x.csv", "--jobs"],
        ["sweep", "none.toml", "--out"],
        ["paper", "chen-table-2", "--jobs"],
        ["paper", "chen-table-2", "--seeds"],
        ["paper"],
        ["nothing"],
    ],
    ids=" ".join,
)
def test_a_wrong_word_on_the_command_line_is_one_line_and_exit_code_2(arguments, value, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    try:
        code = main([*arguments, value])
    except SystemExit as stopped:
        code = stopped.code
    said = capsys.readouterr()
    assert code == 2
    assert said.out == ""
    assert said.err.startswith("dpgep: ")
    assert said.err.endswith("\n")
    assert said.err[:-1].isprintable()
    assert len(said.err) < 1_000
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["xi", "sparsity", "n_iterations", "noise", "relation", "floor", "calibration"])
@pytest.mark.parametrize("value", WRONG[:5], ids=["400 digits", "6000 digits", "²", "1e400", "nan"])
def test_a_wrong_parameter_is_one_line(name, value, capsys):
    assert main(["solve", "--dataset", "wine", "--set", f"{name}={value}"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert len(said) < 1_000
