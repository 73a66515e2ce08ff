"""What stands at a name: looked at by descriptor, never through a link, and digested for fingerprints."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from tools.errors import WriteRefused
from tools.writing.descent import DIRECTORY, OpenRoot, identity, reached
from tools.writing.places import Place, printable

# Files up to this size are read whole: for editing, for diffs, for digests of their content.
READ_BYTES = 8 * 2**20
# A directory's digest and count stop here; that takes about a second.
COUNTED_ENTRIES = 200_000
CHUNK = 2**20

Kind = Literal["absent", "file", "directory", "link"]


@dataclass(frozen=True)
class Entry:
    """What a name holds.

    Attributes:
        kind: what it is; "absent" also where a directory on the way is missing.
        status: its own status, of a link the link's.
        digest: changes when the content does: of a file up to READ_BYTES its SHA-256, of a larger one its
            size, inode and times, of a link where it leads, of a directory all names, sizes and times in it.
        content: of a file up to READ_BYTES that may be read, its bytes.
        link: of a link, where it leads.
        count: of a directory, how many entries are in it, at all depths.
        size: bytes of the file, or of all files in the directory.
        whole: False if the directory holds more than was counted.
    """

    kind: Kind
    status: os.stat_result | None = None
    digest: str = "absent"
    content: bytes | None = None
    link: str = ""
    count: int = 0
    size: int = 0
    whole: bool = True

    @property
    def shown(self) -> str:
        """The entry in words, with its size."""
        if self.kind == "directory":
            more = "" if self.whole else "at least "
            return f"directory with {more}{self.count} entries, {more}{self.size} bytes"
        if self.kind == "link":
            return f"link to {printable(self.link)}"
        return f"file of {self.size} bytes" if self.kind == "file" else "nothing"


def look(root: OpenRoot, place: Place, *, own: bool = False) -> Entry:
    """What stands at a place.

    Raises:
        WriteRefused: a directory on the way is a link or a file, or the place holds a device, pipe or socket.
        OSError: it cannot be looked at.
    """
    try:
        with reached(root, place.parents, own=own) as directory:
            entry = look_in(directory, place.name, place.shown)
    except FileNotFoundError:
        return Entry("absent")
    if not own and entry.status is not None and identity(entry.status) in root.protected:
        raise WriteRefused(f"{place.shown} is .git or .reflect under another name.", "Write somewhere else.")
    return entry


def look_in(directory: int, name: str, shown: str) -> Entry:
    """What stands at a name in an open directory; errors as of `look`."""
    try:
        status = os.stat(name, dir_fd=directory, follow_symlinks=False)
    except FileNotFoundError:
        return Entry("absent")
    if stat.S_ISLNK(status.st_mode):
        link = os.readlink(name, dir_fd=directory)
        return Entry("link", status, f"link {printable(link)}", link=link)
    if stat.S_ISDIR(status.st_mode):
        digest, count, size, whole = _tree(directory, name)
        return Entry("directory", status, f"directory {digest}", count=count, size=size, whole=whole)
    if not stat.S_ISREG(status.st_mode):
        raise WriteRefused(f"{shown} is a device, pipe or socket.", "Name an ordinary file.")
    return _file(directory, name, status, shown)


def _file(directory: int, name: str, status: os.stat_result, shown: str) -> Entry:
    if status.st_size > READ_BYTES:
        return Entry("file", status, f"file {_stamp(status)}", size=status.st_size)
    try:
        with opened_file(directory, name, shown) as fd:
            content = read_whole(fd, shown)
            status = os.fstat(fd)
    except PermissionError:
        # It can be moved all the same; whoever wants its content sees that there is none.
        return Entry("file", status, f"file {_stamp(status)}", size=status.st_size)
    digest = hashlib.sha256(content).hexdigest()
    return Entry(
        "file", status, f"file {stat.S_IMODE(status.st_mode):o} {digest}", content, size=len(content)
    )


@contextmanager
def opened_file(directory: int, name: str, shown: str) -> Iterator[int]:
    """An ordinary file, open for reading.

    Raises:
        WriteRefused: it is none (any more).
        OSError: it cannot be opened.
    """
    # O_NONBLOCK: a pipe put in its place must not keep the opener waiting.
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
    fd = os.open(name, flags, dir_fd=directory)
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise WriteRefused(f"{shown} is no ordinary file.", "Name an ordinary file.")
        yield fd
    finally:
        os.close(fd)


def read_whole(fd: int, shown: str) -> bytes:
    """All bytes of a file from its beginning.

    Raises:
        WriteRefused: it grew over READ_BYTES meanwhile.
    """
    os.lseek(fd, 0, os.SEEK_SET)
    content = bytearray()
    while chunk := os.read(fd, CHUNK):
        content += chunk
        if len(content) > READ_BYTES:
            raise WriteRefused(f"{shown} is larger than {READ_BYTES} bytes.", "Use another file.")
    return bytes(content)


def _stamp(status: os.stat_result) -> str:
    times = f"{status.st_mtime_ns} {status.st_ctime_ns}"
    return f"{status.st_dev}:{status.st_ino} {status.st_mode:o} {status.st_size} {times}"


def _tree(directory: int, name: str) -> tuple[str, int, int, bool]:
    """Digest, number of entries and bytes of a directory, and whether all of it was counted."""
    digest = hashlib.sha256()
    count = size = 0
    whole = True
    left: list[tuple[str, ...]] = [(name,)]
    while left:
        parts = left.pop()
        digest.update(os.fsencode("/".join(parts)) + b"\0\0")
        try:
            listed = _listed(directory, parts)
        except PermissionError:
            whole = False
            continue
        for found, status in listed:
            count += 1
            if count > COUNTED_ENTRIES:
                return digest.hexdigest(), COUNTED_ENTRIES, size, False
            if stat.S_ISDIR(status.st_mode):
                left.append((*parts, found))
            elif stat.S_ISREG(status.st_mode):
                size += status.st_size
            times = "" if stat.S_ISDIR(status.st_mode) else f"{status.st_size} {status.st_mtime_ns}"
            digest.update(os.fsencode(found) + f"\0{status.st_ino} {status.st_mode:o} {times}\0".encode())
    return digest.hexdigest(), count, size, whole


def _listed(directory: int, parts: tuple[str, ...]) -> list[tuple[str, os.stat_result]]:
    """Names and status in one directory, in a fixed order."""
    fd = os.open(".", DIRECTORY, dir_fd=directory)
    try:
        for part in parts:
            inner = os.open(part, DIRECTORY, dir_fd=fd)
            os.close(fd)
            fd = inner
        names = sorted(os.listdir(fd), key=os.fsencode)
        return [(name, os.stat(name, dir_fd=fd, follow_symlinks=False)) for name in names]
    finally:
        os.close(fd)
