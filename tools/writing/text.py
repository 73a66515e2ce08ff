"""New text for a file: written whole, or with an exact piece replaced."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, field

from tools.errors import BadArguments, Changed, WriteRefused
from tools.writing.arguments import AppendFile, EditFile, WriteFile
from tools.writing.atomic import Replaced, publish
from tools.writing.changes import Change
from tools.writing.descent import OpenRoot, identity, reached, settle
from tools.writing.diffs import unified
from tools.writing.entries import READ_BYTES, Entry, look, opened_file, read_whole
from tools.writing.places import Place, locate, printable

CONTENT_BYTES = 2**20
LINES_NAMED = 5


@dataclass
class NewText(Change):
    """A file that gets new content under the name it has, or a new file."""

    place: Place
    found: Entry
    content: bytes
    verb: str
    after: str | None = field(init=False)
    summary: str = field(init=False)
    diff: str = field(init=False)
    state: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Say what would be done."""
        self.after = hashlib.sha256(self.content).hexdigest()
        self.summary = f"{self.verb} {self.place.shown} ({len(self.content)} bytes)"
        if self.found.status is not None and self.found.status.st_nlink > 1:
            others = self.found.status.st_nlink - 1
            self.summary += f"; {others} other names (hard links) of the file keep the old content"
        self.state = (self.found.digest,)
        self.diff = self._difference()

    def _difference(self) -> str:
        new = self.content.decode("utf-8")
        if self.found.kind == "absent":
            return unified("/".join(self.place.parts), None, new)
        try:
            old = None if self.found.content is None else self.found.content.decode("utf-8")
        except UnicodeDecodeError:
            old = None
        if old is None or "\0" in old:
            size = f"{self.found.size} bytes that are no text or too many to show"
            return f"replaces {size}: {self.place.shown}\n" + unified("/".join(self.place.parts), None, new)
        return unified("/".join(self.place.parts), old, new)

    def apply(self, root: OpenRoot) -> str:
        """Publish the content, if the file still is what was looked at."""
        with reached(root, self.place.parents, make=self.found.kind == "absent") as directory:
            if self.found.kind == "absent":
                self._create(directory)
            else:
                self._replace(directory)
            settle(root, f"{self.place.shown} was written", [(self.place.parents, directory)])
        return self.diff or f"{self.place.shown} has this content already\n"

    def _create(self, directory: int) -> None:
        try:
            publish(directory, self.place.name, self.content, None)
        except FileExistsError as error:
            raise Changed(
                f"{self.place.shown} was made by someone else meanwhile; it was left as it is.",
                "Read it first.",
            ) from error

    def _replace(self, directory: int) -> None:
        try:
            with opened_file(directory, self.place.name, self.place.shown) as fd:
                status = os.fstat(fd)
                if not self._unchanged(fd, status):
                    raise Changed(
                        f"{self.place.shown} changed after it was read; it was left as it is.",
                        "Read it again.",
                    )
                publish(directory, self.place.name, self.content, Replaced(fd, status))
        except FileNotFoundError as error:
            raise Changed(f"{self.place.shown} is gone; nothing was written.", "Look with ls.") from error

    def _unchanged(self, fd: int, status: os.stat_result) -> bool:
        if self.found.status is None or identity(status) != identity(self.found.status):
            return False
        if self.found.content is None:
            return status.st_mtime_ns == self.found.status.st_mtime_ns and status.st_size == self.found.size
        return read_whole(fd, self.place.shown) == self.found.content


def plan_write(root: OpenRoot, arguments: WriteFile) -> NewText:
    """Plan a whole file.

    Raises:
        ToolError: the place or the content is refused, or the file exists and overwrite is not set.
    """
    place = _file_place(root, arguments.path)
    content = encoded(arguments.content)
    if len(content) > CONTENT_BYTES:
        raise BadArguments(
            f"The content is {len(content)} bytes; {CONTENT_BYTES} is the limit.", "Write it in parts."
        )
    found = look(root, place)
    if found.kind in ("directory", "link"):
        raise WriteRefused(f"{place.shown} is a {found.kind}.", "Name a file.")
    if found.kind == "file" and not arguments.overwrite:
        raise WriteRefused(
            f"{place.shown} exists.", "Use edit_file, set overwrite to true, or choose another name."
        )
    return NewText(place, found, content, "write" if found.kind == "absent" else "overwrite")


def plan_edit(root: OpenRoot, arguments: EditFile) -> NewText:
    """Plan a replacement inside a file.

    Raises:
        ToolError: there is no such text file, or what is to be replaced is not there just once.
    """
    place = _file_place(root, arguments.path)
    found = look(root, place)
    if found.kind != "file":
        raise WriteRefused(
            f"{place.shown} {'does not exist' if found.kind == 'absent' else f'is a {found.kind}'}.",
            "Look with ls or find; write_file makes a new file.",
        )
    content = encoded(edited(text_of(found, place.shown), arguments, place.shown))
    return NewText(place, found, content, "edit")


