"""What the screens must say, and must never say; docs/teaching.md names the rule that each test keeps."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest
from lab import open_at, sound
from page import figures, written

import dashboard
import dpgep_core
from dashboard.compute.evidence import verdict_rows
from dashboard.compute.results import answer
from dashboard.export.summary import headline
from dashboard.panels import lab_noise
from dashboard.scenario import Scenario
from dashboard.text import words
from dashboard.text.headline import cells
from dpgep_core import load_dataset
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.cli.solving import solve_report
from dpgep_core.evaluate import Reference
from dpgep_core.method import Verdict
from dpgep_core.privacy import Claim
from dpgep_core.privacy.ledger import Grant
from dpgep_core.reuse import keeping_one
from dpgep_core.verdict import judge

NEVER = {
    "anonymous": r"\banonym",
    "safe": r"\b(is|are|be|stays?|perfectly|completely) safe\b|\bsafe (value|level|choice|ε|epsilon|to publish)",
    "cannot be identified": r"(cannot|can't|never) be identified",
    "no one can learn anything": r"(no one|nobody) can (learn|know|tell)",
    "the noise hides you": r"hides? you\b",
    "budget left over is wasted": r"budget.{0,30}wasted",
    "p < .05": r"p ?(<|≤|&lt;) ?0?\.05",
    "significant": r"statistically significant|significantly better",
    "ε is a percentage": r"ε (of|=) \d+ ?%",
    "δ is the chance of a leak": r"chance of a leak|probability of a leak",
    "the chance that you are identified": r"(chance|probability) that you are",
}


@cache
def prose():
    """Every text of the packages that could be shown: strings with at least three words."""
    return tuple(_texts())


def _texts():
    for package in (dashboard, dpgep_core):
        for path in sorted(Path(next(iter(package.__path__))).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value.split()) > 2:
                    yield f"{path.name}:{node.lineno}", " ".join(node.value.split())


@pytest.mark.parametrize("said", NEVER)
def test_never_said(said):
    found = [(place, text) for place, text in prose() if re.search(NEVER[said], text, re.IGNORECASE)]
    assert found == []


@pytest.mark.parametrize(
    "text",
    ["Your row is anonymous.", "ε = 1 is safe.", "You cannot be identified.", "nobody can learn anything",
     "the noise hides you", "budget left over is wasted", "p < .05", "δ is the chance of a leak"],
)  # fmt: skip
def test_the_list_would_catch_it(text):
    assert any(re.search(pattern, text, re.IGNORECASE) for pattern in NEVER.values())


@pytest.mark.parametrize(
    ("epsilon", "right"), [(0.01, 501), (0.1, 507), (0.5, 529), (1, 554), (2, 600), (4, 679), (10, 842)]
)
def test_the_first_sentence_is_from_mu(epsilon, right):
    grant = Grant(epsilon=epsilon, delta=1e-5)
    said = words.guess_sentence(grant.mu, Claim(epsilon, 1e-5))
    assert f"right at most **{right}** times in 1,000; blind guessing gives 500" in said
    assert "if the noise were secret" in said


def test_the_first_sentence_says_what_it_supposes_without_a_mu_too():
    said = words.guess_sentence(float("nan"), Claim(1.0, 1e-5))
    assert "right at most **" in said
    assert "if the noise were secret" in said


def test_the_second_sentence_is_from_epsilon_and_says_how_often_it_fails():
    grant = Grant(epsilon=1, delta=1e-5)
    said = words.odds_sentence(grant.mu, 1.0)
    assert "50:50 ends at 74:26 at most, save in about 16 of 100,000 results" in said  # more than δ


def answered(algorithm, **settings):
    scenario, wine = Scenario(dataset="wine", algorithms=(algorithm,), **settings), load_dataset("wine")
    reference = Reference.of(wine, scenario.setting(algorithm))
    return answer(scenario, algorithm, wine, reference, keeping_one())


def test_no_finite_epsilon_is_told_apart_from_no_guarantee():
    """A δ that the accounting cannot reach and an ε that no number can hold are no unprotected answer."""
    drawn = answered("dp_spca", model="pca", delta=1e-20)
    huge = answered("sr_dp", epsilon=1e308)
    for item, short, why in ((drawn, "no finite ε at this δ", "are taken as infinite"),
                             (huge, "ε above 1.8e308", "largest number there is")):  # fmt: skip
        release = item.release
        assert release.accounted.epsilon is None
        assert release.ledger.unprotected == ()
        said = [words.standing(item, attacked=False)[1], words.guess_sentence(release.ledger.mu, release.accounted),
                *release.warnings]  # fmt: skip
        assert why in said[0]
        assert not any("left without noise" in text or "no guarantee" in text.lower() for text in said)
        assert f"the ledger proves: {short}." in next(cell for cell in cells(item) if "accounted" in cell.label).help
        assert any(why in text for text in release.warnings)


def test_a_huge_epsilon_is_a_number():
    item = answered("ssp", epsilon=1e308)
    assert item.release.accounted.epsilon == pytest.approx(1e308)
    assert words.standing(item, attacked=False)[1].startswith("**Accounted** by us: ε ≤ 1e308 at δ = ")
    assert "right at most **1,000** times" in words.guess_sentence(item.release.ledger.mu, item.release.accounted)


def test_without_a_guarantee_no_number_stands_for_infinity():
    said = words.guess_sentence(float("inf"), Claim(None, 1e-5))
    assert said.startswith("There is no guarantee")
    for page, query in (("explore", {"algorithms": "dpsr"}), ("privacy_lab", {"part": "budget", "algorithms": "dpsr"})):
        shown = sound(open_at(page, dataset="wine", n_components="3", **query))
        assert "no guarantee" in shown
        assert "Λ_B" in shown or "unprotected" in shown  # what left
        assert "ε = ∞" not in shown
        assert "ε ≤ inf" not in shown


@pytest.mark.parametrize(
    ("page", "query"), [("explore", {}), ("methods", {"method": "ssp"}), ("privacy_lab", {"part": "budget"}),
                        ("privacy_lab", {"part": "verdicts"})]
)  # fmt: skip
def test_a_guarantee_says_what_one_record_is_and_what_delta_admits(page, query):
    said = written(open_at(page, dataset="wine", **query))
    for part in ("one row and its label", "is public", "3 rows gets 3 × μ", "n·δ"):
        assert part in said, part


@pytest.fixture(scope="module")
def explore():
    """Explore on wine, read by several tests."""
    return open_at("explore", dataset="wine")


def test_verdicts_are_four_and_one_for_those_that_claim_nothing():
    assert {verdict.value for verdict in Verdict} >= {"holds", "not known"}
    assert len(Verdict) == 5
    assert all(entry.guarantee.reason for entry in ALGORITHMS.values())


def test_three_words_have_three_meanings():
    for part in ("**Claimed** is what the authors promise", "at most", "at least", "**Attacked** is what an attack"):
        assert part in words.THREE_WORDS
    assert "proves nothing" in words.NO_LEAK
    assert "no leak found by this attack" in words.NO_LEAK


def test_epsilon_runs_from_private_to_sharp_with_its_round_numbers():
    app = open_at("privacy_lab", dataset="wine")
    beside = " ".join(element.proto.body for element in app.get("html"))
    assert beside.index("more private") < beside.index("less private")
    for tick in ("0.01", "0.1", ">1<", "10"):
        assert tick in beside
    app = open_at("explore", dataset="wine", tab="curves")
    (curve,) = [f for f in figures(app) if "more private" in str(f["layout"].get("xaxis", {}).get("title", ""))]
    assert curve["layout"]["xaxis"]["type"] == "log"
    assert {"0.01", "0.1", "1", "10"} <= set(curve["layout"]["xaxis"]["ticktext"])


def test_mu_stands_beside_every_epsilon_and_cosine_never_alone(explore):
    said = sound(explore)
    assert re.search(r"Claimed ε → accounted [\d.]+ → [\d.]+ holds\nBest guess \d+ of 1,000 μ = ", said)
    assert "Principal angle" in said
    assert "chance 0" in said


def test_a_cosine_says_which_exact_solution_it_is_against(explore):
    assert any("exact components at the same ξ and sparsity" in element.proto.body for element in explore.get("html"))


def test_all_rules_of_noise_are_shown_beside_what_they_are_worth():
    app = open_at("privacy_lab", dataset="wine")
    columns = [set(frame.value.columns) for frame in app.dataframe]
    assert any({"worth ε", "μ", "right of 1,000"} <= names for names in columns)
    assert lab_noise.ROWS[0] < lab_noise.ROWS[-1]


def test_a_known_seed_is_said_once_on_the_page_and_in_every_caption(explore):
    assert sound(explore).count("under a seed that is known") == 1
    for tab in ("curves", "classifiers", "components", "draws"):
        app = open_at("explore", dataset="wine", tab=tab)
        sound(app)
        captions = [c.value for c in app.caption if "DP-GEP Lab" in c.value]
        assert captions
        assert all("seed known: not private" in caption.replace("\\", "") for caption in captions)


@pytest.mark.parametrize("algorithm", [key for key, entry in ALGORITHMS.items() if entry.private])
def test_noise_off_leaves_every_private_method_without_a_guarantee(algorithm):
    from dpgep_core import solve
    from dpgep_core.datasets import load_dataset

    entry = ALGORITHMS[algorithm]
    model = "fda" if "fda" in entry.models else entry.models[0]
    quick = {"n_epochs": 1} if algorithm in ("dp_spca", "dp_vrpca") else {}
    wine = load_dataset("wine")
    one = solve(wine, model=model, algorithm=algorithm, n_components=2, noise=False, seed=0, **_known(entry, quick))
    other = solve(wine, model=model, algorithm=algorithm, n_components=2, noise=False, epsilon=9.0, seed=0,
                  **_known(entry, quick))  # fmt: skip
    assert one.accounted.epsilon is None
    assert one.ledger.unprotected
    assert (one.components == other.components).all()  # no noise, so no ε


def _known(entry, wanted):
    from dpgep_core.params import parameters

    return {name: value for name, value in wanted.items() if name in parameters(entry.make)}


def test_the_table_of_rules_names_tests_and_files_that_exist():
    root = Path(next(iter(dashboard.__path__))).parent
    table = (root / "docs" / "teaching.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \|(.+)\|$", table, re.MULTILINE)
    assert [int(number) for number, _ in rows] == list(range(1, 26))
    tests = "\n".join(path.read_text(encoding="utf-8") for path in (root / "tests").rglob("test_*.py"))
    for _, row in rows:
        for name in re.findall(r"`(test_\w+)`", row):
            assert f"def {name}(" in tests, name
        for name in re.findall(r"`([\w/]+\.py)`", row):
            assert (root / name).is_file(), name


def test_the_table_of_links_is_the_list_of_stories():
    from dashboard.stories import STORIES

    table = (Path(next(iter(dashboard.__path__))).parent / "docs" / "teaching.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `learn\?story=(\w+)`", table, re.MULTILINE) == list(STORIES)
    assert all(f"| {story.title} |" in table for story in STORIES.values())


def test_noisy_answers_set_aside_are_no_guarantee():
    said = sound(
        open_at("privacy_lab", dataset="synthetic_fda", model="fda", algorithms="dpsr", n_components="5", part="budget")
    )
    assert "the noisy ones are worth **ε = 0.64**" in said  # as the story of the three words tells
    assert "That is no guarantee" in said


def test_every_surface_reads_one_verdict():
    """Page, report, Privacy lab and command say what `judge` says of the run, and not what is true in general."""
    item = answered("dpsr", model="pca")
    judgement = judge(item.release)
    assert judgement.verdict == "holds, but not by the published proof"
    assert ALGORITHMS["dpsr"].guarantee.verdict == "false"
    claimed, _, verdict = words.standing(item, attacked=False)
    assert claimed == f"**Claimed** by the authors: {judgement.claim}"
    assert verdict == f"**Verdict** on {judgement.subject}: {words.escape_markdown(judgement.sentence)}"
    assert headline([item])[item.title].to_list()[-1] == str(judgement.verdict)
    assert solve_report(item.release, item.diagnostic)["verdict"] == str(judgement.verdict)
    scenario = Scenario(dataset="wine", model="pca", algorithms=("exact",))
    row = next(r for r in verdict_rows(scenario, load_dataset("wine")) if r.algorithm == "dpsr")
    assert row.judgement is not None
    assert (row.judgement.verdict, row.judgement.claim) == (judgement.verdict, judgement.claim)


def test_what_no_author_claims_is_not_called_claimed():
    unit = answered("dprf", params=(("calibration", "unit"),))
    assert "authors: nothing at this setting (constants of 1" in words.standing(unit, attacked=False)[0]
    assert words.claimed_short(unit.release) == "nothing; 1 asked for"
    assert any(cell.label == "Asked ε → accounted" for cell in cells(unit))
    assert "authors: ε = 1 at δ = " in words.standing(answered("ssp"), attacked=False)[0]
