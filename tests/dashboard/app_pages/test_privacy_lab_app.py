"""The Privacy lab from its address to its words, without a browser."""

import re

import pytest
from lab import filled, open_at, query, sound
from page import figures

from dashboard import cache
from dashboard.compute import evidence, guessing
from dashboard.pages import PARTS
from dashboard.panels import lab_attack
from dashboard.scenario import Scenario, fitting_algorithms
from dashboard.text.words import right_of_thousand
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.models import MODELS
from dpgep_core.models.neighbours import STATISTICS
from dpgep_core.privacy import Grant

WINE = {"dataset": "wine"}


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Few runs and few sizes, so that what goes on in the background ends."""
    monkeypatch.setattr(evidence, "QUICK_TRIALS", 20)
    monkeypatch.setattr(evidence, "STEPS", 2)
    monkeypatch.setattr(evidence, "ROWS", 60)
    monkeypatch.setattr(cache.evidence, "SEARCH_SIZES", (2, 5))
    monkeypatch.delenv("DPGEP_DATA_DIR", raising=False)


@pytest.fixture
def unawaited(monkeypatch):
    """Nobody waits for the attack: its first looks are short, so that it ends with its test."""
    monkeypatch.setattr(evidence, "STEPS", 6)


@pytest.mark.parametrize("part", PARTS)
def test_every_part(part, unawaited):
    app = open_at("privacy_lab", **WINE, part=part)
    said = sound(app)
    assert app.title[0].value == "Is that ε true?"
    assert "What-if page." in said
    assert ":gray-badge[" in said
    assert query(app).get("part", "noise") == part
    assert all(chart.proto.alt for chart in app.get("plotly_chart"))


def test_noise_is_the_story():
    """Sensitivity 1, 15 answers, ε = 1, 60,000 rows: the numbers that the guided story quotes."""
    app = open_at("privacy_lab", dataset="mnist")
    said = sound(app)
    values = dict(zip(*(figures(app)[0]["data"][0][axis] for axis in ("y", "text")), strict=True))
    assert values["Exact (Gaussian DP)"] == "15"
    assert values["zCDP, as in the papers"] == "19.4"
    assert values["zCDP, tight conversion"] == "16.2"
    assert values["Basic composition"] == "82.3"
    assert values["Advanced composition"].startswith("114")
    assert "right at most **552** times in 1,000" in said
    assert not any("caution" in frame.value for frame in app.dataframe)  # a column of sentences is cut
    assert re.search(r"- \*\*Composition forgotten:\*\* no proof: .+\.\n?", said)
    app.selectbox(key="lab_rule").select("forgetful").run()
    said = sound(app)
    assert "**692**" in said
    assert "ε = 4.5" in said


def test_noise_moves_with_its_controls():
    app = open_at("privacy_lab", dataset="mnist")
    app.slider(key="lab_answers").set_value(100).run()
    text = dict(zip(*(figures(app)[0]["data"][0][axis] for axis in ("y", "text")), strict=True))
    assert float(text["Advanced composition"]) < float(text["Basic composition"])


def test_delta_above_one_over_n_is_said():
    said = sound(open_at("privacy_lab", **WINE, delta="0.05"))
    assert "above 1/n" in said


def test_verdicts_fill():
    app = open_at("privacy_lab", **WINE, part="verdicts")
    said = filled(app, lambda text: "…" not in text)
    for words in ("holds", "false", "no guarantee is claimed", "not attacked", "Λ", "reads the private data",
                  "one row and its label", "no leak found by this attack", "n·δ"):  # fmt: skip
        assert words in said, words
    for key in fitting_algorithms("fda"):
        assert ALGORITHMS[key].title in said
    assert "audited" not in said
    (look,) = [part.proto.body for part in app.get("html") if "verdict_table" in part.proto.body]
    for place, name in enumerate(("Claimed", "Accounted", "Attacked", "Verdict", "Why"), start=2):  # as cards
        assert f"td:nth-child({place})::before {{ content: '{name}'; }}" in look


def test_attack_finds_the_leak_and_the_correction_ends_it():
    app = open_at("privacy_lab", {"lab_trials": 100}, **WINE, part="attack")
    assert app.select_slider(key="lab_trials").value == 100
    said = filled(app, lambda text: "Right guesses: **200 of 200**" in text)
    assert "the claim is false, shown by this attack" in said
    assert "the most so many runs can show is" in said
    assert len(figures(app)) == 4  # the game's output and three of the attack
    assert "The nearer one is off by" in said
    assert "the row is found" in said
    next(button for button in app.button if button.label == "Attack the corrected algorithm").click().run()
    said = filled(app, lambda text: "of 200**" in text)
    assert "no leak found by this attack" in said
    assert "what comes out is not the row" in said
    assert "so many runs find: no noise on B" in said
    assert "What this attack could have found" in said
    assert any("Planted fault" in frame.value for frame in app.dataframe)
    right = int(re.search(r"Right guesses: \*\*([\d,]+) of", said)[1].replace(",", ""))
    assert 58 < right < 142


def test_ten_guesses_end_beside_the_best_attacker(monkeypatch):
    """A visitor who picks the nearer sum ten times ends with the best attacker's score, and may play again."""
    monkeypatch.setattr(lab_attack, "attack_panel", lambda _: None)
    app = open_at("privacy_lab", **WINE, part="attack", epsilon="2", delta="0.001")
    pair = guessing.sum_pair("replace_one")
    mu = Grant(epsilon=2.0, delta=0.001).mu
    rounds = guessing.draw_rounds(mu, pair, 0, 0)
    for number, second in enumerate(guessing.best_choices(rounds, pair), start=1):
        assert f"**Round {number} of 10**" in sound(app)
        app.button(key="lab_guess_second" if second else "lab_guess_first").click().run()
    right = guessing.count_right(guessing.best_choices(rounds, pair), rounds)
    said = sound(app)
    assert f"You: **{right} of 10**. The best attacker, on the same outputs: **{right}**" in said
    assert f"at most **{right_of_thousand(mu, None)} of 1,000**" in said
    assert "Round" not in said
    app.button(key="lab_game_again").click().run()
    assert "**Round 1 of 10**" in sound(app)
    app.button(key="lab_guess_first").click().run()
    assert "**Round 2 of 10**" in sound(app)


