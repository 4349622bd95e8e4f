"""The Release page: a price before anything is spent, a release by a second click, and nothing without noise."""

import re
import shutil
import sqlite3
from pathlib import Path

import numpy as np
import pytest
from lab import open_at, press, sound
from page import figures, written

from dashboard.compute import releases
from dashboard.pages import RELEASED
from dashboard.panels.release_list import WORD
from dpgep_core import load_release
from dpgep_core.privacy import curator
from dpgep_core.publishing.budget_ledger import BudgetLedger
from dpgep_core.publishing.placing import LEDGER


@pytest.fixture(autouse=True)
def kept(monkeypatch, tmp_path) -> Path:
    """A ledger and a folder of this test."""
    monkeypatch.setenv(LEDGER, str(tmp_path / "budgets.ledger"))
    monkeypatch.setenv(releases.FOLDER, str(tmp_path / "released"))
    monkeypatch.delenv("DPGEP_DATA_DIR", raising=False)
    return tmp_path


def fill(app, **texts):
    for box in app.text_input:
        for part, text in texts.items():
            if box.label.startswith({"epsilon": "ε of this", "delta": "δ of this", "most": "ε of the whole"}[part]):
                box.set_value(text)
    return app


def released(app, **texts):
    press(fill(app, **texts), "Show the price")
    sound(app)
    button = next(button for button in app.button if button.label.startswith("Release, and spend"))
    button.click().run()
    return app


def test_a_price_is_shown_and_nothing_is_spent(kept):
    app = open_at("release", dataset="wine", epsilon="0.5")
    assert "No budget is open for this data set" in sound(app)
    press(app, "Show the price")
    said = sound(app)
    assert re.search(r"at most \d+ times in 1,000", said)
    assert "Left afterwards: ε = 0.5 of 1." in said
    assert not list(kept.iterdir())


def test_a_release_is_made_listed_and_counted(kept):
    app = released(open_at("release", dataset="wine", epsilon="0.5"), epsilon="0.1", most="0.3")
    said = sound(app)
    assert "Released as wine-fda-" in said
    assert "0.2 of ε = 0.3 is left" in said
    released(app, epsilon="0.2")
    assert "0 of ε = 0.3 is left" in sound(app)
    files = sorted((kept / "released").glob("*.npz"))
    assert {load_release(path).header.epsilon for path in files} == {"0.1", "0.2"}
    press(fill(app, epsilon="1e-9"), "Show the price")
    assert "epsilon = 1e-9 is asked for and 0 of 0.3 is left" in next(e.value for e in app.error)
    assert not any(button.label.startswith("Release, and") for button in app.button)
    assert len(BudgetLedger(kept / "budgets.ledger").budget("wine").charges) == 2


def test_settings_of_the_sidebar_are_those_of_the_release(kept):
    app = released(open_at("release", dataset="wine", model="pca", n_components="4", xi="0.1", epsilon="0.5"))
    sound(app)
    (path,) = (kept / "released").glob("*.npz")
    header = load_release(path).header
    assert (header.model, header.n_components, header.epsilon) == ("pca", 4, "0.5")


def test_the_sidebar_shows_what_a_release_depends_on_and_nothing_else(kept):
    app = open_at("release", dataset="wine")
    sound(app)
    (rule,) = [html.proto.body for html in app.get("html") if "stExpander]:not(" in html.proto.body]
    kept_controls = set(re.findall(r"st-key-(\w+)", rule[rule.index("[data-testid=stSidebar]") :]))
    assert kept_controls == RELEASED
    assert {"epsilon", "algorithms", "seed", "noise", "test_size"}.isdisjoint(kept_controls)
    assert "stHtml" not in rule  # the scale of ε would stand under no slider


def test_nothing_that_was_read_without_noise_is_on_the_page(kept):
    app = released(open_at("release", dataset="wine", epsilon="0.5"))
    said = sound(app)
    assert "What-if page" not in said
    assert not re.search("accuracy|cosine|majority|explained", said)
    assert len(figures(app)) == 1  # the budget, which is public
    assert "0.5" in str(figures(app)[0])


