"""Effects in a SQLite file of the project, shared by the processes of one machine."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from configs.redaction import path_text
from memory.effects.entries import Slot
from memory.effects.ledger import COLUMNS, Rows, Standing
from memory.errors import JournalUnusable, reason_and_remedy
from memory.ownership.processes import is_alive, this_process
from memory.project_directory import first_link, make_parent, make_private
from memory.waiting_in_turn import in_turn

_SCHEMA = (
    f"CREATE TABLE IF NOT EXISTS effects ({COLUMNS}) STRICT",
    "CREATE INDEX IF NOT EXISTS effects_by_thread ON effects (thread, call_hash)",
)


@dataclass(frozen=True)
class _SqliteRows:
    connection: sqlite3.Connection
    table: str = "effects"
    now: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="milliseconds"))

    def execute(self, statement: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        return self.connection.execute(statement, tuple(values))


class SqliteLedger:
    """The entries of one project.

    Args:
        path: the SQLite file, made at the first write.
        busy_timeout: seconds to wait for the lock while nothing is written; a queue of writers that get on,
            however slow the disk, is waited for.
    """

    outbox = None

    def __init__(self, path: Path, busy_timeout: float) -> None:
        self.name = str(path)
        self.shown = path_text(path)
        self._path = path
        self._busy_timeout = busy_timeout

    def owner(self) -> str:
        """This process, told by the machine it runs on."""
        return this_process()

    def is_there(self) -> bool:
        """Whether there is a file."""
        return self._path.exists()

    def admit(self, slot: Slot, rows: Rows) -> None:
        """Nobody is refused: the file lies in the project, so whoever reads it is there."""

    def forget(self, thread: str, rows: Rows) -> None:
        """Nothing is known."""

    def seal(self, text: str) -> str:
        """The text itself: the file is private."""
        return text

    def unseal(self, text: str) -> str:
        """The text itself."""
        return text

    def send_later(self) -> None:
        """Nothing is kept back."""

    def standing(self, owner: str, rows: Rows) -> Standing:
        """Whether the process lives; the machine knows for sure."""
        return "alive" if is_alive(owner) else "gone"

    @contextmanager
    def transaction(self, thread: str, *, at_once: bool = False) -> Iterator[Rows]:
        """A transaction that holds the write lock of the file from its beginning."""
        try:
            make_parent(self._path)
            link = first_link(self._path)
            if link is not None:
                raise JournalUnusable(
                    f"{path_text(link)} is a link, which the journal is not written through.",
                    "Remove the link.",
                )
            make_private(self._path)
            connecting = sqlite3.connect(self._path, timeout=self._busy_timeout, isolation_level=None)
            with closing(connecting) as connection:
                connection.row_factory = sqlite3.Row
                # It reads the schema, and so waits for whoever commits.
                in_turn(lambda: connection.execute("PRAGMA synchronous=FULL"), self._path, _is_busy)
                in_turn(lambda: connection.execute("BEGIN IMMEDIATE"), self._path, _is_busy)
                for statement in _SCHEMA:
                    connection.execute(statement)
                yield _SqliteRows(connection)
                in_turn(lambda: connection.execute("COMMIT"), self._path, _is_busy)
        except sqlite3.DatabaseError as error:
            raise JournalUnusable(
                f"The effect journal {self.shown} cannot be used: {error}.",
                "Nothing is changed without it. Free the disk or the lock; if the file is damaged, move it "
                "away and check by hand what the last run changed.",
            ) from error
        except OSError as error:
            what, remedy = reason_and_remedy(self._path, error)
            raise JournalUnusable(f"The effect journal cannot be kept in {what}.", remedy) from error


def _is_busy(error: Exception) -> bool:
    return (
        isinstance(error, sqlite3.OperationalError) and error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
    )
