"""Workers on this machine: processes, each at the end of a socket, which end when their driver does."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from itertools import count
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from cli.background_launch import python_path
from cli.batch.crew import Died, Event, event_of
from cli.batch.goal import Goal
from cli.batch.orders import Orders
from cli.batch.worker_process import LEAVE
from memory.errors import ProjectDirectoryUnwritable, reason_and_remedy
from memory.project_directory import DIRECTORY, ensure_project_directory, make_parent

PROCESS = "cli.batch.worker_process"
LOGS = "batch"
LEAVING_SECONDS = 10.0
_PAUSE = 0.02


@dataclass
class _Worker:
    process: subprocess.Popen[bytes]
    line: Connection
    busy: bool = True


class Processes:
    """A crew of processes.

    Args:
        orders: of the batch.

    Raises:
        ProjectDirectoryUnwritable: what workers say of their troubles cannot be kept.
    """

    def __init__(self, orders: Orders) -> None:
        self._orders = orders
        self._workers: dict[int, _Worker] = {}
        self._numbers = count(1)
        self._log = _open_log(Path(orders.root), orders.batch)

    def hire(self) -> int:
        """See `Crew`."""
        ours, theirs = Pipe()
        with theirs:
            # -P and the path: the directory one stands in may have a package of the same name. A session of
            # its own: Ctrl-C at the terminal is the driver's to hear.
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", PROCESS, str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._log,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
                env=os.environ | {"PYTHONPATH": python_path()},
            )
        number = next(self._numbers)
        self._workers[number] = _Worker(process, ours)
        with contextlib.suppress(BrokenPipeError):  # a worker that is gone already is heard to be so
            ours.send_bytes(self._orders.dumps().encode())
        return number

    def give(self, worker: int, goal: Goal) -> None:
        """See `Crew`."""
        self._workers[worker].busy = True
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # as above
            self._workers[worker].line.send_bytes(json.dumps(goal.dump()).encode())

    def happened(self, seconds: float) -> list[Event]:
        """See `Crew`."""
        numbers = {id(one.line): number for number, one in self._workers.items()}
        ready = wait([one.line for one in self._workers.values()], seconds)
        return [self._heard(numbers[id(line)]) for line in ready]

    def _heard(self, number: int) -> Event:
        worker = self._workers[number]
        try:
            message: dict[str, Any] = json.loads(worker.line.recv_bytes())
        except (EOFError, OSError):
            why = _ended(worker.process.pid)
            self.dismiss(number)
            return Died(number, why)
        worker.busy = False
        return event_of(number, message)

    def dismiss(self, worker: int) -> None:
        """See `Crew`."""
        gone = self._workers.pop(worker)
        gone.line.close()
        with contextlib.suppress(ProcessLookupError):
            # Its session: what it had started is ended with it.
            os.killpg(gone.process.pid, signal.SIGKILL)
        gone.process.wait()

    def close(self) -> None:
        """See `Crew`."""
        leaving = [number for number, one in self._workers.items() if not one.busy]
        for number in leaving:
            with contextlib.suppress(OSError):  # whoever is gone has left
                self._workers[number].line.send_bytes(json.dumps(LEAVE).encode())
        for number in leaving:
            with contextlib.suppress(subprocess.TimeoutExpired):  # it is ended below
                self._workers[number].process.wait(LEAVING_SECONDS)
        for number in list(self._workers):
            self.dismiss(number)
        os.close(self._log)


def _ended(pid: int) -> str:
    """How a process ended whose end of the socket is closed; it is left to be waited for."""
    until = time.monotonic() + LEAVING_SECONDS
    while (told := os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)) is None:
        if time.monotonic() > until:
            return f"process {pid} hung up"
        time.sleep(_PAUSE)
    killed = told.si_code != os.CLD_EXITED
    how = signal.Signals(told.si_status).name if killed else f"exit code {told.si_status}"
    return f"process {pid} ended by {how}"


def log_path(root: Path, batch: str) -> Path:
    """Where workers of a batch write what they have to say beside their answers."""
    return root / DIRECTORY / LOGS / f"{batch}.log"


def _open_log(root: Path, batch: str) -> int:
    ensure_project_directory(root)
    path = log_path(root, batch)
    try:
        make_parent(path)
        return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:
        what, remedy = reason_and_remedy(path, error)
        raise ProjectDirectoryUnwritable(f"The log of workers cannot be kept in {what}.", remedy) from error
