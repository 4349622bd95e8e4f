"""Every guard-rail is clean on this checkout and catches a violation planted in a copy of it."""

import ast
import itertools
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from checks import (
    CALLED,
    CHECKS,
    GIVING,
    ROUND,
    ROWS,
    Check,
    algorithms_keep_out_of_private_parts,
    algorithms_see_no_data,
    core_knows_no_user_interface,
    curators_are_made_by_the_driver,
    docstrings_begin_with_a_noun_or_a_verb,
    files,
    laws,
    nodes,
    pure_dashboard_modules_know_no_streamlit,
    pure_modules,
    queries_are_built_by_models,
    randomness_is_drawn_in_one_place,
    the_driver_gives_the_rows_to_the_curator_alone,
)

from dpgep_core import Dataset
from dpgep_core.models.problem import Problem, Sample
from dpgep_core.privacy import randomness
from dpgep_core.privacy.query import Query
from dpgep_core.solve import Plan

ROOT = Path(__file__).parents[2]
PACKAGES = ("dpgep_core", "dashboard", "sample_data")
SR, FDA, SOLVE = "dpgep_core/algorithms/sr.py", "dpgep_core/models/fda.py", "dpgep_core/solve.py"
SLICING = "dpgep_core/slicing.py"


@pytest.fixture(scope="module")
def clean_copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python files of the checkout and its settings."""
    copy = tmp_path_factory.mktemp("checkout")
    shutil.copy(ROOT / "pyproject.toml", copy)
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            target = copy / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    return copy


PLANTED: set[str] = set()  # files of the copy that are not as they were


@pytest.fixture
def copy(clean_copy: Path) -> Iterator[Path]:
    """Copy of the checkout for planted violations, which are taken out afterwards."""
    yield clean_copy
    while PLANTED:
        where = PLANTED.pop()
        (clean_copy / where).unlink()
        if (ROOT / where).exists():
            shutil.copy(ROOT / where, clean_copy / where)


def plant(root: Path, where: str, text: str) -> None:
    PLANTED.add(where)
    path = root / where
    path.parent.mkdir(parents=True, exist_ok=True)
    old = path.read_text(encoding="utf-8") if path.exists() else '"""Planted."""\n'
    path.write_text(f"{old}\n{text}\n", encoding="utf-8")


def take_out(root: Path, where: str) -> None:
    PLANTED.add(where)
    text = (root / where).read_text(encoding="utf-8")
    (root / where).write_text(text.replace("def rework(", "def rework_again("), encoding="utf-8")


def run(root: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *command], cwd=root, capture_output=True, text=True, check=False)


def ruff(root: Path) -> subprocess.CompletedProcess[str]:
    choice = ("--no-cache", "--select", "TID251,SLF001", "--output-format", "concise")
    return run(root, "-m", "ruff", "check", *choice, *PACKAGES)


def import_linter(root: Path) -> subprocess.CompletedProcess[str]:
    return run(
        root,
        "-c",
        "from importlinter.cli import lint_imports_command as c; c()",
        "--no-cache",
        "--config",
        "pyproject.toml",
    )


def broken_contracts(text: str) -> dict[str, list[str]]:
    """The beginning of each broken contract's name → the lines about it, of what import-linter prints."""
    lines = text[text.index("Broken contracts") :].splitlines()
    told: dict[str, list[str]] = {}
    name = ""
    for line, under in itertools.pairwise(lines):
        if under.startswith("---") and line:
            name = line.split(":")[0]
        told.setdefault(name, []).append(line)
    return told


