"""Algorithms from outside the package: found, checked, held by the curator, and told of in one sentence when broken."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields
from importlib.resources import files
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.export.report import python_code
from dashboard.pages import OWNER, PAGE_PARAMETERS
from dashboard.panels.story_file import scene_of
from dashboard.scenario import Scenario, command_line
from dashboard.text import words
from dpgep_core import ALGORITHMS, Dataset, evaluate, load_dataset, plugins, solve
from dpgep_core.audit import Attack, AuditFinding, audit
from dpgep_core.cli import main
from dpgep_core.errors import BudgetExceededError
from dpgep_core.experiments.grid import Cell, known_axes
from dpgep_core.experiments.runner import shared_cell_runner
from dpgep_core.method import UNUSABLE, OutsideError, Verdict
from dpgep_core.outside import RESERVED
from dpgep_core.plugins import PluginError, load_plugin, outside_entries
from dpgep_core.release import Setting
from dpgep_core.verdict import judge

ROOT = Path(__file__).parents[2]
GOOD = '''
from dataclasses import dataclass
from typing import Annotated
from dpgep_core.extension import *

@register("mine", "An own one", Source("Me", "Here"), Guarantee("(ε, δ)-DP", Verdict.HOLDS, "One answer."))
@dataclass(frozen=True, kw_only=True)
class Mine(Checked):
    """Ask for A once and take its leading eigenvectors."""
    xi: Xi = 0.1

    def iterates(self, curator, public, start):
        query = target(public)
        yield Pencil(curator.ask(query, sigma=exact_sigma(query.sensitivity, curator.grant))).solve(public.k, 0.0)
'''
SUITE = GOOD[GOOD.index("        query") :]


def changed(old: str, new: str) -> str:
    assert old in GOOD
    return GOOD.replace(old, new)


def running(body: str) -> str:
    return GOOD.replace(SUITE, f"        {body}\n")


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., str]]:
    """Write a module into a folder of its own; afterwards no process-wide list knows of it."""
    before, loaded, modules = dict(ALGORITHMS), dict(plugins._loaded), set(sys.modules)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setenv(plugins.VARIABLE, "")
    monkeypatch.chdir(tmp_path)

    def written(text: str, name: str = "plugin_of_a_test.py") -> str:
        (tmp_path / name).write_text(text, "utf-8")
        return str(tmp_path / name)

    yield written
    for registry, old in ((ALGORITHMS, before), (plugins._loaded, loaded)):
        registry.clear()
        registry.update(old)
    UNUSABLE.clear()
    for name in set(sys.modules) - modules:
        if "plugin_of_a_test" in name:
            del sys.modules[name]


@pytest.fixture(scope="module")
def wine() -> Dataset:
    return load_dataset("wine")


BROKEN = {
    "no module": ("no_such_module_anywhere", "a module that Python finds"),
    "no file": ("no_such_file.py", "a file that ends in .py"),
    "no user": ("~nobody-of-this-name/mine.py", "plugin must be a path that can be looked up"),
    "no name": ("not a name", "a module that Python finds"),
    "of another module": (("", "json.py"), "needs another name"),
    "no Python": ("def (", "SyntaxError"),
    "an exception": ("a = 1\nb = 1 / 0\n", "ZeroDivisionError: division by zero (plugin_of_a_test.py, line 2)"),
    "an exit": ("raise SystemExit(3)", "SystemExit"),
    "a missing import": ("import no_such_module_anywhere", "No module named"),
    "nothing": ("a = 1", "registers no algorithm"),
    "half": (GOOD + "\nraise RuntimeError('after all')\n", "after all"),
    "a taken name": (changed('"mine"', '"ssp"'), "a name that no other algorithm has; got 'ssp'"),
    "a taken title": (changed("An own one", ALGORITHMS["ssp"].title), "one that no other algorithm has"),
    "one of ours replaced": (GOOD + "\nfrom dpgep_core import ALGORITHMS\nALGORITHMS['ssp'] = 1\n", "it changes"),
    "a name for no address": (changed('"mine"', '"My, own"'), "2 to 40 of a-z"),
    "no title": (changed('"An own one"', '""'), "one line of at most 60 letters"),
    "no dataclass": (changed("@dataclass(frozen=True, kw_only=True)\n", ""), "a frozen dataclass"),
    "not frozen": (changed("frozen=True, ", ""), "a frozen dataclass"),
    "unchecked": (changed("(Checked)", ""), "inherits Checked"),
    "no iterates": (changed("def iterates", "def iterate"), "iterates(curator, public, start)"),
    "no docstring": (changed('"""Ask for A once and take its leading eigenvectors."""', "pass"), "a first line"),
    "no such model": (changed('"One answer.")', '"One answer."), models=("lda",)'), "pca, fda, cca, sir"),
    "a setting of all": (changed("xi: Xi = 0.1", "epsilon: Xi = 0.1"), "a name that is no setting of every run"),
    "no definition": (changed("xi: Xi = 0.1", "size: float = 0.1"), "a parameter of dpgep_core.params with a default"),
    "no default": (changed("xi: Xi = 0.1", "xi: Xi"), "a parameter of dpgep_core.params with a default"),
    "another kind": (changed("xi: Xi = 0.1", 'xi: Annotated[bool, Switch(label="ξ", doc="ξ")] = True'), "a Knob, as"),
    "a bad default": (changed("xi: Xi = 0.1", "xi: Xi = -1.0"), "xi must be"),
}  # fmt: skip


class TestBroken:
    @pytest.mark.parametrize(("text", "words"), BROKEN.values(), ids=BROKEN)
    def test_it_is_one_sentence_and_leaves_nothing(self, text, words, write) -> None:
        before = dict(ALGORITHMS)
        name = text if str(text).startswith(("no", "~")) else write(*((text,) if isinstance(text, str) else text))
        with pytest.raises(PluginError) as told:
            load_plugin(name)
        assert words in str(told.value)
        assert "\n" not in str(told.value)
        assert before == ALGORITHMS
        assert os.environ[plugins.VARIABLE] == ""
        assert plugins.problems(asked=True) == (str(told.value),)

    def test_a_command_ends_with_2(self, write, capsys) -> None:
        assert main(["--plugin", write("raise ValueError('no')"), "list"]) == 2
        assert capsys.readouterr().err.count("\n") == 1
        assert main(["solve", "--dataset", "wine", "--plugin", "no_such_module_anywhere"]) == 2

    def test_an_unknown_algorithm_says_which_plug_in_is_broken(self, write, wine) -> None:
        with pytest.raises(PluginError):
            load_plugin(write("raise ValueError('no')"))
        with pytest.raises(ValueError, match="ValueError: no"):
            solve(wine, algorithm="mine")
        assert solve(wine, algorithm="ssp").components.shape == (13, 2)

    def test_mended_it_loads(self, write) -> None:
        with pytest.raises(PluginError):
            load_plugin(write("1 / 0"))
        assert load_plugin(write(GOOD)).algorithms == ("mine",)
        assert plugins.problems() == ()


class TestRunning:
    @pytest.mark.parametrize(
        ("body", "words"),
        [
            ("yield 1 / 0", "ZeroDivisionError: division by zero (plugin_of_a_test.py, line 13)"),
            ("return iter(())", "yields nothing"),
            ("yield start[:3]", "an array of shape (3, 2), and (13, 2) is due"),
            ("yield 'a basis'", "failed: "),
        ],
    )
    def test_a_failure_is_one_sentence(self, body, words, write, wine, capsys) -> None:
        name = write(running(body))
        load_plugin(name)
        with pytest.raises(OutsideError, match="The algorithm 'mine' of plugin_of_a_test failed") as told:
            solve(wine, algorithm="mine")
        assert words in str(told.value)
        assert main(["solve", "--dataset", "wine", "--algorithm", "mine"]) == 2
        assert capsys.readouterr().err.count("\n") == 1

    @pytest.mark.parametrize(
        ("body", "plan"),
        [
            (
                "for _ in range(2): yield Pencil(curator.ask(target(public), "
                "sigma=exact_sigma(target(public).sensitivity, curator.grant))).solve(public.k, 0.0)",
                "(PlannedAnswer.of(target(public), exact_sigma(target(public).sensitivity, grant), 'sigma_A'),) * 2",
            ),
            (
                "yield Pencil(curator.peek(target(public))).solve(public.k, 0.0)",
                "(PlannedAnswer.exactly(target(public)),)",
            ),
        ],
        ids=["twice the budget", "without noise"],
    )
    @pytest.mark.parametrize("planned", [True, False], ids=["planned", "without a plan"])
    def test_the_curator_holds_it_to_the_grant(self, body, plan, planned, write, wine) -> None:
        """Also where its noise plan says that it spends more."""
        promise = f"\n    def noise_plan(self, public, grant):\n        return {plan}\n"
        load_plugin(write(running(body) + promise * planned))
        with pytest.raises(BudgetExceededError):
            solve(wine, algorithm="mine")

    def test_the_curator_holds_it_to_its_plan(self, write, wine) -> None:
        plan = "(PlannedAnswer.of(target(public), 2 * exact_sigma(target(public).sensitivity, grant), 'sigma_A'),)"
        load_plugin(write(GOOD + f"\n    def noise_plan(self, public, grant):\n        return {plan}\n"))
        with pytest.raises(OutsideError, match="noise plan"):
            solve(wine, algorithm="mine")

    def test_what_claims_nothing_is_told_apart(self, write, wine) -> None:
        load_plugin(write(changed("Verdict.HOLDS", "Verdict.NONE").replace(SUITE, "        yield start\n")))
        release = solve(wine, algorithm="mine")
        assert release.claimed is None
        assert judge(release).verdict is Verdict.NONE

    @pytest.mark.parametrize(("proof", "verdict"), [("", Verdict.UNKNOWN), (', proof="Theorem 1"', Verdict.HOLDS)])
    def test_a_claim_without_a_proof_is_not_known(self, proof, verdict, write, wine) -> None:
        load_plugin(write(changed('"One answer."', f'"One answer."{proof}')))
        assert ALGORITHMS["mine"].guarantee.verdict is verdict
        release = solve(wine, algorithm="mine")
        judged = judge(release)
        assert judged.verdict is verdict
        assert ("no proof is registered" in judged.reason) == (not proof)
        assert release.accounted.epsilon == pytest.approx(1.0)
        assert evaluate(release, wine).accuracy


class TestBesideTheLedger:
    """Code that reads the rows by itself, which no ledger sees: nothing may be said of it as if the ledger did."""

    READS = """
        rows = curator._Curator__secret
        A = target(public).evaluate(rows)
        A = A + np.random.default_rng().normal(size=A.shape) * 1e-6
        yield Pencil((A + A.T) / 2, constraint(public).evaluate(rows)).solve(public.k, self.xi)
