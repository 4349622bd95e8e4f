"""Places on the disk: the ledger that page and command share, and a released file, secured before it is paid for."""

import errno
import os
import tempfile
from pathlib import Path

from platformdirs import user_data_path

from dpgep_core.errors import DataError, ParameterError, reason_of
from dpgep_core.paths import check_text, path_of
from dpgep_core.sqlitelogs import ENDINGS

LEDGER = "DPGEP_LEDGER"
COUNTED = "the budget counts this release as spent, since its noise was drawn; make room and release again"
BESIDE_LEDGER = ("", *ENDINGS)  # endings of the files that SQLite may keep for one


def ledger_path() -> Path:
    """The file named by DPGEP_LEDGER, or one in the platform's folder for a user's data.

    The page and the commands share it. Two ledgers would keep two budgets for the same rows.
    """
    named = os.environ.get(LEDGER)
    return path_of(LEDGER, named) if named else user_data_path("dpgep-lab", False) / "budgets.ledger"


def check_apart(parameter: str, place: Path, ledger: Path) -> None:
    """Refuse a file that would be the ledger, or one that SQLite keeps beside it.

    Raises
    ------
    ParameterError
    """
    kept = os.path.realpath(path_of("ledger", ledger))
    if os.path.realpath(place) in {kept + ending for ending in BESIDE_LEDGER}:
        raise ParameterError(parameter, str(place), "another file than the ledger and those beside it")


def secure_place(out: Path, size: int, parameter: str = "out") -> Path:
    """A file of ``size`` bytes beside the one to write: what cannot be written is known before a price is paid.

    Raises
    ------
    ParameterError
        If ``out`` is there, its name is no text, or its folder or disk does not take it.
    """
    check_text(parameter, out.name, "a name of a file")
    if os.path.lexists(out):  # a link that leads nowhere too: its name is taken
        raise ParameterError(parameter, str(out), "a file that is not there yet: nothing is written over another")
    try:
        handle, name = tempfile.mkstemp(prefix=f".{out.name}-", dir=out.parent)
    except OSError as error:
        allowed = f"a file in a folder that can be written ({reason_of(error)})"
        raise ParameterError(parameter, str(out), allowed) from None
    try:
        _reserve_room(handle, size)
    except OSError as error:
        Path(name).unlink()
        allowed = f"on a disk with room for {size:,} bytes ({reason_of(error)})"
        raise ParameterError(parameter, str(out), allowed) from None
    finally:
        os.close(handle)
    return Path(name)


def _reserve_room(handle: int, size: int) -> None:
    """Take the room of a file from the disk, where the system can."""
    if not hasattr(os, "posix_fallocate"):
        return
    try:
        os.posix_fallocate(handle, 0, size)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.EOPNOTSUPP, errno.ENOSYS):
            raise


def write_whole(scratch: Path, content: bytes, out: Path, consequence: str = COUNTED) -> None:
    """Write the whole file into the room that was taken for it, flush it, and give it its name.

    Raises
    ------
    DataError
        If that fails, with its consequence. The release is paid for then.
    """
    try:
        with scratch.open("r+b") as file:  # over the room that was taken for it
            file.write(content)
            file.truncate()
            file.flush()
            os.fsync(file.fileno())
        scratch.chmod(0o644)
        _give_name(scratch, out)
    except OSError as error:
        raise DataError(str(out), f"could not be written ({reason_of(error)})", consequence) from error


def _give_name(scratch: Path, out: Path) -> None:
    """Name a finished file without replacing one that was made meanwhile, where the file system can."""
    try:
        os.link(scratch, out)
    except FileExistsError:
        raise
    except OSError:  # no hard links here, as on exFAT
        scratch.replace(out)
