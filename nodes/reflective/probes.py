"""Which read-only calls show why a step failed, by the class of its error."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Annotated, Any

from pydantic import BeforeValidator

from nodes.reflective.lookup import Located
from nodes.reflective.state import PlanStep
from tools.protocol import ToolCall

CATEGORIES = (
    ("timeout", r"timed? ?out|time limit"),
    ("output_cap", r"output (?:was )?(?:cut|cap)|output_cap"),
    (
        "unknown_option",
        r"unrecognized option|invalid option|unknown option|unknown predicate|unknown argument"
        r"|not a read-only option",
    ),
    ("refused", r"refused|not allowed|not permitted here"),
    ("permission", r"permission denied|operation not permitted"),
    ("missing_path", r"no such file|does not exist|cannot access|not found|unknown revision or path|no path"),
    ("not_a_repository", r"not a git repository|does not have any commits"),
    ("empty_output", r"printed nothing|holds no answer"),
)
REMEDIES = {
    "timeout": (
        "The step took longer than the limit.",
        "Search a smaller place or stop at the first matches.",
    ),
    "output_cap": (
        "The output was larger than the limit, so it was cut.",
        "Count or rank instead of listing everything.",
    ),
    "refused": ("The tool layer refused the call.", "Use an allowed tool and option instead."),
    "missing_path": ("A path that the step names does not exist.", "Look the name up before using it."),
    "permission": ("A file could not be read.", "Leave out what cannot be read and say so."),
    "not_a_repository": (
        "The directory is not a git repository, or it has no commits.",
        "Answer without git history.",
    ),
    "unknown_option": ("The tool does not know an option.", "Use the documented options."),
    "empty_output": (
        "The step ran but printed nothing.",
        "Widen the search: other spelling, ignoring case, all files.",
    ),
    "other": ("The step failed.", "Try another tool or other arguments."),
}


def category_of(step: PlanStep | None, error: str) -> str:
    """Class of an error: the tool layer's own word for it, else its text."""
    kind = step.result.error_kind if step and step.result else None
    if kind == "refused" and re.search(r"option|value", error, re.IGNORECASE):
        return "unknown_option"
    if kind in ("timeout", "output_cap", "refused"):
        return kind
    return next((name for name, pattern in CATEGORIES if re.search(pattern, error, re.IGNORECASE)), "other")


def remedy_for(category: str, error: str) -> tuple[str, str]:
    """(diagnosis, what to do instead) for a class of error; the error's own words are kept."""
    diagnosis, summary = REMEDIES[category]
    return f"{diagnosis} {error}", summary


MOST_WANTED = 20


def _commands(value: Any) -> list[str]:
    """What of a model's list can be read; a diagnosis is not refused for the probes it asks for."""
    items = value if isinstance(value, list) else [value] if isinstance(value, str) else []
    return [item.strip()[:2000] for item in items if isinstance(item, str) and item.strip()][:MOST_WANTED]


Wanted = Annotated[list[str], BeforeValidator(_commands)]
# What tools name in their complaints: a path in quotes, or between the tool's name and the complaint.
COMPLAINED_OF = re.compile(
    r"['\"‘`](?P<quoted>[^'\"’`\n]+)['\"’`]: (?:No such|Permission|Not a dir|cannot)"
    r"|\w+: (?:cannot \w+(?: directory)? )?['‘]?(?P<plain>[^:\n'’]+?)['’]?: (?:No such|Permission|Not a dir)"
)
HELP_LINES = 40


def paths_in_error(error: str) -> list[str]:
    """Paths that tools complain of, in order."""
    found = [match["quoted"] or match["plain"] for match in COMPLAINED_OF.finditer(error)]
    return list(dict.fromkeys(path.strip() for path in found))


def nearest_parent(root: Path, path: str) -> str:
    """The nearest directory above a path that exists, relative to the root; "." for paths that leave it.

    Blocking: it looks at the disk.
    """
    parent = PurePosixPath(path).parent
    while str(parent) not in (".", "/", ".."):
        place = root / parent
        if place.is_dir() and place.resolve().is_relative_to(root):
            return str(place.resolve().relative_to(root)) if parent.is_absolute() else str(parent)
        parent = parent.parent
    return "."


def probes_for(
    category: str, step: PlanStep | None, located: Located, parents: Sequence[str] = ()
) -> list[ToolCall]:
    """Calls that show the surroundings of a failure, most telling first.

    Args:
        category: class of the error.
        step: the step that failed.
        located: the goal, its names looked up.
        parents: directories of the paths the error is about, from `nearest_parent`.
    """
    look_around = ToolCall(tool="ls", args={"path": ".", "all": True})
    if category == "missing_path":
        named = [name.rpartition("/")[0] for name in located.whereabouts.missing if "/" in name]
        places = dict.fromkeys([*parents, *([] if parents else named)])
        return [look_around, *(ToolCall(tool="ls", args={"path": place}) for place in places if place != ".")]
    if category == "permission":
        places = dict.fromkeys([*parents] or ["."])
        return [ToolCall(tool="ls", args={"path": place, "long": True}) for place in places]
    if category == "unknown_option":
        return [*_help_of(step), look_around]
    if category == "timeout":
        return [ToolCall(tool="find", args={"paths": ["."], "maxdepth": 2, "type": "d"})]
    if category in ("empty_output", "other"):
        return [look_around, ToolCall(tool="find", args={"paths": ["."], "maxdepth": 2, "type": "d"})]
    return [look_around]


def _help_of(step: PlanStep | None) -> list[ToolCall]:
    """The head of the help of the tool that complained."""
    result = step.result if step else None
    if result is None:
        return []
    complaint = re.match(r"(\w+): ", result.stderr.strip() or result.error or "")
    tool = complaint[1] if complaint else result.command.split(" ", 1)[0]
    if tool == "git" or not re.fullmatch(r"[a-z]\w{0,11}", tool):
        return []
    return [ToolCall(tool="command", args={"command": f"{tool} --help | head -n {HELP_LINES}"})]
