"""Which of the names in a goal exist: one `find`, through the same tools as every plan step."""

from __future__ import annotations

import asyncio
import difflib
import re
from dataclasses import dataclass, replace

from memory.recipes.places import (
    Place,
    Whereabouts,
    find_place,
    known_names,
    locate,
    names_to_look_up,
    variants,
)
from memory.recipes.reading import Reading, read_goal
from memory.recipes.requests.draft import Facts
from nodes.reflective.request_facts import look_up
from nodes.reflective.services import Services
from nodes.reflective.surroundings import surroundings
from tools.protocol import ToolCall
from tools.toolbox import Toolbox

# A name this close to an existing one is taken for a slip of the keyboard (difflib ratio).
CLOSE = 0.8
SUGGESTIONS = 5


@dataclass(frozen=True)
class Located:
    """A goal, read with the knowledge of what exists.

    Attributes:
        reading: the goal.
        whereabouts: what its names turned out to be.
        skipped_names: directory names that exist and that searches skip.
        skipped_paths: further paths that git ignores and the goal does not name, relative to the root.
        places: what exists under the names that were looked up.
        facts: what a request that is wholly understood needs to know.
    """

    reading: Reading
    whereabouts: Whereabouts
    skipped_names: tuple[str, ...]
    skipped_paths: tuple[str, ...]
    places: tuple[Place, ...] = ()
    facts: Facts = Facts()

    def paths_of_names(self) -> dict[str, str]:
        """Names as the goal writes them that mean one existing file or directory, with its path."""
        found = {
            mention.text: find_place(mention, self.places)
            for mention in self.reading.mentions
            if mention.role != "guess"
        }
        return {text: places[0].path for text, places in found.items() if len(places) == 1}


async def locate_goal(goal: str, services: Services, toolbox: Toolbox) -> Located:
    """Read a goal, look its names up, and read it again knowing which exist.

    What was found holds until the run's next step (`forget_lookups`): CLASSIFY and PLAN, or REFLECT and PLAN,
    ask the same moments apart, and each look-up starts three processes.
    """
    known = services.seen.located.get(goal)
    if isinstance(known, Located):
        return known
    located = services.seen.located[goal] = await _located(goal, services, toolbox)
    return located


def forget_lookups(services: Services) -> None:
    """A step is about to run: the files may be others afterwards, or not be as was thought."""
    services.seen.located.clear()


LOGS = re.compile(r"\.log$|(?:^|/)logs?$")


