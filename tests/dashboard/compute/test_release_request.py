"""The request that the page Release makes."""

from dataclasses import replace

from dashboard.compute.releases import release_request
from dashboard.scenario import from_query
from dpgep_core import load_dataset
from dpgep_core.publishing.budget import Amount


def test_a_long_name_of_a_data_set_makes_a_file_name_that_every_file_system_takes(tmp_path, monkeypatch):
    monkeypatch.setenv("DPGEP_RELEASES", str(tmp_path))
    data = replace(load_dataset("wine"), name="n" * 245)
    out = release_request(from_query({})[0], data, Amount.of("0.5", "1e-6"), None).out
    assert out.parent == tmp_path
    assert out.name.startswith("n" * 100 + "-")
    assert len(out.name) < 130
