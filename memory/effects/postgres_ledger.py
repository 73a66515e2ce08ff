"""Effects in the Postgres database of the threads, shared by processes of several hosts.

Everything goes over the session by which this process is known to be alive, so an intent is never written by
one that others take for gone. What is written is encrypted with the key of the threads, if there is one.
"""

from __future__ import annotations

import base64
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import psycopg

from configs.redaction import escaped
from memory.checkpoints.postgres import shown_address, without_password
from memory.checkpoints.serializer import ThreadSerializer
from memory.effects.entries import Slot
from memory.effects.ledger import COLUMNS, Rows, Standing
from memory.effects.outbox import Outbox
from memory.errors import JournalUnreachable, JournalUnusable, MemoryStoreError
from memory.ownership.holds import admit, forget_place, top_of
from memory.ownership.owners import Owner
from memory.ownership.places import Place
from memory.ownership.session import OwnerSession, Transaction, lock_number, session_of
from memory.ownership.tables import make_table

TABLE = "reflect_effects"
SETTLING = 5.0
"""Seconds for which an owner that was cut off is taken to be at work yet: a change of a file is over by then,
and of programs it is never known what they did."""

_RETRY = 1.0
_INDEX = f"CREATE INDEX IF NOT EXISTS {TABLE}_by_thread ON {TABLE} (thread, call_hash)"


@dataclass(frozen=True)
class _PostgresRows(Transaction):
    table: str = TABLE


class PostgresLedger:
    """The entries of all projects that share a database, as one of them sees them.

    Args:
        url: postgres:// URL.
        place: the project.
        project: its `.reflect`.
        patience: seconds to wait for a server that is away.
        key: 16, 24 or 32 bytes; calls and results are then encrypted with AES.
    """

    def __init__(self, url: str, place: Place, project: Path, patience: float, key: bytes | None) -> None:
        self.name = url
        self.shown = shown_address(url)
        self.outbox = Outbox(project, self.shown)
        self._place = place
        self._patience = patience
        self._serde = ThreadSerializer(key)
        self._has_key = key is not None
        self._has_table = False
        self._unheard: dict[str, tuple[float, float]] = {}
        """Owners that were not heard of: at which look first, and at which last."""
        self._sending = threading.Lock()

    def owner(self) -> str:
        """This process, told by the lock it has at the server and by where it runs."""
        return str(Owner.here(self._session.number))

    def is_there(self) -> bool:
        """True: only the server knows."""
        return True

    def standing(self, owner: str, rows: Rows) -> Standing:
        """By the process itself if it is of this machine, else by the lock it has at the server."""
        found = Owner.read(owner)
        if found is None:
            return "gone"
        seen = found.seen_from_here()
        if seen is not None:
            return "alive" if seen else "gone"
        if not _is_free(rows, found.number):
            self._unheard.pop(owner, None)
            return "alive"
        now = time.monotonic()
        since, last = self._unheard.get(owner, (now, now))
        if now - last > SETTLING:
            # It may have been back and at work between the two looks.
            since = now
        self._unheard[owner] = since, now
        return "cut off" if now - since < SETTLING else "gone"

    def admit(self, slot: Slot, rows: Rows) -> None:
        """Make sure that this process may go on with the thread, here.

        Raises:
            ThreadElsewhere: the run was begun in another directory.
            ThreadTaken: another process is at work on the thread.
        """
        thread = top_of(slot.thread)
        if thread:
            admit(self._session, cast(Transaction, rows), thread, slot.run, self._place)

    def forget(self, thread: str, rows: Rows) -> None:
        """Drop where it was begun, so that its name is free for others."""
        forget_place(cast(Transaction, rows), thread)

    def seal(self, text: str) -> str:
        """A call or a result as it is kept."""
        if not self._has_key:
            return text
        kind, value = self._serde.dumps_typed(text)
        return f"{kind}:{base64.b64encode(value).decode('ascii')}"

    def unseal(self, text: str) -> str:
        """A call or a result as it was sealed; what was written without a key is as it is.

        Raises:
            CheckpointEncrypted: it was sealed with another key, or there is none.
        """
        if text.startswith("{"):
            return text
        kind, _, value = text.partition(":")
        return str(self._serde.loads_typed((kind, base64.b64decode(value))))

    @contextmanager
    def transaction(self, thread: str, *, at_once: bool = False) -> Iterator[Rows]:
        """A transaction that has the entries of the thread to itself, at all hosts.

        What earlier effects of the project still owe the server goes with it.
        """
        waiting = self.outbox.waiting()
        patience = 0.0 if at_once else self._patience
        lock = lock_number("entries", top_of(thread))
        with self._explained(), self._session.transaction(patience, lock) as begun:
            if not self._has_table:
                make_table(begun.connection, TABLE, COLUMNS, _INDEX)
            for _, end in waiting:
                begun.execute(
                    f"UPDATE {TABLE} SET state = ?, result = ?, finished = ? WHERE task = ? AND step = ?"
                    " AND call_hash = ? AND owner = ? AND state IN ('intent', 'uncertain')",
                    (end.state, end.result, end.finished, end.task, end.step, end.call_hash, end.owner),
                )
            yield _PostgresRows(begun.connection, begun.now)
        self._has_table = True
        for path, _ in waiting:
            self.outbox.drop(path)

    def send_later(self) -> None:
        """Go on trying to send what is kept, beside everything else, until the server has it."""
        if self._sending.acquire(blocking=False):
            threading.Thread(target=self._send, daemon=True).start()

    def _send(self) -> None:
        try:
            while self.outbox.waiting():
                # The process that resumes the run sends it, should this one end before.
                with suppress(JournalUnreachable), self.transaction("", at_once=True):
                    pass
                time.sleep(_RETRY)
        finally:
            self._sending.release()

    @property
    def _session(self) -> OwnerSession:
        return session_of(self.name)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except MemoryStoreError:
            raise
        except psycopg.Error as error:
            lines = str(error).strip().splitlines()
            reason = escaped(without_password(lines[0] if lines else type(error).__name__, self.name))
            told = f"The effect journal in {self.shown} cannot be used: {reason.rstrip('.')}."
            if isinstance(error, psycopg.ProgrammingError | psycopg.DataError):
                raise JournalUnusable(
                    told,
                    "Nothing is changed without it. Let the user write there, or name another database.",
                ) from error
            raise JournalUnreachable(
                told, "Nothing is changed without it. Check that the server runs, then resume the thread."
            ) from error


def _is_free(rows: Rows, number: int) -> bool:
    row = rows.execute("SELECT pg_try_advisory_xact_lock_shared(?) AS free", (number,)).fetchone()
    return bool(row and row["free"])
