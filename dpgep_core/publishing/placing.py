"""Places on the disk: the ledger that page and command share, and a released file, secured before it is paid for."""

import errno
import os
import tempfile
from pathlib import Path

from platformdirs import user_data_path

from dpgep_core.errors import DataError, ParameterError, reason_of

LEDGER = "DPGEP_LEDGER"


def ledger_path() -> Path:
    """The file named by DPGEP_LEDGER, or one in the platform's folder for a user's data.

    The page and the commands share it. Two ledgers would keep two budgets for the same rows.
    """
    named = os.environ.get(LEDGER)
    return Path(named).expanduser() if named else user_data_path("dpgep-lab", False) / "budgets.ledger"


def secure_place(out: Path, size: int) -> Path:
    """A file of ``size`` bytes beside the one to write: what cannot be written is known before a price is paid.

    Raises
    ------
    ParameterError
        If ``out`` is there, or its folder or disk does not take it.
    """
    if out.exists():
        raise ParameterError("out", str(out), "a file that is not there yet: no release is written over another")
    try:
        handle, name = tempfile.mkstemp(prefix=f".{out.name}-", dir=out.parent)
    except OSError as error:
        raise ParameterError("out", str(out), f"a file in a folder that can be written ({reason_of(error)})") from None
    try:
        _reserve_room(handle, size)
    except OSError as error:
        Path(name).unlink()
        raise ParameterError("out", str(out), f"on a disk with room for {size:,} bytes ({reason_of(error)})") from None
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


def write_whole(scratch: Path, content: bytes, out: Path) -> None:
    """Write the whole file into the room that was taken for it, flush it, and give it its name.

    Raises
    ------
    DataError
        If that fails. The release is paid for then.
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
        problem = f"could not be written ({reason_of(error)})"
        allowed = "the budget counts this release as spent, since its noise was drawn; make room and release again"
        raise DataError(str(out), problem, allowed) from error


def _give_name(scratch: Path, out: Path) -> None:
    """Name a finished file without replacing one that was made meanwhile, where the file system can."""
    try:
        os.link(scratch, out)
    except FileExistsError:
        raise
    except OSError:  # no hard links here, as on exFAT
        scratch.replace(out)
