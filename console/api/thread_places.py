"""Where the threads about a directory are kept: in the project's own file, and in that of the server.

A server keeps all its threads by the settings of the directory it was started in, whatever each is about; its
checkpoints say which directory that is. Everything is opened by the factory all others use, so a file that a
run of this very process is writing is read beside it. A file that does not exist is not made.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from configs.errors import UsageError
from configs.loading import load_settings
from configs.locations import linked_out
from configs.redaction import path_text
from configs.settings import Settings
from console.api.asked import server_root
from memory.checkpoints import Saver, checkpoint_place, open_project_checkpointer
from memory.checkpoints.heads import ThreadHead
from memory.checkpoints.postgres import is_postgres
from memory.thread_history import Moment, newest_moment

MOST_ROOTS = 20


@dataclass(frozen=True)
class ThreadPlace:
    """A file or database of threads.

    Attributes:
        root: the project whose settings name it, resolved.
        settings: of that project.
        of_server: True if LangGraph's server keeps its threads there.
    """

    root: Path
    settings: Settings
    of_server: bool

    def holds(self, head_root: str, root: Path) -> bool:
        """True if a thread that is kept here is to be listed for a directory."""
        return self.root == root or self.root_of(head_root) == os.fspath(root)

    def root_of(self, told: str) -> str:
        """The directory a thread is about: what its checkpoint tells, else the project's own."""
        try:
            return os.path.realpath(os.path.join(self.root, os.path.expanduser(told)))
        except ValueError:  # a NUL, or half a character, which no directory has
            return told

    def serves(self, thread: str) -> bool:
        """True if LangGraph's own API knows the thread: it names its own by UUIDs."""
        try:
            return self.of_server and str(UUID(thread)) == thread.lower()
        except ValueError:
            return False


@asynccontextmanager
async def opened(place: ThreadPlace) -> AsyncIterator[Saver]:
    """Open the file or database of a place.

    Raises:
        MemoryStoreError: it cannot be read.
    """
    async with open_project_checkpointer(place.root, place.settings) as saver:
        yield saver


def places_of(root: Path) -> list[ThreadPlace]:
    """The places that may hold threads about a directory, its own first; blocking.

    Args:
        root: resolved.

    Raises:
        SettingsError: a settings source is wrong.
        UsageError: the place of the threads is a link that leads out of the project.
        MemoryStoreError: a setting names no place.
    """
    server = server_root()
    roots = [root] if root == server else [root, server]
    return [place for one in roots for place in _kept(one, of_server=one == server)]


def _kept(root: Path, *, of_server: bool) -> Iterator[ThreadPlace]:
    """The place of a project's threads, if it is there."""
    settings = load_settings(root).settings
    where = checkpoint_place(root, settings.checkpoints)
    if isinstance(where, Path):
        check_not_linked_out(root, settings.checkpoints.path)
    if not isinstance(where, Path) or where.exists():
        yield ThreadPlace(root, settings, of_server)


def check_not_linked_out(root: Path, named: str) -> None:
    """Keep from what a repository from elsewhere may link to.

    Args:
        root: the project's directory.
        named: a place below it, as a setting names it.

    Raises:
        UsageError: it is a link, or lies behind one, that leads out of the project.
    """
    if not is_postgres(named) and linked_out(root, named):
        raise UsageError(
            f"{named} is a link that leads out of {path_text(root)}; nothing is read through it.",
            "Remove the link, or name the place itself in your own settings.",
        )


async def find(root: Path, places: list[ThreadPlace], thread: str) -> tuple[ThreadPlace, Moment] | None:
    """The newest checkpoint of a thread about a directory, and where it is kept; None if there is none.

    Raises:
        MemoryStoreError: a place cannot be read.
    """
    for place in places:
        async with opened(place) as saver:
            moment = await newest_moment(saver, thread)
        if moment is not None and place.holds(moment.root, root):
            return place, moment
    return None


async def recent_roots(places: list[ThreadPlace]) -> list[str]:
    """Directories that threads of the places are about and that still exist, the newest first.

    Raises:
        MemoryStoreError: a place cannot be read.
    """
    found: list[tuple[str, str]] = []
    for place in places:
        async with opened(place) as saver:
            found += [(head.newest, place.root_of(head.root)) for head in await saver.heads()]
    roots = dict.fromkeys(root for _, root in sorted(found, reverse=True))
    there = (root for root in roots if "\0" not in root and os.path.isdir(root))
    return [root for root, _ in zip(there, range(MOST_ROOTS), strict=False)]


def newest_first(heads: list[tuple[ThreadPlace, ThreadHead]]) -> list[tuple[ThreadPlace, ThreadHead]]:
    """Threads of several places, the one worked on last first: ids of checkpoints grow with time."""
    return sorted(heads, key=lambda found: found[1].newest, reverse=True)
