"""Which read-only calls show why a step failed, by the class of its error. Pure."""

from __future__ import annotations

import re

from nodes.reflective.lookup import Located
from nodes.reflective.state import PlanStep
from tools.protocol import ToolCall

CATEGORIES = (
    ("timeout", r"timed? ?out|time limit"),
    ("output_cap", r"output (?:was )?(?:cut|cap)|output_cap"),
    ("refused", r"refused|not allowed|not permitted here"),
    ("missing_path", r"no such file|does not exist|cannot access|not found|unknown revision or path|no path"),
    ("permission", r"permission denied|operation not permitted"),
    ("not_a_repository", r"not a git repository|does not have any commits"),
    (
        "unknown_option",
        r"unrecognized option|invalid option|unknown option|unknown predicate|unknown argument",
    ),
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
    if kind in ("timeout", "output_cap", "refused"):
        return kind
    return next((name for name, pattern in CATEGORIES if re.search(pattern, error, re.IGNORECASE)), "other")


def remedy_for(category: str, error: str) -> tuple[str, str]:
    """(diagnosis, what to do instead) for a class of error; the error's own words are kept."""
    diagnosis, summary = REMEDIES[category]
    return f"{diagnosis} {error}", summary


def probes_for(category: str, step: PlanStep | None, located: Located) -> list[ToolCall]:
    """Calls that show the surroundings of a failure."""
    look_around = ToolCall(tool="ls", args={"path": ".", "all": True})
    if category == "missing_path":
        parents = [name.rpartition("/")[0] for name in located.whereabouts.missing if "/" in name]
        return [look_around, *(ToolCall(tool="ls", args={"path": parent}) for parent in parents)]
    if category == "permission":
        return [ToolCall(tool="ls", args={"path": ".", "long": True})]
    if category in ("empty_output", "other"):
        return [look_around, ToolCall(tool="find", args={"paths": ["."], "maxdepth": 2, "type": "d"})]
    return [look_around]
