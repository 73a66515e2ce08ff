"""Which exceptions of a node are worth another try: those after which the very same visit may succeed.

LangGraph's default tries every `ollama.ResponseError` again, a missing model among them. Here the error has
to say so: a connection that was lost, a server's own error (5xx), a connection that could not be made in
time, a database somebody else holds. A refusal, an invalid reply, a missing model or file stay what they
are. A visit that began to change something is never run again: what it did is looked up in the effect
journal instead.
"""

from __future__ import annotations

import sqlite3

from langgraph.types import RetryPolicy

from memory.errors import CheckpointLocked
from models.errors import ModelError
from nodes.errors import AfterChange

MOST_TRIES = 3


def worth_another_try(error: BaseException) -> bool:
    """True if the same visit may succeed a moment later, and nothing was changed by it."""
    if isinstance(error, AfterChange):
        return False
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        if isinstance(cause, ModelError):
            return cause.transient
        if isinstance(cause, CheckpointLocked) or is_locked(cause):
            return True
        cause = cause.__cause__
    return False


def is_locked(error: BaseException) -> bool:
    """True if SQLite could not get at a database because somebody else holds it."""
    code = getattr(error, "sqlite_errorcode", None)
    # The low byte is the primary code; SQLITE_BUSY_SNAPSHOT and its like are told apart above it.
    return isinstance(error, sqlite3.OperationalError) and (
        isinstance(code, int) and code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
    )


# Without jitter: one person's runs do not storm a server, and a test need not wait for a random second.
RETRY = RetryPolicy(
    initial_interval=0.25,
    backoff_factor=2.0,
    max_interval=2.0,
    max_attempts=MOST_TRIES,
    jitter=False,
    retry_on=worth_another_try,
)
