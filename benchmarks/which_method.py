"""The exhibit "Which method?": ε for 95 % and 50 % of the accuracy gain, every sound method at its best public setting.

    python benchmarks/which_method.py --model fda --datasets adult,digits [--seeds 3] [--methods sr_dp,dprf]

Shares of the gain go to docs/algorithms/which-method: curves.csv has a row for each setting, levels.csv both ends of
the gain by seed. What is read off them goes to dpgep_core/evaluate/which_method.csv, and tables to
docs/algorithms/which-method.md. Without data sets the kept results are read again.
"""

import argparse
import itertools
import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HERE))  # the script is started by its path

from benchmarks.tables import read_table, write_table  # noqa: E402
from dpgep_core import Dataset, load_dataset  # noqa: E402
from dpgep_core.evaluate import Reference  # noqa: E402
from dpgep_core.evaluate.which_method import OURS, SHARES, Reach, read_reaches  # noqa: E402
from dpgep_core.kept_table import kept_rows  # noqa: E402
from dpgep_core.release import Setting, known_parameters  # noqa: E402
from dpgep_core.solve import plan, run  # noqa: E402

KEPT = HERE / "docs" / "algorithms" / "which-method"
PAGE = HERE / "docs" / "algorithms" / "which-method.md"
TABLE = HERE / "dpgep_core" / "evaluate" / "which_method.csv"
CASE = ("dataset", "model", "method")
CURVES = (*CASE, "setting", "seeds", "curve")
LEVELS = ("dataset", "model", "seed", "random", "exact")
EPSILONS = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)
XI = 0.01  # of the exact answer
Values = Mapping[str, object]
GRIDS: Mapping[str, Mapping[str, Sequence[object]]] = {
    "fda": {
        "xi": (0.01, 0.1), "n_iterations": (3, 10), "step_size": (10.0,), "start": ("random", "private"),
        "calibration": ("exact",),
    },
    "pca": {"n_iterations": (3, 10), "step_size": (10.0,), "start": ("random", "private"), "calibration": ("exact",)},
}  # fmt: skip
OTHERS: Mapping[str, tuple[str, ...]] = {
    "fda": ("sr_dp", "dpsr_corrected", "dprf", "dptrf"),
    "pca": (
        "analyze_gauss", "mod_sulq", "ppi", "local_gaussian", "dpsr_corrected", "dpsr", "dpsrs", "dprf", "dptrf",
    ),
}  # fmt: skip


def settings_of(model: str, method: str) -> Iterator[dict[str, object]]:
    """Every public setting of a method that is tried: the grid, as far as the method has the parameters."""
    if method in OURS:
        for xi in (0.0, XI) if model == "fda" else (XI,):
            yield {"steps": int(method[-1]), "xi": xi}
        return
    own = known_parameters(model, method)
    grid = {name: values for name, values in GRIDS[model].items() if name in own}
    for values in itertools.product(*grid.values()):
        yield dict(zip(grid, values, strict=True))


def said(setting: Values) -> str:
    """A setting in one line, without what is the same for all."""
    told = {name: value for name, value in setting.items() if name not in ("steps", "calibration")}
    return " ".join(f"{name}={value if isinstance(value, str) else f'{value:g}'}" for name, value in told.items())


def levels_of(data: Dataset, model: str, seeds: int) -> Iterator[tuple[Reference, float, float]]:
    """The reference of each seed, with the accuracy of a random projection and of the exact answer."""
    for seed in range(seeds):
        setting = Setting(model=model, algorithm="exact", seed=seed, params=(("xi", XI),))
        found = Reference.of(data, setting)
        k = plan(data, setting).public.k
        random, exact = (found.score(V, "lda").accuracy for V in (found.random(k), found.exact(k, XI)))
        yield found, random, exact


def curve_of(
    data: Dataset, model: str, method: str, setting: Values, levels: Sequence[tuple[Reference, float, float]]
) -> str:
    """``ε:share`` of the gain for each ε that the ledger proves; "" where it proves none."""
    gain = float(np.mean([exact - random for _, random, exact in levels]))
    points: list[str] = []
    for epsilon in EPSILONS if method in OURS else EPSILONS[3:]:
        found: list[tuple[float, float]] = []
        for seed, (reference, random, _) in enumerate(levels):
            params = tuple(sorted(setting.items()))
            release = run(plan(data, Setting(model=model, algorithm=method.split()[0], epsilon=epsilon, seed=seed,
                                             params=params)))  # type: ignore[arg-type]  # fmt: skip
            proved = release.accounted.epsilon
            if proved is None or not math.isfinite(proved):
                return ""
            found.append((proved, reference.score(release.components, "lda").accuracy - random))
        mean, more = np.mean(found, axis=0)
        points.append(f"{mean:.4g}:{more / gain:.4f}")
    return " ".join(points)


