"""Whether a thread's run goes on, waits, ended or died: judged by its process and by its checkpoint, both."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from configs.settings import Settings
from memory.background import LOCK, BackgroundRun, directory_of, is_held, read
from memory.checkpoints import open_project_checkpointer
from memory.ownership.thread_hold import holder_elsewhere
from memory.project_directory import DIRECTORY
from memory.thread_history import Moment, newest_moment
from memory.threads import thread_lock

State: TypeAlias = Literal["running", "waiting", "finished", "failed", "stopped", "died"]


@dataclass(frozen=True)
class Standing:
    """Where a thread stands.

    Attributes:
        thread: its name.
        state: running: a process is at work on it; waiting: for a person; finished: with an answer, or with
            the statement that there is none; failed: an error ended it; stopped: its process was asked to end
            and did so in order; died: its process is gone and its run is not at its end.
        run: its background run; None if it had none.
        moment: its newest checkpoint; None before the first.
        fresh: True if that checkpoint is of the run, not of an earlier one of the thread.
    """

    thread: str
    state: State
    run: BackgroundRun | None
    moment: Moment | None
    fresh: bool

    @property
    def asked(self) -> str:
        """What was asked."""
        return self.run.goal if self.run is not None else self.moment.asked if self.moment is not None else ""

    @property
    def status(self) -> str:
        """How the run says it ended; empty unless it did."""
        ended = self.state in ("finished", "failed") and self.fresh and self.moment is not None
        return str(self.moment.values.get("status") or "") if ended and self.moment is not None else ""

    @property
    def answer(self) -> str:
        """The answer of a run at its end; empty without one."""
        if self.state != "finished" or self.moment is None or not self.fresh:
            return ""
        values = self.moment.values
        items = values.get("result")
        if isinstance(items, list) and items and isinstance(items[0], dict):
            return str(items[0].get("description") or "")
        return str(values.get("final_answer") or "")


async def standing_of(root: Path, settings: Settings, thread: str) -> Standing | None:
    """Where a thread stands; None if there is no such thread and no such run.

    Raises:
        MemoryStoreError: the checkpoints or the record cannot be read.
    """
    directory = directory_of(root, thread)
    run = read(directory)
    # Asked before the checkpoint is read: a run that ends in between is then told as running, never as dead.
    here = is_held(directory / LOCK) or is_held(thread_lock(root / DIRECTORY, thread))
    at_work = here or bool(await asyncio.to_thread(holder_elsewhere, root, settings, thread))
    async with open_project_checkpointer(root, settings) as saver:
        moment = await newest_moment(saver, thread)
    if run is None and moment is None:
        return None
    fresh = moment is not None and (run is None or moment.at >= run.started)
    state = state_of(run, moment if fresh else None, at_work=at_work)
    return Standing(thread, state, run, moment, fresh)


def state_of(run: BackgroundRun | None, moment: Moment | None, *, at_work: bool) -> State:
    """Judge by a process that may be at work, and a checkpoint that is of the run."""
    if at_work:
        return "running"
    if moment is not None and moment.waiting:
        return "waiting"
    if moment is not None and not moment.next and not _unfinished(moment.values):
        return "failed" if moment.values.get("status") == "error" else "finished"
    if run is not None and run.code is not None:
        return "failed" if moment is None else "stopped"
    return "died"


def _unfinished(values: dict[str, Any]) -> bool:
    """True for a state no last node has been at, whatever its checkpoint says of the next one."""
    return values.get("status") in (None, "", "running")
