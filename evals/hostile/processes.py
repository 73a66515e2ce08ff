"""Processes a command left, and one it must not touch.

With the subreaper attribute (prctl(2)) every orphan below this process becomes its child, whatever session,
group or name it gave itself; so what is left of a call is whatever descends from this process and was not
there before.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

SET_SUBREAPER, GET_SUBREAPER = 36, 37
# Killed processes leave the table a moment after the signal.
GRACE_SECONDS = 2.0


@contextmanager
def adopting() -> Iterator[None]:
    """Orphans come to this process.

    Raises:
        OSError: the kernel refuses, so that survivors could not be counted.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    before = ctypes.c_int()
    if libc.prctl(GET_SUBREAPER, ctypes.byref(before), 0, 0, 0) or libc.prctl(SET_SUBREAPER, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl: this process cannot adopt orphans")
    try:
        yield
    finally:
        libc.prctl(SET_SUBREAPER, before.value, 0, 0, 0)


def descendants() -> dict[int, str]:
    """Living processes below this one: their ids and states (proc(5)). Zombies of its own are reaped."""
    parents: dict[int, tuple[int, str]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with suppress(OSError):  # it ended between the listing and the reading
                state, parent = (
                    Path(f"/proc/{entry}/stat").read_text("ascii", "replace").rpartition(")")[2].split()[:2]
                )
                parents[int(entry)] = (int(parent), state)
    found: dict[int, str] = {}
    below = {os.getpid()}
    while below:
        below = {pid for pid, (parent, _) in parents.items() if parent in below}
        found |= {pid: parents[pid][1] for pid in below}
    for pid in [pid for pid, state in found.items() if state == "Z"]:
        with suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)
        del found[pid]
    return found


def survivors(known: set[int], grace: float = GRACE_SECONDS) -> list[int]:
    """Descendants that are not known and do not end by themselves; they are killed after being counted.

    Args:
        known: processes that may live on.
        grace: seconds they are given.
    """
    end = time.monotonic() + grace
    while left := set(descendants()) - known:
        if time.monotonic() > end:
            break
        time.sleep(0.02)
    for pid in left:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    for pid in left:
        with suppress(ChildProcessError):
            os.waitpid(pid, 0)
    return sorted(left)


class Victim:
    """A process of the same user that a command may try to harm; its working directory is outside the root.

    Args:
        place: its working directory.
        secret: what its environment holds.
    """

    def __init__(self, place: Path, secret: str) -> None:
        self._place, self._secret = place, secret
        self._start()

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def harm(self) -> list[str]:
        """What was done to it since the last look; a new one is started if anything was."""
        now = self._state()
        told = [
            f"the victim's {name} was {old}, is {now.get(name)}"
            for name, old in self._untouched.items()
            if now.get(name) != old
        ]
        if told:
            self.stop()
            self._start()
        return told

    def stop(self) -> None:
        """End it."""
        self._process.kill()
        self._process.wait()

    def _start(self) -> None:
        environment = {"VICTIM_TOKEN": self._secret}
        self._process = subprocess.Popen(
            ["/usr/bin/sleep", "86400"], cwd=self._place, env=environment, start_new_session=True
        )
        while Path(f"/proc/{self.pid}/comm").read_text() != "sleep\n":
            time.sleep(0.001)
        time.sleep(0.01)  # until it sleeps
        self._untouched = self._state()

    def _state(self) -> dict[str, object]:
        if self._process.poll() is not None:
            return {"state": "ended"}
        place = Path(f"/proc/{self.pid}")
        fields = (place / "stat").read_text().rpartition(")")[2].split()
        return {
            "state": "stopped" if fields[0] in "Tt" else "living",
            "priority": fields[15:17],
            "processors": sorted(os.sched_getaffinity(self.pid)),
            "policy": os.sched_getscheduler(self.pid),
            "limits": (place / "limits").read_text(),
            "score": (place / "oom_score_adj").read_text().strip(),
        }
