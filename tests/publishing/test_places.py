"""Places of a release are checked before its price is paid, and what ends it afterwards says what is spent."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from made import request_for

from dpgep_core import DataError, ParameterError, load_dataset, load_release
from dpgep_core.errors import DpgepError, with_notes
from dpgep_core.paths import path_of
from dpgep_core.publishing import releasing
from dpgep_core.publishing.budget_ledger import BudgetLedger
from dpgep_core.publishing.releasing import publish
from dpgep_core.sqlitefile import StoreError


def charges(folder: Path) -> int:
    ledger = folder / "kept.ledger"
    return len(BudgetLedger(ledger).budgets()["wine"].charges) if ledger.exists() else 0


def test_a_path_is_absolute_and_may_be_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("x")
    for named in ("none", Path("none"), "file/below", "file"):
        assert path_of("out", named) == tmp_path / named
    assert path_of("out", "~/x") == Path.home() / "x"


def test_a_folder_that_may_not_be_searched_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(_: Path, **__: Any) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "stat", denied)  # root may search every folder
    with pytest.raises(ParameterError, match=r"out must be a path that can be looked up \(Permission denied\); got"):
        path_of("out", tmp_path / "x")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"out": "dangling.npz"}, "out must be a file that is not there yet"),
        ({"out": "kept.ledger"}, "out must be another file than the ledger"),
        ({"out": "linked/kept.ledger"}, "out must be another file than the ledger"),
        ({"out": "kept.ledger-wal"}, "out must be another file than the ledger"),
        ({"out": "r\udcff.npz"}, "out must be a name of a file in UTF-8"),
        ({"out": "~nobody-of-this-name/r"}, "out must be a path that can be looked up"),
        ({"out": "r" * 300}, "out must be a path that can be looked up"),
        ({"ledger": "r" * 300}, "ledger must be a path that can be looked up"),
        ({"dataset": "d\udcff"}, "dataset must be a data set with a name in UTF-8"),
    ],
)
def test_what_cannot_be_written_is_refused_before_the_price_is_paid(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changes: dict[str, str], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "linked").symlink_to(tmp_path)
    (tmp_path / "dangling.npz").symlink_to(tmp_path / "nowhere")
    before = set(tmp_path.iterdir())
    given: dict[str, Any] = {name: Path(value) for name, value in changes.items() if name != "dataset"}
    data = replace(load_dataset("wine"), name=changes.get("dataset", "wine"))
    with pytest.raises(ParameterError, match=words):
        publish(request_for(tmp_path, dataset=data, **given))
    assert set(tmp_path.iterdir()) == before


@pytest.mark.skipif(os.name == "nt", reason="folders are flushed on POSIX")
def test_a_ledger_in_a_folder_that_cannot_be_flushed_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: Callable[..., int] = os.open

    def denied(path: Any, *rest: Any, **named: Any) -> int:
        if path == tmp_path:
            raise PermissionError(13, "Permission denied")
        return opened(path, *rest, **named)

    monkeypatch.setattr(os, "open", denied)  # root may read every folder
    with pytest.raises(StoreError, match=r"kept\.ledger cannot be used .* Permission denied"):
        publish(request_for(tmp_path))
    monkeypatch.undo()
    assert not BudgetLedger(tmp_path / "kept.ledger").entries()
    assert not (tmp_path / "release.npz").exists()


@pytest.mark.skipif(os.name == "nt", reason="folders are flushed on POSIX")
def test_the_name_of_a_ledger_is_flushed_before_a_price_is_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushed: list[set[str]] = []
    opened: Callable[..., int] = os.open

    def seen(path: Any, *rest: Any, **named: Any) -> int:
        if path == tmp_path:
            flushed.append({each.name for each in tmp_path.iterdir()})
        return opened(path, *rest, **named)

    monkeypatch.setattr(os, "open", seen)
    publish(request_for(tmp_path))
    assert "kept.ledger" in flushed[0]


def stopping(error: BaseException, after: Callable[..., object] | None = None) -> Callable[..., None]:
    def stopped(*given: Any, **named: Any) -> None:
        if after is not None:
            after(*given, **named)
        raise error

    return stopped


@pytest.mark.parametrize("kind", [KeyboardInterrupt, MemoryError, DpgepError])
@pytest.mark.parametrize(
    ("step", "late", "words"),
    [
        ("secure_place", False, ""),
        ("BudgetLedger.reserve", True, "The budget may count this release, and no file was written"),
        ("run", False, "The budget counts this release, and no file was written"),
        ("release_bytes", True, "The budget counts this release, and no file was written"),
        ("write_whole", False, "The budget counts this release, and no file was written"),
        ("write_whole", True, "release.npz is whole"),
        ("BudgetLedger.record_file", False, "release.npz is whole"),
    ],
)
def test_whatever_ends_a_release_says_what_is_spent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: type[BaseException], step: str, late: bool, words: str
) -> None:
    owner, _, name = step.rpartition(".")
    place = getattr(releasing, owner) if owner else releasing
    monkeypatch.setattr(place, name, stopping(kind(), getattr(place, name) if late else None))
    recorded = name == "record_file" and kind is not KeyboardInterrupt
    with pytest.raises(DataError if recorded else kind) as caught:
        publish(request_for(tmp_path))
    monkeypatch.undo()
    if recorded:
        assert "the release is whole, and counted" in str(caught.value)
    elif kind is DpgepError and name in ("reserve", "write_whole"):
        assert with_notes(caught.value) == ""  # its own words say it
    else:
        assert words in with_notes(caught.value)
        assert bool(words) == bool(with_notes(caught.value))
    assert charges(tmp_path) == (name != "secure_place")
    if (tmp_path / "release.npz").exists():
        assert load_release(tmp_path / "release.npz").header.dataset == "wine"
    assert not list(tmp_path.glob(".release*"))
