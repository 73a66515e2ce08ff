"""A connection to Postgres that does not wait for ever: its driver does, for a server that hangs."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from psycopg import Connection, OperationalError
from psycopg.rows import TupleRow

if TYPE_CHECKING:
    from psycopg.abc import PQGen

_RV = TypeVar("_RV")
_NOTHING_YET = 0
_INTERVAL = 0.1
ANSWERING = 8.0
"""Seconds without a byte from the server, or room for one to it, after which the connection is closed."""


class BoundedConnection(Connection[TupleRow]):
    """psycopg's connection; it hands every exchange to `wait`."""

    def wait(self, gen: PQGen[_RV], interval: float = _INTERVAL, timeout: float | None = None) -> _RV:
        """Wait for an exchange, as long as something goes on.

        Raises:
            OperationalError: nothing went on; the connection is closed.
        """
        watched = _watched(gen, self.pgconn.finish)
        # psycopg 3.2 knows no limit of its own.
        return (
            super().wait(watched, interval) if timeout is None else super().wait(watched, interval, timeout)
        )


def _watched(gen: PQGen[_RV], end: Callable[[], None]) -> PQGen[_RV]:
    deadline = time.monotonic() + ANSWERING
    try:
        wanted = next(gen)
        while True:
            ready = yield wanted
            if ready != _NOTHING_YET:
                deadline = time.monotonic() + ANSWERING
            elif time.monotonic() > deadline:
                end()
                raise OperationalError(f"the server has not answered for {ANSWERING:g} s")
            wanted = gen.send(ready)
    except StopIteration as ended:
        answer: _RV = ended.value
        return answer
