"""Records kept by their content: each is stored once, and what is read back is what was written."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

from memory.errors import ContentLost, ContentUnwritable, reason_and_remedy
from memory.project_directory import make_parent

_KEY_CHARS = 64


class ContentStore:
    """Files `<directory>/<first two characters>/<sha256>.json`, readable by their owner only.

    Writing is atomic and may be repeated: a record that is there already is left alone, if it is whole.

    Args:
        directory: where the records lie; made by the first write.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def put(self, record: dict[str, Any]) -> str:
        """Store a JSON record; returns its key.

        Raises:
            ContentUnwritable: it cannot be written.
        """
        data = json.dumps(record, ensure_ascii=False, sort_keys=True).encode("utf-8", "backslashreplace")
        key = hashlib.sha256(data).hexdigest()
        path = self._path(key)
        try:
            if not _holds(path, data):
                self._write(path, data)
        except OSError as error:
            what, remedy = reason_and_remedy(path, error)
            raise ContentUnwritable(f"A source cannot be stored in {what}.", remedy) from error
        return key

    def get(self, key: str) -> dict[str, Any]:
        """The record of a key.

        Raises:
            ContentLost: it is not there, or not what was written.
        """
        try:
            data = self._path(key).read_bytes()
        except OSError as error:
            raise ContentLost(
                f"The stored source {key[:12]} cannot be read: {error.strerror}.", "Begin the research anew."
            ) from error
        if hashlib.sha256(data).hexdigest() != key:
            raise ContentLost(f"The stored source {key[:12]} was changed.", "Begin the research anew.")
        record: dict[str, Any] = json.loads(data)
        return record

    def _path(self, key: str) -> Path:
        if len(key) != _KEY_CHARS or not all(char in "0123456789abcdef" for char in key):
            raise ContentLost(f"{key[:80]!r} names no stored source.", "Begin the research anew.")
        return self._directory / key[:2] / f"{key}.json"

    def _write(self, path: Path, data: bytes) -> None:
        make_parent(path)
        handle, temporary = tempfile.mkstemp(dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
                stream.flush()
                # The name must not be on the disk before what it names: a power cut would leave it empty.
                os.fsync(stream.fileno())
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise


def _holds(path: Path, data: bytes) -> bool:
    try:
        return path.read_bytes() == data
    except OSError:
        # What cannot be read is written anew; where that fails too, the writing says why.
        return False
