"""One file of events per session, bounded in length."""

from __future__ import annotations

import re
from collections import OrderedDict
from pathlib import Path
from typing import Any

from memory.errors import SessionIdInvalid
from memory.json_lines import JsonLines
from memory.redaction import redact_record

LONGEST_ID = 128

_MOST_COUNTED = 256

_ID = re.compile(r"[A-Za-z0-9_-](?:[A-Za-z0-9._-]*[A-Za-z0-9_-])?")
_SHOWN = 40


class SessionTrace:
    """The trace of one session: `<directory>/<session id>.jsonl`.

    Args:
        directory: where traces lie; made by the first append.
        session_id: letters, digits, `-`, `_`, and dots inside; at most `LONGEST_ID` characters.
        max_records: records kept; then one line `{"truncated": true, ...}` ends the file.

    Raises:
        SessionIdInvalid: the id cannot be a file name.
    """

    def __init__(self, directory: Path, session_id: str, max_records: int = 1000) -> None:
        self._file = JsonLines(directory / f"{checked_session_id(session_id)}.jsonl")
        self._max_records = max_records

    @property
    def path(self) -> Path:
        """The file."""
        return self._file.path

    def append(self, record: dict[str, Any], *, once: bool = False) -> bool:
        """Append a record, secrets redacted; returns whether there was room for it.

        Lines are counted under the lock, so that several processes keep one bound.

        Args:
            record: the record.
            once: append nothing if the file holds a record of its `event_id` already.

        Raises:
            CorpusUnwritable: the record could not be written.
        """
        with self._file.locked():
            lines = _counted_lines(self._file)
            if lines < self._max_records:
                self._file.append(redact_record(record), unless=record["event_id"] if once else "")
                return True
            if lines == self._max_records:
                self._file.append({"truncated": True, "max_records": self._max_records})
            return False


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
