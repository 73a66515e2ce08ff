"""The statements by which entries are read and written: the same for a file and for a server."""

from __future__ import annotations

import json
from typing import Any

from memory.effects.entries import Effect, EffectState, Slot
from memory.effects.ledger import Ledger, Rows
from memory.trace.session_trace import BELOW

_SLOT = "task = ? AND step = ? AND call_hash = ?"
_NOT_ANOTHERS = "(state != 'intent' OR owner = ?)"
"""Another may have looked at the world as well, and have begun the effect anew."""
_NEWEST = (
    "INSERT INTO {table}"
    " (task, step, call_hash, thread, run, call, shown, state, owner, started, repeats, after)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (task, step, call_hash) DO UPDATE SET thread = excluded.thread, run = excluded.run,"
    " call = excluded.call, shown = excluded.shown, state = excluded.state, owner = excluded.owner,"
    " started = excluded.started, repeats = excluded.repeats, after = excluded.after,"
    " finished = NULL, result = NULL"
)


def row_of(rows: Rows, slot: Slot) -> Any:
    """The row of a slot; None if there is none."""
    return rows.execute(f"SELECT * FROM {rows.table} WHERE {_SLOT}", slot.key).fetchone()


def effect_in(row: Any, ledger: Ledger) -> Effect:
    """The entry a row holds."""
    values = {name: row[name] for name in row.keys() if name != "owner"}  # noqa: SIM118  # a Row's keys
    values["shown"] = json.loads(values["shown"])
    values["call"] = json.loads(ledger.unseal(values["call"]))
    values["result"] = json.loads(ledger.unseal(values["result"])) if values["result"] else None
    return Effect.model_validate(values)


def put(rows: Rows, entry: Effect, owner: str, ledger: Ledger) -> None:
    """Write an entry that has no result yet, in the place of what was in its slot."""
    where = (entry.task, entry.step, entry.call_hash, entry.thread, entry.run)
    call, shown = ledger.seal(json.dumps(entry.call)), json.dumps(entry.shown)
    told = (call, shown, entry.state, owner, entry.started, entry.repeats, entry.after)
    rows.execute(_NEWEST.format(table=rows.table), (*where, *told))


def settle(rows: Rows, slot: Slot, state: EffectState, result: str | None, owner: str) -> bool:
    """Write what came of an effect, unless another is at it now; False if there is no such entry."""
    return (
        rows.execute(
            f"UPDATE {rows.table} SET state = ?, result = ?, finished = ? WHERE {_SLOT} AND {_NOT_ANOTHERS}",
            (state, result, rows.now, *slot.key, owner),
        ).rowcount
        == 1
    )


def mark_uncertain(rows: Rows, slot: Slot) -> None:
    """Say that an intent's owner is gone."""
    rows.execute(f"UPDATE {rows.table} SET state = 'uncertain' WHERE {_SLOT}", slot.key)


def remove(rows: Rows, slot: Slot, owner: str) -> None:
    """Drop an entry that is not done, unless another is at it now."""
    rows.execute(
        f"DELETE FROM {rows.table} WHERE {_SLOT} AND state != 'done' AND {_NOT_ANOTHERS}", (*slot.key, owner)
    )


def repeated(rows: Rows, slot: Slot) -> str | None:
    """When the run did the same in another task, last; None if it did not."""
    row = rows.execute(
        f"SELECT finished FROM {rows.table} WHERE thread = ? AND run = ? AND step = ? AND call_hash = ?"
        " AND task != ? AND state = 'done' ORDER BY finished DESC LIMIT 1",
        (slot.thread, slot.run, slot.step, slot.call_hash, slot.task),
    ).fetchone()
    return str(row["finished"]) if row else None


def doubted(rows: Rows, slot: Slot) -> str | None:
    """When the thread began the same in another task, last, of which no end is known; None if it did not."""
    row = rows.execute(
        f"SELECT started FROM {rows.table} WHERE thread = ? AND call_hash = ? AND task != ?"
        " AND state IN ('uncertain', 'intent') ORDER BY started DESC LIMIT 1",
        (slot.thread, slot.call_hash, slot.task),
    ).fetchone()
    return str(row["started"]) if row else None


def rows_of(rows: Rows, thread: str) -> list[Any]:
    """The rows of a thread, oldest first."""
    query = f"SELECT * FROM {rows.table} WHERE thread = ? ORDER BY started, step"
    return rows.execute(query, (thread,)).fetchall()


def remove_thread(rows: Rows, thread: str) -> int:
    """Drop the entries of a thread and of runs below it; returns how many there were."""
    below = f"{thread}{BELOW}"
    query = f"DELETE FROM {rows.table} WHERE thread = ? OR substr(thread, 1, ?) = ?"
    return rows.execute(query, (thread, len(below), below)).rowcount