@pytest.mark.parametrize("model", MODELS)
def test_every_model_has_its_verdicts_and_attacks(model, unawaited):
    scenario = Scenario(dataset="wine", model=model)
    for key in evidence.audited_keys(model):
        attack = evidence.attack_of(scenario, key, 20)
        assert attack.algorithm == key
        assert attack.model == model
    app = open_at("privacy_lab", **WINE, model=model, part="attack")
    sound(app)


@pytest.mark.parametrize(
    ("statistic", "relation"),
    [*((key, "replace_one") for key in STATISTICS), ("within", "add_remove"), ("cca_target", "add_remove")],
)
def test_neighbours_of_every_statistic(statistic, relation):
    app = open_at("privacy_lab", **WINE, part="neighbours", statistic=statistic, relation=relation)
    said = sound(app)
    assert "the worst that our search found is" in said
    assert query(app).get("statistic", "within") == statistic
    assert "Chen et al., Theorem 11" in said


def test_moving_the_record_makes_it_better():
    app = open_at("privacy_lab", **WINE, part="neighbours", statistic="covariance")

    def change():
        return float(re.search(r"this pair changes it by \*\*([\d.]+)/n", sound(app))[1])

    worst = change()
    assert worst == pytest.approx(3.96, abs=1e-3)
    slider = next(s for s in app.slider if s.label == "Its length")
    slider.set_value(0.3).run()
    assert change() < worst


def test_published_constants_that_fail_are_named():
    app = open_at("privacy_lab", **WINE, part="neighbours", statistic="about_zero")
    said = sound(app)
    assert "Hu et al., C₁: 4/n, **passed by this pair**" in said
    for words in ("13 for SIR", "largest norm", "Theorem 11", "4 for the between scatter"):
        assert words in said, words


def test_real_rows_are_labelled():
    app = open_at("privacy_lab", **WINE, part="neighbours")
    app.toggle(key="lab_real").set_value(True).run()
    said = filled(app, lambda text: "reads the private data" in text)
    assert "seed known: not private" in said


def test_budget_names_what_has_no_noise():
    app = open_at("privacy_lab", **WINE, part="budget", algorithms="ssp,dpsr,dpsr_corrected")
    said = sound(app)
    assert "Not in the sum: Λ" in said
    drawn = [f for f in figures(app) if f["data"][0]["type"] == "waterfall"]
    assert len(drawn) == 3
    corrected = drawn[2]["data"][0]["text"]
    assert corrected[:3] == ["45 %", "10 %", "45 %"]


def test_garbage_in_the_address_is_said():
    app = open_at("privacy_lab", **WINE, part="nois", statistic="<b>x</b>", nonsense="1")
    sound(app)
    (warning,) = [w.value for w in app.warning if "replaced" in w.value]
    for part in ("part", "'nois'", "did you mean 'noise'?", "statistic", "nonsense"):
        assert part in warning, part


def test_switching_pages_keeps_the_scenario():
    app = open_at("privacy_lab", **WINE, epsilon="0.3", part="budget")
    sound(app)
    app.switch_page("app_pages/explore.py").run()
    sound(app)
    assert query(app)["epsilon"] == "0.3"
    assert "part" not in query(app)
    app.switch_page("app_pages/privacy_lab.py").run()
    sound(app)
    assert query(app)["part"] == "budget"


def test_shares_add_up():
    rows = evidence.rule_rows(Grant(epsilon=1.0, delta=1e-5), 15)
    assert rows[0].inflation == pytest.approx(1.0)
    assert all(row.loss.epsilon <= 1 + 1e-9 for row in rows if row.rule.keeps)
