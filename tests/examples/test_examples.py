"""The scripts in examples/: each is short, runs by itself, and prints what its reader should see."""

import runpy
from pathlib import Path

import pytest

from dpgep_core import ALGORITHMS

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
PRINTED = {
    "solve_once.py": ("verdict: holds.", "σ = 7.038", "accuracy: private 0.9"),
    "pipeline.py": ("nothing is left uncovered", "private to the end: 0.", "projection private, SVM not: 0."),
    "sweep.py": ("30 of 30 cells, 0 with an error", "100.0"),
    "own_algorithm.py": ("noisy_pencil: accuracy 0.8", "answers: 2", "ssp: accuracy 0.9"),
    "own_data.py": (
        "without a sidecar, read off the rows: the class set",
        "with a sidecar, read off the rows: nothing",
    ),
    "own_figure.py": ("30.0    0.9", "cosine.html: "),
}


def test_every_example_is_here() -> None:
    assert {path.name for path in EXAMPLES.glob("*.py")} == PRINTED.keys()


@pytest.mark.parametrize("name", PRINTED)
def test_it_is_short(name: str) -> None:
    text = (EXAMPLES / name).read_text("utf-8")
    assert len(text.splitlines()) < 60
    assert text.startswith('"""')


@pytest.mark.parametrize("name", PRINTED)
def test_it_prints_what_is_to_be_seen(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DPGEP_DATA_DIR", str(tmp_path))
    before = dict(ALGORITHMS)
    try:
        runpy.run_path(str(EXAMPLES / name), run_name="__main__")
    finally:
        for key in ALGORITHMS.keys() - before.keys():
            del ALGORITHMS[key]
    printed = capsys.readouterr()
    assert printed.err == ""
    for words in PRINTED[name]:
        assert words in printed.out
