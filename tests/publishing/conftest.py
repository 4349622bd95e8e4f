"""A release of a small data set, written once."""

from pathlib import Path

import pytest
from made import request_for

from dpgep_core.publishing.releasing import Published, publish


@pytest.fixture(scope="session")
def released(tmp_path_factory: pytest.TempPathFactory) -> Published:
    folder: Path = tmp_path_factory.mktemp("released")
    return publish(request_for(folder))
