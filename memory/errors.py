"""Every error memory raises on purpose.

MemoryStoreError
├── ProjectDirectoryUnwritable   `.reflect/` cannot be made, or leads out of the project
├── CorpusUnwritable             a line cannot be appended: no space, no permission, locked, a link
├── SessionIdInvalid             a session id cannot be a file name
├── TraceEntryInvalid            a reasoning entry is given a field or value that it cannot have
├── CommitmentUnreadable         a commitment or a checker's name is not of the form `name` or `name:target`
├── IndexUnavailable             an index of a corpus cannot be used now
│   ├── IndexDamaged             it cannot be opened or gives wrong results, and has to be rebuilt
│   └── IndexBusy                another process is writing it
├── TransferFailed               a corpus cannot be exported to that file, or imported from it
├── PruneBusy                    another process is pruning the same corpus
├── ExperiencePlaceInvalid       the settings name no server experience can be kept on
├── RecordsUnshared              records cannot be sent to the database of other hosts, or taken from it, now
├── CheckpointUnwritable         the checkpoint database cannot be created or written
├── CheckpointLocked             another process held the database for longer than the timeout
├── CheckpointCorrupt            the file is no SQLite database, or a damaged one
├── CheckpointUnreachable        the Postgres server cannot be reached, refuses, or went away
├── CheckpointPlaceInvalid       the setting names no place threads can be kept in
├── CheckpointEncrypted          what is kept is encrypted, and the key is missing or another one
├── EncryptionKeyInvalid         the encryption key is not set, or is no good key
├── MemoryPackageMissing         an optional package is not installed
├── TelemetryUnusable            the file of telemetry cannot be used, or its headers cannot be read
├── JournalUnusable              the effect journal cannot be read or written, so nothing may be changed
│   └── JournalUnreachable       the server that keeps it cannot be reached, or cannot serve now
├── ThreadNameReserved           a thread has a name that only a run below another may have
├── ThreadUndeletable            a file of a thread cannot be removed
├── EffectInProgress             another living process is at the same effect
├── ThreadTaken                  another process is at work on the thread, or took it over
├── ThreadElsewhere              the thread was begun in another directory
├── TraceUnwritable              a research log cannot be written
├── StoreUnusable                the file of the store's items cannot be used
├── StoreReadOnly                something is to be written to the store where nobody may
├── ContentUnwritable            a source cannot be stored
└── ContentLost                  a stored source is gone, or not what was written
"""

from __future__ import annotations

import errno
from pathlib import Path

from configs.errors import ReflectError
from configs.redaction import path_text


class MemoryStoreError(ReflectError):
    """A store of memory cannot be read or written."""


class ProjectDirectoryUnwritable(MemoryStoreError):
    """The directory that holds a project's memory cannot be made or used."""


class ThreadNameReserved(MemoryStoreError):
    """A thread is to have a name that only a run below another may have."""


class CorpusUnwritable(MemoryStoreError):
    """A line cannot be appended to a corpus or trace; what it already holds is intact."""


class SessionIdInvalid(MemoryStoreError):
    """A session id holds something that has no place in a file name."""


class TraceEntryInvalid(MemoryStoreError):
    """A reasoning entry is given an unknown stage, outcome or field, or a value of another type."""


class CommitmentUnreadable(MemoryStoreError):
    """A commitment is not written as `name` or `name:target`."""


class IndexUnavailable(MemoryStoreError):
    """An index cannot be used; the corpus it is built from is not affected."""


class IndexDamaged(IndexUnavailable):
    """An index cannot be opened or gives wrong results; rebuilding it helps."""


class IndexBusy(IndexUnavailable):
    """Another process is writing the index; what it held before can be searched."""


class TransferFailed(MemoryStoreError):
    """A corpus cannot be exported to a file, or imported from it."""


class PruneBusy(MemoryStoreError):
    """Another process is pruning the same corpus."""


class ExperiencePlaceInvalid(MemoryStoreError):
    """What the settings name is no server that experience, or its index, can be kept on."""


class RecordsUnshared(MemoryStoreError):
    """The database that hosts share their records in cannot be used; this host's own corpus can."""


class CheckpointUnwritable(MemoryStoreError):
    """The checkpoint database cannot be created, opened for writing, or grown."""


class CheckpointLocked(MemoryStoreError):
    """Another process holds the checkpoint database."""


class CheckpointCorrupt(MemoryStoreError):
    """The checkpoint file is not a SQLite database, or a damaged one."""


class CheckpointUnreachable(MemoryStoreError):
    """The Postgres server cannot be reached, refuses the login, or went away in the middle of a run."""


class CheckpointPlaceInvalid(MemoryStoreError):
    """What the settings name is no place threads can be kept in."""


class CheckpointEncrypted(MemoryStoreError):
    """What is kept of the threads is encrypted, and the key is missing or another one."""


class EncryptionKeyInvalid(MemoryStoreError):
    """The encryption key is not set, or is no good key."""


class MemoryPackageMissing(MemoryStoreError):
    """A package that a setting asks for is not installed."""


class TelemetryUnusable(MemoryStoreError):
    """Runs are to be recorded in a place that cannot be used."""


class JournalUnusable(MemoryStoreError):
    """The effect journal cannot be used; without it no tool may change anything."""


class JournalUnreachable(JournalUnusable):
    """The server that keeps the effect journal cannot be reached, went away, or cannot serve now."""


class ThreadUndeletable(MemoryStoreError):
    """A file of a thread cannot be removed; the thread is still there and can be deleted again."""


class EffectInProgress(MemoryStoreError):
    """The same step of the same thread is being done by another living process."""


class ThreadTaken(MemoryStoreError):
    """Another process is at work on the thread, or took it over while this one was cut off."""


class ThreadElsewhere(MemoryStoreError):
    """The thread was begun in another directory, whose files its steps are about."""


class TraceUnwritable(MemoryStoreError):
    """A log of a research run cannot be written."""


class StoreUnusable(MemoryStoreError):
    """Items of the store cannot be kept in its file, or read from it."""


class StoreReadOnly(MemoryStoreError):
    """Something is to be written to a namespace of the store that is read only, or must not be kept."""


class ContentUnwritable(MemoryStoreError):
    """A record cannot be added to the content store."""


class ContentLost(MemoryStoreError):
    """A record of the content store is not there any more, or was changed."""


class BackgroundRunUnusable(MemoryStoreError):
    """A background run cannot begin beside the one that is at work, or its record is damaged."""


_REMEDIES = {
    errno.ENOSPC: "Free some disk space, or move the store with the settings that name it.",
    errno.EDQUOT: "Free some of your disk quota, or move the store with the settings that name it.",
    errno.EFBIG: "Raise the file size limit (`ulimit -f`), or move the old file away.",
    errno.EACCES: "Give yourself write permission, or name a root where you have it.",
    errno.EPERM: "Give yourself write permission, or name a root where you have it.",
    errno.EROFS: "The file system is read-only: name a root on another one.",
    errno.ELOOP: "It is a link, which memory does not follow: replace it by a file or directory.",
}


def reason_and_remedy(path: Path, error: OSError) -> tuple[str, str]:
    """Say why the system refused a path, and what helps, for the two parts of an error's message."""
    reason = error.strerror or str(error)
    remedy = _REMEDIES.get(error.errno or 0, "Check that the directory exists and that you may write there.")
    return f"{path_text(path)}: {reason}", remedy
