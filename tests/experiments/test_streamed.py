"""A folder that is streamed gives the answers of the same rows in memory, and of any other cut into files."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpgep_core import ALGORITHMS, evaluate, solve
from dpgep_core.cli import main
from dpgep_core.datasets import load_dataset
from dpgep_core.datasets.digests import dataset_digest, rows_digest
from dpgep_core.datasets.remarks import remarks
from dpgep_core.errors import DataError, ParameterError
from dpgep_core.models.centred_queries import centred_gram, class_sums
from dpgep_core.models.centring import Centring
from dpgep_core.models.queries import joint_gram
from dpgep_core.release import Setting
from dpgep_core.solve import plan, run

SIDECAR = 'label = "kind"\nclasses = ["a", "b", "c"]\n[columns]\nlower = -3\nupper = 3\n'
ROWS = 3_000


def _table(rows=ROWS):
    rng = np.random.default_rng(7)
    codes = rng.integers(0, 3, rows)
    X = rng.normal(size=(rows, 6)) + 0.7 * np.eye(6)[codes]
    columns = {f"c{j}": X[:, j].astype(np.float32) for j in range(6)}
    return pa.table({**columns, "kind": [("a", "b", "c")[k] for k in codes]})


def write_folder(folder, cuts, table=None, sidecar=SIDECAR):
    """Write rows in files that end at the rows ``cuts``."""
    table = _table() if table is None else table
    folder.mkdir()
    for number, (first, last) in enumerate(zip([0, *cuts], [*cuts, table.num_rows], strict=True)):
        pq.write_table(table.slice(first, last - first), folder / f"part-{number:03}.parquet", row_group_size=500)
    folder.with_suffix(".toml").write_text(sidecar)


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("DPGEP_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("DPGEP_PASSES_DIR", str(tmp_path / "passes"))
    monkeypatch.setenv("DPGEP_STREAM_BYTES", "1000")
    (tmp_path / "data").mkdir()
    pq.write_table(_table(), tmp_path / "data" / "one.parquet")
    (tmp_path / "data" / "one.toml").write_text(SIDECAR)
    return tmp_path / "data"


@pytest.mark.parametrize(
    ("model", "params"),
    [
        ("fda", {}),
        ("pca", {}),
        ("cca", {}),
        ("sir", {}),
        ("fda", {"steps": 2}),
        ("pca", {"steps": 2}),
        ("cca", {"steps": 2, "norm": "separate"}),
        ("sir", {"steps": 2}),
    ],
)
@pytest.mark.parametrize("test_size", [0.2, 0.0])
def test_the_answer_is_that_of_one_file(data, model, params, test_size):
    write_folder(data / "many", (700, 2100))
    many, one = load_dataset("many"), load_dataset("one")
    assert many.streamed
    assert not one.streamed
    found, wanted = (solve(each, model, "ssp", test_size=test_size, **params) for each in (many, one))
    assert found.public.n == wanted.public.n
    np.testing.assert_allclose(found.moments.gram, wanted.moments.gram, atol=1e-9 * found.public.n, rtol=0)
    assert_the_same_directions(found, wanted)
    assert found.ledger.mu == wanted.ledger.mu


def assert_the_same_directions(found, wanted):
    """Each component up to its sign; of those that share one cleaned eigenvalue in PCA, the space that they span."""
    one, other = found.components, wanted.components
    quotients = np.einsum("ij,ij->j", other, wanted.pencil.target @ other)
    tied = np.diff(quotients) > -1e-9 if wanted.setting.model == "pca" else np.zeros(other.shape[1] - 1, dtype=bool)
    for group in np.split(np.arange(other.shape[1]), np.flatnonzero(~tied) + 1):
        if len(group) == 1:
            np.testing.assert_allclose(np.abs(one[:, group]), np.abs(other[:, group]), atol=1e-6)
        else:
            spans = (each[:, group] @ each[:, group].T for each in (one, other))
            np.testing.assert_allclose(*spans, atol=1e-6)


@pytest.mark.parametrize("params", [{}, {"steps": 2}])
def test_the_answer_is_the_same_to_the_last_bit_for_any_cut_into_files(data, params):
    for name, cuts in (("two", (1234,)), ("five", (1, 17, 1900, 2999))):
        write_folder(data / name, cuts)
    two, five = (solve(name, "fda", "ssp", **params) for name in ("two", "five"))
    assert np.array_equal(two.moments.gram, five.moments.gram)
    assert np.array_equal(two.components, five.components)


@pytest.mark.parametrize("key", [key for key in ALGORITHMS if key not in ("ssp", "dp_spca", "dp_vrpca")])
def test_algorithms_that_need_sums_alone_take_them(data, key):
    write_folder(data / "many", (700, 2100))
    model = ALGORITHMS[key].models[-1]
    found, wanted = (solve(name, model, key, epsilon=5.0) for name in ("many", "one"))
    np.testing.assert_allclose(found.components, wanted.components, atol=1e-5 * np.abs(wanted.components).max())


@pytest.mark.parametrize("key", ["dp_spca", "dp_vrpca"])
def test_algorithms_that_draw_rows_and_products_are_refused(data, key):
    write_folder(data / "many", (700, 2100))
    with pytest.raises(ParameterError, match=r"sums alone, such as ssp, for 3,000 rows that are streamed"):
        solve("many", "pca", key)
    with pytest.raises(ParameterError, match=r"memory must be whole"):
        solve("many", "pca", "ssp", memory="products")


def test_whoever_asks_for_entries_is_told_what_works(data):
    write_folder(data / "many", (700,))
    rows = load_dataset("many").X
    for ask in (np.asarray, list, lambda X: X[:5]):
        with pytest.raises(DataError, match=r"streamed from 2 files.*ssp.*DPGEP_STREAM_BYTES"):
            ask(rows)


def test_scores_are_of_rows_drawn_by_the_seed_and_say_so(data, monkeypatch):
    write_folder(data / "many", (700, 2100))
    wanted = evaluate(solve("one"), "one")
    found = evaluate(solve("many"), "many")  # few rows: all of them
    assert found.accuracy["lda"].private.accuracy == wanted.accuracy["lda"].private.accuracy
    assert found.accuracy["linear_svm"].private.accuracy == wanted.accuracy["linear_svm"].private.accuracy
    assert found.warnings == wanted.warnings
    np.testing.assert_allclose(found.cosine_similarity, wanted.cosine_similarity, atol=1e-9)
    monkeypatch.setattr("dpgep_core.datasets.streamed.MOST_DRAWN", 100)
    few = evaluate(solve("many"), "many")
    assert few.accuracy["lda"].private.n_test == 100
    assert any("accuracies are of 100 of 600 held-out rows" in each for each in few.warnings)


def test_digests_know_rows_and_files(data):
    write_folder(data / "many", (700, 2100))
    write_folder(data / "more", (5,))
    assert rows_digest(load_dataset("many")) == rows_digest(load_dataset("more")) == rows_digest(load_dataset("one"))
    assert dataset_digest(load_dataset("many")) != dataset_digest(load_dataset("more"))
    assert list(remarks(load_dataset("many"))) == []


@pytest.mark.parametrize(
    ("sidecar", "says"),
    [
        ('label = "kind"\n', r"many\.toml: classes are not declared"),
        (
            'label = ""\n[[text]]\ncolumn = "kind"\ncategories = "from rows"\n',
            r"the categories of 'kind' are from rows",
        ),
        ('drop = ["kind"]\n[response]\ncolumn = "c0"\nslices = 3\n', "quantiles of the rows"),
        ('drop = ["kind"]\n[response]\ncolumn = "c0"\nedges = [0]\nedges_mu = 0.1\n', "without looking at the rows"),
        (SIDECAR + "[reading]\nmissing = 'drop'\n", "drops rows"),
    ],
)
def test_what_would_be_learnt_from_the_rows_must_be_declared(data, sidecar, says):
    write_folder(data / "many", (700,), sidecar=sidecar)
    with pytest.raises(DataError, match=says):
        load_dataset("many")


def test_a_response_cut_at_public_edges_and_declared_categories_are_streamed(data):
    sidecar = '[response]\ncolumn = "c0"\nedges = [-1, 0, 1]\n[[text]]\ncolumn = "kind"\ncategories = ["a", "c"]\n'
    write_folder(data / "many", (700, 2100), sidecar=sidecar)
    (data / "one.toml").write_text(sidecar)
    found, wanted = (solve(name, "sir", "ssp", n_components=2) for name in ("many", "one"))
    assert load_dataset("many").classes == load_dataset("one").classes
    np.testing.assert_allclose(found.components, wanted.components, atol=1e-6)


def test_files_of_text_are_streamed_too(data):
    (data / "many").mkdir()
    for number in range(3):
        part = _table().slice(1000 * number, 1000)
        part.to_pandas().to_csv(data / "many" / f"{number}.csv", index=False)
    (data / "many.toml").write_text(SIDECAR)
    found, wanted = (solve(name) for name in ("many", "one"))
    assert load_dataset("many").streamed
    np.testing.assert_allclose(found.components, wanted.components, atol=1e-6)


def test_a_label_that_is_not_declared_is_named_with_its_file(data):
    write_folder(data / "many", (700,), sidecar=SIDECAR.replace(', "c"', ""))
    with pytest.raises(DataError, match=r"part-000\.parquet.*'c'"):
        solve("many")


def test_a_release_draws_its_noise_on_the_sums_of_one_file(data):
    write_folder(data / "many", (700, 2100))
    answers = []
    for name in ("many", "one"):
        made = plan(load_dataset(name), Setting(seed=None, test_size=0.0))
        query = joint_gram(0.5, made.public)
        answers.append(query.integers.evaluate(made.problem))
        assert run(made, exact=True).status == "ok"
    assert np.array_equal(*answers)


def test_both_sums_of_two_steps_are_those_of_one_file_to_the_last_bit(data):
    write_folder(data / "many", (700, 2100))
    found = []
    for name in ("many", "one"):
        made = plan(load_dataset(name), Setting(seed=None, test_size=0.0, params=(("steps", 2),)))
        centres = np.linspace(-0.2, 0.2, 3 * made.public.d).reshape(-1, 3)
        whitening = np.diag(np.geomspace(1, 100, made.public.d))
        white = centred_gram(Centring(centres, whitening=whitening), 0.0, made.public)
        queries = class_sums(0.25, made.public), centred_gram(Centring(centres), 0.5, made.public), white
        found.append([query.integers.evaluate(made.problem) for query in queries])
        assert len(run(made, exact=True).answers) == 2
    for streamed, whole in zip(*found, strict=True):
        assert np.array_equal(streamed, whole)


def test_the_command_line_solves_sweeps_and_releases(data, tmp_path, capsys):
    write_folder(data / "many", (700, 2100))
    assert main(["solve", "--dataset", str(data / "many"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["n"] == 2400
    spec = tmp_path / "spec.toml"
    spec.write_text('datasets = ["many"]\nepsilon = [1.0, 2.0]\n')
    assert main(["sweep", str(spec), "--out", str(tmp_path / "out.csv"), "--quiet"]) == 0
    assert "2 cells, 0 with an error" in capsys.readouterr().out
    release = ["release", "--dataset", "many", "--epsilon", "1", "--delta", "1e-5", "--budget-epsilon", "2"]
    files = ["--ledger", str(tmp_path / "ledger"), "--out", str(tmp_path / "release.npz")]
    assert main([*release, "--budget-delta", "1e-4", *files, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["spent"]["epsilon"] == 1.0