class TestSyntaxTree:
    @pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
    def test_clean(self, check: Check) -> None:
        assert check(ROOT) == []

    @pytest.mark.parametrize(
        ("check", "where", "text"),
        [
            (queries_are_built_by_models, SR, "q = Query('A', len, 0.0)"),
            (queries_are_built_by_models, SR, "from dpgep_core.privacy.query import Query as Q\nq = Q('A', len, 0.0)"),
            (queries_are_built_by_models, SR, "q = Query[int]('A', len, 0.0)"),
            (queries_are_built_by_models, "dpgep_core/solve.py", "q = privacy.query.Query('A', len, 0.0)"),
            (queries_are_built_by_models, "dashboard/new.py", "q = Query('A', len, 0.0)"),
            (curators_are_made_by_the_driver, SR, "c = Curator(1, 2, seed=0)"),
            (curators_are_made_by_the_driver, "dpgep_core/evaluate/new.py", "c = Curator[int](1, 2, seed=0)"),
            (algorithms_see_no_data, SR, "from dpgep_core.datasets import load_dataset"),
            (algorithms_see_no_data, SR, "from dpgep_core.models.problem import Sample"),
            (algorithms_see_no_data, SR, "from dpgep_core.privacy.randomness import stream"),
            (algorithms_see_no_data, SR, "import dpgep_core.privacy.randomness"),
            (algorithms_see_no_data, SR, "from dataclasses import replace"),
            (algorithms_see_no_data, SR, "from dpgep_core.privacy.query import Query"),
            (algorithms_see_no_data, SR, "x = query.evaluate(1)"),
            (algorithms_see_no_data, SR, "x = law.draw(1, (2,), 3.0)"),
            (algorithms_keep_out_of_private_parts, SR, "x = curator._Curator__secret"),
            (algorithms_keep_out_of_private_parts, SR, "x = curator._ledger"),
            (algorithms_keep_out_of_private_parts, SR, "x = curator.ask.__self__"),
            (algorithms_keep_out_of_private_parts, SR, "x = getattr(curator, '_Curator' + '__secret')"),
            (algorithms_keep_out_of_private_parts, SR, "x = '_Curator__secret'"),
            (algorithms_keep_out_of_private_parts, SR, "x = getattr(curator, '_ledger', None)"),
            (algorithms_keep_out_of_private_parts, SR, "x = vars(curator)"),
            (
                algorithms_keep_out_of_private_parts,
                "dpgep_core/shared_steps.py",
                "from dpgep_core.privacy import Curator\ndef f(c: Curator):\n    return c._Curator__secret",
            ),
            (algorithms_keep_out_of_private_parts, SR, "object.__setattr__(public, 'n', 10**9)"),
            (core_knows_no_user_interface, FDA, "import streamlit as st"),
            (core_knows_no_user_interface, FDA, "def f():\n    from streamlit.runtime import get_instance"),
            (core_knows_no_user_interface, FDA, "import plotly.graph_objects as go"),
            (pure_dashboard_modules_know_no_streamlit, "dashboard/compute/results.py", "import streamlit"),
            (pure_dashboard_modules_know_no_streamlit, "dashboard/scenario.py", "from streamlit import session_state"),
            (pure_dashboard_modules_know_no_streamlit, "dashboard/figures/new.py", "import streamlit as st"),
            (randomness_is_drawn_in_one_place, SR, "import numpy as np\nx = np.random.default_rng()"),
            (randomness_is_drawn_in_one_place, SR, "from numpy import random"),
            (randomness_is_drawn_in_one_place, FDA, "from numpy.random import default_rng"),
            (randomness_is_drawn_in_one_place, "dashboard/compute/results.py", "import random"),
            (docstrings_begin_with_a_noun_or_a_verb, FDA, 'def f():\n    """Its rows."""'),
            (docstrings_begin_with_a_noun_or_a_verb, "dpgep_core/new.py", 'class A:\n    """The same for a table."""'),
            (docstrings_begin_with_a_noun_or_a_verb, SOLVE, 'def f():\n    """Of the rows, the first."""'),
            (docstrings_begin_with_a_noun_or_a_verb, SOLVE, 'def f():\n    """What the rows are."""'),
            (
                the_driver_gives_the_rows_to_the_curator_alone,
                SOLVE,
                "def run(plan):\n    return replace(release, facts={'rows': plan.problem.moments.counts})",
            ),
            (
                the_driver_gives_the_rows_to_the_curator_alone,
                SOLVE,
                "def _warn(plan):\n    return plan.dataset.y\ndef rework(plan):\n    return _warn(plan)",
            ),
            (
                the_driver_gives_the_rows_to_the_curator_alone,
                SLICING,
                "def release_edges(data):\n    return data.response.max()",
            ),
        ],
    )
    def test_planted(self, copy: Path, check: Check, where: str, text: str) -> None:
        plant(copy, where, text)
        caught = check(copy)
        assert caught
        assert all(line.startswith(where) for line in caught)

    def test_streamlit_is_found_in_each_pure_module(self, copy: Path) -> None:
        for module in pure_modules(copy):
            where = module.replace(".", "/")
            where += "/new.py" if (copy / where).is_dir() else ".py"
            plant(copy, where, "import streamlit")
            caught = pure_dashboard_modules_know_no_streamlit(copy)
            assert [line.split(":")[0] for line in caught] == [where]
            (copy / where).write_text("", encoding="utf-8")

    def test_a_pure_module_that_is_gone_is_missed(self, copy: Path) -> None:
        """A rule about a file that is not there protects nothing."""
        settings = copy / "pyproject.toml"
        text = settings.read_text(encoding="utf-8")
        for module in pure_modules(copy):
            settings.write_text(text.replace(f'"{module}"', f'"{module}_moved"'), encoding="utf-8")
            with pytest.raises(FileNotFoundError, match="it is gone"):
                pure_dashboard_modules_know_no_streamlit(copy)
        settings.write_text(text, encoding="utf-8")

    def test_a_function_that_is_gone_is_missed(self, copy: Path) -> None:
        """The driver's functions under other names would be looked at by nobody."""
        take_out(copy, SOLVE)
        with pytest.raises(LookupError, match=r"rework: a rule speaks of it, and solve\.py has none"):
            the_driver_gives_the_rows_to_the_curator_alone(copy)

    @pytest.mark.parametrize(
        ("check", "gone"),
        [
            (curators_are_made_by_the_driver, SOLVE),
            (curators_are_made_by_the_driver, SLICING),
            (algorithms_see_no_data, "dpgep_core/algorithms"),
            (core_knows_no_user_interface, "dpgep_core/cli/dashboard.py"),
            (the_driver_gives_the_rows_to_the_curator_alone, SOLVE),
        ],
    )
    def test_a_file_that_is_gone_is_missed(self, copy: Path, check: Check, gone: str) -> None:
        (copy / gone).rename(copy / f"{gone}_moved")
        try:
            with pytest.raises(FileNotFoundError, match=f"{gone}: a rule speaks of it, and it is gone"):
                check(copy)
        finally:
            (copy / f"{gone}_moved").rename(copy / gone)

    def test_every_name_in_a_rule_is_one_of_the_core(self) -> None:
        """After a renaming the rule would look for a name that nobody uses."""
        there = {name for one in (Plan, Problem, Sample, Dataset) for name in (*dir(one), *one.__dataclass_fields__)}
        assert there >= ROWS
        defined = {
            node.name for path in files(ROOT, "dpgep_core") for node in nodes(path, ast.FunctionDef, ast.ClassDef)
        }
        assert defined >= {*GIVING, *ROUND, *CALLED, "Curator", "Channel"} - {"replace", "default_rng", "evaluate"}
        assert "evaluate" in Query.__dataclass_fields__

    def test_the_laws_an_algorithm_may_name_are_all_there_are(self) -> None:
        there = {name for name, thing in vars(randomness).items() if isinstance(thing, type) and hasattr(thing, "draw")}
        assert there == laws(ROOT)


