"""Stores that fsspec reaches: the file system of a URL, and why one did not answer, in words.

A store that could not be asked has not said that a file is not there. What a sidecar declares would vanish otherwise.
"""

from importlib.util import find_spec
from typing import Any

from dpgep_core.errors import DataError, one_line, reason_of

_NOT_FOUND = 404
_DENIED = (401, 403)  # stores like S3 answer 403 also for what is not there, to those who may not list it
_NEEDED = (
    "the store must give it, or say that it is not there (404 over HTTP); an empty file helps where nothing is declared"
)


def file_system(address: str) -> tuple[Any, str]:
    """The file system of a URL, and the path in it.

    Raises
    ------
    DataError
        If fsspec is not installed or does not know the URL.
    """
    if find_spec("fsspec") is None:
        raise DataError(address, "URLs are read by fsspec, which is not installed", "python -m pip install fsspec")
    import fsspec

    try:
        return fsspec.core.url_to_fs(address)
    except (ValueError, ImportError) as error:
        raise DataError(address, f"fsspec cannot open it ({reason_of(error)})", "a URL it knows is needed") from error


def read_beside(address: str) -> bytes | None:
    """The bytes of a remote file; None where its store says that it is not there.

    Raises
    ------
    DataError
        If the store gives no answer; names the file and the reason.
    """
    try:
        system, path = _uncached(*file_system(address))
        system.invalidate_cache()  # an earlier listing says nothing of now
        try:
            return system.cat_file(path)  # and no look beforehand: `exists` is false for every failure
        except FileNotFoundError as error:
            if _failure_behind(error) is not None:
                raise
            return None
    except DataError:
        raise
    except Exception as error:  # of a file system that someone else wrote
        denied = ", as the store denies access" if _denies(error) else ""
        problem = f"cannot be fetched{denied} ({store_reason(error)})"
        raise DataError(address.rsplit("/", 1)[-1], problem, _NEEDED) from error


def _uncached(system: Any, path: str) -> tuple[Any, str]:
    """The store behind a cache such as ``simplecache::``, which says "not there" after every failure of its store."""
    from fsspec.implementations.cached import CachingFileSystem

    while isinstance(system, CachingFileSystem):
        system = system.fs
    return system, path


def store_reason(error: BaseException) -> str:
    """Why a store did not answer, in one line; a URL, which may hold a key, is left out where that can be."""
    error = _failure_behind(error) or error
    if isinstance(error, FileNotFoundError):
        return "it is not there"
    status = _status(error)
    return reason_of(error) if status is None else one_line(f"HTTP {status} {getattr(error, 'message', '')}", 200)


def _failure_behind(error: BaseException) -> BaseException | None:
    """The failure that a library turned into "not found", as fsspec's look at a file over HTTP does with every one."""
    cause = error.__cause__
    if not isinstance(error, FileNotFoundError) or cause is None or isinstance(cause, FileNotFoundError):
        return None
    return cause if isinstance(cause, OSError) or _status(cause) not in (None, _NOT_FOUND) else None


def _denies(error: BaseException) -> bool:
    error = _failure_behind(error) or error
    return isinstance(error, PermissionError) or _status(error) in _DENIED


def _status(error: BaseException) -> int | None:
    """The number of an HTTP answer, as aiohttp and Azure's library name it; None for errors without one."""
    found = (getattr(error, name, None) for name in ("status", "status_code"))
    return next((number for number in found if isinstance(number, int)), None)
