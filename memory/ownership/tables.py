"""Tables that processes make for one another in Postgres, once, whoever comes first."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory.ownership.connecting import Connection

MAKING = 7_310_431_903
"""Advisory lock under which they are made."""

HOLDS = "reflect_holds"
PLACES = "reflect_places"
_OF_HOLDS = "name TEXT PRIMARY KEY, taking BIGINT NOT NULL, holder TEXT NOT NULL"
_OF_PLACES = (
    "thread TEXT NOT NULL, run TEXT NOT NULL, place TEXT NOT NULL, shown TEXT NOT NULL,"
    " PRIMARY KEY (thread, run)"
)


def make_table(connection: Connection, name: str, columns: str, *beside: str) -> None:
    """Make a table unless it is there; a user who may not make one can use one that is.

    Args:
        connection: in a transaction or not.
        name: of the table.
        columns: what stands in its parentheses.
        beside: statements that are to follow, such as for an index.

    Raises:
        psycopg.Error: it is not there and cannot be made.
    """
    if _is_there(connection, name):
        return
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (MAKING,))
        for statement in (f"CREATE TABLE IF NOT EXISTS {name} ({columns})", *beside):
            connection.execute(statement.encode())


def make_tables(connection: Connection) -> None:
    """Make the tables of who holds a thread, and of where it was begun; raises as `make_table`."""
    make_table(connection, HOLDS, _OF_HOLDS)
    make_table(connection, PLACES, _OF_PLACES)


def _is_there(connection: Connection, name: str) -> bool:
    row = connection.execute("SELECT to_regclass(%s) IS NOT NULL AS there", (name,)).fetchone()
    return bool(row and row["there"])
