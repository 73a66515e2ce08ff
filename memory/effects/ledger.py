"""What the effect journal needs of a place its entries are kept in."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Literal, Protocol

from memory.effects.entries import Slot

if TYPE_CHECKING:
    from memory.effects.outbox import Outbox

Standing = Literal["alive", "gone", "cut off"]
"""Of an entry's owner. Cut off: nothing is heard of it, and it may be at work for a moment yet."""

COLUMNS = """
    task TEXT NOT NULL,
    step INTEGER NOT NULL,
    call_hash TEXT NOT NULL,
    thread TEXT NOT NULL,
    run TEXT NOT NULL,
    call TEXT NOT NULL,
    shown TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('proposed', 'intent', 'done', 'uncertain')),
    owner TEXT NOT NULL DEFAULT '',
    started TEXT NOT NULL,
    finished TEXT,
    result TEXT,
    repeats TEXT,
    after TEXT,
    PRIMARY KEY (task, step, call_hash)
"""


class Cursor(Protocol):
    """The outcome of a statement."""

    @property
    def rowcount(self) -> int:
        """Rows it changed."""

    def fetchone(self) -> Any:
        """Its next row, by column names; None at the end."""

    def fetchall(self) -> list[Any]:
        """All its rows, by column names."""


class Rows(Protocol):
    """The entries within one transaction."""

    @property
    def table(self) -> str:
        """The name of their table."""

    @property
    def now(self) -> str:
        """UTC, ISO, to the millisecond, by one clock for all who share the ledger."""

    def execute(self, statement: str, values: Sequence[object] = ()) -> Cursor:
        """Run a statement, whose values stand as question marks."""


class Ledger(Protocol):
    """Where entries are kept. Calls block and are safe from many threads and processes.

    Attributes:
        name: tells it from other ledgers.
        shown: what it is called in messages.
        outbox: keeps what came of effects while the entries cannot be written; None where a disk is all it
            takes to write them.
    """

    name: str
    shown: str

    @property
    def outbox(self) -> Outbox | None:
        """See above."""

    def send_later(self) -> None:
        """Have what is in the outbox sent as soon as that can be."""

    def owner(self) -> str:
        """This process, as others can ask after it."""

    def is_there(self) -> bool:
        """False if nothing was ever written to it."""

    def transaction(self, thread: str, *, at_once: bool = False) -> AbstractContextManager[Rows]:
        """One durable transaction, within which no other is at the entries of the thread.

        Args:
            thread: its name.
            at_once: do not wait for a server that is away.

        Raises:
            JournalUnreachable: the server is away, or went away meanwhile.
            JournalUnusable: the entries cannot be read or written.
        """

    def admit(self, slot: Slot, rows: Rows) -> None:
        """Make sure that this process may go on with the slot's thread, in this project.

        Raises:
            ThreadElsewhere: the thread was begun in another directory.
            ThreadTaken: another process is at work on it.
        """

    def forget(self, thread: str, rows: Rows) -> None:
        """Drop what is known of a thread beside its entries."""

    def seal(self, text: str) -> str:
        """A call or a result, as it is kept."""

    def unseal(self, text: str) -> str:
        """A call or a result, as it was before it was sealed."""

    def standing(self, owner: str, rows: Rows) -> Standing:
        """Whether the owner of an intent, which is not this process, is still at it."""
