"""What was typed into the chats of a project, for the arrow keys of the next one."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from prompt_toolkit.history import History

NAME = "chat_history"
PRIVATE = 0o600
# A pasted file is not typed again by the arrow keys.
LONGEST = 4_000
LARGEST = 1_000_000
KEPT = 300_000


class ProjectHistory(History):
    """Lines in a file that only its owner reads: goals may name what is nobody else's business.

    The form is that of prompt_toolkit's own FileHistory: a comment with the time, then lines after a plus.

    Args:
        directory: the project's `.reflect`, which exists.
    """

    def __init__(self, directory: Path) -> None:
        super().__init__()
        self._path = directory / NAME
        self.problem = ""
        """Why lines are not kept; empty as long as they are."""

    def load_history_strings(self) -> Iterable[str]:
        """What was typed, the newest first."""
        try:
            data = self._read()
        except OSError as error:
            self.problem = str(error)
            return []
        entries: list[list[str]] = [[]]
        for line in data.decode("utf-8", "replace").split("\n"):
            if line.startswith("+"):
                entries[-1].append(line[1:])
            elif entries[-1]:
                entries.append([])
        return ["\n".join(lines) for lines in reversed(entries) if lines]

    def store_string(self, string: str) -> None:
        """Keep a line, unless it is long."""
        if len(string) > LONGEST or self.problem:
            return
        lines = "".join(f"+{line}\n" for line in string.split("\n"))
        entry = f"\n# {datetime.now(UTC).isoformat(timespec='seconds')}\n{lines}"
        try:
            with os.fdopen(self._open(os.O_WRONLY | os.O_APPEND | os.O_CREAT), "ab") as stream:
                stream.write(entry.encode("utf-8", "replace"))
        except OSError as error:
            self.problem = str(error)

    def _read(self) -> bytes:
        """The file, cut to its end when it has grown large."""
        with os.fdopen(self._open(os.O_RDWR | os.O_CREAT), "rb+") as stream:
            data = stream.read()
            if len(data) > LARGEST:
                # From the beginning of an entry on.
                data = data[data.find(b"\n# ", len(data) - KEPT) :]
                stream.seek(0)
                stream.write(data)
                stream.truncate()
        return data

    def _open(self, flags: int) -> int:
        """Open the file; a link is refused: it could lead anywhere."""
        descriptor = os.open(self._path, flags | os.O_NOFOLLOW | os.O_CLOEXEC, PRIVATE)
        os.fchmod(descriptor, PRIVATE)
        return descriptor
