"""What a request that is wholly understood needs to know of the files it names, through the same tools."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace

from memory.recipes.requests.draft import Facts, Stage
from memory.recipes.requests.read import read_requests
from memory.recipes.requests.selection import Selection
from tools.policy.paths import is_safe
from tools.protocol import ToolCall
from tools.toolbox import Toolbox

KINDS = {"f": "file", "d": "directory", "l": "link"}
# Never listed for a change.
PROTECTED = (".git", ".reflect")
# A change of more files than this is not made unseen.
MOST_LISTED = 300


async def look_up(goal: str, known: Mapping[str, str], toolbox: Toolbox) -> Facts:
    """Kinds and modes of the paths a request names, and the files it selects.

    Args:
        goal: the request as written.
        known: names in it that were found at one place, with the path.
        toolbox: tools of the root.
    """
    requests = await asyncio.to_thread(read_requests, goal)
    names = dict.fromkeys(name for request in requests for name in request.names)
    asked = dict.fromkeys([*names, *(known[name] for name in names if name in known)])
    kinds, modes = await _stat(list(asked), toolbox) if asked else ({}, {})
    listings = [await _listing(selection, toolbox) for request in requests for selection in request.listings]
    listed = [name for names_ in listings for name in names_]
    more_kinds, more_modes = await _stat(listed, toolbox)
    facts = Facts({**kinds, **more_kinds}, {**modes, **more_modes}, dict(known), listings, (), str(toolbox.root))
    printers = [printer for request in requests for printer in request.outputs]
    return replace(facts, outputs=[await _output(printer(facts), toolbox) for printer in printers])


async def _output(stages: list[Stage] | None, toolbox: Toolbox) -> str | None:
    """What a pipeline that only reads prints, or None if there is none or it fails."""
    if stages is None:
        return None
    if stages[0]["tool"] == "find":
        _leave_out(stages[0], toolbox)
    result = await toolbox.run(ToolCall(tool="pipeline", args={"stages": stages}))
    return await asyncio.to_thread(toolbox.full_output, result) if result.ok else None


async def _stat(names: list[str], toolbox: Toolbox) -> tuple[dict[str, str], dict[str, int]]:
    """Kinds and modes of those that exist; a name that is no path below the root does not."""
    kinds: dict[str, str] = {}
    modes: dict[str, int] = {}
    inside = [name for name in names if name and is_safe(toolbox.root, name) and not name.startswith("-")]
    if not inside:
        return kinds, modes
    args = {"paths": inside, "maxdepth": 0, "printf": "%y %m %p\\0"}
    result = await toolbox.run(ToolCall(tool="find", args=args))
    for record in (await asyncio.to_thread(toolbox.full_output, result)).split("\0"):
        kind, _, rest = record.partition(" ")
        mode, _, name = rest.partition(" ")
        if name:
            kinds[name], modes[name] = KINDS.get(kind, "other"), int(mode, 8)
    return kinds, modes


async def _listing(selection: Selection, toolbox: Toolbox) -> list[str]:
    """Names a selection selects, sorted; none if there are too many or the search missed some."""
    stages = selection.stages()
    _leave_out(stages[0], toolbox)
    result = await toolbox.run(ToolCall(tool="pipeline", args={"stages": stages}))
    if not result.ok:
        return []  # a change of some of them is not the change of all of them
    names = sorted(
        name for name in (await asyncio.to_thread(toolbox.full_output, result)).split("\0") if name
    )
    return names if len(names) <= MOST_LISTED else []


def _leave_out(stage: Stage, toolbox: Toolbox) -> None:
    """Directories that no search goes into, unless it starts inside them."""
    args = stage["args"]
    named = {part for path in args.get("paths", []) for part in path.split("/")}
    skipped = [name for name in toolbox.settings.ignore if name not in named]
    args["exclude_dirs"] = [*args.get("exclude_dirs", []), *skipped, *PROTECTED]
