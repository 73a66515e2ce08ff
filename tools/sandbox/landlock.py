"""Landlock: where there are no namespaces, the kernel still refuses every file that no rule names.

Weaker than bubblewrap: names, sizes and times of files outside can be asked for (stat). Narrower as well:
in a writable root no entry can be made or removed in the root itself or in a directory above a protected one,
and nothing can change modes, owners or times. Temporary files have a directory of their own.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import TYPE_CHECKING

from tools.errors import SandboxUnavailable
from tools.sandbox.bwrap import ALL_NEEDED, SYSTEM
from tools.sandbox.confinement import Confinement
from tools.sandbox.protected import Ground

if TYPE_CHECKING:
    from landlockpy import AccessFS, Ruleset

# Before ABI 3 (Linux 6.2) a file could be truncated without the right to write it.
LOWEST_ABI = 3
SCOPED_ABI = 6
DEVICES = {
    "/dev/null": True,
    "/dev/zero": True,
    "/dev/full": True,
    "/dev/random": False,
    "/dev/urandom": False,
}


def landlock_abi() -> int:
    """Version of the kernel's Landlock.

    Raises:
        SandboxUnavailable: there is none, or one too old to hold.
    """
    try:
        from landlockpy import abi_version
    except ImportError as error:
        raise SandboxUnavailable("landlockpy is not installed.", "Install it.") from error
    try:
        found = abi_version()
    except OSError as error:
        raise SandboxUnavailable(f"Landlock cannot be asked: {error}", "Use bubblewrap.") from error
    if found < LOWEST_ABI:
        raise SandboxUnavailable(
            f"The kernel's Landlock is version {found}; {LOWEST_ABI} (Linux 6.2) is needed.",
            "Use bubblewrap.",
        )
    return found


def ruleset(limits: Confinement, ground: Ground, program: str) -> Ruleset:
    """Rules for one process; whoever gets them closes them.

    Every right the kernel's version knows is handled, TCP included, and signals and abstract sockets are kept
    inside where it can do that. No rule names /proc, and of /tmp only the private directory of the ground.

    Raises:
        OSError: the root or the program is gone.
    """
    from landlockpy import AccessFS, Ruleset, Scope

    read = AccessFS.READ_FILE | AccessFS.READ_DIR
    run = read | AccessFS.EXECUTE
    rules = Ruleset(scoped=Scope.ABSTRACT_UNIX_SOCKET | Scope.SIGNAL)
    try:
        for place in (*SYSTEM, *ALL_NEEDED):
            if os.path.exists(place):
                _allow(rules, place, run)
        for device, written in DEVICES.items():
            if os.path.exists(device):
                rules.allow_path(
                    device, AccessFS.READ_FILE | (AccessFS.WRITE_FILE if written else AccessFS.NONE)
                )
        for directory in limits.readable:
            _allow(rules, directory, run)
        _allow(rules, limits.root, run if limits.writable else read)
        _allow(rules, program, run)
        write = rules.handled_fs & ~(AccessFS.MAKE_CHAR | AccessFS.MAKE_BLOCK | AccessFS.IOCTL_DEV)
        if ground.temporary is not None:
            _allow(rules, ground.temporary.name, write)
        if limits.writable:
            _allow_writing(rules, limits, ground, write)
    except BaseException:
        rules.close()
        raise
    return rules


def _allow(rules: Ruleset, path: str | Path, access: AccessFS) -> None:
    """Rights of directories on a file are an error to the kernel."""
    from landlockpy import AccessFS

    of_files = AccessFS.EXECUTE | AccessFS.WRITE_FILE | AccessFS.READ_FILE | AccessFS.TRUNCATE
    rules.allow_path(path, access if S_ISDIR(os.stat(path).st_mode) else access & of_files)


def _allow_writing(rules: Ruleset, limits: Confinement, ground: Ground, write: AccessFS) -> None:
    spared = {*ground.protected, *limits.readable}
    for path in _writable(limits.root, spared):
        _allow(rules, path, write)


def _writable(directory: Path, spared: set[Path]) -> Iterator[Path]:
    """Landlock cannot take back, so what lies beside something spared is allowed one by one."""
    for name in sorted(os.listdir(directory)):
        path = directory / name
        mode = path.lstat().st_mode
        if path in spared or path.name in (".git", ".reflect") or not (S_ISDIR(mode) or S_ISREG(mode)):
            continue
        if any(other.is_relative_to(path) for other in spared):
            yield from _writable(path, spared)
        else:
            yield path
