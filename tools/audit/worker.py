"""A worker of the crew as its parent sees it: a process, the pipes to it, and why it ended."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections import deque
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import IO, Any

from configs.audit import AuditSettings
from configs.redaction import escaped
from tools.audit.serving import MEMORY_BYTES, OUT_OF_MEMORY, TIME_IS_UP, Failure, Task
from tools.errors import AuditFailed

_PROGRAM = """\
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from tools.audit.serving import serve
serve(int(sys.argv[2]), int(sys.argv[3]))
"""
_MESSAGE_BYTES = 2_000
_LAST_SECONDS = 10.0
_TOO_MUCH = (
    f"It takes more memory than the {MEMORY_BYTES >> 20} MB of a worker, "
    "or is nested too deeply: Python's parser says the same of both."
)


class Worker:
    """A process, the pipes to it, and the numbers of the tasks it has not answered, in order.

    Attributes:
        answers: end of the pipe that Answers come from.
        numbers: of its tasks.
        began: False until it has said that it is there.
    """

    def __init__(self, settings: AuditSettings) -> None:
        self.numbers: deque[int] = deque()
        self.began = False
        self._settings = settings
        self._errors = tempfile.TemporaryFile()
        theirs, ours = os.pipe()
        self._tasks = Connection(ours, readable=False)
        answered, answering = os.pipe()
        self.answers = Connection(answered, writable=False)
        try:
            self._process = _begun(theirs, answering, self._errors)
        except OSError as error:
            self.bury()
            raise AuditFailed(f"A worker process cannot be started: {error}.") from error
        finally:
            os.close(theirs)
            os.close(answering)
        self._send(settings)

    def send(self, task: Task) -> None:
        """Give it a task more."""
        self.numbers.append(task.number)
        self._send(task)

    def _send(self, message: Any) -> None:
        with suppress(BrokenPipeError):  # it is dead, which the end of its answers will say
            self._tasks.send(message)

    def kill(self) -> None:
        """End it and all it has started."""
        if self._process.poll() is None:
            with suppress(ProcessLookupError):  # another thread was told of its end meanwhile
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def bury(self) -> None:
        """Let go of what a dead one leaves."""
        for left in (self._tasks, self.answers, self._errors):
            left.close()

    def cause_of_death(self) -> Failure:
        """Why it is gone.

        Raises:
            AuditFailed: it never was there.
        """
        try:
            code = self._process.wait(_LAST_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()  # it closed its pipe and lives on
            code = self._process.wait()
        if not self.began:
            self._errors.seek(0)
            told = self._errors.read()[-_MESSAGE_BYTES:].decode("utf-8", "replace").strip()
            raise AuditFailed(
                f"A worker process does not start (exit code {code}): {escaped(told) or 'it said nothing'}.",
                "Check that this Python can import the packages of the audit.",
            )
        if -code in TIME_IS_UP:
            return Failure("timeout", f"It took longer than {self._settings.file_seconds:g} seconds.")
        if code == OUT_OF_MEMORY:
            return Failure("crashed", _TOO_MUCH)
        ended = f"signal {-code}" if code < 0 else f"exit code {code}"
        return Failure("crashed", f"The worker process ended at it, with {ended}.")


def _begun(tasks: int, answers: int, errors: IO[bytes]) -> subprocess.Popen[bytes]:
    """A new process with this one's import path, and nothing else of it.

    Raises:
        OSError: it cannot be started.
    """
    places = json.dumps([os.path.abspath(place) for place in sys.path])
    return subprocess.Popen(
        [sys.executable, "-P", "-s", "-c", _PROGRAM, places, str(tasks), str(answers)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=errors,
        cwd="/",
        # Libraries keep nothing in the user's home, and find nothing there.
        env={
            "PYTHONHASHSEED": "0",
            "LC_ALL": "C.UTF-8",
            "PATH": os.defpath,
            "XDG_CACHE_HOME": os.devnull,
        },
        pass_fds=(tasks, answers),
        start_new_session=True,
    )