async def _skipped(services: Services, toolbox: Toolbox) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Ignored names that exist, and paths that git ignores: no goal about a root changes them."""
    return await asyncio.gather(_existing_ignored(services, toolbox), ignored_paths(toolbox))


async def _located(goal: str, services: Services, toolbox: Toolbox) -> Located:
    asked, goal = goal, below_root(goal, toolbox)
    first = await asyncio.to_thread(read_goal, goal)
    names = names_to_look_up(first)
    around = surroundings()
    skips = (
        _skipped(services, toolbox) if around is None else around.once("skipped", _skipped, services, toolbox)
    )
    places, (existing, ignored) = await asyncio.gather(_find(names, services, toolbox), skips)
    reading = await asyncio.to_thread(read_goal, goal, known_names(first, places))
    whereabouts = locate(reading, places)
    named = {part for path in whereabouts.directories for part in path.split("/")}
    skipped = tuple(name for name in existing if name not in named)
    paths = _not_searched(ignored, skipped, whereabouts.directories, "*.log" in reading.globs)
    located = Located(reading, whereabouts, skipped, paths, places)
    facts = await look_up(asked, located.paths_of_names(), toolbox)
    return replace(located, facts=facts)


def _not_searched(
    ignored: tuple[str, ...], skipped: tuple[str, ...], directories: tuple[str, ...], logs: bool
) -> tuple[str, ...]:
    """Ignored paths, but for directories that the goal names and all that lies in them.

    Of a directory of nothing but ignored files, git lists both the directory and each of the files.

    Args:
        ignored: what git ignores.
        skipped: names of directories that are not searched anyway.
        directories: those the goal names.
        logs: True if it asks for log files, which hardly any project has git keep.
    """
    if logs:
        kept = [path for path in ignored if LOGS.search(path)]
        ignored = tuple(
            path
            for path in ignored
            if path not in kept and not any(log.startswith(f"{path}/") for log in kept)
        )
    meant = [path for path in ignored if any(f"{place}/".startswith(f"{path}/") for place in directories)]
    return tuple(
        path
        for path in ignored
        if not set(path.split("/")) & set(skipped)
        and not any(f"{path}/".startswith(f"{place}/") for place in meant)
    )


def below_root(goal: str, toolbox: Toolbox) -> str:
    """The goal with paths relative to the root where it writes them in full; a text to look for stays."""
    if str(toolbox.root) == "/" or str(toolbox.root) not in goal:
        return goal
    root = re.escape(str(toolbox.root))
    sought = read_goal(goal).literal
    kept = f"({re.escape(sought)})" if sought else r"(\Z\A)"

    def shorter(match: re.Match[str]) -> str:
        return match[1] or ("" if match[2] else "this directory")

    # A name that goes on behind the root's is another place's.
    inside = rf"(?<![\w/.~-]){root}(?:(/)(?=[\w.@+-])|/?(?![\w/@+~%:=-]|\.\w))"
    return re.sub(rf"{kept}|{inside}", shorter, goal)


async def _existing_ignored(services: Services, toolbox: Toolbox) -> tuple[str, ...]:
    """Names of `tools.ignore` that occur below the root, so that plans name no others."""
    ignore = list(services.settings.tools.ignore)
    call = ToolCall(
        tool="find",
        args={"paths": ["."], "type": "d", "names": ignore, "prune_matches": True, "printf": "%f\\0"},
    )
    result = await toolbox.run(call)
    present = set((await asyncio.to_thread(toolbox.full_output, result)).split("\0"))
    return tuple(name for name in ignore if name in present)


async def _find(names: tuple[str, ...], services: Services, toolbox: Toolbox) -> tuple[Place, ...]:
    if not names:
        return ()
    globs = list(dict.fromkeys(glob for name in names for v in variants(name) for glob in (v, f"{v}.*")))
    ignore = [name for name in services.settings.tools.ignore if name not in names]
    call = ToolCall(
        tool="find",
        args={"paths": ["."], "iname": globs, "exclude_dirs": ignore, "mindepth": 1, "printf": "%y %p\\0"},
    )
    result = await toolbox.run(call)
    places = []
    for record in (await asyncio.to_thread(toolbox.full_output, result)).split("\0"):
        kind, _, path = record.partition(" ")
        if path:
            places.append(Place(path.removeprefix("./"), kind == "d"))
    return tuple(places)


async def ignored_paths(toolbox: Toolbox) -> tuple[str, ...]:
    """Paths git ignores; none when the root is not a repository."""
    argv = ["--others", "--ignored", "--exclude-standard", "--directory", "-z"]
    result = await toolbox.run(ToolCall(tool="git", args={"subcommand": "ls-files", "argv": argv}))
    if not result.ok:
        return ()
    return tuple(
        path.rstrip("/")
        for path in (await asyncio.to_thread(toolbox.full_output, result)).split("\0")
        if path
    )


async def near_names(name: str, services: Services, toolbox: Toolbox) -> list[str]:
    """Existing paths whose base name resembles `name`, nearest first."""
    call = ToolCall(
        tool="find",
        args={
            "paths": ["."],
            "exclude_dirs": list(services.settings.tools.ignore),
            "mindepth": 1,
            "printf": "%p\\0",
        },
    )
    result = await toolbox.run(call)
    paths = [
        path.removeprefix("./")
        for path in (await asyncio.to_thread(toolbox.full_output, result)).split("\0")
        if path
    ]
    wanted = name.rstrip("/").rsplit("/", 1)[-1].lower()
    bases: dict[str, list[str]] = {}
    for path in paths:
        bases.setdefault(path.rsplit("/", 1)[-1].lower(), []).append(path)
    close = difflib.get_close_matches(wanted, bases, n=SUGGESTIONS, cutoff=0.6)
    return [path for base in close for path in bases[base]][:SUGGESTIONS]


def is_slip(written: str, path: str) -> bool:
    """True if `written` is so close to the path's base name that it was meant."""
    base = path.rsplit("/", 1)[-1].lower()
    wanted = written.rstrip("/").rsplit("/", 1)[-1].lower()
    return difflib.SequenceMatcher(None, base, wanted).ratio() >= CLOSE
