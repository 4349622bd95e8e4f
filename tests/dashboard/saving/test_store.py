"""Saved scenarios: nothing is lost when several write at once, and a file that is not right is left as it is."""

import json
import os
import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from apart import CONTEXT, apart, joined

from dashboard.saving import exchange
from dashboard.saving.store import ENVIRONMENT, LONGEST_NAME, LONGEST_NOTE, LONGEST_QUERY, Store, default_path
from dpgep_core.cli import dashboard as command
from dpgep_core.cli import main
from dpgep_core.datasets import load_dataset
from dpgep_core.datasets.digests import dataset_digest
from dpgep_core.errors import DataError, DpgepError, ParameterError
from dpgep_core.sqlitefile import StoreError

QUERY = {"dataset": "wine", "model": "fda", "algorithms": "ssp,dpsr", "epsilon": "0.5", "seed": "3"}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "folder" / "saved.sqlite"


@pytest.fixture
def store(path):
    return Store(path)


def names(store):
    return [item.name for item in store.all()]


def test_what_is_saved_comes_back_whole(store):
    assert store.all() == ()
    kept = store.add("  my\tscenario\n", {**QUERY, "odd": "a&b=c é"}, note="line one\nline two", digest=b"rows")
    (found,) = store.all()
    assert found == kept
    assert found.name == "my scenario"
    assert dict(found.query) == {**QUERY, "odd": "a&b=c é"}
    assert found.note == "line one\nline two"
    assert found.version
    assert found.fingerprint == store.mark(b"rows") != store.mark(b"other rows")


def test_only_settings_are_in_the_file(store, path):
    store.add("one", QUERY, digest=dataset_digest(load_dataset("wine")))
    base = sqlite3.connect(path)
    columns = {row[1] for row in base.execute("PRAGMA table_info(scenario)")}
    base.close()
    assert columns == {"id", "owner", "name", "note", "query", "fingerprint", "version", "made", "deleted"}


def test_a_fingerprint_means_nothing_in_another_file(tmp_path):
    one, other = (Store(tmp_path / name).mark(b"rows") for name in ("a", "b"))
    assert one != other


def test_the_newest_is_first_and_taken_names_get_a_number(store):
    for _ in range(3):
        store.add("same", QUERY)
    assert names(store) == ["same (3)", "same (2)", "same"]


def test_rename_copy_delete_undo(store):
    one = store.add("one", QUERY, note="n")
    store.rename(one.id, "other", "new note")
    copy = store.duplicate(one.id)
    assert names(store) == ["other, copy", "other"]
    assert dict(copy.query) == QUERY
    with pytest.raises(ParameterError, match="name must be one that no other"):
        store.rename(copy.id, "other")
    store.delete(one.id)
    assert names(store) == ["other, copy"]
    store.rename(copy.id, "other")
    store.undo(one.id)
    assert sorted(names(store)) == ["other", "other (2)"]
    for gone in (store.delete, store.duplicate, lambda key: store.rename(key, "x")):
        with pytest.raises(StoreError, match="no longer in the list"):
            gone("nothing")
    with pytest.raises(StoreError, match="cannot be brought back"):
        store.undo("nothing")


def test_each_owner_has_a_list_of_their_own(path):
    mine, yours = Store(path, "issuer a"), Store(path, "issuer b")
    kept = mine.add("mine", QUERY)
    assert names(yours) == []
    for touch in (yours.delete, yours.duplicate, yours.undo, lambda key: yours.rename(key, "x")):
        with pytest.raises(StoreError):
            touch(kept.id)
    assert names(mine) == ["mine"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"name": ""}, "name must be a text of 1 to 80"),
        ({"name": " \x00\x07 "}, "name must be a text"),
        ({"name": "x" * (LONGEST_NAME + 1)}, "name must be a text"),
        ({"note": "x" * (LONGEST_NOTE + 1)}, "note must be a text of at most"),
        ({"query": {"dataset": "x" * LONGEST_QUERY}}, "address must be at most"),
    ],
)
def test_what_is_too_much_is_said(store, given, said):
    with pytest.raises(ParameterError, match=said):
        store.add(**{"name": "n", "query": QUERY, **given})
    assert store.all() == ()


@pytest.mark.parametrize("name", ["'; DROP TABLE scenario; --", '"quoted"', "ε = ∞ 😀", "%s ? :x"])
def test_names_are_never_sql(store, name):
    kept = store.add(name, {"dataset": name}, note=name)
    store.rename(kept.id, f"{name}2", name)
    assert [(item.name, item.query["dataset"], item.note) for item in store.all()] == [(f"{name}2", name, name)]


