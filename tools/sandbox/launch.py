"""Runs a command after giving up what it does not need: `PARENT FORKS RULESET FILTER BOUNDS COMMAND...`.

Started as a file by a Python of its own (`-I -S`), never imported by the program it serves, so that nothing
runs between fork and exec in a process with threads. It imports little, because it runs once per tool call.
Whatever cannot be given up ends it with 125, and the command does not run.

PARENT   process id of whoever started it; the command dies with it, and does not start if it is gone.
FORKS    1 if the command may start others: then this process stays, and ends whatever the command leaves.
RULESET  descriptor of a Landlock ruleset, or -.
FILTER   seccomp program in hexadecimal, or -.
BOUNDS   resource limits, e.g. as=1000000,cpu=10.
"""

from __future__ import annotations

import ctypes
import os
import resource
import sys

PR_SET_PDEATHSIG, PR_SET_SECCOMP, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 22, 36, 38
SECCOMP_MODE_FILTER = 2
# The same on every architecture that has Landlock.
SYS_LANDLOCK_RESTRICT_SELF = 446
CAPABILITY_VERSION = 0x20080522
SIGKILL, SIGPIPE, SIGTERM, SIGXFSZ = 9, 13, 15, 25
REFUSED, NOT_EXECUTABLE = 125, 126
# A command that left this many generations of processes is a bomb.
GENERATIONS = 200

libc = ctypes.CDLL(None, use_errno=True)


class FilterProgram(ctypes.Structure):
    """struct sock_fprog of linux/filter.h."""

    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p)]


def main(words: list[str]) -> None:
    """Confine this process and become the command."""
    parent, forks, ruleset, program, bounds, *command = words
    supervised = forks == "1"
    _die_with(int(parent), SIGTERM if supervised else SIGKILL)
    if supervised:
        _supervise()
    for number in (SIGPIPE, SIGXFSZ):
        libc.signal(number, None)  # Python ignores them, and exec would hand that on
    _checked(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
    if ruleset != "-":
        _checked(libc.syscall(SYS_LANDLOCK_RESTRICT_SELF, int(ruleset), 0), "landlock_restrict_self")
        os.close(int(ruleset))
        _drop_capabilities()
    for bound in bounds.split(","):
        name, value = bound.split("=")
        resource.setrlimit(getattr(resource, f"RLIMIT_{name.upper()}"), (int(value), int(value)))
    if program != "-":
        _load(bytes.fromhex(program))
    os.execv(command[0], command)


def _checked(result: int, what: str) -> None:
    if result != 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


def _die_with(parent: int, number: int) -> None:
    """Ask for a signal when the parent dies; it may have died before the question."""
    _checked(libc.prctl(PR_SET_PDEATHSIG, number, 0, 0, 0), "PR_SET_PDEATHSIG")
    if os.getppid() != parent:
        os._exit(REFUSED)


def _drop_capabilities() -> None:
    """Root without them only owns its files; no_new_privs keeps exec from giving them back."""
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0)
    _checked(libc.capset(header, (ctypes.c_uint32 * 6)()), "capset")


def _load(program: bytes) -> None:
    filled = FilterProgram(len(program) // 8, program)
    _checked(libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(filled), 0, 0), "PR_SET_SECCOMP")


def _supervise() -> None:
    """Go on in a child; stay behind to end all its descendants when it ends, or when the parent dies."""
    import signal

    waited = {signal.SIGTERM, signal.SIGCHLD}
    _checked(libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), "PR_SET_CHILD_SUBREAPER")
    before = signal.pthread_sigmask(signal.SIG_BLOCK, waited)
    here = os.getpid()
    child = os.fork()
    if child == 0:
        _die_with(here, SIGKILL)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return
    for descriptor in (0, 1):
        os.close(descriptor)  # the reader of the command's output waits for the end of all writers
    while True:
        if signal.sigwait(waited) == signal.SIGTERM:
            _end_descendants()
            os._exit(REFUSED)
        while True:
            ended, status = os.waitpid(-1, os.WNOHANG)
            if ended == child:
                _leave(status)
            if ended == 0:
                break


def _leave(status: int) -> None:
    """End what the command left behind, and then as it did."""
    import signal

    _end_descendants()
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number != SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.kill(os.getpid(), number)
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
    os._exit(os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))


def _end_descendants() -> None:
    """Kill children until there is none: an orphan of theirs becomes a child of this process."""
    for _ in range(GENERATIONS):
        try:
            while os.waitpid(-1, os.WNOHANG) != (0, 0):
                pass
        except ChildProcessError:
            return
        for orphan in _children():
            os.kill(orphan, SIGKILL)
            os.waitpid(orphan, 0)
    os.killpg(0, SIGKILL)


def _children() -> list[int]:
    """Children of this process; found by the fourth field of /proc/PID/stat (proc(5)), behind the name."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as status:
                    parent = int(status.read().rpartition(b")")[2].split()[1])
            except (FileNotFoundError, ProcessLookupError):
                continue  # it ended between the look and the reading
            if parent == os.getpid():
                found.append(int(name))
    return found


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except OSError as error:
        os.write(2, f"sandbox: the command was not started: {error}\n".encode("utf-8", "backslashreplace"))
        os._exit(NOT_EXECUTABLE if error.filename else REFUSED)
