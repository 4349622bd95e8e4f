"""The kept ledger: what it refuses, what a crash leaves, and many processes at once."""

import os
import signal
import sqlite3
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest
from apart import CONTEXT, apart, joined

from dpgep_core import ParameterError, UnknownNameError
from dpgep_core.publishing import budget_ledger
from dpgep_core.publishing.budget import Amount, BudgetSpentError, Charge
from dpgep_core.publishing.budget_ledger import BudgetLedger, Reservation
from dpgep_core.sqlitefile import StoreError

LIMIT = Amount.of("1", "1e-6")


def reserve(path: Path, epsilon: str = "0.1", **changes: Any) -> Reservation:
    more: dict[str, Any] = {"limit": LIMIT, "relation": "replace_one", "rows": b"the rows", "setting": {}, **changes}
    name = more.pop("dataset", "census")
    return BudgetLedger(path).reserve(name, Charge(Amount.of(epsilon, "1e-6"), 0.02, 2.0**-90), **more)


def test_releases_are_counted_and_the_budget_is_never_passed(tmp_path: Path) -> None:
    path = tmp_path / "kept.ledger"
    for _ in range(10):
        reserve(path)
    with pytest.raises(BudgetSpentError, match="0 of 1 is left"):
        reserve(path, "1e-9")
    budget = BudgetLedger(path).budget("census")
    assert len(budget.charges) == 10
    assert budget.spent_epsilon == 1
    assert [entry.kind for entry in BudgetLedger(path).entries()] == ["opened"] + ["reserved"] * 10


def test_a_refusal_leaves_no_file_and_no_row(tmp_path: Path) -> None:
    path = tmp_path / "kept.ledger"
    with pytest.raises(BudgetSpentError):
        reserve(path, "1.5")
    assert not path.exists()
    with pytest.raises(ParameterError, match="budget-epsilon must be given for the first release of 'census'"):
        reserve(path, limit=None)
    reserve(path, "0.9")
    with pytest.raises(BudgetSpentError, match=r"0\.2 is asked for and 0\.1 of 1 is left"):
        reserve(path, "0.2", limit=None)
    assert len(BudgetLedger(path).entries()) == 2


def test_a_budget_is_opened_once(tmp_path: Path) -> None:
    path = tmp_path / "kept.ledger"
    reserve(path)
    with pytest.raises(ParameterError, match="budget-epsilon must be 1, with which the budget of 'census' was opened"):
        reserve(path, limit=Amount.of("2", "1e-6"))
    with pytest.raises(ParameterError, match="budget-delta must be"):
        reserve(path, limit=Amount.of("1", "1e-5"))
    with pytest.raises(ParameterError, match="relation must be replace_one"):
        reserve(path, relation="add_remove")
    assert reserve(path, limit=Amount.of("1.0", "0.0000010")).budget.spent_epsilon == LIMIT.epsilon / 5


def test_rows_that_changed_are_noticed_and_counted_on(tmp_path: Path) -> None:
    path = tmp_path / "kept.ledger"
    assert not reserve(path).rows_changed
    again = reserve(path, rows=b"other rows")
    assert again.rows_changed
    assert len(again.budget.charges) == 2


def test_the_same_rows_get_no_second_budget_under_another_name(tmp_path: Path) -> None:
    path = tmp_path / "kept.ledger"
    reserve(path)
    with pytest.raises(ParameterError, match="named 'census', under which these rows have a budget"):
        reserve(path, dataset="census_copy")
    assert reserve(path, dataset="other", rows=b"other").budget.dataset == "other"
    assert set(BudgetLedger(path).budgets()) == {"census", "other"}
    with pytest.raises(UnknownNameError, match="keeps no budget"):
        BudgetLedger(path).budget("third")


def test_rows_that_were_released_under_a_name_get_no_budget_under_another(tmp_path: Path) -> None:
    """The budget of a name was opened with other rows, and paid for these since."""
    path = tmp_path / "kept.ledger"
    reserve(path)
    assert reserve(path, rows=b"newer rows").rows_changed
    with pytest.raises(ParameterError, match="named 'census', under which these rows have a budget"):
        reserve(path, dataset="other", rows=b"newer rows")
    reserve(path, dataset="third", rows=b"rows of the third")
    with pytest.raises(ParameterError, match="named 'third', under which these rows have a budget"):
        reserve(path, rows=b"rows of the third")  # nor from a budget that is open


def test_a_budget_whose_rows_an_earlier_version_knew_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "kept.ledger"
    with monkeypatch.context() as before:
        before.setattr(budget_ledger, "DIGEST", 1)
        reserve(path, rows=b"digest of an earlier version")
    assert not reserve(path).rows_changed  # nobody can tell
    assert not reserve(path).rows_changed
    last = reserve(path, rows=b"other rows")
    assert last.rows_changed
    assert len(last.budget.charges) == 4


