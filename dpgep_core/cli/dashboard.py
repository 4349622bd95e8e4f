"""``dpgep`` alone: start the dashboard and print its address."""

import argparse
import importlib
import os
import sys
from ipaddress import ip_address
from pathlib import Path

from threadpoolctl import threadpool_limits

from dpgep_core.errors import ParameterError
from dpgep_core.knobs import whole_number

DEFAULT_PORT = 8501
PORT = whole_number(1, 65535)
THIS_MACHINE = "127.0.0.1"
SAVED, SWEEPS = "DPGEP_SAVED", "DPGEP_SWEEPS"  # environment variables that the dashboard reads


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the command without a subcommand."""
    parser.add_argument("--port", default=str(DEFAULT_PORT), metavar="P", help=f"port of the page ({DEFAULT_PORT})")
    parser.add_argument(
        "--host",
        default=THIS_MACHINE,
        metavar="H",
        help=f"who may connect: {THIS_MACHINE} is this machine, 0.0.0.0 all",
    )
    parser.add_argument(
        "--saved",
        metavar="FILE",
        help=f"where saved scenarios are kept ({SAVED}, or the user's data folder)",
    )
    parser.add_argument(
        "--sweeps",
        metavar="FILE",
        help=f"where cells of sweeps are kept ({SWEEPS}, or the user's data folder)",
    )
    parser.add_argument("--headless", action="store_true", help="do not open a browser window")
    parser.set_defaults(run=start_dashboard)


def start_dashboard(arguments: argparse.Namespace) -> int:
    """Start the server in this process; Ctrl-C ends it."""
    port = int(PORT.parse("--port", arguments.port))
    _check_host(arguments.host)
    for flag, variable in (("saved", SAVED), ("sweeps", SWEEPS)):
        if (name := getattr(arguments, flag)) is not None:
            _check_file(f"--{flag}", name)
            os.environ[variable] = os.path.abspath(name)
    # Two libraries that each start a thread per core fight for them: one thread per solve is faster under load.
    threadpool_limits(1)
    server = importlib.import_module("dashboard.server")  # here, so that the other commands do not wait for it
    print(f"DP-GEP Lab: http://localhost:{port}", flush=True)
    server.serve(arguments.host, port, headless=arguments.headless or not _has_screen())
    return 0


def _check_host(host: str) -> None:
    try:
        ip_address(host)
    except ValueError:
        if host != "localhost":
            raise ParameterError(
                "--host", host, "localhost or an IP address, such as 0.0.0.0 for every network"
            ) from None


def _check_file(flag: str, name: str) -> None:
    path = Path(name)
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise ParameterError(flag, name, "a file, there or not, in a folder that exists")


def _has_screen() -> bool:
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
