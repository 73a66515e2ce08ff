"""One change of a request: its steps, and the read-only steps that show it was made."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from memory.recipes.requests.draft import Facts, Step, read_step
from memory.recipes.requests.selection import Selection

LETTERS = {"file": "f", "directory": "d", "link": "l"}


@dataclass(frozen=True)
class Made:
    """Steps of one change.

    Attributes:
        steps: what changes something.
        checks: what then shows that it was made.
        new: kinds of the paths that exist afterwards, as the request names them.
    """

    steps: Sequence[Step]
    checks: Sequence[Step]
    new: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class World:
    """What exists before a change: what was looked up, and what earlier changes of the request make."""

    facts: Facts
    made: Mapping[str, str] = field(default_factory=dict)

    def kind(self, name: str) -> str | None:
        """What stands at a path."""
        return self.made.get(name.rstrip("/")) or self.facts.kinds.get(name)

    def mode(self, name: str) -> int | None:
        """Permission bits of what stands at a path."""
        return self.facts.modes.get(name)

    def path(self, name: str) -> str:
        """A path as the writing tools take it: relative to the root."""
        inside = name.removeprefix(f"{self.facts.root}/") if self.facts.root else name
        return posixpath.normpath(inside)

    def after(self, made: Made) -> World:
        """The world once a change is made."""
        return World(self.facts, {**self.made, **made.new})


@dataclass(frozen=True)
class Action:
    """One change, understood.

    Attributes:
        id: which it is.
        build: its steps in a world, given what `listing` selects; None where they do not fit.
        names: paths to look up.
        listing: files it is about, where they are not named.
        makes: the path that "it" means in the next clause, or None.
    """

    id: str
    build: Callable[[World, Sequence[str]], Made | None]
    names: tuple[str, ...] = ()
    listing: Selection | None = None
    makes: str | None = None


def is_there(path: str, kind: str) -> Step:
    """A step that shows something of a kind stands at a path."""
    args = {"paths": [path], "maxdepth": 0, "printf": "%y\\n"}
    return read_step(f"See that {path} is there", [{"tool": "find", "args": args}], expect_text=LETTERS[kind])


def is_gone(path: str) -> Step:
    """A step that shows nothing stands at a path."""
    parent, name = posixpath.split(path)
    args = {"paths": [parent or "."], "maxdepth": 1, "mindepth": 1, "name_tests": [{"globs": [_plain(name)]}]}
    return read_step(f"See that {path} is gone", [{"tool": "find", "args": args}], expect_text="")


def are_there(paths: Sequence[str]) -> Step:
    """A step that shows files stand at all the paths."""
    args = {"paths": list(paths), "maxdepth": 0, "printf": "%y\\n"}
    wanted = "\n".join("f" for _ in paths)
    return read_step("See that they are there", [{"tool": "find", "args": args}], expect_text=wanted)


def are_gone(paths: Sequence[str]) -> Step:
    """A step that shows nothing stands at any of the paths."""
    if len(paths) == 1:
        return is_gone(paths[0])
    parents = sorted({posixpath.dirname(path) or "." for path in paths})
    shapes = [_plain(path if path.startswith("/") or "/" in path else f"./{path}") for path in paths]
    args = {"paths": parents, "mindepth": 1, "maxdepth": 1, "path_glob": shapes}
    return read_step("See that they are gone", [{"tool": "find", "args": args}], expect_text="")


def _plain(name: str) -> str:
    return "".join(f"\\{sign}" if sign in "*?[]\\" else sign for sign in name)


def holds(path: str, text: str) -> Step:
    """A step that shows a file holds a text and nothing else."""
    return read_step(f"Read {path}", [{"tool": "cat", "args": {"paths": [path]}}], expect_text=text)