def test_several_are_kept_all_or_none(store):
    with pytest.raises(ParameterError):
        store.add_all([("good", QUERY, ""), ("", QUERY, "")])
    assert store.all() == ()
    assert [item.name for item in store.add_all([("a", QUERY, ""), ("a", QUERY, "")])] == ["a", "a (2)"]


def test_threads_lose_nothing(path):
    def work(number):
        own = Store(path)
        kept = [own.add(f"t{number} {i}", QUERY) for i in range(8)]
        own.delete(kept[0].id)

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(work, range(6)))
    assert len(names(Store(path))) == len(set(names(Store(path)))) == 6 * 7


def add_eight(path):
    for _ in range(8):
        Store(path).add("same", QUERY)


def test_processes_lose_nothing_and_make_one_file(path):
    running = [apart(add_eight, path) for _ in range(2)]
    assert [joined(one) for one in running] == [0, 0]
    found = names(Store(path))
    assert len(found) == len(set(found)) == 16
    assert [each.name for each in path.parent.iterdir() if each.name.startswith(".")] == []


def broken(path, how):
    """A file of ours, spoilt."""
    store = Store(path)
    store.add_all([(f"a name that takes its place {i}", QUERY, "x" * 900) for i in range(60)])
    whole = path.read_bytes()
    for more in path.parent.glob(f"{path.name}-*"):
        more.unlink()
    if how == "empty":
        path.write_bytes(b"")
    elif how == "cut in the header":
        path.write_bytes(whole[:60])
    elif how == "cut in the middle":
        path.write_bytes(whole[: len(whole) // 2])
    elif how == "overwritten inside":
        path.write_bytes(whole[:4096] + b"\x55" * (len(whole) - 8192) + whole[-4096:])
    elif how == "text":
        path.write_text("these are my notes\n" * 50)
    elif how == "another program's":
        path.unlink()
        base = sqlite3.connect(path)
        base.execute("CREATE TABLE scenario (id TEXT)")
        base.commit()
        base.close()
    elif how == "a later layout":
        base = sqlite3.connect(path)
        base.execute("PRAGMA user_version = 9")
        base.close()


@pytest.mark.parametrize(
    "how",
    ["empty", "cut in the header", "cut in the middle", "overwritten inside", "text", "another program's",
     "a later layout"],
)  # fmt: skip
def test_a_file_that_is_not_right_is_said_and_left_as_it_is(path, how):
    broken(path, how)
    before = path.read_bytes()
    for use in (Store.all, lambda s: s.add("new", QUERY), lambda s: s.mark(b"rows")):
        with pytest.raises(StoreError) as caught:
            use(Store(path))
        assert str(path) in str(caught.value)
        assert "\n" not in str(caught.value)
    assert path.read_bytes() == before


def test_places_that_cannot_be_written_are_said(tmp_path):
    (tmp_path / "file").write_text("x")
    for place in (tmp_path, tmp_path / "file" / "saved.sqlite"):
        with pytest.raises(StoreError, match="cannot be used"):
            Store(place).add("n", QUERY)


def add_as_nobody(path, heard):
    if os.geteuid() == 0:
        os.setuid(65534)
    try:
        Store(path).add("n", {})
    except StoreError as error:
        heard.put(str(error))


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="rights of files are those of POSIX here")
def test_a_file_that_may_only_be_read_is_said(tmp_path):
    folder = tmp_path / "saved"
    path = folder / "saved.sqlite"
    Store(path).add("kept", QUERY)
    path.chmod(0o444)
    folder.chmod(0o555)
    reachable = Path("/tmp") / f"dpgep-readonly-{os.getpid()}"  # someone else may not enter pytest's folder
    shutil.copytree(folder, reachable)
    try:
        heard = CONTEXT.Queue()
        assert joined(apart(add_as_nobody, reachable / path.name, heard)) == 0
        said = heard.get(timeout=60)
    finally:
        folder.chmod(0o755)
        reachable.chmod(0o755)
        shutil.rmtree(reachable)
    assert str(reachable) in said
    assert "cannot be used" in said or "not written" in said
    assert names(Store(path)) == ["kept"]


def test_where_the_file_is(monkeypatch, tmp_path):
    monkeypatch.setenv(ENVIRONMENT, str(tmp_path / "x.sqlite"))
    assert default_path() == tmp_path / "x.sqlite"
    monkeypatch.delenv(ENVIRONMENT)
    assert default_path().name == "saved.sqlite"
    assert "dpgep" in str(default_path())


def test_to_a_file_and_back(store, tmp_path):
    store.add("one", QUERY, note="né", digest=b"rows")
    store.add("two", {"dataset": "digits"})
    content = exchange.dumps(store.all())
    assert b"fingerprint" not in content
    items, problems = exchange.loads(content, "f.json")
    assert problems == []
    other = Store(tmp_path / "other")
    other.add_all(items)
    assert {(i.name, i.note, tuple(i.query.items())) for i in other.all()} == {
        (i.name, i.note, tuple(i.query.items())) for i in store.all()
    }


def wrapped(scenarios, version=1, form="dpgep-scenarios"):
    return json.dumps({"format": form, "version": version, "scenarios": scenarios}).encode()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "not JSON"),
        (b"\xff\xfe\x00", "not JSON"),
        (b"{", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[]", "not a list of saved scenarios"),
        (b"{}", '"format" must be'),
        (wrapped([], form="x"), "not a list of saved"),
        (wrapped([{}], version=2), "version 2"),
        (wrapped([{}], version=None), "version None"),
        (wrapped({}), "no usable list"),
        (wrapped([]), "no usable list"),
        (wrapped([{}] * 2001), "no usable list"),
        (wrapped(["x"]), "scenario 1: not an object"),
        (wrapped([{"name": 1, "query": {}}]), "both must be texts"),
        (wrapped([{"name": "a", "note": [], "query": {}}]), "both must be texts"),
        (wrapped([{"name": "a", "query": []}]), "not an object of texts"),
        (wrapped([{"name": "a", "query": {"epsilon": 1}}]), "not an object of texts"),
        (b" " * 2_000_001, "at most 2,000,000"),
    ],
)
def test_files_that_are_not_right(content, said):
    with pytest.raises(DataError) as caught:
        exchange.loads(content, "mine.json")
    assert said in str(caught.value)
    assert str(caught.value).startswith("mine.json")