def measure(name: str, model: str, methods: Sequence[str], seeds: int) -> None:
    """Replace the kept curves and levels of a data set and a model."""
    data = load_dataset(name)
    levels = list(levels_of(data, model, seeds))
    both = [(str(seed), f"{random:.5f}", f"{exact:.5f}") for seed, (_, random, exact) in enumerate(levels)]
    _replace(KEPT / "levels.csv", LEVELS, CASE[:2], [_row(LEVELS, name, model, *each) for each in both])
    for method in methods:
        rows = [
            _row(CURVES, name, model, method, said(setting), str(seeds), curve)
            for setting in settings_of(model, method)
            if (curve := curve_of(data, model, method, setting, levels))
        ]
        _replace(KEPT / "curves.csv", CURVES, CASE, rows)
        print(name, model, method, len(rows), flush=True)


def _row(columns: Sequence[str], *values: str) -> dict[str, str]:
    return dict(zip(columns, values, strict=True))


def _replace(path: Path, columns: Iterable[str], key: Sequence[str], rows: list[dict[str, str]]) -> None:
    fresh = {tuple(row[name] for name in key) for row in rows}
    kept = [row for row in read_table(path) if tuple(row[name] for name in key) not in fresh] if path.exists() else []
    write_table(path, columns, sorted([*kept, *rows], key=lambda row: tuple(row[name] for name in key)))


def table(reaches: Sequence[Reach], levels: Iterable[Mapping[str, str]], model: str) -> list[str]:
    """Rows of a table of the page: ε for 95 % and for 50 % of the gain, by data set and method."""
    own = [reach for reach in reaches if reach.model == model]
    methods = [*OURS, *sorted({reach.method for reach in own} - set(OURS))]
    lines = [f"| data | random → exact | {' | '.join(methods)} |", f"|---|---|{'---|' * len(methods)}"]
    mine = [level for level in levels if level["model"] == model]
    for dataset in dict.fromkeys(level["dataset"] for level in mine):
        ends = ([float(level[name]) for level in mine if level["dataset"] == dataset] for name in LEVELS[3:])
        means = " → ".join(f"{sum(values) / len(values):.3f}" for values in ends)
        cells = [" / ".join(_cell(own, dataset, method, share) for share in SHARES) for method in methods]
        lines.append(f"| {dataset} | {means} | {' | '.join(cells)} |")
    return lines


def _cell(reaches: Iterable[Reach], dataset: str, method: str, share: float) -> str:
    found = [r for r in reaches if (r.dataset, r.method, r.share) == (dataset, method, share)]
    if not found:
        return "–"
    (reach,) = found
    if reach.epsilon == 0:
        return f"< {reach.least:.2g}"
    return f"> {reach.most:.3g}" if math.isinf(reach.epsilon) else f"{reach.epsilon:.2g}"


def filled(text: str, model: str, lines: Iterable[str]) -> str:
    """A page with the table of a model between its marks."""
    first, last = f"<!-- {model} -->\n", f"\n<!-- end of {model} -->"
    before, rest = text.split(first)
    return before + first + "\n".join(lines) + last + rest.split(last)[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="fda", choices=list(GRIDS))
    parser.add_argument("--datasets", default="")
    parser.add_argument("--methods", default="")
    parser.add_argument("--seeds", type=int, default=3)
    asked = parser.parse_args()
    methods = asked.methods.split(",") if asked.methods else [*OURS, *OTHERS[asked.model]]
    for name in filter(None, asked.datasets.split(",")):
        measure(name, asked.model, methods, asked.seeds)
    levels = read_table(KEPT / "levels.csv")
    reaches = list(read_reaches(levels, read_table(KEPT / "curves.csv")))
    write_table(TABLE, (field.name for field in fields(Reach)), kept_rows(reaches))
    text = PAGE.read_text(encoding="utf-8")
    for model in dict.fromkeys(level["model"] for level in levels):
        text = filled(text, model, table(reaches, levels, model))
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
