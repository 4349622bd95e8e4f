"""Sweeps on more than one machine: workers of a Dask cluster compute, this process keeps what they send."""

from collections.abc import Generator
from concurrent.futures import Executor
from contextlib import contextmanager
from importlib.util import find_spec

from dpgep_core.errors import DpgepError, ParameterError

SECONDS_TO_CONNECT = 20  # seconds until a scheduler has answered
RETRIES = 5  # of a chunk whose worker died


class ClusterError(DpgepError):
    """The cluster cannot be used."""


@contextmanager
def cluster(address: str) -> Generator[tuple[Executor, int]]:
    """An executor on the cluster at an address, and the number of its workers.

    Raises
    ------
    ParameterError
        If nothing answers there.
    ClusterError
        If Dask is not installed, or the cluster has no workers.
    """
    if find_spec("distributed") is None:
        raise ClusterError("--dask needs Dask: install it with  python -m pip install 'dpgep-lab[distributed]'")
    from distributed import Client

    try:
        client = Client(address, timeout=SECONDS_TO_CONNECT, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        allowed = "the address of a Dask scheduler that answers, as in tcp://host:8786"
        raise ParameterError("--dask", address, allowed) from error
    with client:
        workers = len(client.scheduler_info(n_workers=-1)["workers"])  # each computes one cell at a time
        if workers == 0:
            raise ClusterError(
                f"the Dask cluster at {address} has no workers: start some, as in  dask worker {address}"
            )
        with client.get_executor(pure=False, retries=RETRIES) as pool:
            yield pool, workers
