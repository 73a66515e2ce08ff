"""One goal in a worker: begun or gone on with, held to its time, told as a record whatever happens."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from langgraph.runtime import RunControl

from cli.batch.answer import EXIT_ENVIRONMENT, Answer, failed, overdue, told
from cli.batch.ends import record_of
from cli.batch.goal import Goal
from cli.batch.graphs import GRAPHS
from cli.batch.orders import Facts, Orders, place_hash, this_machine
from cli.thread_running import ThreadRun
from configs.errors import ReflectError, RunEnded
from configs.loading import load_settings
from configs.root import resolve_root
from memory.checkpoints import checkpoint_place
from memory.errors import (
    CheckpointLocked,
    CheckpointUnreachable,
    EffectInProgress,
    ThreadElsewhere,
    ThreadTaken,
)
from models.profile_rules import check_models_allowed
from models.selection import choose_model
from nodes.errors import LeftToAnother

log = logging.getLogger(__name__)

PASSING = (CheckpointLocked, CheckpointUnreachable, EffectInProgress, ThreadTaken, LeftToAnother)
"""The place of threads is away or taken; the thread stands where it stood, and can be gone on with."""
PAUSES = (0.5, 2.0, 8.0)
"""Seconds before each further attempt."""
OVERDUE = "the end of its time"
"""Why a run is drained that takes too long."""


class Answerer:
    """Answers goals, one after the other, in one loop of events.

    Args:
        orders: of the batch.

    Raises:
        ReflectError: the project, its settings or the model cannot be used here.
    """

    def __init__(self, orders: Orders) -> None:
        self._orders = orders
        self._context = orders.context()
        root = resolve_root(orders.root)
        self._settings = load_settings(root, self._context.flags()).settings
        # What would keep every goal from an answer is told before the first one is taken.
        check_models_allowed(self._settings, choose_model(self._settings))
        self._graphs = {name: import_module(f"graph.{name}") for name in orders.graphs}
        self._runner = asyncio.Runner()

    def facts(self) -> Facts:
        """Where this worker is."""
        orders = self._orders
        place = checkpoint_place(Path(orders.root), self._settings.checkpoints)
        return Facts(
            pid=os.getpid(),
            machine=this_machine(),
            host=socket.gethostname(),
            sees=_sees(orders.mark, orders.word),
            threads=place_hash(place, orders.word),
        )

    def answer(self, goal: Goal) -> Answer:
        """Run a goal to its end, or to a question: nobody is there to answer one.

        Raises:
            ReflectError: one of `PASSING`, which stayed; the goal is not done, and may be given again.
        """
        started = time.monotonic()
        thread = goal.thread(self._orders.batch)
        try:
            record, code = self._ended(goal, thread)
        except ReflectError as error:
            if _passes(error):
                raise
            record, code = failed(type(error).__name__, error.what, error.remedy), EXIT_ENVIRONMENT
            if isinstance(error, RunEnded):
                record = overdue(self._orders.timeout or 0.0)
        except Exception as error:  # whatever one goal meets, the others are not to
            log.error("goal %r raised", goal.id, exc_info=error)
            record, code = failed(type(error).__name__, str(error)), EXIT_ENVIRONMENT
        record = {"thread_id": thread, **record, "seconds": round(time.monotonic() - started, 3)}
        return told(record, code)

    def reply(self, goal: Goal) -> dict[str, Any]:
        """What the driver hears of a goal, as JSON: its answer, or why it is given back without one."""
        try:
            return {"answer": self.answer(goal).dump()}
        except PASSING as error:
            log.warning("goal %r is given back: %s", goal.id, error)
            return {"left": str(error)}

    def _ended(self, goal: Goal, thread: str) -> tuple[dict[str, Any], int]:
        """Run a goal; what keeps its thread from it for a while costs no goal."""
        limit, started = self._orders.timeout, time.monotonic()
        for pause in PAUSES:
            try:
                return self._runner.run(self._run(goal, thread))
            except PASSING as error:
                # Past its time the driver would take the goal for one that took too long.
                late = limit is not None and time.monotonic() - started + pause > limit
                if late or not _passes(error):
                    raise
                log.warning("goal %r is gone on with in %g s: %s", goal.id, pause, error)
                time.sleep(pause)
        return self._runner.run(self._run(goal, thread))

    async def _run(self, goal: Goal, thread: str) -> tuple[dict[str, Any], int]:
        graph, control = GRAPHS[goal.graph], RunControl()
        go_on = f"reflect resume {thread}"
        run = ThreadRun(self._context, thread, self._settings, go_on, graph.kind, quiet=True, control=control)
        with _drained_after(self._orders.timeout, control):
            async with run.opened(anew=True) as (saver, moment, _):
                # Under the thread's lock: whoever had the goal before has begun it, or will not any more.
                given = graph.start(goal, thread) if moment is None else None
                compiled = self._graphs[goal.graph].build(saver)
                values, questions = await run.stretch(compiled, given, control, _unseen)
        return record_of(goal, values, [one.value for one in questions], thread, self._context)

    def close(self) -> None:
        """End the loop of events."""
        self._runner.close()


@contextmanager
def _drained_after(seconds: float | None, control: RunControl) -> Iterator[None]:
    """Have a run end before its next step when its time is over."""
    if seconds is None:
        yield
        return
    alarm = asyncio.get_running_loop().call_later(seconds, control.request_drain, OVERDUE)
    try:
        yield
    finally:
        alarm.cancel()


def _passes(error: ReflectError) -> bool:
    """True for what keeps a goal from its thread for a while; a thread of another directory stays there."""
    return isinstance(error, PASSING) and not isinstance(error.__cause__, ThreadElsewhere)


def _sees(mark: str, word: str) -> bool:
    if not mark:
        return True
    try:
        return Path(mark).read_text("ascii") == word
    except (OSError, ValueError):
        return False


def _unseen(namespace: tuple[str, ...], mode: str, chunk: Any) -> None:
    """Nobody looks on."""
