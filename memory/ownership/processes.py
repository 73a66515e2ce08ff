"""How a process of this machine is told from others, and whether it still lives."""

from __future__ import annotations

import os
from pathlib import Path

_BOOT = Path("/proc/sys/kernel/random/boot_id")


def this_process() -> str:
    """This process, told apart from a later one of the same number, and from one before a restart."""
    return f"{boot()} {os.getpid()} {_start_time(os.getpid())}"


def is_alive(process: str) -> bool:
    """Whether a process of this machine, as `this_process` named it, still lives."""
    try:
        booted, pid, started = process.split(" ")
        return booted == boot() and started == _start_time(int(pid)) != ""
    except ValueError:
        return False


def boot() -> str:
    """What tells this start of the machine from all others; "unknown" where the system does not say."""
    try:
        return _BOOT.read_text("ascii").strip()
    except OSError:
        return "unknown"


def _start_time(pid: int) -> str:
    """Clock ticks from boot to a process's start (proc(5), field 22); empty if there is no such process."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except OSError:
        return ""
    fields = stat[stat.rindex(")") + 2 :].split()
    return "" if fields[0] in ("Z", "X") else fields[19]