def test_rows_are_only_added(tmp_path: Path) -> None:
    path = tmp_path / "kept.ledger"
    reserve(path)
    base = sqlite3.connect(path)
    for change in ("UPDATE entry SET body = '{}'", "DELETE FROM entry"):
        with pytest.raises(sqlite3.IntegrityError, match="only added"):
            base.execute(change)
    base.close()


@pytest.mark.parametrize("change", ["UPDATE entry SET body = replace(body, '\"0.1\"', '\"0.01\"') WHERE number = 2",
                                    "DELETE FROM entry WHERE number = 2",
                                    "DELETE FROM entry WHERE number = 1"])  # fmt: skip
def test_a_ledger_that_was_changed_is_named_and_left_alone(tmp_path: Path, change: str) -> None:
    path = tmp_path / "kept.ledger"
    reserve(path)
    reserve(path)
    base = sqlite3.connect(path)
    base.executescript(f"DROP TRIGGER never_changed; DROP TRIGGER never_removed; {change};")
    base.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="does not follow from the rows before it"):
        reserve(path)
    assert path.read_bytes() == before


def test_files_of_other_kinds_are_named_and_left_alone(tmp_path: Path) -> None:
    text, other, cut = tmp_path / "notes.txt", tmp_path / "other.sqlite", tmp_path / "cut.ledger"
    text.write_text("a" * 200)
    base = sqlite3.connect(other)
    base.executescript("CREATE TABLE x (y); INSERT INTO x VALUES (1);")
    base.close()
    reserve(cut)
    cut.write_bytes(cut.read_bytes()[:6000])
    for path, words in ((text, "does not hold a ledger"), (other, "another program"), (cut, "damaged")):
        before = path.read_bytes()
        with pytest.raises(StoreError, match=words) as caught:
            reserve(path)
        assert str(path) in str(caught.value)
        assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("unable to open database file", "cannot be written, nor can files beside it: nothing was saved"),
        ("attempt to write a readonly database", "can be read and not written: nothing was saved"),
        ("database or disk is full", "is on a disk that is full: nothing was saved"),
        ("database is locked", "is being written by someone else"),
    ],
)
def test_what_sqlite_says_is_said_in_plain_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, words: str
) -> None:
    path = tmp_path / "kept.ledger"
    reserve(path)
    before = path.read_bytes()

    def failing(*_: object) -> None:
        raise sqlite3.OperationalError(said)

    monkeypatch.setattr(budget_ledger, "append_entry", failing)
    with pytest.raises(StoreError, match=words) as caught:
        reserve(path)
    assert str(path) in str(caught.value)
    assert path.read_bytes() == before


def test_a_missing_ledger_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="--ledger must be a ledger that is there"):
        BudgetLedger(tmp_path / "none").entries()


def reserve_in_turn(path: Path, epsilon: str, count: int, granted: Connection) -> None:
    """A process that reserves again and again, and says how often it was granted."""
    done = 0
    for _ in range(count):
        with suppress(BudgetSpentError):
            reserve(path, epsilon)
            done += 1
    granted.send(done)


@pytest.mark.parametrize(("processes", "count"), [(3, 25), pytest.param(8, 13, marks=pytest.mark.slow)])
def test_many_processes_at_once_never_pass_the_budget_and_lose_nothing(
    tmp_path: Path, processes: int, count: int
) -> None:
    path = tmp_path / "kept.ledger"
    pipes = [CONTEXT.Pipe(duplex=False) for _ in range(processes)]
    running = [apart(reserve_in_turn, path, "0.02", count, says) for _, says in pipes]
    assert [joined(each) for each in running] == [0] * processes
    granted = sum(hears.recv() for hears, _ in pipes)
    budget = BudgetLedger(path).budget("census")
    assert granted == len(budget.charges) == 50  # of 75 or 104 that were asked for, 50 at 0.02 fit in 1
    assert budget.spent_epsilon == 1
    assert len({entry.body["release"] for entry in BudgetLedger(path).entries() if entry.kind == "reserved"}) == 50


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL is of POSIX")
def test_a_killed_writer_leaves_a_valid_ledger(tmp_path: Path) -> None:
    path = tmp_path / "kept.ledger"
    reserve(path, "0.02")
    _, unheard = CONTEXT.Pipe(duplex=False)
    for _ in range(3):
        before = len(BudgetLedger(path).entries())
        running = apart(reserve_in_turn, path, "0.0001", 10_000, unheard)
        while len(BudgetLedger(path).entries()) < before + 5:
            pass
        running.kill()
        assert joined(running) == -signal.SIGKILL
        assert len(BudgetLedger(path).budget("census").charges) >= before + 4
    assert len(reserve(path, "0.0001").budget.charges) > 15
