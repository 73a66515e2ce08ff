"""A process of the crew: looks at one file after the other until its input ends. Started by `worker.py`."""

from __future__ import annotations

import os
import pickle
import queue
import resource
import signal
import sys
import threading
import traceback
import warnings
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from configs.audit import AuditSettings
from tools.audit.report import LeftOut
from tools.audit.sources import Source, Unusable

MEMORY_BYTES = 3 * 2**30
"""Address space of one worker. A syntax tree of two megabytes of the shortest statements takes 1.4 GB."""
OUT_OF_MEMORY = 3
"""Exit code of a worker that has reached it."""
TIME_IS_UP = (signal.SIGPROF, signal.SIGALRM)
WAITING = 10
"""Times the limit of processor time is the limit on the clock on the wall."""
STACK_BYTES = 2**28
RECURSION = 12_000
"""Frames; the libraries follow an expression ten times as deep as by default."""


@dataclass(frozen=True)
class Task:
    """A file to look at.

    Attributes:
        number: of the file, among those of one call.
        work: pickled function of a source and the settings.
        source: the file.
    """

    number: int
    work: bytes
    source: Source


@dataclass(frozen=True)
class Failure:
    """A file that gave nothing; the fields are those of `Unusable`."""

    reason: LeftOut
    what: str
    line: int | None = None


@dataclass(frozen=True)
class Answer:
    """What became of a task: `value`, unless there is a `failure`."""

    number: int
    value: Any = None
    failure: Failure | None = None


def serve(tasks: int, answers: int) -> None:
    """Answer tasks until the pipe they come from ends; the process ends with it, whatever it is doing.

    Args:
        tasks: descriptor; the settings come first, then each Task.
        answers: descriptor of the pipe for each Answer; a None first says that tasks can come.
    """
    incoming = Connection(tasks, writable=False)
    _bound()
    settings: AuditSettings = incoming.recv()
    waiting: queue.SimpleQueue[Task] = queue.SimpleQueue()
    threading.stack_size(STACK_BYTES)
    threading.Thread(target=_answer, args=(waiting, settings, answers), daemon=True).start()
    while True:
        try:
            waiting.put(incoming.recv())
        except EOFError:
            os._exit(0)  # whoever asked is gone


def _bound() -> None:
    for bound, most in ((resource.RLIMIT_AS, MEMORY_BYTES), (resource.RLIMIT_CORE, 0)):
        hard = resource.getrlimit(bound)[1]
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(bound, (least, hard))
    sys.setrecursionlimit(RECURSION)
    # Their default action ends the process even in the middle of a library's own loop.
    for number in TIME_IS_UP:
        signal.signal(number, signal.SIG_DFL)
    warnings.simplefilter("ignore")


def _answer(waiting: queue.SimpleQueue[Task], settings: AuditSettings, answers: int) -> None:
    outgoing = Connection(answers, readable=False)
    outgoing.send(None)
    while True:
        task = waiting.get()
        _limit(settings.file_seconds)
        packed = _packed(task, settings)
        _limit(0)
        outgoing.send_bytes(packed)


def _limit(seconds: float) -> None:
    """Of processor time, so that a busy machine changes no report; and of waiting, for what only waits."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, seconds * WAITING)


def _packed(task: Task, settings: AuditSettings) -> bytes:
    """An answer as it is sent; whatever a kernel meets in a file becomes a Failure of that file."""
    try:
        value = pickle.loads(task.work)(task.source, settings)
        return pickle.dumps(Answer(task.number, value))
    except Unusable as error:
        failure = Failure(error.reason, error.what, error.line)
    except RecursionError:
        failure = Failure("crashed", "It is nested too deeply.")
    except MemoryError:
        os._exit(OUT_OF_MEMORY)  # what is left is too little to go on with
    # A library met something it did not expect; what panics in Rust is no Exception. Messages hold addresses.
    except BaseException as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{os.path.basename(frame.filename)}:{frame.lineno}"
        failure = Failure("crashed", f"{type(error).__name__} at {place} while looking at it.")
    return pickle.dumps(Answer(task.number, failure=failure))
