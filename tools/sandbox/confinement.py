"""What holds a tool: the isolation in force, and the limits of every process."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

# Diagnostics go to a file nothing else can reach; a flood of them ends the process.
FILE_BYTES = 64 * 2**20
OPEN_FILES = 512
# The only read-only tool that starts others, itself for submodules.
FORKING = frozenset({"git"})


@dataclass(frozen=True)
class Sandbox:
    """The isolation in force.

    Attributes:
        level: "bwrap", "landlock" or "policy".
        binary: bwrap, for the level of that name.
        reason: why the level is not higher, empty for bwrap.
        filtered: True if a seccomp filter holds at this level too; without one nothing keeps a program from
            starting others.
    """

    level: str
    binary: Path | None = None
    reason: str = ""
    filtered: bool = False


@dataclass(frozen=True)
class Confinement:
    """Limits of every process: where it runs, what it may write, how much it may take.

    Attributes:
        root: working directory, and all of the user's that can be read.
        sandbox: the isolation.
        memory_bytes: address space of one process.
        seconds: of processor time, of one process; whoever runs it watches the clock on the wall.
        writable: the root can be written, except `.git` (at any depth) and `.reflect`.
        readable: further directories that can be read and run from, e.g. an interpreter's.
        forks: any program may start others; git and everything in a writable root always may.
        processes: how many there may be at once; says `tools.sandbox` whom it binds.
    """

    root: Path
    sandbox: Sandbox
    memory_bytes: int
    seconds: float
    writable: bool = False
    readable: tuple[Path, ...] = ()
    forks: bool = False
    processes: int = 128

    def may_fork(self, name: str) -> bool:
        """Whether a program may start others."""
        return self.writable or self.forks or name in FORKING

    def bounds(self) -> dict[str, int]:
        """Resource limits by their names in setrlimit(2), without RLIMIT_."""
        return {
            "as": self.memory_bytes,
            "cpu": int(self.seconds) + 1,
            "core": 0,
            "fsize": FILE_BYTES,
            "nofile": OPEN_FILES,
        }
