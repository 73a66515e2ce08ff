"""One factory for every place effects can be written down in: where the threads are kept."""

from __future__ import annotations

from pathlib import Path

from configs.settings import Settings
from memory.checkpoints import allowed_place
from memory.checkpoints.encryption import key_of
from memory.effects.journal import EffectJournal
from memory.errors import MemoryPackageMissing
from memory.project_directory import ensure_project_directory

FILE = "effects.sqlite"


def project_journal(root: Path, settings: Settings) -> EffectJournal:
    """The journal of a project: a file of its own, or tables beside the threads where those are in Postgres.

    Nothing is opened before the first entry.

    Raises:
        CheckpointPlaceInvalid: the settings name no place, or one the profile does not allow.
        EncryptionKeyInvalid: the variable of `encryption_key_env` is not set, or holds no good key.
        MemoryPackageMissing: Postgres or encryption needs a package that is not installed.
        ProjectDirectoryUnwritable: the project's directory cannot be used.
    """
    place = allowed_place(root, settings)
    project = ensure_project_directory(root)
    patience = settings.checkpoints.busy_timeout
    if isinstance(place, Path):
        return EffectJournal(project / FILE, patience)
    try:
        from memory.effects.postgres_ledger import PostgresLedger
        from memory.ownership.places import place_of
    except ImportError as error:
        raise MemoryPackageMissing(
            "Changes cannot be written down in Postgres: its driver is not installed.",
            "pip install 'reflective-graph[postgres]'",
        ) from error
    key = key_of(settings.checkpoints.encryption_key_env)
    return EffectJournal(PostgresLedger(place, place_of(root), project, patience, key))
