"""Ends sandboxes that would outlive whoever started them: `warden.py TOKEN`, its input a pipe from there.

Bubblewrap dies with its parent, but looks at nothing that happened before it asked to: killed in the two
milliseconds a start takes, a process would leave a sandbox behind. So every sandbox carries a token as its
host name, and one warden for all of them waits for the end of the pipe, which comes with the end of the
process however that ends. What carries the token is bwrap, outside and as the first process of the
namespace; with the latter all others there die.
"""

from __future__ import annotations

import os
import sys
import time
from functools import cache

SIGKILL = 9
# Longer than any start takes, from the fork on.
SECONDS = 1.0
PAUSE = 0.02


@cache
def warden_token() -> str:
    """The host name sandboxes of this process carry; the first call starts the warden.

    Raises:
        OSError: it cannot be started.
    """
    token = f"reflect-{os.getpid()}-{os.urandom(8).hex()}"
    # The write end is open as long as this process lives, and no program it starts inherits it.
    read_end, write_end = os.pipe()
    quiet = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_WRONLY, 0) for number in (1, 2)]
    try:
        os.posix_spawn(
            sys.executable,
            [sys.executable, "-I", "-S", os.path.abspath(__file__), token],
            {},
            file_actions=[(os.POSIX_SPAWN_DUP2, read_end, 0), *quiet],
            setsid=True,
        )
    except OSError:
        os.close(write_end)
        raise
    finally:
        os.close(read_end)
    return token


def main(token: str) -> None:
    """Wait for the end, then kill what carries the token for as long as a start can take."""
    while os.read(0, 1):
        pass
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        for pid in carrying(token.encode()):
            try:
                os.kill(pid, SIGKILL)
            except ProcessLookupError:
                continue  # it ended between the look and the signal
        time.sleep(PAUSE)


def carrying(token: bytes) -> list[int]:
    """Processes other than this with the token as an argument."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != os.getpid():
            try:
                with open(f"/proc/{name}/cmdline", "rb") as line:
                    arguments = line.read().split(b"\0")
            except (FileNotFoundError, ProcessLookupError, PermissionError):
                continue  # it ended between the look and the reading, or is another user's
            if token in arguments:
                found.append(int(name))
    return found


if __name__ == "__main__":
    main(sys.argv[1])