"""
    PROVED = ', proof="Theorem 1"'

    def load(self, write, body: str, proof: str = "") -> None:
        text = changed('"One answer."', f'"One answer."{proof}').replace(SUITE, body)
        load_plugin(write(text.replace("from dataclasses", "import numpy as np\nfrom dataclasses", 1)))

    @pytest.mark.parametrize("proof", ["", PROVED])
    def test_no_guess_is_bounded_without_the_words(self, proof, write) -> None:
        """Pages said "right at most 500 times in 1,000", and no verdict said of which answers."""
        self.load(write, self.READS, proof)
        (item,) = scene_of({"dataset": "wine", "algorithms": "mine"}).answers
        assert item.release.ledger.mu == 0
        said = " ".join(words.meaning_sentences(item))
        if proof:
            assert words.ANSWERS_ALONE in said
            assert "for the answers of the curator" in judge(item.release).reason
        else:
            assert words.guess_short(item.release) == "no bound"
            assert "is not bounded" in said
            assert "right at most" not in said
            assert "50:50" not in said
        assert any("comes from outside the package" in warning for warning in item.warnings)

    def test_a_table_of_a_sweep_says_it(self, write) -> None:
        self.load(write, self.READS)
        row = shared_cell_runner().run(
            Cell(dataset="wine", setting=Setting(algorithm="mine", seed=0), n=None, classifiers=())
        )
        assert row["accounted_epsilon"] == 0
        assert "comes from outside the package. No proof is registered" in str(row["warnings"])

    def test_an_attack_shows_it(self, write) -> None:
        """The audit divided by the μ of the ledger, which is 0."""
        self.load(write, self.READS)
        found = audit(Attack(algorithm="mine", model="fda", distinguisher="learned", trials=60))
        assert found.finding is AuditFinding.LEDGER
        assert found.epsilon_lower_bound > 1
        assert found.evidence.endswith("the ledger counts no answer that tells of a row")

    def test_an_attack_on_who_asks_nothing_shows_nothing(self, write) -> None:
        self.load(write, "        yield np.eye(public.d)[:, : public.k]\n")
        found = audit(Attack(algorithm="mine", model="fda", distinguisher="learned", trials=60))
        assert (found.finding, found.mu, found.evidence) == (AuditFinding.NOTHING, 0.0, "")


class TestRegistry:
    def test_the_same_class_may_come_again_as_in_a_notebook(self, write, tmp_path) -> None:
        code = compile(GOOD, "<cell>", "exec")
        for _ in range(2):
            exec(code, {"__name__": "plugin_of_a_test_notebook"})
        assert [entry.origin for entry in outside_entries()] == ["plugin_of_a_test_notebook"]
        with pytest.raises(PluginError, match="a name that no other algorithm has"):
            load_plugin(write(GOOD))

    def test_changed_code_does_not_find_the_results_of_the_old_code(self, write) -> None:
        cell = Cell(dataset="wine", setting=Setting(algorithm="mine"), n=None, classifiers=())
        ours = Cell(dataset="wine", setting=Setting(algorithm="ssp"), n=None, classifiers=())
        load_plugin(write(GOOD))
        first, untouched = cell.key("rows"), ours.key("rows")
        ALGORITHMS.pop("mine")
        exec(GOOD.replace("0.0)", "0.5)"), {"__name__": "plugin_of_a_test_notebook"})
        assert cell.key("rows") != first
        assert ours.key("rows") == untouched

    def test_no_parameter_takes_the_name_of_another_setting(self) -> None:
        of_methods = {field.name for entry in ALGORITHMS.values() for field in fields(entry.make)}
        settings = {field.name for field in fields(Setting)} | {field.name for field in fields(Scenario)}
        assert settings | PAGE_PARAMETERS | {"n", OWNER} <= RESERVED
        assert not of_methods & RESERVED
        assert known_axes().keys() & RESERVED == {field.name for field in fields(Setting)} & known_axes().keys() | {"n"}

    def test_a_process_without_the_plug_in_adopts_its_algorithms(self, write, wine) -> None:
        load_plugin(write(GOOD))
        entries = outside_entries()
        ALGORITHMS.pop("mine")
        plugins.adopt(entries)
        assert solve(wine, algorithm="mine").ledger.unprotected == ()

    def test_command_and_program_of_a_page_name_the_plug_in(self, write) -> None:
        name = write(GOOD)
        load_plugin(name)
        scenario = Scenario(dataset="wine", algorithms=("mine",))
        assert command_line(scenario, "mine").startswith(f"dpgep --plugin {name} solve ")
        assert f'load_plugin("{name}")' in python_code(scenario, "mine")
        compile(python_code(scenario, "mine"), "program", "exec")
        assert "plugin" not in command_line(scenario, "ssp") + python_code(scenario, "ssp")


class TestPages:
    def test_the_menus_have_it_and_a_broken_one_is_said(self, write) -> None:
        with pytest.raises(PluginError):
            load_plugin(write("raise ValueError('not today')", "plugin_of_a_test_broken.py"))
        load_plugin(write(GOOD))
        page = AppTest.from_file(str(files("dashboard") / "app.py"), default_timeout=120)
        for name, value in {"dataset": "wine", "model": "pca", "algorithms": "mine"}.items():
            page.query_params[name] = value
        page = page.switch_page("app_pages/methods.py").run()
        assert not page.exception
        assert any("not today" in warning.value for warning in page.warning)
        page.button(key="method_mine").click().run()  # by address only where it is there when the server starts
        assert page.title[0].value == "An own one"
        said = "\n".join(element.value for element in page.markdown)
        assert "**From outside the package**" in said
        assert "-badge[not known]" in said
        assert any("--algorithm mine" in code.value for code in page.code)


class TestProcesses:
    """Real processes: the plug-ins come with the environment, not with what this process has imported."""

    @pytest.fixture
    def environment(self, tmp_path: Path) -> dict[str, str]:
        path = os.pathsep.join([str(tmp_path / "installed"), str(ROOT)])
        (tmp_path / "installed").mkdir()
        return {**os.environ, "PYTHONPATH": path, plugins.VARIABLE: ""}

    def run(self, environment: dict[str, str], where: Path, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *words],
            cwd=where,
            env=environment,
            text=True,
            capture_output=True,
            timeout=300,
            check=False,
        )

    def test_an_installed_one_is_found_and_a_broken_one_touches_no_command(self, environment, tmp_path) -> None:
        for name, text in {"sound": GOOD, "broken": "1 / 0"}.items():
            (tmp_path / "installed" / f"plugin_{name}.py").write_text(text, "utf-8")
            about = tmp_path / "installed" / f"plugin_{name}-2.5.dist-info"
            about.mkdir()
            (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: plugin-{name}\nVersion: 2.5\n", "utf-8")
            (about / "entry_points.txt").write_text(f"[{plugins.GROUP}]\n{name} = plugin_{name}\n", "utf-8")
        listing = "from dpgep_core.cli import main; raise SystemExit(main(['list', '--json']))"
        found = self.run(environment, tmp_path, "-c", listing)
        assert found.returncode == 0
        assert found.stderr.count("\n") == 1
        assert "The plug-in 'broken of plugin-broken 2.5' cannot be used: ZeroDivisionError" in found.stderr
        told = json.loads(found.stdout)
        assert {one["name"]: one["algorithms"] for one in told["plugins"]} == {
            "sound of plugin-sound 2.5": ["mine"],
            "broken of plugin-broken 2.5": [],
        }
        assert [one["key"] for one in told["algorithms"] if one["origin"]] == ["mine"]

    @pytest.mark.slow
    def test_workers_of_a_sweep_and_of_the_pages_know_it(self, environment, tmp_path) -> None:
        (tmp_path / "own.py").write_text(GOOD, "utf-8")
        named = {**environment, plugins.VARIABLE: str(tmp_path / "own.py")}
        script = GOOD.replace('"mine"', '"of_a_script"').replace("An own one", "Of a script") + (
            "from pathlib import Path\n"
            "from dpgep_core.experiments.grid import parse_sweep\n"
            "from dpgep_core.experiments.runner import plan_sweep, run_sweep\n"
            "asked = {'datasets': ['wine'], 'algorithms': ['of_a_script', 'mine'], 'seeds': 2}\n"
            "plan = plan_sweep(parse_sweep(asked))\n"
            "print(run_sweep(plan, Path('script.sqlite'), jobs=2))\n"
        )
        (tmp_path / "script.py").write_text(script, "utf-8")
        ended = self.run(named, tmp_path, "script.py")
        assert "done=4, total=4, errors=0" in ended.stdout, ended.stderr
        spec = 'datasets = ["wine"]\nmodels = ["pca"]\nalgorithms = ["mine"]\nclassifiers = ["lda"]\n'
        (tmp_path / "sweep.toml").write_text(spec, "utf-8")
        worker = self.run(named, tmp_path, "-m", "dashboard.compute.task_kinds", "sweep", "sweep.toml", "page.sqlite")
        assert worker.returncode == 0, worker.stdout
        last = json.loads(worker.stdout.splitlines()[-1])
        assert (last["done"], last["errors"]) == (1, 0)
