"""Connecting as an owner: a connection that is noticed to be gone soon, and the lock that tells it lives."""

from __future__ import annotations

from typing import TypeAlias

import psycopg
from psycopg.rows import DictRow, dict_row

from memory.checkpoints.postgres import SHORTEST_WAIT
from memory.ownership.tables import make_tables

Connection: TypeAlias = psycopg.Connection[DictRow]

UNHEARD = 25
"""Seconds after which a peer that is no more to be reached is given up: 10, and three times 5 more."""

_KEEPALIVES = {"idle": "10", "interval": "5", "count": "3"}
_SESSION = {
    **{f"tcp_keepalives_{name}": value for name, value in _KEEPALIVES.items()},
    "tcp_user_timeout": str(UNHEARD * 1000),
    "idle_session_timeout": "0",
    # What was committed must outlive the server, whatever its default is.
    "synchronous_commit": "on",
    "lock_timeout": str(UNHEARD * 1000),
}


def connected(url: str, number: int, patience: float) -> Connection:
    """A new connection that has the owner's lock, in the place of whatever had it before.

    Args:
        url: postgres:// URL.
        number: the owner's advisory lock.
        patience: seconds to wait for the server to accept it.

    Raises:
        psycopg.Error: it cannot be reached, or refuses.
    """
    name = f"reflect {number:x}"
    connection: Connection = psycopg.connect(
        url,
        autocommit=True,
        row_factory=dict_row,
        connect_timeout=max(SHORTEST_WAIT, round(patience)),
        application_name=name,
        keepalives_idle=int(_KEEPALIVES["idle"]),
        keepalives_interval=int(_KEEPALIVES["interval"]),
        keepalives_count=int(_KEEPALIVES["count"]),
        tcp_user_timeout=UNHEARD * 1000,
    )
    try:
        _configure(connection)
        make_tables(connection)
        # Of the connection before, the server may not know yet that it is gone.
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE application_name = %s AND pid != pg_backend_pid()",
            (name,),
        )
        connection.execute("SELECT pg_advisory_lock(%s)", (number,))
    except BaseException:
        connection.close()
        raise
    return connection


def _configure(connection: Connection) -> None:
    """What an older server does not know is left out."""
    for name, value in _SESSION.items():
        connection.execute(
            "SELECT set_config(name, %s, false) FROM pg_settings WHERE name = %s", (value, name)
        )
