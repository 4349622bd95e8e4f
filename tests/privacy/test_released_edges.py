"""Edges of slices that are released with noise: what they cost stands in the ledger of every run that uses them."""

import json
import math
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dpgep_core import DataError, Dataset, ParameterError, load_dataset, release_edges, solve
from dpgep_core.cli import main
from dpgep_core.datasets import open_dataset
from dpgep_core.datasets.digests import dataset_digest
from dpgep_core.datasets.readers.sidecar import parse_sidecar
from dpgep_core.datasets.readers.sidecar_text import sidecar_text
from dpgep_core.estimators import DPSIR
from dpgep_core.models.response_counts import RUNNING_COUNTS
from dpgep_core.privacy import Grant
from dpgep_core.publishing.budget import Amount
from dpgep_core.publishing.pricing import ReleaseRequest, priced_plan

RANGE = (-100.0, 100.0)


@pytest.fixture(scope="module")
def data() -> Dataset:
    return load_dataset("synthetic_sir")


def cut(data: Dataset, epsilon: float = 0.3) -> Dataset:
    found = release_edges(data, 10, RANGE, epsilon=epsilon, seed=1)
    return data.with_edges(found.edges, mu=found.mu)


def test_the_edges_cost_what_was_asked_and_are_in_a_ledger(data: Dataset) -> None:
    found = release_edges(data, 10, RANGE, epsilon=0.3, seed=1)
    assert [entry.query for entry in found.ledger] == [RUNNING_COUNTS]
    assert found.mu == pytest.approx(Grant(epsilon=0.3, delta=data.n**-1.1).mu, rel=1e-9)
    sizes = np.bincount(np.asarray(data.with_edges(found.edges).y))
    assert sizes.max() < 1.5 * data.n / 10  # where even edges put half of the rows into one slice


@pytest.mark.parametrize("model", ["sir", "fda"])  # to both the slices are classes
@pytest.mark.parametrize("algorithm", ["ssp", "dprf", "sr_dp"])
def test_a_run_spends_the_rest_of_its_budget(data: Dataset, algorithm: str, model: str) -> None:
    params = {} if algorithm == "ssp" else {"calibration": "exact"}
    release = solve(cut(data), model, algorithm, epsilon=1.0, n_components=1, **params)
    first, *others = release.ledger
    assert RUNNING_COUNTS in first.query
    squares = first.mu**2 + sum(entry.mu**2 for entry in others)
    assert math.sqrt(squares) == pytest.approx(Grant(epsilon=1.0, delta=release.accounted.delta).mu, rel=1e-9)
    assert release.accounted.epsilon == pytest.approx(1.0, rel=1e-6)
    assert release.claimed is not None
    assert release.claimed.epsilon == 1.0


def test_chosen_edges_cost_nothing_and_change_nothing(data: Dataset) -> None:
    plain, paid = data.with_edges(data.edges), data.with_edges(data.edges, mu=0.05)
    assert dataset_digest(plain) == dataset_digest(data)
    assert dataset_digest(paid) != dataset_digest(data)  # kept results of the one are not those of the other
    assert len(solve(plain, "sir", epsilon=1.0).ledger) + 1 == len(solve(paid, "sir", epsilon=1.0).ledger)


def test_a_model_without_slices_pays_nothing_for_them(data: Dataset) -> None:
    assert all(RUNNING_COUNTS not in entry.query for entry in solve(cut(data), "pca", n_components=1).ledger)


def test_a_budget_that_is_spent_is_refused(data: Dataset) -> None:
    with pytest.raises(ParameterError, match=r"epsilon must be well above 0\.3, which the edges of the slices cost"):
        solve(cut(data), "sir", epsilon=0.2)


def test_a_file_for_handing_out_is_refused(data: Dataset, tmp_path: Path) -> None:
    one = Amount.of("1", "1e-6")
    request = ReleaseRequest(dataset=cut(data), model="sir", asked=one, limit=one, ledger=tmp_path / "l",
                             out=tmp_path / "x.npz")  # fmt: skip
    with pytest.raises(DataError, match="edges that were released with noise"):
        priced_plan(request)


def test_a_sidecar_keeps_the_price() -> None:
    text = "[response]\nedges = [1.0, 2.0]\nedges_mu = 0.05\n"
    declared = parse_sidecar("x", tomllib.loads(text))
    assert declared.response is not None
    assert declared.response.edges_mu == 0.05
    assert parse_sidecar("x", tomllib.loads(sidecar_text(declared))) == declared
    for wrong in ("edges_mu = 0.1", "edges = [1.0]\nedges_mu = -1.0", 'edges = [1.0]\nedges_mu = "a"'):
        with pytest.raises(DataError, match="edges_mu"):
            parse_sidecar("x", tomllib.loads(f"[response]\n{wrong}\n"))


def test_from_the_command_line_to_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((2_000, 3))
    np.savez(tmp_path / "mine.npz", X=X, y=np.exp(3 * X[:, 0]))
    side, file = tmp_path / "mine.toml", str(tmp_path / "mine.npz")
    asked = ["edges", "--dataset", file, "--slices", "4", "--low", "0", "--high", "1e6", "--epsilon", "0.5"]
    side.write_text('[response]\ncolumn = "y"\n', encoding="utf-8")
    assert main([*asked, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    side.write_text(f'[response]\ncolumn = "y"\nedges = {found["edges"]}\nedges_mu = {found["edges_mu"]}\n', "utf-8")
    assert main(asked) == 0
    printed = capsys.readouterr().out
    kept = side.read_text("utf-8")
    side.write_text(f'[response]\ncolumn = "y"\n{printed}', "utf-8")  # as it is pasted below the column
    assert open_dataset(file).edges_mu == found["edges_mu"]
    assert len(open_dataset(file).edges) == 3
    side.write_text(kept, "utf-8")
    release = solve(open_dataset(file), "sir", epsilon=2.0)
    assert release.ledger.entries[0].mu == found["edges_mu"]
    assert main(["edges", "--dataset", "wine", "--low", "0", "--high", "1"]) == 2
    assert main([*asked[:-4], "--high", "0"]) == 2


def test_the_estimator_counts_the_edges_in(data: Dataset) -> None:
    found = release_edges(data, 10, RANGE, epsilon=0.3, seed=1)
    fitted = DPSIR(epsilon=1.0, edges=found.edges, edges_mu=found.mu, norm=5.5, random_state=0)
    fitted.fit(data.X, data.response)
    assert fitted.ledger_.entries[0].mu == found.mu
    assert fitted.epsilon_ == pytest.approx(1.0, rel=1e-6)


def test_a_declared_number_of_rows_decides_and_not_theirs(data: Dataset) -> None:
    """The number of rows is private where a record may come or go."""
    declared = replace(data, declared_n=2 * data.n)
    found = release_edges(declared, 4, RANGE, seed=1)
    assert found.accounted.delta == (2 * data.n) ** -1.1
    assert found.edges != release_edges(data, 4, RANGE, seed=1).edges


def test_a_data_set_without_a_response_is_refused() -> None:
    with pytest.raises(ParameterError, match="a data set in memory with a response of real numbers"):
        release_edges("wine", 4, (0.0, 1.0))
