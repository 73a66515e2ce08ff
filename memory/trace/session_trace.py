"""One file of events per session, bounded in length."""

from __future__ import annotations

import hashlib
import re
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from memory.errors import SessionIdInvalid
from memory.json_lines import JsonLines, Line
from memory.redaction import redact_record

LONGEST_ID = 128
BELOW = "▸"
"""Between the name of a thread and that of a run below it; no thread's own name may hold it."""
BELOW_IN_FILES = "~"

_MOST_COUNTED = 256

_ID = re.compile(r"[A-Za-z0-9_-](?:[A-Za-z0-9._-]*[A-Za-z0-9_-])?")
_SHOWN = 40
_HASH_CHARS = 32
_LONGEST_BELOW = 64


class SessionTrace:
    """The trace of one session: `<directory>/<session id>.jsonl`.

    Args:
        directory: where traces lie; made by the first append.
        session_id: any text; one that cannot be a file name is named by its hash.
        max_records: records kept; then one line `{"truncated": true, ...}` ends the file.
    """

    def __init__(self, directory: Path, session_id: str, max_records: int = 1000) -> None:
        self._file = JsonLines(trace_path(directory, session_id))
        self._max_records = max_records

    @property
    def path(self) -> Path:
        """The file."""
        return self._file.path

    def append(self, record: dict[str, Any], *, once: bool = False) -> bool:
        """Append a record, secrets redacted; returns whether there was room for it.

        Args:
            record: the record.
            once: append nothing if the file holds a record of its `event_id` already.

        Raises:
            CorpusUnwritable: the record could not be written.
        """
        with self._file.locked():
            if once and self._file.holds(str(record["event_id"])):
                return True
            return self.extend([record]) == 1

    def extend(self, records: Sequence[dict[str, Any]]) -> int:
        """Append records, secrets redacted, by one write; returns for how many there was room.

        Lines are counted under the lock, so that several processes keep one bound.

        Raises:
            CorpusUnwritable: the records could not be written; none of them was.
        """
        if not records:
            return 0
        with self._file.locked():
            lines = _counted_lines(self._file)
            if lines > self._max_records:
                return 0
            kept = [redact_record(record) for record in records[: self._max_records - lines]]
            full = len(kept) < len(records)
            ending = [{"truncated": True, "max_records": self._max_records}] if full else []
            self._file.extend([*kept, *ending])
            return len(kept)

    def size(self) -> int:
        """Bytes in the file; 0 when there is none."""
        return self._file.size()

    def read(self, offset: int = 0) -> Iterator[Line]:
        """Lines from a byte offset on, as `JsonLines.read` gives them.

        Raises:
            OSError: the file is there and cannot be read.
        """
        return self._file.read(offset)


def trace_path(directory: Path, session_id: str) -> Path:
    """Where the trace of a session lies."""
    return directory / f"{file_name_of(session_id)}.jsonl"


def file_name_of(session_id: str) -> str:
    """A name for files of a session or thread: its id, or the hash of an id that cannot be one.

    A run below another, as `BELOW` names it, has the other's name, BELOW_IN_FILES, and its own: a sign that
    no other name has.
    """
    top, *names = session_id.split(BELOW)
    if names:
        below = BELOW_IN_FILES.join(names)
        fits = len(below) <= _LONGEST_BELOW and all(map(_ID.fullmatch, names))
        return f"{file_name_of(top)}{BELOW_IN_FILES}{below if fits else _digest(below)}"
    try:
        return checked_session_id(session_id)
    except SessionIdInvalid:
        return f"thread-{_digest(session_id)}"


def files_below(directory: Path, session_id: str) -> list[Path]:
    """What lies in a directory under the names of runs below a session, in order of their names.

    Raises:
        OSError: the directory is there and cannot be read.
    """
    if not directory.is_dir():
        return []
    ours = f"{file_name_of(session_id)}{BELOW_IN_FILES}"
    return sorted(path for path in directory.iterdir() if path.name.startswith(ours))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:_HASH_CHARS]


_counted: OrderedDict[Path, tuple[int, int]] = OrderedDict()
"""Size and lines of traces this process appended to, so that only what came since is counted."""


def _counted_lines(file: JsonLines) -> int:
    """Lines of a file whose lock is held."""
    size = file.size()
    known, lines = _counted.pop(file.path, (0, 0))
    if known > size or file.bytes_before(known, 1) not in (b"", b"\n"):
        known = lines = 0
    lines += file.count_lines(known)
    _counted[file.path] = (size, lines)
    if len(_counted) > _MOST_COUNTED:
        _counted.popitem(last=False)
    return lines


def checked_session_id(session_id: str) -> str:
    """Return an id that may be a file name.

    Raises:
        SessionIdInvalid: it may not.
    """
    if len(session_id) <= LONGEST_ID and _ID.fullmatch(session_id):
        return session_id
    shown = session_id if len(session_id) <= _SHOWN else session_id[:_SHOWN] + "…"
    raise SessionIdInvalid(
        f"{shown!r} cannot name a session.",
        f"Use letters, digits, '-', '_' and dots inside, at most {LONGEST_ID} characters.",
    )
