"""Predicted against measured: sweeps on bundled data sets, each run in a process of its own.

    python benchmarks/growth_check.py    # writes the table "A prediction" of docs/growth.md

Measured seconds are those of the processor, of the whole command with the start of Python, and memory is its largest
resident set.
"""

import re
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HERE))  # the script is started by its path

from benchmarks.sweep_cost import sweep_cost  # noqa: E402
from dpgep_core import load_dataset  # noqa: E402
from dpgep_core.evaluate.forecast import Forecast, PlannedRun, forecast, machine_speed  # noqa: E402
from dpgep_core.models import model_entry  # noqa: E402
from dpgep_core.wording import number_text, toml_value  # noqa: E402

PAGE = HERE / "docs" / "growth.md"
TABLE = re.compile(r"(<!-- check -->\n).*?(<!-- end of check -->)", re.DOTALL)
EPSILONS = (0.1, 0.3, 1.0, 3.0, 10.0)
CASES: tuple[dict[str, Any], ...] = (
    {"dataset": "digits", "model": "fda", "algorithms": ("ssp", "dprf"), "seeds": 5, "values": 5},
    {"dataset": "digits", "model": "fda", "algorithms": ("dpsr", "sr_dp", "exact"), "seeds": 3, "values": 3},
    {"dataset": "adult", "model": "fda", "algorithms": ("ssp", "dptrf"), "seeds": 3, "values": 4},
    {"dataset": "adult", "model": "pca", "algorithms": ("analyze_gauss", "ppi"), "seeds": 4, "values": 5},
    {"dataset": "mnist", "model": "fda", "algorithms": ("ssp", "dprf"), "seeds": 1, "values": 3},
)


def planned_of(case: dict[str, Any]) -> PlannedRun:
    """The plan that one would enter for a case."""
    data = load_dataset(case["dataset"])
    k = model_entry(case["model"]).make().default_components(data.n_classes, data.d)
    return PlannedRun(n=data.n, d=data.d, k=k, m=15, classes=max(data.n_classes, 1), algorithms=case["algorithms"],
                      seeds=case["seeds"], values=case["values"], one_split=data.X_test is not None,
                      entry=data.X.dtype.itemsize)  # fmt: skip


def spec_of(case: dict[str, Any]) -> str:
    """The sweep of a case as TOML."""
    table = {"datasets": [case["dataset"]], "models": [case["model"]], "algorithms": list(case["algorithms"]),
             "epsilon": list(EPSILONS[: case["values"]]), "seeds": case["seeds"], "classifiers": ["lda"]}  # fmt: skip
    return "".join(f"{name} = {toml_value(value, str)}\n" for name, value in table.items())


def line_of(case: dict[str, Any], found: Forecast, real: dict[str, float]) -> str:
    """A row of the table."""
    what = f"{case['dataset']}, {case['model']}, {' + '.join(case['algorithms'])}"
    seconds = f"{number_text(found.seconds, 2)} ({number_text(found.least_seconds, 2)} to "
    seconds += f"{number_text(found.most_seconds, 2)}) s"
    return (
        f"| {what}, {case['seeds']} × {case['values']} | {seconds} | {number_text(real['seconds'], 2)} s | "
        f"{number_text(found.megabytes, 2)} MB | {number_text(real['megabytes'], 2)} MB |"
    )


def main() -> None:
    """Run every case and write the table."""
    lines = ["| sweep, seeds × ε | predicted | measured | memory predicted | measured |", "|---|---:|---:|---:|---:|"]
    for case in CASES:
        machine_speed.cache_clear()  # how busy the machine is changes
        lines.append(line_of(case, forecast(planned_of(case), machine_speed()), sweep_cost(spec_of(case))))
        print(lines[-1], flush=True)
    rows = "\n".join(lines) + "\n"
    PAGE.write_text(TABLE.sub(lambda old: old[1] + rows + old[2], PAGE.read_text("utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
