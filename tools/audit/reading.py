"""A source file into text: bounded, through no link, whatever it is encoded in."""

from __future__ import annotations

import io
import os
import re
import stat
import tokenize
from dataclasses import dataclass
from pathlib import Path

from configs.audit import AuditSettings
from tools.audit.languages import PYTHON
from tools.audit.sources import Source, Unusable

_OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_DESCRIPTORS = Path("/proc/self/fd")
_TRIES = 3
_BOMS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
# Text holds tab, line ends, form feed and the escape of terminals, and hardly any other.
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x19\x1c-\x1f\x7f]")
_CONTROLS_OF_A_BINARY = 0.02


@dataclass(frozen=True)
class Text:
    """What a file holds.

    Attributes:
        text: its characters; every line ends with a line feed, but for the last one.
        encoding: they were decoded with.
        problem: why the language itself could not decode it; the text is then a reading of ours, byte by byte
            if need be, that has the same lines.
    """

    text: str
    encoding: str
    problem: str = ""


def read(source: Source, settings: AuditSettings) -> Text:
    """Read a file.

    Raises:
        Unusable: it is no text, too large, gone, no ordinary file any more, or was moved behind a link.
    """
    content = _content(source.path, settings.most_bytes)
    text = _python(content) if source.language == PYTHON else _any(content)
    return Text(text.text.replace("\r\n", "\n").replace("\r", "\n"), text.encoding, text.problem)


def _content(path: Path, most: int) -> bytes:
    """All bytes of a file, in one state of it."""
    try:
        descriptor = os.open(path, _OPEN)
    except OSError as error:
        raise Unusable("unreadable", f"It cannot be opened ({error.strerror}).") from error
    try:
        _check(descriptor, path)
        for _ in range(_TRIES):
            before = os.fstat(descriptor)
            content = _read(descriptor, most)
            after = os.fstat(descriptor)
            if (before.st_mtime_ns, before.st_size) == (after.st_mtime_ns, after.st_size):
                return content
        raise Unusable("unreadable", "It changes while it is read.")
    except OSError as error:
        raise Unusable("unreadable", f"It cannot be read ({error.strerror}).") from error
    finally:
        os.close(descriptor)


def _check(descriptor: int, path: Path) -> None:
    """What was opened must be an ordinary file at that very path, with no link on the way to it."""
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        raise Unusable("unreadable", "It is no ordinary file any more.")
    if _DESCRIPTORS.is_dir() and os.readlink(_DESCRIPTORS / str(descriptor)) != str(path):
        raise Unusable("link", "A directory on the way to it became a link, or it was moved.")


def _read(descriptor: int, most: int) -> bytes:
    os.lseek(descriptor, 0, os.SEEK_SET)
    with open(descriptor, "rb", closefd=False) as stream:
        content = stream.read(most + 1)
    if len(content) > most:
        raise Unusable("too_large", f"It has grown above the {most} bytes that are read at most.")
    return content


def _python(content: bytes) -> Text:
    """As Python decodes it (PEP 263): by its byte order mark or its cookie, else as UTF-8."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        return Text(_plain(content.decode(encoding)), encoding)
    except (SyntaxError, UnicodeError, LookupError, ValueError) as error:
        text = _any(content)
        reason = str(error) if isinstance(error, SyntaxError) else "its bytes are not what it says they are"
        return Text(text.text, text.encoding, f"Python cannot decode it: {reason}.")


def _any(content: bytes) -> Text:
    """By the byte order mark; else UTF-8; else Latin-1, which has a character for every byte."""
    named = next((name for mark, name in _BOMS if content.startswith(mark)), "utf-8")
    try:
        return Text(_plain(content.decode(named)), named)
    except UnicodeError:
        controls = len(_CONTROL.findall(content))
        if controls > _CONTROLS_OF_A_BINARY * len(content):
            raise Unusable("binary", "It holds bytes that are no text.") from None
        return Text(_plain(content.decode("latin-1")), "latin-1")


def _plain(text: str) -> str:
    if "\0" in text:
        raise Unusable("binary", "It holds NUL bytes, so it is no text.")
    return text
