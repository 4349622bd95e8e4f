"""Every guard-rail is clean on this checkout and catches a violation planted in a copy of it."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from checks import (
    CHECKS,
    Check,
    algorithms_keep_out_of_private_parts,
    algorithms_see_no_data,
    core_knows_no_user_interface,
    curators_are_made_by_the_driver,
    laws,
    pure_dashboard_modules_know_no_streamlit,
    pure_modules,
    queries_are_built_by_models,
    randomness_is_drawn_in_one_place,
    the_driver_gives_the_rows_to_the_curator_alone,
)

from dpgep_core.privacy import randomness

ROOT = Path(__file__).parents[2]
PACKAGES = ("dpgep_core", "dashboard", "sample_data")
SR, FDA, SOLVE = "dpgep_core/algorithms/sr.py", "dpgep_core/models/fda.py", "dpgep_core/solve.py"


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


@pytest.fixture
def copy(clean_copy: Path) -> Iterator[Path]:
    """The same, for planted violations; put back afterwards."""
    before = {path: path.stat().st_mtime_ns for path in clean_copy.rglob("*.py")}
    yield clean_copy
    for path in clean_copy.rglob("*.py"):
        if path not in before:
            path.unlink()
        elif path.stat().st_mtime_ns != before[path]:
            shutil.copy(ROOT / path.relative_to(clean_copy), path)


def plant(root: Path, where: str, text: str) -> None:
    path = root / where
    path.parent.mkdir(parents=True, exist_ok=True)
    old = path.read_text(encoding="utf-8") if path.exists() else '"""Planted."""\n'
    path.write_text(f"{old}\n{text}\n", encoding="utf-8")


def run(root: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *command], cwd=root, capture_output=True, text=True, check=False)


def ruff(root: Path) -> subprocess.CompletedProcess[str]:
    return run(root, "-m", "ruff", "check", "--no-cache", "--select", "TID251,SLF001", *PACKAGES)


def import_linter(root: Path) -> subprocess.CompletedProcess[str]:
    return run(
        root,
        "-c",
        "from importlinter.cli import lint_imports_command as c; c()",
        "--no-cache",
        "--config",
        "pyproject.toml",
    )


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

    def test_the_laws_an_algorithm_may_name_are_all_there_are(self) -> None:
        there = {name for name, thing in vars(randomness).items() if isinstance(thing, type) and hasattr(thing, "draw")}
        assert there == laws(ROOT)


class TestRuff:
    def test_clean(self) -> None:
        found = ruff(ROOT)
        assert found.returncode == 0, found.stdout

    @pytest.mark.parametrize(
        ("where", "text", "rule"),
        [
            (SR, "import numpy as np\nx = np.random.default_rng()", "TID251"),
            (FDA, "from numpy.random import default_rng", "TID251"),
            ("dpgep_core/solve.py", "import random", "TID251"),
            ("dashboard/new.py", "import numpy as np\nnp.random.seed(1)", "TID251"),
            (SR, "def f(curator):\n    return curator._ledger", "SLF001"),
        ],
    )
    def test_planted(self, copy: Path, where: str, text: str, rule: str) -> None:
        plant(copy, where, text)
        found = ruff(copy)
        assert found.returncode == 1
        assert rule in found.stdout
        assert where in found.stdout

    def test_the_one_place_is_allowed(self, copy: Path) -> None:
        plant(copy, "dpgep_core/privacy/randomness.py", "x = np.random.default_rng()")
        assert ruff(copy).returncode == 0


class TestImportLinter:
    def test_clean(self) -> None:
        found = import_linter(ROOT)
        assert found.returncode == 0, found.stdout

    @pytest.mark.parametrize(
        ("where", "text", "contract"),
        [
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
            ("dpgep_core/solve.py", "import dashboard", "the core knows no user interface"),
            ("dpgep_core/solve.py", "import streamlit", "the core knows no user interface"),
        ],
    )
    def test_planted(self, copy: Path, where: str, text: str, contract: str) -> None:
        plant(copy, where, text)
        found = import_linter(copy)
        assert found.returncode == 1, found.stdout + found.stderr
        broken = [line for line in found.stdout.splitlines() if "BROKEN" in line]
        assert any(line.startswith(contract) for line in broken), found.stdout
