"""One planned change: what was found, what it would become, and how it is made so."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field

from tools.errors import Changed, PartlyDone, WriteRefused
from tools.writing.atomic import rename_new
from tools.writing.descent import OpenRoot, identity, reached, settle, sync
from tools.writing.entries import Entry, look, look_in
from tools.writing.places import Place, locate


class Change(ABC):
    """A change that is planned and not made.

    Attributes:
        summary: one line that says what would be done.
        state: what was found where the change would be made; the fingerprint is made of it.
        diff: what a person approves.
        after: SHA-256 of the file's bytes once it is done, for a change of one file.
    """

    summary: str
    state: tuple[str, ...]
    diff: str
    after: str | None

    @abstractmethod
    def apply(self, root: OpenRoot) -> str:
        """Make the change; gives what was done, for the result.

        Raises:
            PartlyDone: something was done, but not all; the message says what.
            ToolError: refused or changed; nothing was done.
            OSError: nothing was done.
        """


@dataclass
class MakeDirectory(Change):
    """A directory and the missing ones above it."""

    place: Place
    found: Entry
    after: str | None = None
    summary: str = field(init=False)
    diff: str = field(init=False)
    state: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Say what would be done."""
        there = self.found.kind == "directory"
        self.summary = f"{'keep' if there else 'make'} directory {self.place.shown}"
        self.diff = f"{'there already' if there else 'new directory'}: {self.place.shown}\n"
        self.state = (self.found.kind,)

    def apply(self, root: OpenRoot) -> str:
        """Make it, durably; one that exists is left as it is."""
        with reached(root, self.place.parts, make=True) as directory:
            sync(directory)
            settle(root, f"{self.place.shown} was made", [(self.place.parts, directory)])
        return self.diff


def plan_make_dir(root: OpenRoot, path: str) -> MakeDirectory:
    """Plan a directory.

    Raises:
        WriteRefused: something else stands there.
    """
    place = locate(root.path, path, follow=True)
    found = look(root, place)
    if found.kind not in ("absent", "directory"):
        raise WriteRefused(f"{place.shown} exists and is a {found.kind}.", "Choose another name.")
    return MakeDirectory(place, found)


@dataclass
class Moving(Change):
    """An entry that gets another name; `trash.py` uses it too."""

    source: Place
    target: Place
    found: Entry
    own: bool = False
    after: str | None = None
    summary: str = field(init=False)
    diff: str = field(init=False)
    state: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Say what would be done."""
        self.summary = f"move {self.source.shown} to {self.target.shown}"
        self.diff = f"{self.source.shown} -> {self.target.shown} ({self.found.shown})\n"
        self.state = (self.found.digest,)

    def apply(self, root: OpenRoot) -> str:
        """Rename without overwriting; what was not looked at is put back."""
        with (
            reached(root, self.source.parents, own=self.own) as source,
            reached(root, self.target.parents, make=True, own=self.own) as target,
        ):
            try:
                rename_new(source, self.source.name, target, self.target.name)
            except FileExistsError as error:
                raise WriteRefused(
                    f"{self.target.shown} exists; nothing was moved.", "Choose another name."
                ) from error
            except FileNotFoundError as error:
                raise Changed(f"{self.source.shown} is gone; nothing was moved.") from error
            self._is_what_was_found(source, target)
            settle(
                root,
                f"{self.source.shown} was moved to {self.target.shown}",
                [(self.target.parents, target), (self.source.parents, source)],
            )
        return self.diff

    def _is_what_was_found(self, source: int, target: int) -> None:
        """Put back what took the name between the look and the rename."""
        moved = look_in(target, self.target.name, self.target.shown).status
        if moved and self.found.status and identity(moved) == identity(self.found.status):
            return
        try:
            rename_new(target, self.target.name, source, self.source.name)
        except OSError as error:
            raise PartlyDone(
                f"Something else took the name {self.source.shown} and was moved to {self.target.shown}; "
                f"it could not be put back: {error.strerror}.",
                "Move it by hand.",
            ) from error
        raise Changed(f"{self.source.shown} was replaced meanwhile; it was left as it is.")


def plan_move(root: OpenRoot, source: str, target: str) -> Moving:
    """Plan a move; a link is moved itself, not what it leads to.

    Raises:
        WriteRefused: nothing is there, the target exists, or a directory would go into itself.
    """
    from_place = locate(root.path, source, follow=False)
    to_place = locate(root.path, target, follow=False)
    found = look(root, from_place)
    if found.kind == "absent":
        raise WriteRefused(f"{from_place.shown} does not exist.", "Look with ls or find.")
    if to_place.parts[: len(from_place.parts)] == from_place.parts:
        raise WriteRefused(
            f"{from_place.shown} cannot be moved to itself or into itself.", "Choose another target."
        )
    there = look(root, to_place)
    if there.kind != "absent":
        within = f"{to_place.shown}/{from_place.name}" if there.kind == "directory" else "another name"
        raise WriteRefused(
            f"{to_place.shown} exists and is a {there.kind}; move never overwrites.", f"Choose {within}."
        )
    return Moving(from_place, to_place, found)
