"""A file of a folder into text, whatever kind it is, within limits that are told."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from tools.search.extraction import docx, html, markdown, pdf
from tools.search.extraction.document import Extracted, Unreadable
from tools.search.own_reports import WHY, is_own_report

BYTES_A_CHARACTER = 4

READERS = 3
"""Grows when a file is read differently than before: what was indexed is then read again."""


@dataclass(frozen=True)
class Limits:
    """How much of one file is read.

    Attributes:
        chars: characters of its text.
        file_bytes: a PDF or Word file larger than this is not read at all.
    """

    chars: int = 60_000_000
    file_bytes: int = 200_000_000


def _text_kind(read: Callable[[bytes], Extracted]) -> Callable[[Path, Limits], Extracted]:
    def extract(path: Path, limits: Limits) -> Extracted:
        most = max(limits.chars * BYTES_A_CHARACTER, html.MOST_BYTES)
        with path.open("rb") as stream:
            size = os.fstat(stream.fileno()).st_size
            content = stream.read(most)
        if size == len(content):
            return read(content)
        # What follows the last whole line may end in the middle of a character.
        content = content[: content.rfind(b"\n") + 1] or content
        extracted = read(content)
        told = f"is long: only the first {len(content):,} of its {size:,} bytes were read"
        return replace(extracted, notes=[*extracted.notes, told])

    return extract


def _pdf(path: Path, limits: Limits) -> Extracted:
    _check_size(path, limits)
    return pdf.extract(path, limits.chars)


def _docx(path: Path, limits: Limits) -> Extracted:
    _check_size(path, limits)
    return docx.extract(path)


_MARKDOWN, _HTML = _text_kind(markdown.extract), _text_kind(html.extract)
KINDS: dict[str, Callable[[Path, Limits], Extracted]] = {
    ".md": _MARKDOWN,
    ".markdown": _MARKDOWN,
    ".txt": _MARKDOWN,
    ".text": _MARKDOWN,
    ".rst": _MARKDOWN,
    ".html": _HTML,
    ".htm": _HTML,
    ".xhtml": _HTML,
    ".pdf": _pdf,
    ".docx": _docx,
}
"""What reads a file, by its suffix."""

NAMES = frozenset(
    "readme license licence copying copyright notice changes changelog news history authors contributors"
    " contributing install todo faq".split()
)
"""Names under which documents come without a suffix."""


def reader_of(path: Path) -> Callable[[Path, Limits], Extracted] | None:
    """What reads a file; None if it is no document."""
    suffix = path.suffix.casefold()
    return _MARKDOWN if not suffix and path.name.casefold() in NAMES else KINDS.get(suffix)


def read_document(path: Path, limits: Limits) -> Extracted:
    """The text of a file.

    Raises:
        Unreadable: it gives none; says why.
    """
    try:
        # A pipe would wait for its writer, and a link may lead out of the folder.
        if not stat.S_ISREG(path.lstat().st_mode):
            raise Unreadable("is no ordinary file")
        read = reader_of(path)
        if read is None:
            raise Unreadable("is of a kind that is not read")
        extracted = read(path, limits)
    except OSError as error:
        raise Unreadable(f"cannot be read ({error.strerror or error})") from error
    # Half a character, as a broken font table gives it, could neither be hashed nor written.
    text = extracted.text.encode("utf-8", "replace").decode("utf-8")
    if not text.strip():
        raise Unreadable("is empty")
    if is_own_report(text):
        raise Unreadable(WHY)
    if len(text) <= limits.chars:
        return replace(extracted, text=text)
    told = f"is long: {len(text) - limits.chars:,} characters beyond the first {limits.chars:,} were left out"
    return replace(extracted, text=text[: limits.chars], notes=[*extracted.notes, told])


def _check_size(path: Path, limits: Limits) -> None:
    size = path.stat().st_size
    if size > limits.file_bytes:
        raise Unreadable(f"has {size // 10**6:,} MB, more than research.search.max_file_mb allows")
