"""One factory for every place threads can be kept in."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from configs.loading import load_settings
from configs.locations import located
from configs.root import starting_point
from configs.settings import CheckpointSettings, Settings
from memory.checkpoints.encryption import key_of
from memory.checkpoints.postgres import is_on_this_machine, is_postgres, open_postgres
from memory.checkpoints.sqlite import open_sqlite
from memory.errors import CheckpointPlaceInvalid

if TYPE_CHECKING:
    from memory.checkpoints.postgres_saver import PostgresSaver
    from memory.checkpoints.sqlite_saver import SqliteSaver

Saver: TypeAlias = "SqliteSaver | PostgresSaver"

BUSY_SECONDS = 10.0


@asynccontextmanager
async def open_checkpointer(
    place: Path | str, busy_timeout: float = BUSY_SECONDS, *, key: bytes | None = None, pooled: bool = False
) -> AsyncIterator[Saver]:
    """Open the database of threads, and close it at the end.

    Failures of the database while it is open are raised as the same errors.

    Args:
        place: a SQLite file, made with the directories above when missing, or a postgres:// URL.
        busy_timeout: seconds to wait while another process holds the database, or for the server.
        key: 16, 24 or 32 bytes; what is written is then encrypted with AES.
        pooled: keep several connections to a server, and replace those that break; for processes that
            serve many runs.

    Raises:
        CheckpointCorrupt: it is no SQLite database, a damaged one, or holds other tables of that name.
        CheckpointLocked: another process held it for longer than the timeout.
        CheckpointUnwritable: it cannot be created or written.
        CheckpointUnreachable: the Postgres server cannot be reached, refuses, or went away.
        CheckpointPlaceInvalid: the URL cannot be read.
        CheckpointEncrypted: it is encrypted, and the key is another one or missing.
        MemoryPackageMissing: Postgres or encryption needs a package that is not installed.
        ProjectDirectoryUnwritable: the project's directory cannot be used.
    """
    opening: AbstractAsyncContextManager[Saver]
    if isinstance(place, str) and is_postgres(place):
        opening = open_postgres(place, busy_timeout, key, pooled=pooled)
    else:
        opening = open_sqlite(Path(place), busy_timeout, key)
    async with opening as saver:
        yield saver


@asynccontextmanager
async def open_project_checkpointer(
    root: Path, settings: Settings, *, pooled: bool = False
) -> AsyncIterator[Saver]:
    """Open the database the settings name for a project.

    Raises:
        CheckpointPlaceInvalid: the variable of `url_env` is not set or holds no URL, or the profile allows
            no server on another machine.
        EncryptionKeyInvalid: the variable of `encryption_key_env` is not set, or holds no good key.
        MemoryStoreError: as `open_checkpointer`.
    """
    place = allowed_place(root, settings)
    key = key_of(settings.checkpoints.encryption_key_env)
    busy_timeout = settings.checkpoints.busy_timeout
    async with open_checkpointer(place, busy_timeout, key=key, pooled=pooled) as saver:
        yield saver


def allowed_place(root: Path, settings: Settings) -> Path | str:
    """The file, or the postgres:// URL, in which a project's threads are kept, if its profile allows it.

    Raises:
        CheckpointPlaceInvalid: it does not, or as `checkpoint_place`.
    """
    place = checkpoint_place(root, settings.checkpoints)
    local_only = getattr(settings.profiles, settings.profile).models == "local"
    if isinstance(place, str) and local_only and not is_on_this_machine(place):
        raise CheckpointPlaceInvalid(
            f"The profile {settings.profile!r} keeps all on this machine; `checkpoints` names another.",
            "Name a server at localhost or behind a socket, a SQLite file, or another profile.",
        )
    return place


@asynccontextmanager
async def server_checkpointer() -> AsyncIterator[Saver]:
    """Open the database the settings of the directory that is served name, for `langgraph.json`.

    Raises:
        SettingsError: a settings source is wrong.
        MemoryStoreError: as `open_project_checkpointer`.
    """
    root = await asyncio.to_thread(starting_point)
    settings = (await asyncio.to_thread(load_settings, root)).settings
    async with open_project_checkpointer(root, settings, pooled=True) as saver:
        yield saver


def checkpoint_place(root: Path, settings: CheckpointSettings) -> Path | str:
    """The file, or the postgres:// URL, in which a project's threads are kept.

    Raises:
        CheckpointPlaceInvalid: the variable of `url_env` is not set, or holds no postgres:// URL.
    """
    if settings.url_env is None:
        return settings.path if is_postgres(settings.path) else located(root, settings.path)
    url = os.environ.get(settings.url_env, "").strip()
    if not is_postgres(url):
        raise CheckpointPlaceInvalid(
            "The variable that `checkpoints.url_env` names is not set, or holds no postgres:// URL.",
            "Put postgres://USER:PASSWORD@HOST/DATABASE into it.",
        )
    return url
