"""LangGraph's server in this process, with what langgraph.json says.

It keeps its list of threads in pickles below the directory it works in, and reads them as it starts. A
project from elsewhere could bring such files along, and a pickle runs whatever its author wrote. So the
server works in a directory of the user's own, one for each root.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import socket
import sys
import threading
import time
import urllib.error
import urllib.request
import webbrowser
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from configs.admission import HOSTS_VARIABLE, is_this_machine
from configs.errors import UsageError
from configs.root import serve as serve_root

FILE = "langgraph.json"
PAGE = "/console/"
# Beside this file in a wheel, at the root of the sources otherwise.
PLACES = (Path(__file__).parent / FILE, Path(__file__).parent.parent / FILE)
# What Studio and LangGraph's clients look at when they are told no address.
USUAL_PORT = 2024
JOBS = 10
EXIT_INTERRUPTED = 130
_EVERYWHERE = ("0.0.0.0",)
_PAUSE, _PATIENCE = 0.2, 120.0


@dataclass(frozen=True)
class Place:
    """Where the server listens.

    Attributes:
        host, port: there.
        asks: whether it asks for a token.
    """

    host: str
    port: int
    asks: bool = False

    @property
    def address(self) -> str:
        """As a person of this machine types it."""
        return f"http://{'127.0.0.1' if self.host in _EVERYWHERE else self.host}:{self.port}"


def configuration() -> dict[str, Any]:
    """What langgraph.json says.

    Raises:
        UsageError: the installation has none.
    """
    found = next((place for place in PLACES if place.is_file()), None)
    if found is None:
        raise UsageError(f"The installation holds no {FILE}.", "Install reflective-graph again.")
    read: dict[str, Any] = json.loads(found.read_text("utf-8"))
    return read


def chosen_port(host: str, asked: int | None, usual: int = USUAL_PORT) -> int:
    """The port that was asked for; without one the usual, or any that is free where that is taken.

    Raises:
        UsageError: the port that was asked for is taken, or the host is none of this machine.
    """
    if asked is not None:
        return free_port(host, asked)
    try:
        return free_port(host, usual)
    except UsageError as taken:
        port = free_port(host, 0)
        sys.stderr.write(f"{taken.what} It takes port {port} instead; --port chooses one.\n")
        return port


def free_port(host: str, port: int) -> int:
    """The port, or any that is free for 0.

    Raises:
        UsageError: it is taken, or the host is none of this machine.
    """
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            # As the server will: a port whose last connections are closing is free.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
            return int(probe.getsockname()[1])
    except OSError as error:
        raise UsageError(
            f"The console cannot listen at {host} port {port}: {error.strerror or error}.",
            "Choose another port by --port (0 takes any that is free), or another IPv4 address by --host.",
        ) from error


def serve(root: Path, place: Place, *, browser: bool) -> int:
    """Serve until Ctrl-C; gives the exit code. SIGTERM ends the process when all runs have been ended.

    Args:
        root: absolute; runs are about it that name no other directory.
        place: where to listen.
        browser: open one when the server answers.

    Raises:
        UsageError: there is no directory for what the server keeps for itself.
    """
    given = configuration()
    serve_root(root)
    os.chdir(own_directory(root))
    if place.host not in _EVERYWHERE and not is_this_machine(place.host):
        named = [os.environ.get(HOSTS_VARIABLE, ""), place.host]
        os.environ[HOSTS_VARIABLE] = ",".join(one for one in named if one)
    threading.Thread(target=_tell, args=(place, browser), daemon=True).start()
    # What it tells of itself at each start and request is for those who develop it.
    os.environ.setdefault("LOG_LEVEL", "WARNING")
    logging.getLogger("langgraph_api.cli").setLevel(logging.WARNING)
    # Nobody set the flag it warns of.
    queue = logging.getLogger("langgraph_runtime_inmem.queue")
    queue.addFilter(lambda record: "--allow-blocking" not in str(record.msg))
    from langgraph_api.cli import run_server

    run_server(
        place.host,
        place.port,
        reload=False,
        graphs=given["graphs"],
        n_jobs_per_worker=JOBS,
        env=given["env"],
        store=given["store"],
        auth=given["auth"],
        http=given["http"],
        checkpointer=given["checkpointer"],
        # Its detector of blocking calls wraps those of the whole process, and ends a run for one of them.
        allow_blocking=True,
    )
    # The server returns from Ctrl-C as if nothing had been.
    return EXIT_INTERRUPTED


def own_directory(root: Path) -> Path:
    """The user's directory for what the server keeps of one root, made when missing.

    Raises:
        UsageError: it cannot be made.
    """
    name = f"{root.name or 'root'}-{hashlib.sha256(os.fsencode(root)).hexdigest()[:12]}"
    try:
        directory = Path.home() / ".reflect" / "server" / name
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, RuntimeError) as error:
        raise UsageError(
            f"The server has no directory below your home to keep its list of threads in: {error}.",
            "Set HOME to a directory you may write.",
        ) from error
    return directory


def _tell(place: Place, browser: bool) -> None:
    """Say where the page is, and open it, once the server answers."""
    if not _answers(place):
        return
    asks = "; it asks for the token in REFLECT_API_TOKEN" if place.asks else ""
    sys.stderr.write(f"Console: {place.address}{PAGE} (Ctrl-C ends it{asks})\n")
    sys.stderr.flush()
    if browser and not webbrowser.open(f"{place.address}{PAGE}"):
        sys.stderr.write("No browser could be opened; open the address yourself.\n")


def _answers(place: Place) -> bool:
    end = time.monotonic() + _PATIENCE
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    while time.monotonic() < end:
        try:
            with opener.open(f"{place.address}/ok", timeout=2) as reply:
                return bool(reply.status == 200)
        except (urllib.error.URLError, OSError):
            time.sleep(_PAUSE)
    return False
