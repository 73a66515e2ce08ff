"""Requests for changes, each part stated: what is made, of what, and how it shows that it was made."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from memory.recipes.requests.actions import Action, World
from memory.recipes.requests.draft import Draft, Facts, Parsed, Step, numbered
from memory.recipes.requests.files_made import FILE_ACTIONS
from memory.recipes.requests.lazy_pattern import LazyPattern
from memory.recipes.requests.marked import Marked
from memory.recipes.requests.permissions import PERMISSION_ACTIONS

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
ACTIONS: tuple[tuple[LazyPattern, Callable[[re.Match[str], Marked], Action | None]], ...] = (
    *PERMISSION_ACTIONS,
    *FILE_ACTIONS,
)


def read_change(text: str, marked: Marked) -> Parsed | None:
    """A request for changes that is wholly understood, or None."""
    actions: list[Action] = []
    marks = list(marked.marks)
    for clause in JOINED.split(SHOWN_AFTER.sub("", text)):
        if actions and IT.search(clause):
            if actions[-1].makes is None:
                return None
            marks.append(actions[-1].makes)
            clause = _with_name(clause, f"‹P{len(marks) - 1}›")
        action = _action(clause.strip(), Marked(clause, tuple(marks)))
        if action is None:
            return None
        actions.append(action)
    names = tuple(dict.fromkeys(name for action in actions for name in action.names))
    listings = tuple(action.listing for action in actions if action.listing is not None)
    named = "+".join(dict.fromkeys(action.id for action in actions))
    return Parsed(named, lambda facts: _built(actions, facts), names, listings, changes=True)


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


def _built(actions: Sequence[Action], facts: Facts) -> Draft | None:
    """All changes, then all checks, so that each is seen as the last of them left it.

    None for paths with "..": behind a link they lead elsewhere than their text says.
    """
    if any(".." in name.split("/") for action in actions for name in action.names):
        return None
    world = World(facts)
    listings = iter(facts.listings)
    steps: list[Step] = []
    checks: list[Step] = []
    for action in actions:
        listed = tuple(next(listings, ())) if action.listing is not None else ()
        made = action.build(world, listed)
        if made is None or not made.steps:
            return None
        steps += made.steps
        checks += made.checks
        world = world.after(made)
    return Draft(numbered([*steps, *checks]), None)
