"""Which files a step found or changed, for the reasoning trace."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from nodes.reflective.state import PlanStep

MOST_FILES = 20
LOOKED_AT = 200
WRITTEN = {
    "write_file": ("path", "written"),
    "edit_file": ("path", "edited"),
    "make_dir": ("path", "made"),
    "delete": ("path", "deleted"),
}


def files_of(step: PlanStep, root: Path) -> list[dict[str, Any]]:
    """Files of a step that succeeded, each with path and status; blocking, it looks at the disk.

    Found are those that the output names in a place of their own: a whole line, what stands before a line's
    first colon, or its last word.
    """
    call, result = step.tool_call, step.result
    if call is None or result is None or not result.ok:
        return []
    if result.error_kind == "dry_run":
        return []
    if call.tool in WRITTEN:
        key, status = WRITTEN[call.tool]
        return [_file(str(call.args.get(key, "")), status)]
    if call.tool == "move":
        return [
            _file(str(call.args.get("source", "")), "moved"),
            _file(str(call.args.get("target", "")), "written"),
        ]
    found: dict[str, dict[str, Any]] = {}
    for line in re.split(r"[\0\n]", result.stdout)[:LOOKED_AT]:
        path = _named(line.strip(), root)
        if path is not None:
            found.setdefault(path, _file(path, "found"))
    return list(found.values())[:MOST_FILES]


def _file(path: str, status: str) -> dict[str, Any]:
    return {"type": "file", "path": path, "status": status}


def _named(line: str, root: Path) -> str | None:
    words = line.split()
    for text in dict.fromkeys((line, line.split(":", 1)[0], words[-1] if words else "")):
        path = text.removeprefix("./")
        if not path or path.startswith("/") or ".." in path.split("/") or "\0" in path:
            continue
        try:
            if (root / path).is_file():
                return path
        except OSError:
            continue  # longer than a file name can be
    return None
