"""Any value at any entry ends in a `DpgepError` or is taken: sweeps, addresses, what is saved, a folder's pages."""

import json
import os
import tomllib
from importlib.resources import files

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dashboard.compute.sweeps import spec
from dashboard.compute.task_kinds import reproduction_from_text
from dashboard.pages import PAGE_PARAMETERS, PAGES, own_parameters
from dashboard.saving.exchange import loads
from dashboard.scenario import COMMON_PARAMETERS, Scenario, from_query
from dashboard.stories import opening
from dashboard.text.words import escape_markdown
from dpgep_core.cli import main
from dpgep_core.datasets import dataset_names
from dpgep_core.errors import DpgepError
from dpgep_core.experiments.grid import NAME_LISTS, Sweep, known_axes, parse_sweep, read_sweep
from dpgep_core.release import all_parameters

NINES = "9" * 400
VALUES = (
    *(
        NINES,
        f"-{NINES}",
        "0x" + "f" * 5_000,
        "1e400",
        "nan",
        "-0.0",
        "-1",
        "1.5",
        "true",
        '""',
        '"text"',
        "1979-05-27",
    ),
    *("{}", "{a = 1}", "[]", "[[]]", "[[1]]", '[1, "a"]', "[true]", "[nan]", f"[{NINES}]", "[1, 1]", "[1.0, 1]"),
    *('"' + "x" * 9_000 + '"', "[" * 80 + "]" * 80, '["' + "x" * 9_000 + '"]', r'["\u001b[31m"]', "[1e308, 1e-308]"),
)
UNREADABLE = (f"a = {'9' * 6_000}", "a = " + "[" * 9_000, "a =", "\x00", "a = 1\na = 2", "a.b.c = 1\na.b = 2")
SWEPT = ("datasets", "models", "algorithms", "classifiers", "seeds", "nothing", *known_axes())


def refused_in_one_line(call):
    said = None
    try:
        call()
    except DpgepError as error:
        said = str(error)
    assert said is None or (said.isprintable() and 0 < len(said) < 1_500)
    return said is not None


@pytest.mark.parametrize("name", SWEPT)
def test_sweeps(name):
    for value in VALUES:
        table = {"datasets": ["wine"]} | tomllib.loads(f"{name} = {value}")
        refused_in_one_line(lambda table=table: parse_sweep(table))
        refused_in_one_line(lambda table=table: spec.check_sweep(table))
    wrong = {"datasets": ["wine"], name: 10**400}
    assert refused_in_one_line(lambda: parse_sweep(wrong))


def test_what_is_read_as_a_sweep_is_one(tmp_path):
    for text in UNREADABLE:
        (tmp_path / "spec.toml").write_text(text)
        assert refused_in_one_line(lambda: read_sweep(tmp_path / "spec.toml"))
        assert refused_in_one_line(lambda text=text: spec.table_of(text))
    assert isinstance(parse_sweep({"datasets": ["wine"]}), Sweep)
    assert set(NAME_LISTS) <= set(SWEPT)


WRONG = {
    "deep": b"a = " + b"[" * 9_000, "6000 digits": b"seeds = " + b"9" * 6_000, "no UTF-8": b"\xff\xfe",
    "no list": b"datasets = 3", "empty": b"",
}  # fmt: skip


@pytest.mark.parametrize("content", WRONG.values(), ids=WRONG)
def test_a_wrong_sweep_is_one_line_and_exit_code_2(tmp_path, capsys, content):
    (tmp_path / "spec.toml").write_bytes(content)
    assert main(["sweep", str(tmp_path / "spec.toml"), "--out", str(tmp_path / "x.csv")]) == 2
    said = capsys.readouterr()
    assert said.err.count("\n") == 1
    assert said.err[:-1].isprintable()
    assert not said.out


@pytest.mark.parametrize(
    "name", sorted({"dataset", "model", "algorithms", *COMMON_PARAMETERS, *all_parameters(), *PAGE_PARAMETERS})
)
def test_addresses(name):
    for text in (*VALUES, NINES, "9" * 6_000, "²", "1e400", "١", "\x1b[31m", "x" * 100_000, "-" + NINES, "0x10", "1_0"):
        scenario, problems = from_query({name: text})
        assert isinstance(scenario, Scenario)
        for page in PAGES:
            problems += own_parameters(page, {name: text})[1]
        assert all(problem.isprintable() and len(problem) < 1_500 for problem in problems)
        assert isinstance(opening({"story": "ridge", name: text}), dict)


