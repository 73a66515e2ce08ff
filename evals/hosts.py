"""Processes that stand for hosts: each in a process namespace of its own, which no other can look into.

Whoever wants to know whether one of them lives has to ask the server they share, as between real hosts.
Killing the first process of a namespace kills all in it, as a host that loses its power does.
"""

from __future__ import annotations

import ctypes
import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_NEW_PROCESSES = 0x20000000
"""CLONE_NEWPID, see namespaces(7)."""
_NEW_MOUNTS = 0x00020000
"""CLONE_NEWNS."""
_PRIVATE_BELOW = 0x00004000 | 0x00040000
"""MS_REC | MS_PRIVATE, see mount(2)."""
_OWN = "/proc/self/ns/pid"


@dataclass
class Host:
    """A process that was started.

    Attributes:
        pid: of it, as seen from here.
        code: its exit code once it ended, negative for a signal; None before.
    """

    pid: int
    code: int | None = None

    def ended(self) -> bool:
        """Whether it ended, by itself or not."""
        if self.code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.code = os.waitstatus_to_exitcode(status)
        return self.code is not None

    def kill(self) -> None:
        """Kill it, and wait until it is gone."""
        if not self.ended():
            os.kill(self.pid, signal.SIGKILL)
            while not self.ended():
                time.sleep(0.001)


def can_be_hosts() -> bool:
    """Whether processes can be given namespaces of their own here."""
    libc = ctypes.CDLL(None, use_errno=True)
    before = os.open(_OWN, os.O_RDONLY)
    try:
        return bool(libc.unshare(_NEW_PROCESSES) == 0 and libc.setns(before, _NEW_PROCESSES) == 0)
    finally:
        os.close(before)


def start_host(work: Callable[[], Any], *, apart: bool) -> Host:
    """Do some work in a process of its own.

    Args:
        work: what to do; an exception is told by exit code 1.
        apart: in a namespace of its own.

    Raises:
        OSError: there is no such namespace to be had.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    before = os.open(_OWN, os.O_RDONLY)
    try:
        if apart and libc.unshare(_NEW_PROCESSES):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        child = os.fork()
        if child == 0:
            code = 1
            try:
                os.setsid()
                if apart:
                    _see_own_processes(libc)
                work()
                code = 0
            finally:
                os._exit(code)
        if apart and libc.setns(before, _NEW_PROCESSES):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        return Host(child)
    finally:
        os.close(before)


def _see_own_processes(libc: ctypes.CDLL) -> None:
    """Give a namespace its own /proc, as programs in it expect."""
    failed = (
        libc.unshare(_NEW_MOUNTS)
        or libc.mount(b"none", b"/", None, ctypes.c_ulong(_PRIVATE_BELOW), None)
        or libc.mount(b"proc", b"/proc", b"proc", ctypes.c_ulong(0), None)
    )
    if failed:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
