"""The effect journal: what a run was about to change, written down before, and what came of it, after.

A node that runs again after a crash finds the result here and does not repeat the effect. An intent without a
result, left by a process that is gone, is uncertain: whoever asks is told, and nothing is repeated blindly.

A slot is one call of one step in one LangGraph task. A resumed task keeps its id; a replay or a fork from an
earlier checkpoint is a new task, hence a new intent, and says which effect it repeats.

    proposed -> intent -> done
                       -> uncertain -> done, or forgotten and begun anew, once the world was looked at
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel

from configs.redaction import path_text
from memory.errors import EffectInProgress, JournalUnusable, reason_and_remedy
from memory.project_directory import first_link, make_parent, make_private
from memory.trace.session_trace import BELOW

EffectState = Literal["proposed", "intent", "done", "uncertain"]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS effects (
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
) STRICT;
CREATE INDEX IF NOT EXISTS effects_by_thread ON effects (thread, call_hash);
"""
_SLOT = "task = ? AND step = ? AND call_hash = ?"
_AT_WORK: set[tuple[str, str, int, str]] = set()
"""Slots, by journal, whose effects are being made by a task of this process right now."""

_BOOT = Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True)
class Slot:
    """Where an effect belongs.

    Attributes:
        thread: the thread, by which entries are pruned.
        task: LangGraph's id of the task: the same when a task runs again after a crash, another in a fork.
        step: number of the plan step.
        call_hash: `call_digest` of the call as planned.
        run: the run of the thread; a fork is of the same run as what it branched off from.
    """

    thread: str
    task: str
    step: int
    call_hash: str
    run: str = ""

    @property
    def key(self) -> tuple[str, int, str]:
        """The primary key."""
        return self.task, self.step, self.call_hash


class Effect(BaseModel):
    """One entry.

    Attributes:
        thread: as in `Slot`; so are `task`, `step`, `call_hash` and `run`.
        call: the call as it is or was run, which a person may have edited.
        shown: fingerprints of the previews a person was asked about, in order.
        state: how far it got.
        started: UTC, ISO, when it was proposed or begun.
        finished: UTC, ISO, when its result was written.
        result: what the call returned, for a done effect.
        repeats: time at which this run did the same before it was branched off, or None.
        after: hash of what the effect will leave behind, by which it can be recognised, or None.
    """

    thread: str
    task: str
    step: int
    call_hash: str
    run: str
    call: dict[str, Any]
    shown: list[str]
    state: EffectState
    started: str
    finished: str | None = None
    result: dict[str, Any] | None = None
    repeats: str | None = None
    after: str | None = None