class TestRuff:
    def test_clean(self) -> None:
        found = ruff(ROOT)
        assert found.returncode == 0, found.stdout

    def test_planted(self, copy: Path) -> None:
        """All at once, each in a file of its own, which is named beside the rule that it breaks."""
        planted = [
            (SR, "import numpy as np\nx = np.random.default_rng()", "TID251"),
            (FDA, "from numpy.random import default_rng", "TID251"),
            (SOLVE, "import random", "TID251"),
            ("dashboard/new.py", "import numpy as np\nnp.random.seed(1)", "TID251"),
            ("dpgep_core/algorithms/new.py", "def f(curator):\n    return curator._ledger", "SLF001"),
        ]
        for where, text, _ in planted:
            plant(copy, where, text)
        found = ruff(copy)
        assert found.returncode == 1
        caught = {(line.split(":")[0], line.split()[1]) for line in found.stdout.splitlines() if line.count(":") > 2}
        assert caught == {(where, rule) for where, _, rule in planted}

    def test_the_one_place_is_allowed(self, copy: Path) -> None:
        plant(copy, "dpgep_core/privacy/randomness.py", "x = np.random.default_rng()")
        assert ruff(copy).returncode == 0


class TestImportLinter:
    def test_clean(self) -> None:
        found = import_linter(ROOT)
        assert found.returncode == 0, found.stdout

    def test_planted(self, copy: Path) -> None:
        """All at once: each is told on a line of its own under the contract that it breaks."""
        planted = [
            (SR, "from dpgep_core.algorithms import ssp", "one algorithm does not import another"),
            (
                "dpgep_core/algorithms/brand_new.py",
                "from dpgep_core.algorithms.sr import SimultaneousReduction",
                "one algorithm does not import another",
            ),
            (FDA, "from dpgep_core.solve import solve", "the path of the data"),
            ("dpgep_core/privacy/ledger.py", "from dpgep_core.models import Fda", "the path of the data"),
            ("dpgep_core/datasets/split.py", "from dpgep_core.numerics import leading", "the path of the data"),
            ("dpgep_core/brand_new.py", "", "the path of the data"),
            (SOLVE, "import dashboard", "the core knows no user interface"),
            ("dashboard/text/words.py", "import dashboard.panels.shared", "the dashboard"),
            ("dashboard/compute/jobs.py", "import dashboard.cache", "the dashboard"),
            ("dashboard/brand_new.py", "", "the dashboard"),
            ("dpgep_core/release.py", "import streamlit", "the core knows no user interface"),
        ]
        for where, text, _ in planted:
            plant(copy, where, text)
        found = import_linter(copy)
        assert found.returncode == 1, found.stdout + found.stderr
        told = broken_contracts(found.stdout)
        for where, text, contract in planted:
            module = where.removesuffix(".py").replace("/", ".")
            target = text.replace("from dpgep_core.algorithms import ", "from dpgep_core.algorithms.").split()[1:2]
            line = f"{module} -> {target[0]} (" if target else f"- {module}"
            assert any(line in one for one in told[contract]), (line, found.stdout)
