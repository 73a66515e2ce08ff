"""Processes that are killed: at a moment told from outside, or by themselves inside a named step."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from typing import Any


def in_child(work: Callable[[], Any], seconds: float | None) -> tuple[bool, float]:
    """Do some work in a process of its own, and kill it after some seconds.

    Args:
        work: what to do; an exception is a failure.
        seconds: when to kill it; None to let it end.

    Returns:
        Whether it came to its end, and how long it ran.
    """
    started = time.perf_counter()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.setsid()
            work()
            code = 0
        finally:
            os._exit(code)
    deadline = None if seconds is None else started + seconds
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if not ended and deadline is not None and time.perf_counter() >= deadline:
            os.kill(child, signal.SIGKILL)
            ended, status = os.waitpid(child, 0)
        if ended:
            return os.waitstatus_to_exitcode(status) == 0, time.perf_counter() - started
        time.sleep(0.0005)


def kill_self_after(seconds: float) -> None:
    """Have this process killed in a moment, whatever it is at then."""

    def kill() -> None:
        time.sleep(seconds)
        os.kill(os.getpid(), signal.SIGKILL)

    threading.Thread(target=kill, daemon=True).start()