def test_what_an_imported_address_asks_in_vain_is_said():
    _, problems = exchange.loads(wrapped([{"name": "a", "query": {"dataset": "gone", "epsilon": "-1"}}]), "f.json")
    assert len(problems) == 2
    assert all(problem.startswith("a: ") for problem in problems)
    assert "gone" in problems[0]


def test_an_uploaded_set_of_another_session_is_said():
    assert any("upload_mine" in problem for problem in exchange.unusable({"dataset": "upload_mine"}))
    assert exchange.unusable({"dataset": "upload_mine"}, {"upload_mine": None}) == ()


def test_a_digest_sees_every_change_and_no_wrapping():
    wine = load_dataset("wine")
    same = replace(wine, X=np.asfortranarray(wine.X), title="other title")
    assert dataset_digest(wine) == dataset_digest(same)
    X = wine.X.copy()
    X[-1, -1] += 1e-9
    y = np.roll(wine.y, 1)
    for changed in (replace(wine, X=X), replace(wine, y=y), replace(wine, X=wine.X[:-1], y=wine.y[:-1]),
                    replace(wine, preprocessing=replace(wine.preprocessing, lower=None, upper=None))):  # fmt: skip
        assert dataset_digest(changed) != dataset_digest(wine)


def test_every_error_of_the_store_is_one_a_user_can_mend():
    assert issubclass(StoreError, DpgepError)


def test_the_flag_names_the_file(monkeypatch, tmp_path, capsys):
    served = []
    server = SimpleNamespace(serve=lambda *_given, **_named: served.append(os.environ[ENVIRONMENT]))
    monkeypatch.setattr(command.importlib, "import_module", lambda _name: server)
    monkeypatch.setattr(command, "threadpool_limits", lambda _number: None)
    monkeypatch.setenv(ENVIRONMENT, "elsewhere")
    assert main(["--headless", "--saved", str(tmp_path / "mine.sqlite")]) == 0
    assert served == [str(tmp_path / "mine.sqlite")]
    for wrong in (str(tmp_path), str(tmp_path / "gone" / "x")):
        assert main(["--headless", "--saved", wrong]) == 2
        assert "--saved must be a file, there or not, in a folder that exists" in capsys.readouterr().err
