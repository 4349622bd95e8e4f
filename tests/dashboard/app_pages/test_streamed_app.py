"""Pages with a folder of rows that does not fit into memory."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("DPGEP_PASSES_DIR", "")
    monkeypatch.setenv("DPGEP_STREAM_BYTES", "1000")
    t = np.arange(600)
    columns = {f"c{j}": (np.sin((j + 2) * t) + 0.5 * (t % 3 == j)).astype(np.float32) for j in range(4)}
    table = pa.table({**columns, "kind": t % 3})
    (tmp_path / "many").mkdir()
    for number in range(3):
        pq.write_table(table.slice(200 * number, 200), tmp_path / "many" / f"{number}.parquet")
    (tmp_path / "many.toml").write_text('label = "kind"\nclasses = [0, 1, 2]\n[columns]\nlower = -2\nupper = 2\n')
    return tmp_path


def test_explore_sums_the_files_and_data_shows_what_is_public(folder, open_page):
    page = open_page(folder, dataset="many", algorithms="ssp")
    assert not page.exception
    assert not page.error
    assert "many" in page.sidebar.selectbox[0].options or any("many" in str(box.value) for box in page.selectbox)
    page.switch_page("app_pages/data.py").run()
    assert not page.exception
    assert not page.error
    assert {metric.label: metric.value for metric in page.metric}["Rows n"] == "600"
    assert any("no single row is shown" in each.value for each in page.info)
