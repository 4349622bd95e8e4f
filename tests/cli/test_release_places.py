"""Where a release, its statement and its ledger may be: what cannot be is one line, before anything is paid."""

import os
from pathlib import Path

import numpy as np
import pytest
from typed import release

from dashboard.export import chromium
from dpgep_core import load_release
from dpgep_core.cli import main, stating
from dpgep_core.errors import DataError
from dpgep_core.publishing import releasing
from dpgep_core.publishing.budget_ledger import BudgetLedger
from dpgep_core.publishing.placing import LEDGER

LONG = "n" * 300
NOBODY = "~nobody-of-this-name/x"
LOOKED_UP = "must be a path that can be looked up"


def refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """What is said of input that is refused."""
    assert main(words) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    return said.err


@pytest.mark.parametrize("value", [NOBODY, f"./{LONG}.html", "a\0b/c.html"])
@pytest.mark.parametrize("flag", ["dataset", "out", "ledger", "statement"])
def test_a_path_that_cannot_be_looked_up_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], flag: str, value: str
) -> None:
    assert f"{flag} {LOOKED_UP}" in refused([*release(tmp_path), f"--{flag}", value], capsys)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("value", [NOBODY, f"./{LONG}"])
@pytest.mark.parametrize(
    ("words", "parameter"),
    [
        (["budget", "--ledger"], "ledger"),
        (["score", "--public", "wine"], "path"),
        (["solve", "--dataset"], "dataset"),
        (["data", "dota2", "--from"], "--from"),
        (["data", "--into"], "--into"),
    ],
)
def test_so_it_is_for_other_commands(
    capsys: pytest.CaptureFixture[str], words: list[str], parameter: str, value: str
) -> None:
    assert f"{parameter} {LOOKED_UP}" in refused([*words, value], capsys)


def test_so_it_is_for_the_ledger_of_the_environment(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(LEDGER, NOBODY)
    assert f"{LEDGER} {LOOKED_UP}" in refused(["budget"], capsys)


@pytest.mark.parametrize("command", ["solve", "edges"])
def test_the_root_of_all_folders_is_no_data_set(capsys: pytest.CaptureFixture[str], command: str) -> None:
    words = [command, "--dataset", "/", *(["--low", "0", "--high", "1"] if command == "edges" else [])]
    assert "dataset must be a file or a folder with a name" in refused(words, capsys)


@pytest.mark.skipif(os.name == "nt", reason="names of files are bytes on POSIX")
def test_a_data_file_whose_name_is_no_text_is_not_released(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        np.savez(tmp_path / "d\udcff.npz", X=np.random.default_rng(0).normal(size=(40, 3)), y=np.arange(40) % 2)
    except OSError:
        pytest.skip("names of files are text here")
    (tmp_path / "d\udcff.toml").write_text("classes = [0, 1]\n")
    before = set(tmp_path.iterdir())
    said = refused(release(tmp_path, dataset=str(tmp_path / "d\udcff.npz")), capsys)
    assert "dataset must be a data set with a name in UTF-8; got 'd\\udcff'" in said
    assert set(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("kept.html", "another file than the ledger"),
        ("linked/kept.html", "another file than the ledger"),
        ("out.html", "another file than the release"),
        ("linked/out.html", "another file than the release"),
        ("there.html", "a file that is not there yet"),
        ("dangling.html", "a file that is not there yet"),
        ("loop.html", "a path that can be looked up"),
        ("no/s.html", "in a folder that is there"),
        ("b\udcff.html", "a name of a file in UTF-8"),
        ("s" * 246 + ".html", "in a folder that can be written"),
    ],
)
def test_a_statement_has_a_place_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, words: str
) -> None:
    (tmp_path / "linked").symlink_to(tmp_path)
    (tmp_path / "dangling.html").symlink_to(tmp_path / "nowhere")
    (tmp_path / "loop.html").symlink_to("loop.html")
    (tmp_path / "there.html").write_text("mine")
    before = set(tmp_path.iterdir())
    places = {"ledger": str(tmp_path / "kept.html"), "statement": str(tmp_path / name)}
    said = refused(release(tmp_path, "out.html", **places), capsys)
    assert "statement must be " in said
    assert words in said
    assert set(tmp_path.iterdir()) == before
    assert (tmp_path / "there.html").read_text() == "mine"


def test_a_statement_never_replaces_a_ledger(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ledger = str(tmp_path / "kept.html")
    assert main(release(tmp_path, ledger=ledger)) == 0
    capsys.readouterr()
    assert "another file than the ledger" in refused(
        release(tmp_path, "s.npz", ledger=ledger, statement=ledger), capsys
    )
    assert len(BudgetLedger(Path(ledger)).budget("wine").charges) == 1


def test_a_pdf_without_a_browser_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chromium, "found_browser", lambda: None)
    said = refused(release(tmp_path, statement=str(tmp_path / "s.pdf")), capsys)
    assert "statement must be a file .html: PDF needs Chromium" in said
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("ending", ["html", "pdf"])
def test_a_statement_that_fails_in_the_end_follows_the_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    def gone(page: str) -> bytes:
        raise chromium.NoBrowserError("The browser went away.")

    def full(*_: object) -> None:
        raise DataError("s.html", "could not be written (No space left)", stating.WHOLE)

    monkeypatch.setattr(chromium, "found_browser", lambda: "a browser")
    monkeypatch.setattr(chromium, "pdf", gone)
    monkeypatch.setattr(stating, "write_whole", full)
    assert main(release(tmp_path, statement=str(tmp_path / f"s.{ending}"))) == 2
    said = capsys.readouterr()
    assert said.out.startswith("released: ")
    assert said.err.count("\n") == 1
    assert "could not be written" in said.err
    assert "the release itself is whole, and counted" in said.err
    assert load_release(tmp_path / "r.npz").header.epsilon == "0.1"
    assert not list(tmp_path.glob(".s*"))


def test_a_release_that_is_stopped_by_hand_says_what_is_spent(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(releasing, "run", stopped)
    assert main(release(tmp_path)) == 130
    assert "The budget counts this release, and no file was written" in capsys.readouterr().err
    monkeypatch.setattr(releasing, "priced_plan", stopped)  # before it is paid for
    assert main(release(tmp_path)) == 130
    assert capsys.readouterr().err == ""


def test_the_help_says_that_a_statement_replaces_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["release", "--help"])
    assert "must not be there yet" in " ".join(capsys.readouterr().out.split("--statement")[-1].split())
