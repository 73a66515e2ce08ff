"""Does a plan that a model wrote look at what the goal asks? Checked by code, word by word."""

from __future__ import annotations

import re

from memory.recipes.places import Whereabouts
from memory.recipes.reading import Reading

# Signs in a command that a demand of the goal is met; any one of them will do.
SIGNS = {
    "rank": r"\bsort\b|\bhead\b|\btail\b|\bls\b.*-\w*[St]|\buniq -c",
    "recency": r"\bsort\b|\bls\b.*-\w*t|\bgit log\b|%T|-mtime|-mmin|-newer|\bstat\b",
    "negated": r"\bgrep\b.*(?:\s-\w*[vL]|--invert-match|--files-without-match)|!\s|-not\b|\bcomm\b",
    "count": r"\bwc\b|\s-\w*c\b|--count\b|\buniq -c|\bgit log\b|\bgit blame\b",
    "case": r"\s-\w*i|-iname|--ignore-case|--regexp-ignore-case",
    "line": r"\bwc\b|\bgrep\b|\bhead\b|\btail\b|\bcat\b|\bnl\b|\bsort\b|\bdiff\b|\bgit blame\b",
    "commit": r"\bgit\b",
    "author": r"\bgit\b",
    "branch": r"\bgit\b",
    "tag": r"\bgit\b",
    "directory": r"-type d|\bls\b|\bdu\b|%h|\bdirname\b|\bfind\b",
    "function": r"def|function|func|\bfn\b|\(\)",
    "class": r"class",
    "import": r"import|require|include",
    "todo": r"TODO",
    "fixme": r"FIXME",
}


def uncovered(reading: Reading, whereabouts: Whereabouts, commands: str) -> list[str]:
    """What the goal states and no command of the plan takes up, in words for the planner.

    Args:
        reading: the goal, read.
        whereabouts: what its names are.
        commands: all commands of the plan, one a line.
    """
    text = commands.lower()
    missing = (
        [f"the text {reading.literal!r}"] if reading.literal and reading.literal.lower() not in text else []
    )
    for glob in reading.globs[:1]:
        suffix = glob.lstrip("*").lower()
        if not any(other.lstrip("*").lower() in text for other in reading.globs) and suffix:
            missing.append(f"files matching {glob}")
    for path in (*whereabouts.files, *whereabouts.directories, *whereabouts.excluded):
        if path.rsplit("/", 1)[-1].lower() not in text:
            missing.append(f"the path {path}")
    n = reading.quantities.n
    if n is not None and not re.search(rf"(?<!\d){n}(?!\d)", commands):
        missing.append(f"the number {n}")
    wanted: list[str] = [name for name in ("rank", "recency", "negated", "case") if name in reading.facets]
    wanted += ["count"] if "count" in reading.asks else []
    wanted += sorted(reading.things & set(SIGNS))
    missing += [f"the part that says {name!r}" for name in wanted if not re.search(SIGNS[name], commands)]
    return missing


def unexplained(reading: Reading, commands: str) -> list[str]:
    """Content words of the goal that neither the reading nor any command takes up."""
    text = commands.lower()
    return [word for word in reading.residue if word.lower().rstrip("s") not in text]
