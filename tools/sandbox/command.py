"""The whole command line of one process: its isolation, its limits, and the command at the end."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tools.sandbox import launch
from tools.sandbox.bwrap import ALL_NEEDED, NEEDED, wrapped
from tools.sandbox.confinement import Confinement
from tools.sandbox.landlock import SCOPED_ABI, landlock_abi, ruleset
from tools.sandbox.protected import Ground
from tools.sandbox.syscalls import seccomp_filter
from tools.sandbox.warden import warden_token

LAUNCHER = str(Path(launch.__file__).resolve())
PRLIMIT = "/usr/bin/prlimit"


@dataclass(frozen=True)
class Start:
    """What to start, and the descriptors it inherits."""

    words: list[str]
    descriptors: tuple[int, ...] = ()


@contextmanager
def confined(
    command: Sequence[str], name: str, limits: Confinement, environment: dict[str, str], ground: Ground
) -> Iterator[Start]:
    """The command line of a confined process; its descriptors are open until the block ends.

    Args:
        command: absolute path of the program, and its arguments.
        name: the program as it was asked for.
        limits: confinement.
        environment: the whole environment inside.
        ground: what a writable root stands on.

    Raises:
        SandboxUnavailable: the level needs something that is not here.
        OSError: the root is gone.
    """
    with ExitStack() as opened:
        if limits.sandbox.level == "bwrap":
            yield _in_namespaces(command, name, limits, environment, ground, opened)
        else:
            yield _launched(command, name, limits, ground, opened)


def _in_namespaces(
    command: Sequence[str],
    name: str,
    limits: Confinement,
    environment: dict[str, str],
    ground: Ground,
    opened: ExitStack,
) -> Start:
    """Under bwrap; the limits are set inside, where a user namespace counts its own processes only."""
    assert limits.sandbox.binary is not None
    program = None
    if limits.sandbox.filtered:
        program = os.memfd_create("filter")
        opened.callback(os.close, program)
        os.write(program, _filter(name, limits, namespaced=True, scoped=False))
        os.lseek(program, 0, os.SEEK_SET)
    bounds = limits.bounds()
    if limits.may_fork(name) and _counted_by_namespace():
        bounds["nproc"] = limits.processes
    options = [f"--{bound}={value}:{value}" for bound, value in bounds.items()]
    words = wrapped(
        limits.sandbox.binary,
        limits.root,
        [PRLIMIT, *options, "--", *command],
        environment,
        needs=ALL_NEEDED if limits.writable or limits.forks else NEEDED.get(name, ()),
        writable=limits.writable,
        protected=ground.protected,
        readable=limits.readable,
        filter_descriptor=program,
        hostname=warden_token(),
    )
    return Start(words, () if program is None else (program,))


def _launched(
    command: Sequence[str], name: str, limits: Confinement, ground: Ground, opened: ExitStack
) -> Start:
    inherited: tuple[int, ...] = ()
    rules, scoped = "-", False
    if limits.sandbox.level == "landlock":
        made = opened.enter_context(ruleset(limits, ground, command[0]))
        rules, inherited, scoped = str(made.fileno()), (made.fileno(),), landlock_abi() >= SCOPED_ABI
    program = "-"
    if limits.sandbox.filtered:
        program = _filter(name, limits, namespaced=False, scoped=scoped).hex()
    forks = limits.may_fork(name)
    bounds = limits.bounds()
    if limits.writable and os.getuid() != 0:
        bounds["nproc"] = limits.processes + _tasks_of_this_user()
    return Start(_launcher(command, forks=forks, ruleset=rules, program=program, bounds=bounds), inherited)


def supervised(command: Sequence[str]) -> list[str]:
    """A command that is not confined, but dies with this process, and with it all that it started.

    Args:
        command: its first word is a path.
    """
    return _launcher(command, forks=True, ruleset="-", program="-", bounds={"core": 0})


def _launcher(
    command: Sequence[str], *, forks: bool, ruleset: str, program: str, bounds: dict[str, int]
) -> list[str]:
    limits = ",".join(f"{name}={value}" for name, value in bounds.items())
    words = [
        sys.executable,
        "-I",
        "-S",
        LAUNCHER,
        str(os.getpid()),
        str(int(forks)),
        ruleset,
        program,
        limits,
    ]
    return [*words, *command]


def _filter(name: str, limits: Confinement, *, namespaced: bool, scoped: bool) -> bytes:
    return seccomp_filter(
        forks=limits.may_fork(name), writable=limits.writable, namespaced=namespaced, scoped=scoped
    )


@cache
def _counted_by_namespace() -> bool:
    """Since Linux 5.14 RLIMIT_NPROC is counted in each user namespace; before, all over the machine."""
    major, minor = platform.release().split(".")[:2]
    return (int(major), int("".join(filter(str.isdigit, minor)))) >= (5, 14)


def _tasks_of_this_user() -> int:
    """What RLIMIT_NPROC counts: threads of the user in the whole machine."""
    total = 0
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                if os.stat(f"/proc/{name}").st_uid == os.getuid():
                    total += len(os.listdir(f"/proc/{name}/task"))
            except (FileNotFoundError, ProcessLookupError, PermissionError):
                continue  # it ended between the look and the count, or hides itself
    return total
