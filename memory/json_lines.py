"""An append-only file of JSON objects, one a line, that several processes write and read at once.

Writing: one `write()` of one whole line under a file lock. What a crash left without its newline is closed
by the next append, so two records never merge; a line the disk had no room for is taken back. Reading needs
no lock, streams, and takes any bytes: what is not an object is passed on as a problem, and stays in the file.
Lines reach the kernel, not the platter: they survive a killed process, not a power cut.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from filelock import FileLock, Timeout

from configs.redaction import path_text
from memory.errors import CorpusUnwritable, reason_and_remedy
from memory.project_directory import make_parent
from memory.waiting_in_turn import in_turn

LONGEST_LINE = 8_000_000
"""Bytes of the longest line that is parsed; a longer one is a problem, and read in pieces."""

TORN = "the last line has no end yet"

_LOCK_SECONDS = 10.0
# Threads of this process take turns first, each as soon as the one before has ended: a lock of a file is
# polled, so of a hundred runs at once some would never see it free.
_TURN_SECONDS = 60.0
_TURNS: dict[str, threading.RLock] = {}
_TURNS_GUARD = threading.Lock()
_PRIVATE = 0o600
_CHUNK = 1 << 20


@dataclass(frozen=True)
class Line:
    """A line of the file that is not blank.

    Attributes:
        offset: where it starts, in bytes.
        end: where the next one starts.
        record: the object, or None.
        problem: why there is no object, or None.
        raw: its bytes; empty when they are too many to be kept.
    """

    offset: int
    end: int
    record: dict[str, Any] | None
    problem: str | None = None
    raw: bytes = b""

    @property
    def record_id(self) -> Any:
        """The record's `event_id`, of whatever type; None without one."""
        return self.record.get("event_id") if self.record else None


class JsonLines:
    """A file of JSON objects.

    Args:
        path: the file; it and its directory are made by the first append.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = FileLock(f"{path}.lock", timeout=_LOCK_SECONDS, mode=_PRIVATE)

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other writers out; the same thread may append inside.

        Raises:
            CorpusUnwritable: the directory cannot be made or written, or another process kept the lock.
        """
        if self._lock.is_locked:
            # By this thread: the lock knows no other's.
            yield
            return
        with self._turn():
            try:
                make_parent(self.path)
                in_turn(self._lock.acquire, self.path, lambda error: isinstance(error, Timeout))
            except Timeout as error:
                raise CorpusUnwritable(
                    f"{path_text(self.path)} was locked by another process for {_LOCK_SECONDS:g} s, and "
                    "nothing was written.",
                    "Try again when the other process has finished.",
                ) from error
            except OSError as error:
                raise self._unwritable(error) from error
            try:
                yield
            finally:
                self._lock.release()

    @contextlib.contextmanager
    def _turn(self) -> Iterator[None]:
        with _TURNS_GUARD:
            turn = _TURNS.setdefault(os.path.realpath(self.path), threading.RLock())
        if not turn.acquire(timeout=_TURN_SECONDS):
            raise CorpusUnwritable(
                f"Other runs of this process wrote to {path_text(self.path)} for {_TURN_SECONDS:g} s.",
                "Let fewer run at once.",
            )
        try:
            yield
        finally:
            turn.release()

    def append(self, record: dict[str, Any], *, unless: str = "") -> bool:
        """Append an object as one line; returns whether it was.

        Args:
            record: the object.
            unless: an event id; when the file holds a record of that id, nothing is appended.

        Raises:
            CorpusUnwritable: the line could not be written; the file is as it was.
            TypeError, ValueError: the record holds what JSON cannot.
        """
        with self.locked():
            if unless and self._looked_for(unless):
                return False
            self.extend([record])
        return True

    def extend(self, records: Sequence[dict[str, Any]]) -> None:
        """Append objects, one a line, all by one `write()`, or none.

        Raises:
            CorpusUnwritable: the lines could not be written; the file is as it was.
            TypeError, ValueError: a record holds what JSON cannot.
        """
        lines = b"".join(encode_line(record) for record in records)
        if lines:
            with self.locked():
                self._write(lines)

    def _write(self, lines: bytes) -> None:
        """Append whole lines, under the lock."""
        try:
            descriptor = os.open(
                self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, _PRIVATE
            )
            try:
                append_whole(descriptor, lines)
            finally:
                os.close(descriptor)
        except OSError as error:
            raise self._unwritable(error) from error

    def _looked_for(self, event_id: str) -> bool:
        try:
            return self.holds(event_id)
        except OSError as error:
            raise self._unwritable(error) from error

    def holds(self, event_id: str) -> bool:
        """Whether a record has that event id; reads the file's bytes and parses lines that name it only.

        Raises:
            OSError: the file is there and cannot be read.
        """
        needle = encode_line({"": event_id})[6:-3]  # As JSON writes it, between the quotes.
        stream = self._open()
        if stream is None:
            return False
        with stream:
            while raw := stream.readline(LONGEST_LINE):
                if needle in raw and _parse(raw, 0, 0, True).record_id == event_id:
                    return True
        return False

    def read(self, offset: int = 0) -> Iterator[Line]:
        """Read lines from a byte offset on, in memory bounded by `LONGEST_LINE`.

        Blank lines are passed over. A last line without newline that is no whole object comes as `TORN`:
        another process may be writing it. A file that does not exist, or is no regular file, is empty.

        Args:
            offset: where a line starts: 0 or the `end` of a line.

        Raises:
            OSError: the file is there and cannot be read.
        """
        stream = self._open()
        if stream is None:
            return
        with stream:
            stream.seek(offset)
            while raw := stream.readline(LONGEST_LINE):
                whole = raw.endswith(b"\n")
                end = offset + len(raw)
                if not whole and len(raw) == LONGEST_LINE:
                    end += _skip_line(stream)
                    yield Line(offset, end, None, f"longer than {LONGEST_LINE} bytes")
                elif raw.strip():
                    yield _parse(raw, offset, end, whole)
                offset = end

    def read_at(self, offset: int) -> Line | None:
        """Read the one line that starts at an offset; None when there is none."""
        return next(self.read(offset), None)

    def count_lines(self, offset: int = 0) -> int:
        """Count lines from a byte offset on, blank and unfinished ones too."""
        stream = self._open()
        if stream is None:
            return 0
        count, last = 0, b"\n"
        with stream:
            stream.seek(offset)
            while chunk := stream.read(_CHUNK):
                count += chunk.count(b"\n")
                last = chunk[-1:]
        return count + (last != b"\n")

    def size(self) -> int:
        """Bytes in the file; 0 when there is none."""
        try:
            return self.path.stat().st_size
        except (FileNotFoundError, NotADirectoryError):
            return 0

    def bytes_before(self, offset: int, count: int) -> bytes:
        """Read up to `count` bytes that end at an offset; fewer when the file is shorter."""
        stream = self._open()
        if stream is None:
            return b""
        with stream:
            stream.seek(max(0, offset - count))
            return stream.read(min(count, offset))

    def _open(self) -> BinaryIO | None:
        try:
            if not stat.S_ISREG(self.path.stat().st_mode):
                return None
            return self.path.open("rb")
        except (FileNotFoundError, NotADirectoryError):
            return None  # HOME may be /dev/null

    def _unwritable(self, error: OSError) -> CorpusUnwritable:
        what, remedy = reason_and_remedy(self.path, error)
        return CorpusUnwritable(f"Nothing can be appended to {what}.", remedy)


