"""The root of every error this project raises on purpose.

Each floor adds its own branch in one file: `configs/errors.py` (here), `models/errors.py`,
`tools/errors.py`, `memory/errors.py`, `nodes/errors.py`.

    ReflectError
    ├── SettingsError          a settings file, variable or flag is wrong
    ├── UsageError             the caller's input is wrong (goal, root, flag)
    │   └── RootMissing        there is no such directory
    ├── RunEnded               the process was asked to end in the middle of a run
    │   └── GameInterrupted    a proof game was
    ├── WorkersLost            the workers of a batch die before they take a goal, or give all back
    ├── ModelError             models/errors.py
    ├── ToolError              tools/errors.py
    └── MemoryStoreError       memory/errors.py
"""

from __future__ import annotations


class ReflectError(Exception):
    """An expected failure, told to a person.

    Args:
        what: what happened and where, one sentence.
        remedy: what the reader can do about it, one sentence; may be empty.
    """

    exit_code = 2

    def __init__(self, what: str, remedy: str = "") -> None:
        self.what = what
        self.remedy = remedy
        super().__init__(f"{what} {remedy}".strip())


class SettingsError(ReflectError):
    """A settings file, environment variable or flag holds something the schema refuses."""


class UsageError(ReflectError):
    """The goal, the root or a flag cannot be used as given."""


class RootMissing(UsageError):
    """The root is a directory that does not exist."""


class RunEnded(ReflectError):
    """The process was asked to end in the middle of a run, which can be gone on with."""

    exit_code = 143


class GameInterrupted(RunEnded):
    """A proof game stopped before its end: by a signal, by Ctrl-C, or because its player left."""

    exit_code = 3


class WorkersLost(ReflectError):
    """The workers of a batch die, or give back, before a goal is done; what was done is kept."""
