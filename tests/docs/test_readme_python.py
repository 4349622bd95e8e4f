"""The Python that the README shows first runs as it stands."""

import re
from pathlib import Path
from typing import Any

from dpgep_core.estimators import DPFDA

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```python\n(.+?)^```", re.M | re.S)


def test_the_pipeline_of_the_first_screen() -> None:
    first = BLOCK.findall((ROOT / "README.md").read_text("utf-8"))[0]
    names: dict[str, Any] = {}
    exec(compile(first, "README.md", "exec"), names)  # our own page
    assert isinstance(names["pipeline"][0], DPFDA)
    for fitted in (names["private"], names["pipeline"]):
        assert fitted.score(names["X_test"], names["y_test"]) > 0.4  # least of fifty draws: 0.64, 0.86
    assert names["private"].leaks_ == ()


def test_the_classifier_of_the_guide() -> None:
    rows = {}
    exec("from dpgep_core import load_dataset; data = load_dataset('digits'); X, y = data.X, data.y", rows)
    names: dict[str, Any] = {"X": rows["X"], "X_test": rows["X"][:9], "y": rows["y"]}
    for block in BLOCK.findall((ROOT / "docs" / "estimators.md").read_text("utf-8")):
        exec(compile(block, "docs/estimators.md", "exec"), names)
    assert names["private"].predict_proba(names["X_test"]).shape == (9, 10)
