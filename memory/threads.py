"""What a thread leaves behind, and how all of it goes at once.

Checkpoints go last: a deletion that is cut short leaves a thread that is still listed and can be deleted
again.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from configs.settings import Settings
from memory.checkpoints import open_checkpointer
from memory.effects import EffectJournal
from memory.errors import (
    ProjectDirectoryUnwritable,
    ThreadUndeletable,
    reason_and_remedy,
)
from memory.project_directory import DIRECTORY, ensure_project_directory
from memory.session_trace import file_name_of, trace_path

if TYPE_CHECKING:
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

JOURNAL = "effects.sqlite"
ARTIFACTS = "artifacts"
LOCKS = "locks"
_PAUSE = 0.1


@dataclass(frozen=True)
class Deleted:
    """What went with a thread.

    Attributes:
        checkpoints: number of its checkpoints.
        effects: entries of the effect journal.
        artifacts: stored outputs.
        trace: True if it had a trace.
    """

    checkpoints: int
    effects: int
    artifacts: int
    trace: bool

    @property
    def anything(self) -> bool:
        """True if the thread had left something."""
        return bool(self.checkpoints or self.effects or self.artifacts or self.trace)


def artifact_directory(project: Path, thread: str) -> Path:
    """Where the long outputs of a thread are kept.

    Args:
        project: the project's `.reflect`.
        thread: any text; one that cannot name a directory is named by its hash.
    """
    return project / ARTIFACTS / file_name_of(thread)


@asynccontextmanager
async def alone_on(root: Path, thread: str) -> AsyncIterator[None]:
    """Keep other processes off a thread: what two ran at once, each from its own step, would be done twice.

    Whoever comes second waits, and then finds the thread where the first left it.

    Raises:
        ProjectDirectoryUnwritable: the lock cannot be kept.
    """
    directory = ensure_project_directory(root) / LOCKS
    try:
        directory.mkdir(exist_ok=True)
        lock = FileLock(directory / f"{artifact_directory(root, thread).name}.lock")
        while True:
            try:
                lock.acquire(timeout=0)
                break
            except Timeout:
                await asyncio.sleep(_PAUSE)
    except OSError as error:
        what, remedy = reason_and_remedy(directory, error)
        raise ProjectDirectoryUnwritable(f"The thread's lock cannot be kept in {what}.", remedy) from error
    try:
        yield
    finally:
        lock.release()


async def list_threads(root: Path, settings: Settings) -> list[str]:
    """Names of the threads of a project, the one that was worked on last first.

    Raises:
        MemoryStoreError: the checkpoints cannot be read.
    """
    async with _open(root, settings) as saver:
        query = "SELECT thread_id FROM checkpoints GROUP BY thread_id ORDER BY max(checkpoint_id) DESC"
        async with saver.conn.execute(query) as cursor:
            return [str(row[0]) for row in await cursor.fetchall()]


async def delete_thread(root: Path, settings: Settings, thread: str) -> Deleted:
    """Delete a thread with its stored outputs, journal entries, trace and checkpoints.

    Raises:
        ThreadUndeletable: a file cannot be removed; what is left can be deleted by asking again.
        MemoryStoreError: the journal or the checkpoints cannot be written.
    """
    project = root / DIRECTORY
    artifacts, trace = await asyncio.to_thread(_remove_files, project, root / settings.traces.path, thread)
    journal = EffectJournal(project / JOURNAL, settings.checkpoints.busy_timeout)
    effects = await asyncio.to_thread(journal.forget_thread, thread)
    async with _open(root, settings) as saver:
        async with saver.conn.execute(
            "SELECT count(*) FROM checkpoints WHERE thread_id = ?", (thread,)
        ) as cursor:
            row = await cursor.fetchone()
        await saver.adelete_thread(thread)
    return Deleted(int(row[0]) if row else 0, effects, artifacts, trace)


def _open(root: Path, settings: Settings) -> AbstractAsyncContextManager[AsyncSqliteSaver]:
    return open_checkpointer(root / settings.checkpoints.path, settings.checkpoints.busy_timeout)


def _remove_files(project: Path, traces: Path, thread: str) -> tuple[int, bool]:
    directory = artifact_directory(project, thread)
    try:
        count = 0
        if directory.is_dir() and not directory.is_symlink():
            count = sum(1 for _ in directory.iterdir())
            shutil.rmtree(directory)
        return count, _remove_trace(traces, thread)
    except OSError as error:
        what, remedy = reason_and_remedy(directory, error)
        raise ThreadUndeletable(f"Thread {thread!r} is not deleted whole: {what}.", remedy) from error


def _remove_trace(traces: Path, thread: str) -> bool:
    path = trace_path(traces, thread)
    existed = path.exists()
    for file in (path, path.with_name(f"{path.name}.lock")):
        file.unlink(missing_ok=True)
    return existed
