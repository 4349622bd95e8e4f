"""``dpgep release`` and ``dpgep budget`` as a user types them."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typed import release

from dashboard.compute import releases
from dpgep_core import load_release
from dpgep_core.cli import main
from dpgep_core.cli.releasing import ROWS_CHANGED
from dpgep_core.publishing.placing import LEDGER


def reported(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_release_and_what_is_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = reported(capsys, *release(tmp_path))
    assert one["spent"]["epsilon"] == 0.1
    assert one["left"]["epsilon"] == 0.2
    assert one["sha256"] == hashlib.sha256((tmp_path / "r.npz").read_bytes()).hexdigest()
    assert one["mu"] == load_release(one["file"]).header.mu
    two = reported(capsys, *release(tmp_path, "s.npz", epsilon="0.2"))
    assert two["left"]["epsilon"] == 0
    assert main(release(tmp_path, "t.npz", epsilon="1e-9")) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "epsilon = 1e-9 is asked for and 0 of 0.3 is left in the budget of 'wine'" in said.err
    assert not (tmp_path / "t.npz").exists()
    listed = reported(capsys, "budget", "--ledger", str(tmp_path / "kept.ledger"), "--dataset", "wine")
    assert [each["file"] for each in listed["datasets"]["wine"]["releases"]] == ["r.npz", "s.npz"]
    assert main(["budget", "--ledger", str(tmp_path / "kept.ledger")]) == 0
    assert "0.3 of 0.3 spent, 0 left" in capsys.readouterr().out


def test_delta_is_that_of_the_budget_where_it_is_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain = {"delta": "", "budget-delta": ""}
    one = reported(capsys, *release(tmp_path, **plain))
    assert one["asked"]["delta"] == one["budget"]["delta"] == 1e-6
    small = reported(capsys, *release(tmp_path, "s.npz", dataset="digits", **{**plain, "budget-delta": "1e-9"}))
    assert small["asked"]["delta"] == small["budget"]["delta"] == 1e-9
    again = reported(capsys, *release(tmp_path, "t.npz", dataset="digits", **plain))  # the same limit, said again
    later = reported(capsys, *release(tmp_path, "u.npz", dataset="digits", **plain, **{"budget-epsilon": ""}))
    assert again["asked"]["delta"] == later["asked"]["delta"] == 1e-9
    assert later["left"]["epsilon"] == 0


def test_page_and_command_share_one_ledger_where_none_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "new" / "folder" / "shared.ledger"
    monkeypatch.setenv(LEDGER, str(path))
    reported(capsys, *release(tmp_path, ledger=""))
    budget = releases.kept_budget("wine")  # that of the page
    assert budget is not None
    assert len(budget.charges) == 1
    assert reported(capsys, "budget")["ledger"] == str(path)


def test_nothing_without_noise_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(release(tmp_path)) == 0
    text = capsys.readouterr().out
    one = json.dumps(reported(capsys, *release(tmp_path, "s.npz")))
    for word in ("accuracy", "cosine", "majority", "count"):
        assert not re.search(rf"\b{word}\b", text)
        assert not re.search(rf"\b{word}\b", one)


def test_a_setting_that_says_little_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = reported(capsys, *release(tmp_path, epsilon="0.01"))
    assert any("expect a random projection" in each for each in found["warnings"])
    large = reported(capsys, *release(tmp_path, "b.npz", dataset="digits", delta="0.1", **{"budget-delta": "0.1"}))
    assert any("not below 1/n" in each for each in large["warnings"])


def test_the_statement_is_written_as_html(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "statement.html"
    assert main(release(tmp_path, statement=str(page))) == 0
    assert "Privacy statement" in page.read_text(encoding="utf-8")
    assert main(release(tmp_path, "s.npz", statement=str(tmp_path / "x.doc"))) == 2
    assert "statement must be a file .html or .pdf" in capsys.readouterr().err
    assert not (tmp_path / "s.npz").exists()


def test_the_statement_is_one_page_of_pdf(tmp_path: Path) -> None:
    from dashboard.export.chromium import found_browser

    if found_browser() is None:
        pytest.skip("no Chromium")
    page = tmp_path / "statement.pdf"
    assert main(release(tmp_path, statement=str(page))) == 0
    content = page.read_bytes()
    assert content.startswith(b"%PDF")
    assert content.count(b"/Type /Page\n") + content.count(b"/Type /Page ") == 1 or b"/Count 1" in content


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"epsilon": "0"}, "epsilon must be a number > 0"),
        ({"delta": "2"}, "delta must be a number > 0"),
        ({"budget-epsilon": "x"}, "budget-epsilon must be"),
        ({"budget-epsilon": ""}, "budget-delta must be left out, or given together with budget-epsilon"),
        ({"budget-epsilon": "", "budget-delta": ""}, "budget-epsilon must be given for the first release of 'wine'"),
        ({"model": "odd"}, "model must be one of"),
        ({"algorithm": "dpsr"}, "algorithm must be ssp for a release (dpsr may not leave"),
        ({"dataset": "nowhere"}, "dataset must be one of"),
        ({"set": "seed=3"}, "--set must be one of"),
        ({"n-components": "0"}, "n-components must be"),
    ],
)
def test_bad_input_is_one_line_and_spends_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changes: dict[str, str], words: str
) -> None:
    assert main(release(tmp_path, **changes)) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert words in said
    assert not list(tmp_path.iterdir())


def test_a_data_set_that_does_not_load_tells_nothing_of_its_rows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    X = np.random.default_rng(0).normal(size=(30, 3))
    X[17, 1] = np.nan
    np.savez(folder / "odd.npz", X=X, y=np.arange(30) % 2)
    (folder / "odd.toml").write_text('classes = ["a", "b"]\n')
    monkeypatch.setenv("DPGEP_DATA_DIR", str(folder))
    assert main(release(tmp_path, dataset="odd")) == 2
    said = capsys.readouterr().err
    assert "do not fit what is declared" in said
    assert not any(number in said for number in ("17", "30", "nan"))
    assert not (tmp_path / "kept.ledger").exists()


def test_rows_that_changed_are_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    monkeypatch.setenv("DPGEP_DATA_DIR", str(folder))
    one: dict[str, Any] = {}
    for seed in (0, 1):
        X = np.random.default_rng(seed).normal(size=(40, 3))
        np.savez(folder / "own.npz", X=X, y=np.arange(40) % 2)
        (folder / "own.toml").write_text('classes = ["a", "b"]\nclass_names = []\n' if False else "classes = [0, 1]\n")
        one = reported(capsys, *release(tmp_path, f"{seed}.npz", dataset="own"))
        assert ROWS_CHANGED in one["warnings"] if seed else ROWS_CHANGED not in one["warnings"]
    assert one["spent"]["epsilon"] == 0.2
