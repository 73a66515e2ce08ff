"""How all that a thread and the runs below it left goes at once.

Checkpoints go last: a deletion that is cut short leaves a thread that is still listed and can be deleted
again. Nothing is removed through a link: nothing is written through one, so what lies there is another's.
"""

from __future__ import annotations

import asyncio
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from configs.locations import located
from configs.settings import Settings
from memory.background import forget_run
from memory.call_journal import COLLECTIVE, PLACE, journals_of
from memory.checkpoints import Saver, open_project_checkpointer
from memory.effects.opening import project_journal
from memory.errors import ThreadUndeletable, TraceUnwritable, reason_and_remedy
from memory.ownership.thread_hold import hold_for_deletion
from memory.project_directory import DIRECTORY, linked_parent
from memory.thread_history import query_ids
from memory.threads import artifact_directory
from memory.trace.iteration_log import IterationLogger, iterations_directory
from memory.trace.session_trace import BELOW, BELOW_IN_FILES, files_below, trace_path


@dataclass(frozen=True)
class Deleted:
    """What went with a thread.

    Attributes:
        checkpoints: number of its checkpoints.
        effects: entries of the effect journal.
        artifacts: stored outputs.
        trace: True if it had a trace.
        calls: journals of model calls, one for each run that thought and for each of several engines.
        logs: files of its research logs.
        logs_left: where its research logs stay, because that is no place of this project alone; or None.
        background: True if it had run in the background.
    """

    checkpoints: int = 0
    effects: int = 0
    artifacts: int = 0
    trace: bool = False
    calls: int = 0
    logs: int = 0
    logs_left: Path | None = None
    background: bool = False

    @property
    def anything(self) -> bool:
        """True if the thread had left something that went."""
        counts = (self.checkpoints, self.effects, self.artifacts, self.trace, self.calls, self.logs)
        return any(counts) or self.background


async def delete_thread(root: Path, settings: Settings, thread: str) -> Deleted:
    """Delete a thread with its stored outputs, journals, trace, research logs and checkpoints.

    Research logs that another thread's query is named for stay, as do those outside of the root: other
    projects may keep theirs under the same name there.

    Raises:
        ThreadUndeletable: another host runs it; or a file cannot be removed, and what is left can be deleted
            by asking again.
        MemoryStoreError: the journal or the checkpoints cannot be written, or a link leads the project's
            directory out of the root.
    """
    async with hold_for_deletion(root, settings, thread) as holder:
        if holder:
            raise ThreadUndeletable(f"Thread {thread!r} is being run by {holder}.", "Wait for it to end.")
        return await _delete(root, settings, thread)


async def _delete(root: Path, settings: Settings, thread: str) -> Deleted:
    journal = await asyncio.to_thread(project_journal, root, settings)
    # Opened before anything goes: without its journal, a thread that stays would do again what it has done.
    async with open_project_checkpointer(root, settings) as saver:
        checkpoints = await saver.count(thread)
        logs = await _logs(saver, root, settings, thread)
        gone = await asyncio.to_thread(_remove_files, root, settings, thread, logs)
        effects = await asyncio.to_thread(journal.forget_thread, thread)
        await saver.adelete_thread(thread)
    return replace(gone, checkpoints=checkpoints, effects=effects)


async def _logs(saver: Saver, root: Path, settings: Settings, thread: str) -> list[IterationLogger]:
    """The research logs that are only this thread's."""
    try:
        below = await asyncio.to_thread(iterations_directory, root, settings)
    except TraceUnwritable:
        # A link leads there, so no run has written anything.
        return []
    found = await query_ids(saver, thread)
    # Of a thread without checkpoints nothing but its name is known.
    names = [*((thread,) if found is None else found), *await asyncio.to_thread(_names_below, below, thread)]
    every = [IterationLogger(below, name) for name in names]
    logs = [log for log in every if log.directory.is_dir() and not log.directory.is_symlink()]
    if not logs:
        return []
    others = [head.thread for head in await saver.heads() if head.thread != thread]
    kept: set[Path] = set()
    for other in others:
        named = await query_ids(saver, other, newest=True)
        kept |= {IterationLogger(below, name).directory for name in named or ()}
    return [log for log in logs if log.directory not in kept]


def _names_below(directory: Path, thread: str) -> list[str]:
    """Names of the runs below a thread that have left something in a directory."""
    names = [path.name.partition(BELOW_IN_FILES)[2] for path in files_below(directory, thread)]
    return [f"{thread}{BELOW}{name.replace(BELOW_IN_FILES, BELOW)}" for name in names]


def _remove_files(root: Path, settings: Settings, thread: str, logs: list[IterationLogger]) -> Deleted:
    """Remove outputs, trace, journals of calls, and logs."""
    directory = artifact_directory(root / DIRECTORY, thread)
    try:
        count = sum(map(_remove_outputs, [directory, *files_below(directory.parent, thread)]))
        trace = _remove_traces(located(root, settings.traces.path), thread)
        journals = [
            journal
            for place in (PLACE, COLLECTIVE)
            for journal in journals_of(root / DIRECTORY, thread, place)
        ]
        background = forget_run(root, thread)
        for journal in journals:
            journal.unlink(missing_ok=True)
        below = [log for log in logs if log.directory.resolve().is_relative_to(root.resolve())]
        removed = sum(log.remove() for log in below)
    except OSError as error:
        what, remedy = reason_and_remedy(directory, error)
        raise ThreadUndeletable(f"Thread {thread!r} is not deleted whole: {what}.", remedy) from error
    left = next((log.directory for log in logs if log not in below), None)
    calls = sum(journal.suffix == ".jsonl" for journal in journals)
    return Deleted(
        artifacts=count, trace=trace, calls=calls, logs=removed, logs_left=left, background=background
    )


def _remove_outputs(directory: Path) -> int:
    if not directory.is_dir() or directory.is_symlink() or linked_parent(directory) is not None:
        return 0
    count = sum(1 for _ in directory.iterdir())
    shutil.rmtree(directory)
    return count


def _remove_traces(traces: Path, thread: str) -> bool:
    """Remove the traces of a thread and of the runs below it; True if there was one."""
    path = trace_path(traces, thread)
    if linked_parent(path) is not None:
        return False
    files = [path, path.with_name(f"{path.name}.lock"), *files_below(traces, thread)]
    existed = any(file.exists() and file.suffix == ".jsonl" for file in files)
    for file in files:
        file.unlink(missing_ok=True)
    return existed
