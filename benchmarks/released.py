"""Releases as their users get them: how well classifiers made from a file alone do, and how long a release takes.

    python benchmarks/released.py accuracy [--data NAME …] [--epsilon E …] [--steps 1|2] [--releases N] [--rounded]
    python benchmarks/released.py seconds [--turns N] [--out docs/release/seconds.csv]

``accuracy`` makes N releases of ``fda`` with all directions at each ε, by the code of `dpgep release` with a budget
and a file, and scores every classifier of each file on the test rows. Beside them stands the classifier that is trained
on the projected private rows. Where no test split is published a fifth of the rows is held out first. Exact sums
that are the same in every release of one data set, of one step and of the first of two, are computed once; the noise
is drawn for each anew. ``--rounded`` draws rounded Gaussian noise in place of the discrete one, which is sixty times as
fast: the two laws are within 2^-60 of each other (`dpgep_core.privacy.discrete`), far below what an accuracy can show.
Such a file is no release, and the column ``noise`` says so. Rows are added to those that the table holds, which are
not computed again.

``seconds`` times one release of MNIST in one step and its parts, beside the float64 product of the same rows in the
same run. It counts processor time, which a busy machine changes little: start it with one thread
(OPENBLAS_NUM_THREADS=1).
"""

import argparse
import csv
import itertools
import sys
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import numpy as np

HERE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HERE))  # the script is started by its path

from dpgep_core.datasets import Dataset, load_dataset  # noqa: E402
from dpgep_core.datasets.dataset import prepared_blocks  # noqa: E402
from dpgep_core.datasets.split import split  # noqa: E402
from dpgep_core.evaluate import Reference  # noqa: E402
from dpgep_core.evaluate.private_rules import PRIVATE_RULES  # noqa: E402
from dpgep_core.former import former_defaults  # noqa: E402
from dpgep_core.models import integer_sums  # noqa: E402
from dpgep_core.models.queries import joint_gram  # noqa: E402
from dpgep_core.privacy import discrete  # noqa: E402
from dpgep_core.privacy.randomness import Isotropic  # noqa: E402
from dpgep_core.publishing import load_release  # noqa: E402
from dpgep_core.publishing.budget import Amount  # noqa: E402
from dpgep_core.publishing.pricing import ReleaseRequest, priced_plan  # noqa: E402
from dpgep_core.publishing.releasing import publish  # noqa: E402
from dpgep_core.publishing.scoring import private_scores, public_rows  # noqa: E402
from dpgep_core.release import Setting  # noqa: E402

DATA = ("mnist", "fashion", "adult", "digits")
EPSILONS = ("0.05", "0.1", "0.5", "1", "4")
DELTA, MOST = "1e-6", Amount.of("100", "1e-6")
PROJECTION = "projection"  # private, and the classifier trained on the projected private rows
FIRST_STEP = int(integer_sums.JOINT_STEPS) + 1  # longest row of the sums of the first of two steps
COLUMNS = (
    "dataset",
    "epsilon",
    "delta",
    "steps",
    "release",
    "noise",
    "n",
    "d",
    "components",
    *PRIVATE_RULES,
    PROJECTION,
)
Row = Mapping[str, Any]


def with_test_rows(data: Dataset) -> Dataset:
    """A data set with test rows: its published split, or a fifth of its rows, which are not released."""
    if data.X_test is not None:
        return data
    parts = split(data, 0)
    return replace(data, X=parts.X, y=parts.y, X_test=parts.X_test, y_test=parts.y_test)


def request_for(data: Dataset, epsilon: str, folder: Path, name: str, steps: int) -> ReleaseRequest:
    """A release of ``fda`` from a budget that holds all of them; one step at the ξ that was its default."""
    return ReleaseRequest(
        dataset=data, asked=Amount.of(epsilon, DELTA), limit=MOST, ledger=folder / "kept.ledger", out=folder / name,
        params=former_defaults(["ssp"]) if steps == 1 else {},
    )  # fmt: skip


@contextmanager
def sums_computed_once(steps: int) -> Generator[None]:
    """Inside, sums that do not depend on noise are computed for the first release and kept for the others.

    Those of a second step are of rows about centres that move with the noise.
    """
    real, kept = integer_sums.exact_sum, dict[int, Any]()

    def once(blocks: Any, longest: int) -> Any:
        if steps > 1 and longest != FIRST_STEP:
            return real(blocks, longest)
        if longest not in kept:
            kept[longest] = real(blocks, longest)
        return kept[longest].copy()

    with patch.object(integer_sums, "exact_sum", once):
        yield


