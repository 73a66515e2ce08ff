"""What entries of the effect journal mean, and what may follow upon them.

A node that runs again after a crash finds the result here and does not repeat the effect. An intent without a
result, left by a process that is gone, is uncertain: whoever asks is told, and nothing is repeated blindly.

A slot is one call of one step in one LangGraph task. A resumed task keeps its id; a replay or a fork from an
earlier checkpoint is a new task, hence a new intent, and says which effect it repeats.

    proposed -> intent -> done
                       -> uncertain -> done, or forgotten and begun anew, once the world was looked at
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from memory.effects.entries import Effect, EffectState, Slot
from memory.effects.ledger import Ledger, Rows, Standing
from memory.effects.outbox import End
from memory.effects.sqlite_ledger import SqliteLedger
from memory.effects.statements import (
    doubted,
    effect_in,
    mark_uncertain,
    put,
    remove,
    remove_thread,
    repeated,
    row_of,
    rows_of,
    settle,
)
from memory.errors import EffectInProgress, JournalUnreachable, JournalUnusable, MemoryStoreError

Found = TypeVar("Found", Effect, Effect | None)

_PAUSE = 0.2
_AT_WORK: set[tuple[str, str, int, str]] = set()
"""Slots, by ledger, whose effects are being made by a task of this process right now."""


class EffectJournal:
    """The journal of one project. Calls block and are safe from many threads and processes.

    Args:
        place: a SQLite file, made at the first write, or a ledger.
        busy_timeout: seconds to wait while another process writes the file.
    """

    def __init__(self, place: Path | Ledger, busy_timeout: float = 10.0) -> None:
        self._ledger: Ledger = SqliteLedger(place, busy_timeout) if isinstance(place, Path) else place

    def find(self, slot: Slot) -> Effect | None:
        """The entry of a slot; an intent whose process is gone comes back as uncertain.

        Raises:
            JournalUnusable: the entries cannot be read or written.
            EffectInProgress: another living process is at it.
        """
        if not self._ledger.is_there():
            return None
        return self._decided(slot, lambda rows, found: found)

    def propose(self, slot: Slot, call: dict[str, Any], shown: Sequence[str]) -> Effect:
        """Note what is about to be shown for approval, by fingerprint, after what was shown before.

        Raises:
            JournalUnusable: it cannot be written.
            EffectInProgress: another living process is at it.
        """

        def note(rows: Rows, found: Effect | None) -> Effect:
            if found is not None and found.state in ("done", "uncertain"):
                return found
            return self._put(rows, slot, call, shown, "proposed", owner="")

        return self._decided(slot, note)

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
        begun = False

        def intend(rows: Rows, found: Effect | None) -> Effect:
            nonlocal begun
            if found is not None and found.state in ("done", "uncertain"):
                return found
            shown = found.shown if found else ()
            # Before the lock is given back, or another task would find an intent nobody is at.
            _AT_WORK.add((self._ledger.name, *slot.key))
            begun = True
            return self._put(rows, slot, call, shown, "intent", owner=self._ledger.owner(), after=after)

        try:
            return self._decided(slot, intend)
        except MemoryStoreError:
            if begun:
                # It may be written all the same; nobody is at it.
                self._leave(slot)
            raise

    def finish(self, slot: Slot, result: dict[str, Any]) -> None:
        """Write the result, durably, after the effect; while a server is away, here, until it is back.

        Raises:
            JournalUnusable: it cannot be written; the entry stays an intent and will be found uncertain.
            EffectInProgress: another process took the effect over.
        """
        self._end(slot, "done", self._ledger.seal(json.dumps(result)))

    def doubt(self, slot: Slot) -> None:
        """Say that a call was cut short, so that nobody knows what it did.

        Raises:
            JournalUnusable: it cannot be written.
            EffectInProgress: another process took the effect over.
        """
        self._end(slot, "uncertain", None)

    def retract(self, slot: Slot) -> None:
        """Forget an intent or a doubt whose effect has not happened, so that it may be done; never another's.

        Raises:
            JournalUnusable: it cannot be written.
        """
        try:
            with self._ledger.transaction(slot.thread) as rows:
                remove(rows, slot, self._ledger.owner())
        finally:
            self._leave(slot)

    def repeats(self, slot: Slot) -> str | None:
        """When the run did the same before it was branched off at an earlier point; None if it did not.

        Raises:
            JournalUnusable: the entries cannot be read.
        """
        if not self._ledger.is_there():
            return None
        with self._ledger.transaction(slot.thread) as rows:
            return repeated(rows, slot)

    def doubtful(self, slot: Slot) -> str | None:
        """When the thread began the same call in another task and it is not known what came of it, or None.

        Raises:
            JournalUnusable: the entries cannot be read.
        """
        with self._ledger.transaction(slot.thread) as rows:
            return doubted(rows, slot)

    def of_thread(self, thread: str) -> list[Effect]:
        """The entries of a thread, oldest first.

        Raises:
            JournalUnusable: the entries cannot be read.
        """
        if not self._ledger.is_there():
            return []
        with self._ledger.transaction(thread) as rows:
            return [effect_in(row, self._ledger) for row in rows_of(rows, thread)]

    def of_run(self, thread: str, run: str) -> list[Effect]:
        """What one run of a thread began, oldest first; what was only proposed is left out.

        Raises:
            JournalUnusable: the entries cannot be read.
        """
        return [
            effect for effect in self.of_thread(thread) if effect.run == run and effect.state != "proposed"
        ]

    def forget_thread(self, thread: str) -> int:
        """Drop the entries of a thread and of runs below it; returns how many there were.

        Raises:
            JournalUnusable: it cannot be written.
        """
        if not self._ledger.is_there():
            return 0
        with self._ledger.transaction(thread) as rows:
            self._ledger.forget(thread, rows)
            return remove_thread(rows, thread)

    def _decided(self, slot: Slot, then: Callable[[Rows, Effect | None], Found]) -> Found:
        """Go on from a slot's entry, in one transaction, once it is certain that nobody else is at it."""
        while True:
            with self._ledger.transaction(slot.thread) as rows:
                self._ledger.admit(slot, rows)
                row = row_of(rows, slot)
                if row is None or row["state"] != "intent":
                    return then(rows, effect_in(row, self._ledger) if row is not None else None)
                if self._standing(rows, slot, row) == "gone":
                    mark_uncertain(rows, slot)
                    found = effect_in(row, self._ledger)
                    return then(rows, found.model_copy(update={"state": "uncertain"}))
            time.sleep(_PAUSE)

    def _standing(self, rows: Rows, slot: Slot, row: Any) -> Standing:
        """Of an intent's owner.

        Raises:
            EffectInProgress: it is at work.
        """
        if row["owner"] == self._ledger.owner():
            standing: Standing = "alive" if (self._ledger.name, *slot.key) in _AT_WORK else "gone"
        else:
            standing = self._ledger.standing(row["owner"], rows)
        if standing == "alive":
            raise EffectInProgress(
                f"Step {slot.step} of thread {slot.thread!r} is being done by another run since "
                f"{row['started']}.",
                "Wait for it to end, then resume the thread.",
            )
        return standing

    def _put(
        self,
        rows: Rows,
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
            started=rows.now,
            repeats=repeated(rows, slot),
            after=after,
        )
        put(rows, entry, owner, self._ledger)
        return entry

    def _leave(self, slot: Slot) -> None:
        _AT_WORK.discard((self._ledger.name, *slot.key))

    def _end(self, slot: Slot, state: EffectState, result: str | None) -> None:
        """Write what came of an effect; where that is impossible now, keep it and have it written later."""
        try:
            self._settle(slot, state, result)
        except JournalUnreachable:
            if self._ledger.outbox is None:
                raise
            owner, now = self._ledger.owner(), datetime.now(UTC).isoformat(timespec="milliseconds")
            task, step, call_hash = slot.key
            end = End(
                task=task,
                step=step,
                call_hash=call_hash,
                owner=owner,
                state=state,
                result=result,
                finished=now,
            )
            self._ledger.outbox.put(slot, end)
            self._ledger.send_later()
        finally:
            self._leave(slot)

    def _settle(self, slot: Slot, state: EffectState, result: str | None) -> None:
        # What is only in memory would be lost if this process were killed while it waits for a server.
        with self._ledger.transaction(slot.thread, at_once=True) as rows:
            if settle(rows, slot, state, result, self._ledger.owner()):
                return
            row = row_of(rows, slot)
        if row is not None and row["state"] == "intent":
            # Who took this process for dead began it anew, and the step is that one's to go on from.
            raise EffectInProgress(
                f"Step {slot.step} of thread {slot.thread!r} was taken over by another run, which does it "
                f"since {row['started']}; what came of it here is not written down.",
                "Wait for it to end, look whether the step was done twice, then resume the thread.",
            )
        raise JournalUnusable(
            f"{self._ledger.shown} lost the intent of step {slot.step}.",
            "Look at what the step changed: something altered the journal.",
        )
