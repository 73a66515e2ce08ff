"""What workers are asked to do in tests of the crew; they import this, so it imports as little as can be."""

import ctypes
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

from configs.audit import AuditSettings
from tools.audit.sources import Source, Unusable


def left(source: Source) -> None:
    raise Unusable("syntax", "It ends too early.", 3)


def bug(source: Source) -> None:
    raise KeyError(source)


def leaving(source: Source) -> None:
    raise SystemExit(0)


def deep(source: Source) -> None:
    deep(source)


def memory(source: Source) -> str:
    return "x" * 2**40


def segment(source: Source) -> None:
    ctypes.string_at(0)


def killed(source: Source) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def ended(source: Source) -> None:
    os._exit(7)


def busy(source: Source) -> None:
    while True:
        pass


def waiting(source: Source) -> None:
    time.sleep(60)


def printing(source: Source) -> None:
    os.write(1, b"noise")
    os.write(2, b"noise")


ASKED: dict[str, Callable[[Source], object]] = {
    one.__name__: one
    for one in (left, bug, leaving, deep, memory, segment, killed, ended, busy, waiting, printing)
}


def work(source: Source, settings: AuditSettings) -> str:
    """What a file asks for by its name."""
    if asked := ASKED.get(source.file.partition("-")[0]):
        asked(source)
    return source.file.upper()


def pid(_: Source, __: AuditSettings) -> int:
    return os.getpid()


def once(mark: Path, source: Source, _: AuditSettings) -> str:
    """Dies of a file the first time only."""
    if source.file == "b" and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return source.file
