"""A server that is waited for."""

import socket
import subprocess
import time
import urllib.request
from pathlib import Path

import pytest

PATIENCE = 120.0  # seconds: a cold start on a busy machine


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def wait_until_it_answers(server: subprocess.Popen[bytes], address: str, log: Path) -> None:
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends:
        if server.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2) as answer:
                if answer.status == 200:
                    return
        except OSError:
            time.sleep(0.1)
    pytest.fail(f"the server did not start:\n{log.read_text()}")
