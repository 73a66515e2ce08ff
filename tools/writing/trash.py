"""The project's trash: what is deleted is moved to `.reflect/trash/<utc time>-<id>/<original path>`.

Beside each of these directories stands a record, `<utc time>-<id>.json`, that says which path was deleted and
what it was. It is written first, so a crash leaves at most a record of nothing, which is not listed.
"""

from __future__ import annotations

import json
import os
import secrets
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from tools.errors import PartlyDone, ToolError, WriteFailed, WriteRefused
from tools.writing.atomic import publish
from tools.writing.changes import Change, Moving
from tools.writing.descent import OpenRoot, open_root, reached
from tools.writing.entries import Entry, look, opened_file, read_whole
from tools.writing.places import Place, is_protected, locate, printable

TRASH = (".reflect", "trash")


class TrashEntry(BaseModel):
    """One deletion.

    Attributes:
        name: `<utc time>-<id>`, its directory in the trash.
        path: what was deleted, relative to the root; undecodable bytes as lone surrogates (PEP 383).
        deleted_at: when, in UTC.
        kind: file, directory or link.
        size: bytes of the file or of all files in the directory.
    """

    model_config = ConfigDict(frozen=True)

    name: str
    path: str
    deleted_at: datetime
    kind: str
    size: int

    @property
    def place(self) -> Place:
        """Where it came from."""
        *parents, name = self.path.split("/")
        return Place(tuple(parents), name)

    @property
    def stored(self) -> Place:
        """Where it is now."""
        return Place((*TRASH, self.name, *self.place.parents), self.place.name)


@dataclass
class Deletion(Change):
    """An entry that goes to the trash."""

    place: Place
    found: Entry
    after: str | None = None
    summary: str = field(init=False)
    diff: str = field(init=False)
    state: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Say what would be done."""
        self.summary = f"delete {self.place.shown} (to the trash)"
        self.diff = f"{self.place.shown} -> {'/'.join(TRASH)}/ ({self.found.shown})\n"
        self.state = (self.found.digest,)

    def apply(self, root: OpenRoot) -> str:
        """Write the record, then move the entry."""
        now = datetime.now(UTC)
        entry = TrashEntry(
            name=f"{now:%Y%m%dT%H%M%SZ}-{secrets.token_hex(4)}",
            path="/".join(self.place.parts),
            deleted_at=now,
            kind=self.found.kind,
            size=self.found.size,
        )
        with reached(root, TRASH, make=True, own=True) as trash:
            _ignored_by_git(trash)
            publish(trash, f"{entry.name}.json", _record(entry), None)
            try:
                # Only its owner looks in: what a private directory kept private stays so.
                os.mkdir(entry.name, 0o700, dir_fd=trash)
                Moving(self.place, entry.stored, self.found, own=True).apply(root)
            except PartlyDone:
                raise  # it is in the trash, so the record stays
            except BaseException:
                with suppress(FileNotFoundError):
                    os.rmdir(entry.name, dir_fd=trash)
                os.unlink(f"{entry.name}.json", dir_fd=trash)
                raise
        return f"{self.place.shown} -> {entry.stored.shown} ({self.found.shown})\n"


def _ignored_by_git(trash: int) -> None:
    with suppress(FileExistsError):
        publish(trash, ".gitignore", b"*\n", None)


def _record(entry: TrashEntry) -> bytes:
    # ASCII escapes keep lone surrogates, which no UTF-8 could.
    fields = {**entry.model_dump(exclude={"name"}), "deleted_at": entry.deleted_at.isoformat()}
    return json.dumps(fields, ensure_ascii=True, indent=1).encode("ascii") + b"\n"


def plan_delete(root: OpenRoot, path: str) -> Deletion:
    """Plan a deletion; of a link the link itself, not what it leads to.

    Raises:
        WriteRefused: nothing is there, or it may not be deleted.
    """
    place = locate(root.path, path, follow=False)
    found = look(root, place)
    if found.kind == "absent":
        raise WriteRefused(f"{place.shown} does not exist.", "Look with ls or find.")
    return Deletion(place, found)


def list_trash(root: Path) -> list[TrashEntry]:
    """What is in the trash, oldest first.

    Args:
        root: resolved root of the project.

    Raises:
        WriteRefused: a record cannot be read, or the trash is no directory.
        OSError: the trash cannot be read.
    """
    with open_root(root) as opened:
        try:
            with reached(opened, TRASH, own=True) as trash:
                records = sorted(name for name in os.listdir(trash) if name.endswith(".json"))
                entries = [_read(trash, name.removesuffix(".json")) for name in records]
        except FileNotFoundError:
            return []
        kept = [entry for entry in entries if look(opened, entry.stored, own=True).kind != "absent"]
        return sorted(kept, key=lambda entry: entry.deleted_at)


def _read(trash: int, name: str) -> TrashEntry:
    shown = f"{'/'.join(TRASH)}/{printable(name)}.json"
    with opened_file(trash, f"{name}.json", shown) as fd:
        content = read_whole(fd, shown)
    try:
        entry = TrashEntry.model_validate({**json.loads(content), "name": name})
    except (ValueError, TypeError, ValidationError) as error:
        raise WriteRefused(f"{shown} is no record of a deletion.", "Move it out of the trash.") from error
    if any(part in ("", ".", "..") or "\0" in part or is_protected(part) for part in entry.place.parts):
        raise WriteRefused(f"{shown} names the path {entry.path!r}.", "Restore it by hand.")
    return entry


def restore(root: Path, name: str) -> str:
    """Put a deleted entry back where it was; nothing is overwritten.

    Args:
        root: resolved root of the project.
        name: the entry's name, as `list_trash` gives it.

    Returns:
        The path it has again, printable.

    Raises:
        WriteRefused: there is no such entry, or its path is taken.
        WriteFailed: the system does not let it be moved; it stays in the trash.
        PartlyDone: it was moved, but the message says what went wrong.
    """
    if "/" in name or "\0" in name:
        raise WriteRefused(f"{name!r} is no entry of the trash.", "List the trash.")
    with open_root(root, lock=True) as opened:
        try:
            with reached(opened, TRASH, own=True) as trash:
                entry = _read(trash, name)
                Moving(entry.stored, entry.place, look(opened, entry.stored, own=True), own=True).apply(
                    opened
                )
                _clear(opened, trash, entry)
        except FileNotFoundError as error:
            raise WriteRefused(f"{printable(name)} is no entry of the trash.", "List the trash.") from error
        except ToolError:
            raise
        except OSError as error:
            raise WriteFailed(f"{entry.place.shown} could not be restored: {error.strerror}.") from error
    return entry.place.shown


def _clear(root: OpenRoot, trash: int, entry: TrashEntry) -> None:
    """Take away the record and the directories that are empty now."""
    try:
        os.unlink(f"{entry.name}.json", dir_fd=trash)
        for depth in range(len(entry.stored.parents), len(TRASH), -1):
            with reached(root, entry.stored.parents[: depth - 1], own=True) as above:
                os.rmdir(entry.stored.parents[depth - 1], dir_fd=above)
    except OSError as error:
        raise PartlyDone(
            f"{entry.place.shown} was restored, but its place in the trash could not be cleared: "
            f"{error.strerror}.",
            f"Look into {'/'.join((*TRASH, entry.name))}.",
        ) from error