def plan_append(root: OpenRoot, arguments: AppendFile) -> NewText:
    """Plan an addition to a file.

    Raises:
        ToolError: there is no such text file, or it would grow over what is read whole.
    """
    place = _file_place(root, arguments.path)
    found = look(root, place)
    if found.kind != "file":
        raise WriteRefused(
            f"{place.shown} {'does not exist' if found.kind == 'absent' else f'is a {found.kind}'}.",
            "Look with ls or find; write_file makes a new file.",
        )
    text = text_of(found, place.shown)
    separator = "" if not text or text.endswith("\n") else "\n"
    content = encoded(text + separator + arguments.text)
    if len(content) > READ_BYTES:
        raise WriteRefused(f"{place.shown} would be larger than {READ_BYTES} bytes.", "Use another file.")
    return NewText(place, found, content, "append to")


def text_of(entry: Entry, shown: str) -> str:
    """A file's text.

    Raises:
        WriteRefused: it is too large, or not UTF-8 text.
    """
    if entry.content is None:
        raise WriteRefused(
            f"{shown} has {entry.size} bytes and cannot be read, or not whole: edit_file takes up to "
            f"{READ_BYTES} that it may read.",
            "Use python instead.",
        )
    try:
        text = entry.content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise WriteRefused(
            f"{shown} is not UTF-8 text: byte {error.start} cannot be decoded.",
            "edit_file changes text only.",
        ) from error
    if "\0" in text:
        raise WriteRefused(
            f"{shown} is a binary file: it holds a NUL byte at {text.index(chr(0))}.",
            "edit_file changes text only.",
        )
    return text


def line_ending(text: str) -> str:
    r"""`\r\n` if every line ends so, else `\n`."""
    return "\r\n" if "\r\n" in text and text.count("\r\n") == text.count("\n") else "\n"


def pieces(text: str, arguments: EditFile) -> tuple[str, str]:
    """What is replaced and by what, with the line endings of the file."""
    ending = line_ending(text)
    if ending == "\n":
        return arguments.old, arguments.new
    old, new = (piece.replace("\r\n", "\n").replace("\n", ending) for piece in (arguments.old, arguments.new))
    return old, new


def edited(text: str, arguments: EditFile, shown: str) -> str:
    """The text after the replacement; a file that ended with a newline still does.

    Raises:
        WriteRefused: the piece is missing, or there more than once, or the result is too long.
    """
    old, new = pieces(text, arguments)
    if old == new:
        raise BadArguments("old and new are the same, so nothing would change.", "Say what is to change.")
    if "\0" in new:
        raise BadArguments("new holds a NUL byte, which would make the text binary.", "Leave it out.")
    found = occurrences(text, old)
    if not found:
        raise WriteRefused(f"{shown} does not hold the text in old.", _near(text, arguments.old))
    if len(found) > 1 and not arguments.replace_all:
        lines = ", ".join(str(text.count("\n", 0, at) + 1) for at in found[:LINES_NAMED])
        raise WriteRefused(
            f"{shown} holds the text in old {'more than ' if len(found) > LINES_NAMED else ''}"
            f"{min(len(found), LINES_NAMED)} times, at lines {lines}.",
            "Add lines around it until it is unique, or set replace_all to true.",
        )
    if len(text) + text.count(old) * max(len(new) - len(old), 0) > READ_BYTES:
        raise WriteRefused(f"{shown} would be longer than {READ_BYTES} bytes.", "Replace less at once.")
    result = text.replace(old, new)
    if text.endswith("\n") and result and not result.endswith("\n"):
        result += line_ending(text)
    return result


def occurrences(text: str, piece: str) -> list[int]:
    """Where a piece begins, overlapping ones counted too; one more than messages name at most."""
    found: list[int] = []
    at = text.find(piece)
    while at >= 0 and len(found) <= LINES_NAMED:
        found.append(at)
        at = text.find(piece, at + 1)
    return found


def _near(text: str, old: str) -> str:
    """Where the first line of the wanted text stands with other spaces around it."""
    wanted = next((line.split() for line in old.splitlines() if line.strip()), [])
    lines = [number for number, line in enumerate(text.splitlines(), 1) if wanted and line.split() == wanted]
    if not lines:
        return "Read the file and copy the text exactly, with its spaces and without line numbers."
    where = ", ".join(map(str, lines[:LINES_NAMED]))
    return f"Its first line stands, perhaps with other spaces, at {where}; copy it exactly."


def _file_place(root: OpenRoot, path: str) -> Place:
    if path.endswith("/"):
        raise WriteRefused(f"{printable(path)} names a directory.", "Leave out the last slash.")
    return locate(root.path, path, follow=True)


def encoded(text: str) -> bytes:
    """UTF-8.

    Raises:
        BadArguments: the text holds a lone surrogate.
    """
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise BadArguments(
            f"The text holds half a character at {error.start}, which no UTF-8 file can.", "Leave it out."
        ) from error
