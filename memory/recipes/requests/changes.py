"""Requests for changes, each part stated: what is made, of what, and how it shows that it was made."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection, Sequence

from memory.recipes.requests.actions import Action, World
from memory.recipes.requests.draft import Draft, Facts, Parsed, Step, numbered
from memory.recipes.requests.files_made import FILE_ACTIONS
from memory.recipes.requests.lazy_pattern import LazyPattern
from memory.recipes.requests.marked import Marked
from memory.recipes.requests.permissions import PERMISSION_ACTIONS
from memory.recipes.requests.selection import Selection

VERBS = (
    "create make mkdir touch add write append put copy move rename delete remove erase rm mv cp chmod change set give "
    "grant replace substitute compress archive pack tar gzip zip extract unpack untar link"
).split()
JOINED = re.compile(rf"(?:,|,? and| and then|,? then|;) (?:then )?(?=(?:{'|'.join(VERBS)})\b)", re.IGNORECASE)
SHOWN_AFTER = re.compile(
    r",? and (?:then )?(?:show|print|display) (?:it|the (?:result|file|new file))$", re.IGNORECASE
)
IT = re.compile(
    r"\b(?P<prep>into|to|in|inside|within) (?:it|there|that (?:directory|folder)|the new (?:directory|folder))(?= |$)"
    r"|(?<=(?:move|copy) )(?:it)(?= )|\bof it(?= |$)",
    re.IGNORECASE,
)
# What adds no file and changes none; what it deletes is seen in the names.
KEEPS_FILES = ("make-directory", "permissions", "delete")
ACTIONS: tuple[tuple[LazyPattern, Callable[[re.Match[str], Marked], Action | None]], ...] = (
    *PERMISSION_ACTIONS,
    *FILE_ACTIONS,
)


def read_change(text: str, marked: Marked) -> Parsed | None:
    """A request for changes that is wholly understood, or None."""
    actions: list[Action] = []
    meant: set[int] = set()
    marks = list(marked.marks)
    for clause in JOINED.split(SHOWN_AFTER.sub("", text)):
        said = IT.search(clause) if actions else None
        if said:
            if actions[-1].makes is None:
                return None
            meant |= set() if said["prep"] else {len(actions) - 1}
            marks.append(actions[-1].makes)
            clause = _with_name(clause, f"‹P{len(marks) - 1}›")
        action = _action(clause.strip(), Marked(clause, tuple(marks)))
        if action is None:
            return None
        actions.append(action)
    names = tuple(dict.fromkeys(name for action in actions for name in action.names))
    listings = tuple(action.listing for action in actions if action.listing is not None)
    named = "+".join(dict.fromkeys(action.id for action in actions))
    return Parsed(named, lambda facts: _built(actions, meant, facts), names, listings, changes=True)


def _with_name(clause: str, token: str) -> str:
    """The clause with what "it" means in its place."""
    return IT.sub(lambda match: f"{match['prep']} {token}" if match["prep"] else token, clause)


def _action(clause: str, marked: Marked) -> Action | None:
    for pattern, read in ACTIONS:
        match = pattern.fullmatch(clause)
        action = read(match, marked) if match else None
        if action is not None:
            return action
    return None


def _built(actions: Sequence[Action], meant: Collection[int], facts: Facts) -> Draft | None:
    """All changes, then all checks, so that each is seen as the last of them left it.

    None for paths with "..": behind a link they lead elsewhere than their text says.

    Args:
        actions: the changes.
        meant: places of those whose outcome is what a later "it" is about.
        facts: what was looked up.
    """
    if any(".." in name.split("/") for action in actions for name in action.names):
        return None
    world = World(facts)
    listings = iter(facts.listings)
    steps: list[Step] = []
    checks: list[Step] = []
    for place, action in enumerate(actions):
        listed = tuple(next(listings, ())) if action.listing is not None else ()
        if action.listing is not None and not _still_so(actions[:place], action.listing, listed):
            return None
        made = action.build(world, listed)
        if made is None or not made.steps:
            return None
        steps += made.steps
        checks += made.checks
        world = world.after(made)
        # What went into a directory is meant by "it", not the directory.
        if place in meant and action.id in ("copy", "move") and world.kind(action.makes or "") == "directory":
            return None
    return Draft(numbered([*steps, *checks]), None)


def _still_so(before: Sequence[Action], listing: Selection, listed: Sequence[str]) -> bool:
    """True if what was listed before the first change is what would be listed after the others."""
    if not before:
        return True
    named = {posixpath.normpath(name) for action in before for name in action.names}
    keeps = all(action.id in KEEPS_FILES for action in before)
    return (
        keeps
        and listing.kind == "f"
        and "perms" not in listing.tests
        and named.isdisjoint(map(posixpath.normpath, listed))
    )