def call_digest(call: dict[str, Any]) -> str:
    """SHA-256 of a call, the same whatever the order of its arguments."""
    text = json.dumps(call, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


class EffectJournal:
    """The journal of one project. Calls block and are safe from many threads and processes.

    Args:
        path: the SQLite file, made at the first write.
        busy_timeout: seconds to wait while another process writes.
    """

    def __init__(self, path: Path, busy_timeout: float = 10.0) -> None:
        self._path = path
        self._busy_timeout = busy_timeout

    def find(self, slot: Slot) -> Effect | None:
        """The entry of a slot; an intent whose process is gone comes back as uncertain.

        Raises:
            JournalUnusable: the file cannot be read or written.
            EffectInProgress: another living process is at it.
        """
        if not self._path.exists():
            return None
        with self._transaction() as connection:
            return self._found(connection, slot)

    def propose(self, slot: Slot, call: dict[str, Any], shown: Sequence[str]) -> Effect:
        """Note what is about to be shown for approval, by fingerprint, after what was shown before.

        Raises:
            JournalUnusable: the file cannot be written.
            EffectInProgress: another living process is at it.
        """
        with self._transaction() as connection:
            found = self._found(connection, slot)
            if found is not None and found.state in ("done", "uncertain"):
                return found
            return self._put(connection, slot, call, shown, "proposed", owner="")

    def begin(self, slot: Slot, call: dict[str, Any], after: str | None = None) -> Effect:
        """Write the intent, durably, before the effect.

        Args:
            slot: where the effect belongs.
            call: the call as it will be run.
            after: hash of what it will leave behind, if that is known.

        Returns:
            The entry: with state `intent` if the caller is to go ahead now, `done` or `uncertain` if not.

        Raises:
            JournalUnusable: it cannot be written, so the effect must not be done.
            EffectInProgress: another living process is at it.
        """
        with self._transaction() as connection:
            found = self._found(connection, slot)
            if found is not None and found.state in ("done", "uncertain"):
                return found
            shown = found.shown if found else ()
            # Before the lock is given back, or another task would find an intent nobody is at.
            _AT_WORK.add((str(self._path), *slot.key))
            return self._put(connection, slot, call, shown, "intent", owner=_this_process(), after=after)

    def finish(self, slot: Slot, result: dict[str, Any]) -> None:
        """Write the result, durably, after the effect.

        Raises:
            JournalUnusable: it cannot be written; the entry stays an intent and will be found uncertain.
        """
        try:
            self._settle(slot, "done", json.dumps(result))
        finally:
            self._leave(slot)

    def doubt(self, slot: Slot) -> None:
        """Say that a call was cut short, so that nobody knows what it did.

        Raises:
            JournalUnusable: it cannot be written.
        """
        try:
            self._settle(slot, "uncertain", None)
        finally:
            self._leave(slot)

    def retract(self, slot: Slot) -> None:
        """Forget an intent or a doubt whose effect has not happened, so that it may be done.

        Raises:
            JournalUnusable: it cannot be written.
        """
        with self._transaction() as connection:
            connection.execute(f"DELETE FROM effects WHERE {_SLOT} AND state != 'done'", slot.key)
        self._leave(slot)

    def repeats(self, slot: Slot) -> str | None:
        """When the run did the same before it was branched off at an earlier point; None if it did not.

        Raises:
            JournalUnusable: the file cannot be read.
        """
        if not self._path.exists():
            return None
        with self._transaction() as connection:
            return self._repeated(connection, slot)

    def doubtful(self, slot: Slot) -> str | None:
        """When the thread began the same call in another task and it is not known what came of it, or None.

        Raises:
            JournalUnusable: the file cannot be read.
        """
        with self._transaction() as connection:
            row = connection.execute(
                "SELECT started FROM effects WHERE thread = ? AND call_hash = ? AND task != ?"
                " AND state IN ('uncertain', 'intent') ORDER BY started DESC LIMIT 1",
                (slot.thread, slot.call_hash, slot.task),
            ).fetchone()
            return str(row["started"]) if row else None

    def of_thread(self, thread: str) -> list[Effect]:
        """The entries of a thread, oldest first.

        Raises:
            JournalUnusable: the file cannot be read.
        """
        if not self._path.exists():
            return []
        with self._transaction() as connection:
            rows = connection.execute(
                "SELECT * FROM effects WHERE thread = ? ORDER BY started, step", (thread,)
            )
            return [_effect(row) for row in rows.fetchall()]

    def of_run(self, thread: str, run: str) -> list[Effect]:
        """What one run of a thread began, oldest first; what was only proposed is left out.

        Raises:
            JournalUnusable: the file cannot be read.
        """
        return [
            effect for effect in self.of_thread(thread) if effect.run == run and effect.state != "proposed"
        ]

    def forget_thread(self, thread: str) -> int:
        """Drop the entries of a thread and of runs below it; returns how many there were.

        Raises:
            JournalUnusable: it cannot be written.
        """
        if not self._path.exists():
            return 0
        with self._transaction() as connection:
            below = f"{thread}{BELOW}"
            return connection.execute(
                "DELETE FROM effects WHERE thread = ? OR substr(thread, 1, ?) = ?",
                (thread, len(below), below),
            ).rowcount

    def _found(self, connection: sqlite3.Connection, slot: Slot) -> Effect | None:
        row = connection.execute(f"SELECT * FROM effects WHERE {_SLOT}", slot.key).fetchone()
        if row is None:
            return None
        if row["state"] != "intent":
            return _effect(row)
        ours = row["owner"] == _this_process()
        if (str(self._path), *slot.key) in _AT_WORK if ours else _is_alive(row["owner"]):
            raise EffectInProgress(
                f"Step {slot.step} of thread {slot.thread!r} is being done by another run since "
                f"{row['started']}.",
                "Wait for it to end, then resume the thread.",
            )
        connection.execute(f"UPDATE effects SET state = 'uncertain' WHERE {_SLOT}", slot.key)
        return _effect(row).model_copy(update={"state": "uncertain"})

    def _put(
        self,
        connection: sqlite3.Connection,
        slot: Slot,
        call: dict[str, Any],
        shown: Sequence[str],
        state: EffectState,
        owner: str,
        after: str | None = None,
    ) -> Effect:
        entry = Effect(
            thread=slot.thread,
            task=slot.task,
            step=slot.step,
            call_hash=slot.call_hash,
            run=slot.run,
            call=call,
            shown=list(shown),
            state=state,
            started=_now(),
            repeats=self._repeated(connection, slot),
            after=after,
        )
        connection.execute(
            "INSERT OR REPLACE INTO effects"
            " (task, step, call_hash, thread, run, call, shown, state, owner, started, repeats, after)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *slot.key,
                slot.thread,
                slot.run,
                json.dumps(call),
                json.dumps(entry.shown),
                state,
                owner,
                entry.started,
                entry.repeats,
                after,
            ),
        )
        return entry

    def _repeated(self, connection: sqlite3.Connection, slot: Slot) -> str | None:
        row = connection.execute(
            "SELECT finished FROM effects WHERE thread = ? AND run = ? AND step = ? AND call_hash = ?"
            " AND task != ? AND state = 'done' ORDER BY finished DESC LIMIT 1",
            (slot.thread, slot.run, slot.step, slot.call_hash, slot.task),
        ).fetchone()
        return str(row["finished"]) if row else None

    def _leave(self, slot: Slot) -> None:
        _AT_WORK.discard((str(self._path), *slot.key))

    def _settle(self, slot: Slot, state: EffectState, result: str | None) -> None:
        with self._transaction() as connection:
            changed = connection.execute(
                f"UPDATE effects SET state = ?, result = ?, finished = ? WHERE {_SLOT}",
                (state, result, _now(), *slot.key),
            ).rowcount
            if changed != 1:
                raise JournalUnusable(
                    f"{path_text(self._path)} lost the intent of step {slot.step}.",
                    "Look at what the step changed; the journal was altered by something else.",
                )

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """One durable transaction that holds the write lock from its beginning."""
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
                connection.execute("PRAGMA synchronous=FULL")
                connection.execute("BEGIN IMMEDIATE")
                for statement in filter(str.strip, _SCHEMA.split(";")):
                    connection.execute(statement)
                yield connection
                connection.execute("COMMIT")
        except sqlite3.DatabaseError as error:
            raise JournalUnusable(
                f"The effect journal {path_text(self._path)} cannot be used: {error}.",
                "Nothing is changed without it. Free the disk or the lock; if the file is damaged, move it "
                "away and check by hand what the last run changed.",
            ) from error
        except OSError as error:
            what, remedy = reason_and_remedy(self._path, error)
            raise JournalUnusable(f"The effect journal cannot be kept in {what}.", remedy) from error


def _effect(row: sqlite3.Row) -> Effect:
    values = {name: row[name] for name in row.keys() if name != "owner"}  # noqa: SIM118  # a Row's keys
    values |= {name: json.loads(values[name]) for name in ("call", "shown")}
    values["result"] = json.loads(values["result"]) if values["result"] else None
    return Effect.model_validate(values)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _this_process() -> str:
    """This process, told apart from a later one of the same number, and from one before a restart."""
    return f"{_boot()} {os.getpid()} {_start_time(os.getpid())}"


def _is_alive(owner: str) -> bool:
    try:
        boot, pid, started = owner.split(" ")
        return boot == _boot() and started == _start_time(int(pid)) != ""
    except ValueError:
        return False


def _boot() -> str:
    try:
        return _BOOT.read_text("ascii").strip()
    except OSError:
        return "unknown"


def _start_time(pid: int) -> str:
    """Clock ticks from boot to a process's start (proc(5), field 22); empty if there is no such process."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except OSError:
        return ""
    fields = stat[stat.rindex(")") + 2 :].split()
    return "" if fields[0] in ("Z", "X") else fields[19]