def test_the_page_is_a_function_of_public_settings_and_the_noisy_sums(kept, monkeypatch):
    """Two neighbouring data sets give one page, to the letter, where the noisy sums are forced to be the same."""
    rng, folder = np.random.default_rng(0), kept / "data"
    X, y = rng.normal(size=(60, 4)), np.arange(60) % 2
    other_X, other_y = X.copy(), y.copy()
    other_X[7], other_y[7] = rng.normal(size=4) * 50, 1 - y[7]
    forced = rng.integers(-(2**40), 2**40, size=(6, 6))
    forced = forced + forced.T + 2**42 * np.eye(6, dtype=int)

    def same(query, *_):
        return query.integers.decode(forced if "zzᵀ" in query.name else forced[:5, :2])  # or class sums and counts

    monkeypatch.setattr(curator, "exactly_noised", same)
    monkeypatch.setenv("DPGEP_DATA_DIR", str(folder))
    pages = []
    for rows, labels in ((X, y), (other_X, other_y)):
        folder.mkdir()
        np.savez(folder / "own.npz", X=rows, y=labels)
        (folder / "own.toml").write_text("classes = [0, 1]\n")
        app = open_at("release", dataset="own", epsilon="0.5")
        before = written(app)
        said = sound(released(app))
        assert "Released as own-fda-" in said
        drawn = re.sub(r"[0-9a-f]{8,64}|20\d\d-\d\d-\d\d \d\d\\?:\d\d", "#", said)  # names at random, digests, time
        pages.append((before, drawn))
        for made in (kept / "released", folder):
            shutil.rmtree(made)
        for file in kept.glob("budgets.ledger*"):
            file.unlink()
    assert pages[0] == pages[1]


def test_public_rows_score_a_release_once_the_user_says_they_are_public(kept):
    app = released(open_at("release", dataset="adult", epsilon="0.5"))
    sound(app)
    assert not app.table
    next(each for each in app.toggle if each.label == WORD).set_value(True).run()
    said = sound(app)
    assert "All private: projection and classifier from the release alone" in said
    assert "Nearest class mean" in said
    assert "The commonest class of these rows" in said


def test_another_setting_asks_again(kept):
    app = press(open_at("release", dataset="wine", epsilon="0.5"), "Show the price")
    app.selectbox(key="model").set_value("pca").run()
    assert not any(button.label.startswith("Release, and") for button in app.button)


@pytest.mark.parametrize(("texts", "words"), [({"epsilon": "0"}, "epsilon must be"), ({"delta": "x"}, "delta must be"),
                                              ({"most": "0.01"}, "is left")])  # fmt: skip
def test_bad_input_is_one_sentence(kept, texts, words):
    app = press(fill(open_at("release", dataset="wine", epsilon="0.5"), **texts), "Show the price")
    assert [e.value for e in app.exception] == []
    assert words in "".join(e.value for e in app.error)
    assert not list(kept.iterdir())


def test_what_is_not_declared_is_named(kept):
    app = open_at("release", dataset="wine", epsilon="0.5", relation="add_remove")
    assert "n, the number of rows" in "".join(e.value for e in app.error)
    assert "NAME.toml" in written(app)
    assert "Show the price" not in [button.label for button in app.button]


@pytest.mark.parametrize("fault", ["gap", "label"])
def test_rows_that_do_not_load_are_refused_without_a_word_about_them(kept, monkeypatch, fault):
    X, y = np.random.default_rng(0).normal(size=(60, 4)), np.arange(60) % 2
    if fault == "gap":
        X[17, 1] = np.nan
    else:
        y[17] = 7
    folder = kept / "data"
    folder.mkdir()
    np.savez(folder / "odd.npz", X=X, y=y)
    (folder / "odd.toml").write_text("classes = [0, 1]\n")
    monkeypatch.setenv("DPGEP_DATA_DIR", str(folder))
    app = open_at("release", dataset="odd")
    (error,) = [e.value for e in app.error]
    assert "do not fit what is declared" in error
    assert not re.search(r"\d", written(app))
    assert "18" in "".join(e.value for e in open_at("explore", dataset="odd").error)  # where the rows may be looked at


def test_a_ledger_of_another_program_is_named(kept):
    base = sqlite3.connect(kept / "budgets.ledger")
    base.executescript("CREATE TABLE x (y);")
    base.close()
    app = open_at("release", dataset="wine")
    assert "another program" in "".join(e.value for e in app.error)
    assert "Show the price" not in [button.label for button in app.button]


def test_a_file_that_is_gone_is_said(kept):
    app = released(open_at("release", dataset="wine", epsilon="0.5"))
    for path in (kept / "released").glob("*.npz"):
        path.unlink()
    assert "Its file is not in the folder of releases" in written(app.run())