def encode_line(record: dict[str, Any]) -> bytes:
    """Write an object as one line of UTF-8 JSON; numbers JSON lacks (NaN, infinities) become null.

    Raises:
        TypeError, ValueError: the record holds what JSON cannot.
    """
    try:
        text = json.dumps(record, ensure_ascii=False, allow_nan=False)
    except ValueError:
        finite = json.loads(json.dumps(record), parse_constant=lambda _: None)
        text = json.dumps(finite, ensure_ascii=False, allow_nan=False)
    # A lone surrogate has no UTF-8; what backslashreplace writes for it is JSON's own escape.
    return text.encode("utf-8", "backslashreplace") + b"\n"


def append_whole(descriptor: int, line: bytes) -> None:
    """Write a line at the end of an open file in one `write()`, or leave the file as it was.

    The caller holds the lock. A last line without newline is closed first.

    Raises:
        OSError: the line could not be written whole.
    """
    size = os.fstat(descriptor).st_size
    torn = size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
    payload = b"\n" + line if torn else line
    try:
        written = os.write(descriptor, payload)
        while written < len(payload):
            # A disk that fills up takes a part first; only the next attempt names the reason.
            written += os.write(descriptor, payload[written:])
    except OSError:
        with contextlib.suppress(OSError):
            os.ftruncate(descriptor, size)
        raise


def _skip_line(stream: BinaryIO) -> int:
    """Read on to the end of a line; bytes read."""
    skipped = 0
    while piece := stream.readline(_CHUNK):
        skipped += len(piece)
        if piece.endswith(b"\n"):
            break
    return skipped


def _parse(raw: bytes, offset: int, end: int, whole: bool) -> Line:
    try:
        value = json.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        problem = "not UTF-8" if isinstance(error, UnicodeDecodeError) else "not JSON"
        return Line(offset, end, None, problem if whole else TORN, raw)
    if isinstance(value, dict):
        return Line(offset, end, value, None, raw)
    return Line(offset, end, None, f"a JSON {type(value).__name__}, not an object" if whole else TORN, raw)
