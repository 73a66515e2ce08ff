"""The files below the root a question asks something of each of, looked up through the typed tools."""

from __future__ import annotations

import asyncio
import re

from nodes.reflective.lookup import Located, locate_goal
from nodes.reflective.services import Services
from tools.protocol import ToolCall

_DIRECTORIES = re.compile(r"\b(?:packages?|(?:sub-?)?folders?|(?:sub-?)?director(?:y|ies))\b", re.IGNORECASE)
_MODULES = re.compile(r"\bmodules?\b", re.IGNORECASE)
_DIRECTLY = re.compile(r"\bdirectly\b", re.IGNORECASE)


async def files_meant(phrase: str, services: Services) -> list[str]:
    """Paths relative to the root, sorted; none where the place that is named does not exist.

    Args:
        phrase: such as "python files in pkg" or "folder of src".
        services: of the run.
    """
    if services.toolbox is None:
        return []
    located = await locate_goal(f"list each {phrase}", services, services.toolbox)
    if located.whereabouts.missing:
        return []
    result = await services.toolbox.run(_search(phrase, located, services))
    if not result.ok:
        return []
    told = (await asyncio.to_thread(services.toolbox.full_output, result)).split("\0")
    paths = {path.removeprefix("./") for path in told if path}
    return sorted(path for path in paths if not _is_skipped(path, located))


def _search(phrase: str, located: Located, services: Services) -> ToolCall:
    """One `find`: directories right below the place, files at any depth."""
    kind = phrase[: phrase.find(" in ")] if " in " in phrase else phrase
    directories = _DIRECTORIES.search(kind.split(" of ")[0]) is not None
    places = list(located.whereabouts.directories) or ["."]
    named = {part for place in places for part in place.split("/")}
    args = {
        "paths": places,
        "type": "d" if directories else "f",
        "mindepth": 1,
        "exclude_dirs": [name for name in services.settings.tools.ignore if name not in named],
        "printf": "%p\\0",
    }
    globs = list(located.reading.globs) or (["*.py"] if _MODULES.search(kind) else [])
    if globs and not directories:
        args["iname"] = globs
    if directories or _DIRECTLY.search(phrase):
        args["maxdepth"] = 1
    return ToolCall(tool="find", args=args)


def _is_skipped(path: str, located: Located) -> bool:
    """True for what is hidden, or what git ignores and the question does not name."""
    below = next((place for place in located.whereabouts.directories if path.startswith(f"{place}/")), "")
    hidden = any(part.startswith(".") for part in path.removeprefix(below).split("/"))
    return hidden or any(f"{path}/".startswith(f"{ignored}/") for ignored in located.skipped_paths)
