"""Paths that a user names: one that the system cannot look up is refused in words before it is used."""

import os
from contextlib import suppress
from pathlib import Path

from dpgep_core.errors import ParameterError, reason_of


def path_of(parameter: str, named: str | os.PathLike[str]) -> Path:
    """The absolute path that a user named, ``~`` written out; something is there or not.

    It was looked up once, so that ``exists``, ``is_dir`` and the like of it answer and raise nothing.

    Raises
    ------
    ParameterError
        If the system cannot look it up: a user who is not known, a name that is too long, links in a circle, a folder
        that may not be searched.
    """
    try:
        path = Path(named).expanduser().absolute()
        with suppress(FileNotFoundError, NotADirectoryError):
            path.stat()
    except (OSError, RuntimeError, ValueError) as error:  # expanduser's is the second, a zero byte the last
        allowed = f"a path that can be looked up ({reason_of(error)})"
        raise ParameterError(parameter, os.fspath(named), allowed) from None
    return path


def check_text(parameter: str, name: str, allowed: str) -> None:
    """Refuse a name with bytes that are no text, which Linux allows in names of files: no ledger or page can hold it.

    Raises
    ------
    ParameterError
    """
    try:
        name.encode()
    except UnicodeEncodeError:
        raise ParameterError(parameter, name, f"{allowed} in UTF-8") from None
