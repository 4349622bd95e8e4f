"""What the documents name exists, and the version is the same wherever it is stated."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import dpgep_core
from dpgep_core.release import VERSION

ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
TOP = ("dpgep_core", "dashboard", "sample_data", "tests", "docs", "benchmarks", "examples", ".ci")
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)")
NAMED = re.compile(r"`((?:[\w.-]+/)*[\w.-]+(?:/|\.(?:py|md|toml|cff|json|csv|css|js)))`")
MADE_UP = re.compile(r"[A-Z]{3,}|my_|brand_new|sweep\.toml|grid\.toml|results\.")  # what a reader is to write


def named_files(path: Path) -> Iterator[Path]:
    """Files and folders that a document links to, or names from the top of the repository."""
    text = path.read_text("utf-8")
    for found in LINK.findall(text):
        yield path.parent / found
    for found in NAMED.findall(text):
        if found.split("/")[0] in TOP and not MADE_UP.search(found):
            yield ROOT / found


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_file_that_a_document_names_exists(path: Path) -> None:
    missing = sorted({str(found.relative_to(ROOT)) for found in named_files(path) if not found.exists()})
    assert missing == []


def test_the_search_finds_links_and_names(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "[a](gone.md), [b](https://x.org), `dpgep_core/gone.py`, `dpgep_core/NAME.py`, `numpy/x.py`", "utf-8"
    )
    assert list(named_files(page)) == [tmp_path / "gone.md", ROOT / "dpgep_core" / "gone.py"]


class TestVersion:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

    def test_the_package_reads_it(self) -> None:
        assert dpgep_core.__version__ == VERSION == self.project["version"]

    def test_the_newest_release_in_the_changelog(self) -> None:
        released = re.findall(r"^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)$", self._text("CHANGELOG.md"), re.M)
        assert released[0] == (VERSION, self._cited("date-released"))
        assert self._text("CHANGELOG.md").index("## [Unreleased]") < self._text("CHANGELOG.md").index(f"## [{VERSION}]")

    def test_what_is_to_be_cited(self) -> None:
        assert self._cited("version") == VERSION
        assert self._cited("cff-version") == "1.2.0"
        assert self._cited("license") == self.project["license"]
        assert all(self._cited(key) for key in ("message", "title", "type"))

    def _cited(self, key: str) -> str:
        """One of the plain keys of CITATION.cff, which is YAML."""
        found = re.findall(rf'^{key}: "?(.+?)"?$', self._text("CITATION.cff"), re.M)
        assert len(found) == 1, key
        return found[0]

    def _text(self, name: str) -> str:
        return (ROOT / name).read_text("utf-8")


def test_no_line_of_the_changelog_comes_twice() -> None:
    lines = [line for line in (ROOT / "CHANGELOG.md").read_text("utf-8").splitlines() if line and line[0] != "#"]
    assert len(set(lines)) == len(lines)