@pytest.mark.parametrize("name", ["epsilon", "n_components", "n"])
def test_lists_typed_on_the_page(name):
    for text in (
        NINES,
        "9" * 6_000,
        f"1 .. {NINES} x 3",
        "1 .. 2 x " + "9" * 6_000,
        "1 .. 2 x ²",
        "²",
        "x" * 9_000,
        "1 .. 1e308 x 3",
    ):
        refused_in_one_line(lambda text=text: spec.parsed_list(name, text))


def test_files_of_scenarios_and_reproductions():
    deep = "[" * 9_000 + "]" * 9_000
    digits = '{"format": "dpgep-scenarios", "version": ' + "9" * 6_000 + "}"
    for text in (deep, digits, "{", "[]", "3", json.dumps({"format": "dpgep-scenarios", "version": 10**400})):
        assert refused_in_one_line(lambda text=text: loads(text.encode(), "a.json"))
    asked = {"exhibit": "chen-table-2", "quick": True, "data": [], "classifiers": [], "seeds": None}
    for key in asked:
        for value in (10**400, [[1]], {"a": 1}, "x" * 9_000, [10**400], 1.5, None, -1, float("nan")):
            refused_in_one_line(lambda key=key, value=value: reproduction_from_text(json.dumps(asked | {key: value})))
    for text in (deep, "9" * 6_000, "[]", '"a"', "3", '{"exhibit": ' + "9" * 6_000 + "}"):
        assert refused_in_one_line(lambda text=text: reproduction_from_text(text))


def test_text_on_a_page_has_no_control_characters():
    assert escape_markdown("\u202eexe.\x1b[31m\x00") == r"\\u202eexe.\\x1b\[31m\\x00"
    assert escape_markdown("naïve  ε\n‌") == "naïve ε ‌"


SIDECARS = {
    "lengths": "[columns]\nlower = [0, 0]\nupper = [1, 1, 1]\n",
    "edges": f"[response]\nedges = [{NINES}]\n",
    "many": "image_shape = [0x" + "f" * 5_000 + ", 1]\n",
    "nested": "a = " + "[" * 9_000,
    "none": "{",
}


def test_a_bad_file_in_the_folder_ends_no_page(tmp_path, monkeypatch):
    """The file's own set says what is wrong; menus and other sets stay as they are."""
    monkeypatch.setenv("DPGEP_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("DPGEP_SAVED", str(tmp_path / "saved.sqlite"))
    for name, text in SIDECARS.items():
        np.savez(tmp_path / f"{name}.npz", X=np.eye(4), y=np.arange(4) % 2)
        (tmp_path / f"{name}.toml").write_text(text)
    (tmp_path / "folder.npz").mkdir()
    halves = np.array(["a\ud800", "b\x1b[31m", "c\u202e", "d"])
    np.savez(tmp_path / "words.npz", X=np.eye(40, 4), y=halves[np.arange(40) % 2], feature_names=halves)
    os.rename(tmp_path / "words.npz", os.fsencode(tmp_path) + b"/caf\xe9.npz")
    (tmp_path / "link.csv").symlink_to("nowhere")
    page = AppTest.from_file(str(files("dashboard") / "app.py"), default_timeout=120)
    page.query_params.update({"dataset": "wine", "model": "pca", "algorithms": "exact"})
    page.run()
    assert not page.exception
    assert not page.error
    menu = page.selectbox(key="dataset")
    assert len(menu.options) == len(dataset_names())
    for name in (*SIDECARS, "folder", "link"):
        menu.set_value(name)
        page.run()
        assert not page.exception
        assert name in page.error[0].value
        menu = page.selectbox(key="dataset")
    menu.set_value("caf\\udce9")  # its name, feature names and classes hold bytes that are no text
    page.run()
    assert not page.exception
    assert not page.error
    menu = page.selectbox(key="dataset")
    menu.set_value("wine")
    page.run()
    assert not page.exception
    assert not page.error
