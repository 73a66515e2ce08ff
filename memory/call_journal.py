"""The journal of one run's model calls: what was asked for, and what came of it.

A call is written down before it is made, with the most tokens it may take, and again with its end. A run that
was killed reads the ends back instead of asking again, and counts a call whose end is missing as having taken
all it might: so no budget is passed, and no reply that was paid for is lost.

Calls of one moment share a write: those that are noted while one is under way go with the next.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memory.errors import CorpusUnwritable
from memory.json_lines import JsonLines
from memory.project_directory import linked_parent
from memory.trace.session_trace import BELOW, BELOW_IN_FILES, LONGEST_ID, file_name_of

PLACE = "contractive"
COLLECTIVE = "collective"
_KEY_CHARS = 32
_RANDOM_BYTES = 6


@dataclass(frozen=True)
class CallEnd:
    """What came of a call.

    Attributes:
        key: of the call.
        tokens: it took, prompt and reply.
        facts: reply or error, and whatever else is kept of it; JSON.
    """

    key: str
    tokens: int
    facts: dict[str, Any]


@dataclass(frozen=True)
class CallStart:
    """A call that was about to be made, and whose end is not known.

    Attributes:
        key: of the call.
        most: tokens it may have taken.
        facts: whatever else was kept of it; JSON.
    """

    key: str
    most: int
    facts: dict[str, Any]


@dataclass
class _Batch:
    """Lines that are written together."""

    records: list[dict[str, Any]] = field(default_factory=list)
    done: asyncio.Event = field(default_factory=asyncio.Event)
    error: Exception | None = None


class CallJournal:
    """The calls of one run, used by one event loop at a time.

    Args:
        path: of the file; None keeps them in memory only.

    Attributes:
        ends: of finished calls, by key.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self.ends: dict[str, CallEnd] = {}
        # By key; one that was killed may be made again.
        self._open: dict[str, list[CallStart]] = {}
        self._taken = 0
        self._next = _Batch()
        self._writing: asyncio.Task[None] | None = None

    @classmethod
    def read(cls, path: Path | None) -> CallJournal:
        """A journal with what its file holds; a line that a kill cut off is a call whose end is not known.

        Blocking.

        Raises:
            CorpusUnwritable: the file is there and cannot be read.
        """
        journal = cls(path)
        if path is None:
            return journal
        try:
            for line in JsonLines(path).read():
                if line.record is not None:
                    journal._take(line.record)
        except OSError as error:
            raise CorpusUnwritable(
                f"The calls of this run cannot be read from {path.name}: {error.strerror or error}.",
                "Give the file back its permissions, or begin the run anew.",
            ) from error
        return journal

    @property
    def tokens(self) -> int:
        """Taken by all calls; of those whose end is not known, the most they may have taken."""
        return self._taken + sum(start.most for start in self.unfinished())

    def unfinished(self) -> list[CallStart]:
        """The calls whose end is not known."""
        return [start for starts in self._open.values() for start in starts]

    async def began(self, key: str, tokens: int, facts: dict[str, Any] | None = None) -> None:
        """Note that a call is about to be made, and wait until that is written.

        Args:
            key: of the call, see `call_key`.
            tokens: it may take at most.
            facts: whatever else is kept of it; JSON.

        Raises:
            MemoryStoreError: it cannot be written; the call must not be made.
        """
        record = {"key": key, "most": tokens, "facts": facts or {}}
        self._take(record)
        try:
            await self._write(record)
        except Exception:
            # It must not be made, so it takes nothing.
            self._open[key].pop()
            raise

    async def ended(self, end: CallEnd) -> None:
        """Note what came of a call, and wait until that is written.

        Raises:
            MemoryStoreError: it cannot be written.
        """
        record = {"key": end.key, "tokens": end.tokens, "facts": end.facts}
        self._take(record)
        await self._write(record)

    def _take(self, record: dict[str, Any]) -> None:
        key, facts = record.get("key"), record.get("facts")
        if not isinstance(key, str) or not isinstance(facts, dict):
            return
        tokens, most = record.get("tokens"), record.get("most")
        if isinstance(tokens, int):
            if self._open.get(key):
                self._open[key].pop()
            # Of two ends of one call, as two processes may write them, both were paid for.
            self._taken += tokens
            self.ends[key] = CallEnd(key, tokens, facts)
        elif isinstance(most, int):
            self._open.setdefault(key, []).append(CallStart(key, most, facts))

    async def _write(self, record: dict[str, Any]) -> None:
        if self._path is None:
            return
        batch = self._next
        batch.records.append(record)
        if self._writing is None:
            self._writing = asyncio.create_task(self._write_all(self._path))
        await batch.done.wait()
        if batch.error is not None:
            raise batch.error

    async def _write_all(self, path: Path) -> None:
        try:
            while self._next.records:
                batch, self._next = self._next, _Batch()
                try:
                    await asyncio.to_thread(JsonLines(path).extend, batch.records)
                except Exception as error:  # raised again by each of those whose line it kept from the disk
                    batch.error = error
                finally:
                    batch.done.set()
        finally:
            self._writing = None


def journal_path(project: Path, run_id: str, place: str = PLACE) -> Path:
    """Where a run's calls are kept.

    Args:
        project: the project's `.reflect`.
        run_id: any text; one that cannot name a file is named by its hash.
        place: the folder of runs of its kind.
    """
    return project / place / f"{file_name_of(run_id)}.jsonl"


def new_run_id(thread: str) -> str:
    """A run id nobody else has, by which the journals of a thread are known as its own."""
    top, sign, below = thread.partition(BELOW)
    return f"{_stem(top)}-{secrets.token_hex(_RANDOM_BYTES)}{sign}{below}"


def journals_of(project: Path, thread: str, place: str = PLACE) -> list[Path]:
    """The journals of a thread's runs and of those below them, with their locks, in order of their names.

    Args:
        project: the project's `.reflect`.
        thread: its name.
        place: the folder of runs of their kind.

    Raises:
        OSError: the directory is there and cannot be read.
    """
    directory = project / place
    # Nothing is written through a link, so what lies behind one is another's.
    if not directory.is_dir() or linked_parent(directory / place) is not None:
        return []
    run = rf"{re.escape(_stem(thread))}-[0-9a-f]{{{2 * _RANDOM_BYTES}}}"
    ours = re.compile(rf"{run}(?:{BELOW_IN_FILES}.+)?\.jsonl(?:\.lock)?")
    return sorted(path for path in directory.iterdir() if ours.fullmatch(path.name))


def _stem(thread: str) -> str:
    """What the run ids of a thread begin with, short enough for all of an id to name a file."""
    name = file_name_of(thread)
    # What has a stroke in it is named by its hash.
    return name if len(name) + 2 * _RANDOM_BYTES < LONGEST_ID else file_name_of(f"/{name}")


def call_key(*place: object) -> str:
    """The key of a call: a hash of where in the run it belongs and of what is asked.

    Args:
        place: whatever tells it from every other call of the run, the prompt among it.
    """
    return hashlib.sha256(repr(place).encode("utf-8", "backslashreplace")).hexdigest()[:_KEY_CHARS]