@contextmanager
def rounded_noise() -> Generator[None]:
    """Inside, noise is rounded Gaussian noise of the same scales: quick, and good for accuracies alone."""
    rng = np.random.default_rng()

    def draw(law: Isotropic, size: int, scale: float) -> Any:
        return np.rint(law.draw(rng, (size, size), scale)).astype(np.int64)

    with patch.object(discrete, "draw_symmetric", draw):
        yield


def scored(data: Dataset, epsilon: str, number: int, reference: Reference, how: tuple[str, int]) -> Row:
    """One release, made and read again from its file, and every accuracy."""
    noise, steps = how
    with TemporaryDirectory() as folder:
        published = publish(request_for(data, epsilon, Path(folder), "release.npz", steps))
        release = load_release(published.path)
    header = release.header
    scores = {kind: one.accuracy for kind, one in private_scores(release, public_rows(release, data))}
    projected = reference.score(release.components(), "lda").accuracy
    numbers = {kind: f"{value:.5f}" for kind, value in {**scores, PROJECTION: projected}.items()}
    return {
        "dataset": data.name, "epsilon": epsilon, "delta": DELTA, "steps": steps, "release": number, "noise": noise,
        "n": header.n, "d": header.d, "components": header.n_components, **numbers,
    }  # fmt: skip


def accuracies(given: argparse.Namespace, out: Path) -> None:
    """Add what is missing to the table, a row at a time."""
    done = {(row["dataset"], row["epsilon"], int(row["steps"]), int(row["release"])) for row in rows_of(out)}
    out.parent.mkdir(parents=True, exist_ok=True)
    fresh, how = not out.exists(), ("rounded" if given.rounded else "discrete", int(given.steps))
    with out.open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        if fresh:
            writer.writeheader()
        for name in given.data:
            data = with_test_rows(load_dataset(name))
            reference = Reference.of(data, Setting(algorithm="exact", test_size=0.0))
            with sums_computed_once(how[1]), rounded_noise() if given.rounded else nullcontext():
                for epsilon, number in itertools.product(given.epsilon, range(given.releases)):
                    if (name, epsilon, how[1], number) not in done:
                        writer.writerow(scored(data, epsilon, number, reference, how))
                        file.flush()


def rows_of(out: Path) -> list[dict[str, str]]:
    """Rows that a table holds already."""
    if not out.exists():
        return []
    with out.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def seconds(turns: int, out: Path) -> None:
    """Write the shortest of so many timings of each part of a release of MNIST. The parts take turns."""
    data = load_dataset("mnist")
    found: dict[str, list[float]] = {}
    with TemporaryDirectory() as folder:
        made = priced_plan(request_for(data, "0.5", Path(folder), "x.npz", 1)).plan
        assert made.noise is not None
        public, (answer,) = made.public, made.noise
        sums = joint_gram(public.weight, public).integers
        assert sums is not None
        size = public.d + public.joint_columns
        parts: dict[str, Callable[[int], Any]] = {
            "release": lambda turn: publish(request_for(data, "0.5", Path(folder), f"{turn}.npz", 1)),
            "exact sums": lambda _: sums.evaluate(made.problem),
            "noise": lambda _: discrete.draw_symmetric(Isotropic(), size, answer.sigma * sums.steps),
            "float64 sums": lambda _: sum(
                block.T @ block for _, block in prepared_blocks(made.problem.sample.X, made.problem.preprocessing)
            ),
        }
        for turn in range(turns):
            for name, part in parts.items():
                began = time.process_time()
                part(turn)
                found.setdefault(name, []).append(time.process_time() - began)
    out.parent.mkdir(parents=True, exist_ok=True)
    lines = ["part,seconds", *(f"{name},{min(each):.3f}" for name, each in found.items())]
    out.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    """Compute one of the two tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", choices=("accuracy", "seconds"))
    parser.add_argument("--data", nargs="+", choices=DATA, default=DATA)
    parser.add_argument("--epsilon", nargs="+", choices=EPSILONS, default=EPSILONS)
    parser.add_argument("--steps", type=int, choices=(1, 2), default=2)
    parser.add_argument("--releases", type=int, default=10)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--rounded", action="store_true")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    out = given.out or HERE / "docs" / "release" / f"{given.table}.csv"
    if given.table == "seconds":
        seconds(given.turns, out)
    else:
        accuracies(given, out)


if __name__ == "__main__":
    main()
