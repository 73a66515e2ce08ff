"""Opening the store of a project."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from configs.loading import load_settings
from configs.root import starting_point
from configs.settings import Settings
from memory.checkpoints import checkpoint_place
from memory.project_directory import DIRECTORY

if TYPE_CHECKING:
    from memory.corpus_store.store import CorpusStore

FILE = "store.sqlite"
_IN_CLEAR = (
    "threads are encrypted by `checkpoints.encryption_key_env`, and the store would keep them readable."
)


@asynccontextmanager
async def open_store(root: Path, settings: Settings) -> AsyncIterator[CorpusStore]:
    """Open the store of a project: its corpora, and items in a file beside its checkpoints.

    Args:
        root: the project's directory.
        settings: of the project.

    Raises:
        MemoryStoreError: the file of items, or the project's directory, cannot be used.
    """
    from memory.corpus_opening import open_experience
    from memory.corpus_store.corpus_items import CorpusItems
    from memory.corpus_store.plain_items import open_plain_items
    from memory.corpus_store.store import CorpusStore
    from models.embeddings import open_embedder

    corpora = open_experience(settings, root, lambda: open_embedder(settings))
    kept_from = _IN_CLEAR if settings.checkpoints.encryption_key_env else ""
    async with open_plain_items(_file(root, settings), lambda: open_embedder(settings)) as items:
        yield CorpusStore(CorpusItems(corpora), items, kept_from)


@asynccontextmanager
async def server_store() -> AsyncIterator[CorpusStore]:
    """Open the store of the directory that is served, for `langgraph.json`.

    Raises:
        SettingsError: a settings source is wrong.
        MemoryStoreError: as `open_store`.
    """
    root = await asyncio.to_thread(starting_point)
    settings = (await asyncio.to_thread(load_settings, root)).settings
    async with open_store(root, settings) as store:
        yield store


def _file(root: Path, settings: Settings) -> Path:
    place = checkpoint_place(root, settings.checkpoints)
    return place.with_name(FILE) if isinstance(place, Path) else root / DIRECTORY / FILE
