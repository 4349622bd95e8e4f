"""The privacy statement that ``dpgep release --statement`` writes: its place is secured before the release is paid."""

import importlib
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpgep_core.errors import DataError, DpgepError, ParameterError
from dpgep_core.paths import path_of
from dpgep_core.publishing.placing import check_apart, secure_place, write_whole
from dpgep_core.publishing.releasing import Published
from dpgep_core.publishing.statement import privacy_statement

ROOM = 1 << 18  # bytes, several times what a page of HTML or PDF takes
ENDINGS = (".html", ".pdf")
WHOLE = "the release itself is whole, and counted"


@dataclass(frozen=True, slots=True)
class StatementPlace:
    """A file that a statement may take, and the room that is held for it."""

    path: Path
    scratch: Path

    def write(self, published: Published) -> None:
        """Write the statement of a release.

        Raises
        ------
        DataError
            If that fails, which the release survives.
        """
        page = privacy_statement(published.header, published.path.name, published.sha256)
        try:
            content = page.encode() if _ending(self.path) == ".html" else _chromium().pdf(page)
        except DpgepError as error:
            raise DataError(str(self.path), f"could not be written ({str(error).rstrip('.')})", WHOLE) from error
        write_whole(self.scratch, content, self.path, WHOLE)


@contextmanager
def statement_place(given: str | None, out: Path, ledger: Path) -> Generator[StatementPlace | None]:
    """Hold the place of a statement while its release is made; None where none is asked for.

    Raises
    ------
    ParameterError
        If no statement can be written there, or its place is that of the release or the ledger.
    """
    if given is None:
        yield None
        return
    path = _checked(given, out, ledger)
    place = StatementPlace(path, secure_place(path, ROOM, "statement"))
    try:
        yield place
    finally:
        place.scratch.unlink(missing_ok=True)


def _checked(given: str, out: Path, ledger: Path) -> Path:
    path = path_of("statement", given)
    if _ending(path) not in ENDINGS or not path.parent.is_dir():
        raise ParameterError("statement", given, "a file .html or .pdf in a folder that is there")
    check_apart("statement", path, ledger)
    if path.resolve() == out.resolve():
        raise ParameterError("statement", given, "another file than the release")
    if _ending(path) == ".pdf" and _chromium().found_browser() is None:
        raise ParameterError("statement", given, "a file .html: PDF needs Chromium or Chrome, and none was found")
    return path


def _ending(path: Path) -> str:
    return path.suffix.lower()


def _chromium() -> Any:
    """Where the browser is looked for. The core knows no user interface before a PDF is asked for."""
    return importlib.import_module("dashboard.export.chromium")
