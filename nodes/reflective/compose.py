"""Answers written by code from rows of tool output; every number in them is read or computed here."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from memory.recipes.fill import substitute
from memory.recipes.recipe import AnswerTemplate
from memory.recipes.sought_words import word_pattern
from nodes.reflective.audit_answers import answer_audit
from nodes.reflective.readers import Row, read_rows

LISTED = 50
MOST_LIKELY = 12
"""Lines that a person looks through for an answer; a question whose words stand on more was no search."""
# These readers count records themselves, so the counts stand in no output.
COUNTING_READERS = ("extensions", "prefixes", "directory_bytes")
# These compute what they give.
COMPUTING_READERS = ("numbers", "longest_line", "shortest_line")
# "1 lines" of a template; a verb behind the noun would have to agree as well, so those stay.
COUNTED = re.compile(
    r"\$\{(\w+)\}"
    r"( (?:blank |test |async )?(?:byte|character|class|commit|file|function|level|line|row|time|word))e?s\b"
    r"(?! (?:are|differ|have|import|share|that|were)\b)"
)
DEFINED = re.compile(
    r"\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:def|class|function\*?)\s+([A-Za-z_$][\w$]*)"
)


@dataclass(frozen=True)
class Composed:
    """An answer and what code computed for it.

    Attributes:
        text: the answer, or None when the output holds none.
        computed: facts derived from the output (counts, sums), as sentences: evidence of their own.
        problem: why the output holds no answer, where that can be said.
    """

    text: str | None
    computed: list[str] = field(default_factory=list)
    problem: str = ""


def compose(output: str, template: AnswerTemplate, slots: dict[str, Any]) -> Composed:
    """Write the answer that a template gives for one tool output.

    Args:
        output: full text of the last step's output.
        template: how to read it and what to say.
        slots: values the goal gave, for the template's slots.
    """
    if template.reader == "audit":
        told = answer_audit(output, slots["question"])
        return Composed(told.text or None, told.computed, told.problem)
    rows = read_rows(output, template)
    pick = PICKS.get(template.pick or "")
    picked = pick(rows, slots) if pick else rows
    shown = _take(picked, template, slots)
    facts = _facts(rows, picked, shown)
    computed = [f"{name.replace('_', ' ')}: {value}" for name, value in facts.items() if value is not None]
    if template.reader in COMPUTING_READERS:
        computed += [f"{name}: {value}" for row in rows for name, value in row.items()]
    if template.reader in COUNTING_READERS:
        computed += [f"{row.get('path') or row.get('text')}: {row['count']}" for row in shown]
    values = {**slots, **facts}
    if not shown:
        unknown = template.pick == "uses" and template.problem and not _occurs(rows, slots)
        if template.none is None or unknown:
            return Composed(None, computed, _said(template.problem, values) or "")
        return Composed(_said(template.none, values), computed)
    if len(shown) == 1 and (template.many is None or template.take != "all" or len(picked) == 1):
        return Composed(_said(template.one, {**values, **shown[0]}), computed)
    values["listing"] = _listing(shown, template, slots)
    return Composed(_said(template.many or template.one, {**values, **shown[0]}), computed)


def _said(template: str, values: dict[str, Any]) -> str | None:
    """A template's text; what is counted stands in the singular behind a 1."""

    def agreeing(match: re.Match[str]) -> str:
        return f"${{{match[1]}}}{match[2]}" if str(values.get(match[1])) == "1" else match[0]

    return substitute(COUNTED.sub(agreeing, template), values)


def _facts(rows: list[Row], picked: list[Row], shown: list[Row]) -> dict[str, Any]:
    counts = [int(row["count"]) for row in rows if "count" in row]
    return {
        "how_many_rows": len(rows),
        "how_many": len(picked),
        "how_many_paths": len({row["path"] for row in picked if "path" in row}),
        "shown": len(shown),
        "not_listed": len(shown) - LISTED if len(shown) > LISTED else None,
        "sum": sum(counts) if counts else None,
        "average": f"{sum(counts) / len(counts):.1f}" if counts else None,
    }


def _listing(rows: list[Row], template: AnswerTemplate, slots: dict[str, Any]) -> str:
    lines = [_said(template.row, {**slots, **row}) or "" for row in rows[:LISTED]]
    if len(rows) > LISTED:
        lines.append(f"... and {len(rows) - LISTED} more")
    return "\n".join(lines)


def _take(rows: list[Row], template: AnswerTemplate, slots: dict[str, Any]) -> list[Row]:
    if template.take == "all":
        return rows
    nth = slots.get("nth")
    if nth is not None:
        return rows[nth - 1 : nth]
    wanted = 1 if template.take == "first" else int(slots.get("n") or 1)
    taken = rows[:wanted]
    if template.pick == "ties" and taken and len(rows) > wanted:
        last = taken[-1].get("count")
        taken += [row for row in rows[wanted:] if row.get("count") == last]
    return taken


def _over_limits(rows: list[Row], slots: dict[str, Any]) -> list[Row]:
    low, high = slots.get("min_count"), slots.get("max_count")
    return [
        row
        for row in rows
        if (low is None or int(row["count"]) > low) and (high is None or int(row["count"]) < high)
    ]


def _repeated(rows: list[Row], _: dict[str, Any]) -> list[Row]:
    seen = Counter(row["digest"] for row in rows)
    return [row for row in rows if seen[row["digest"]] > 1]


def _below_root(rows: list[Row], slots: dict[str, Any]) -> list[Row]:
    starts = [PurePosixPath(str(start)) for start in slots.get("scope", ["."])]
    outside = {str(path) for start in starts for path in (start, *start.parents)}
    return [row for row in rows if row["path"] not in outside]


def _name_pattern(slots: dict[str, Any]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(str(slots.get('name', '')))}(?!\w)")


def _occurs(rows: list[Row], slots: dict[str, Any]) -> bool:
    """Whether the name stands in a row; one that is no name of the code at all may be used by other means."""
    name = _name_pattern(slots)
    return any(name.search(str(row["text"])) for row in rows)


def _uses(rows: list[Row], slots: dict[str, Any]) -> list[Row]:
    """Rows that use a name, each with the definitions it stands in: those above it that are indented less."""
    name = _name_pattern(slots)
    used: list[Row] = []
    open_definitions: list[tuple[int, str]] = []
    path = None
    for row in rows:
        if row["path"] != path:
            path, open_definitions = row["path"], []
        text = str(row["text"])
        indent = int(row["indent"])
        found = DEFINED.match(text)
        if text.strip():
            open_definitions = [item for item in open_definitions if item[0] < indent]
        if name.search(text) and not (found and found.group(1) == slots.get("name")):
            within = " in ".join(name for _, name in reversed(open_definitions)) or "no function"
            used.append({**row, "within": within})
        if found:
            open_definitions.append((indent, found.group(1)))
    return used


def _likeliest(rows: list[Row], slots: dict[str, Any]) -> list[Row]:
    """Rows with half of the sought words (rounded down), the most telling first; none if many tell as much.

    A word tells the more, the fewer of the rows hold it (inverse document frequency, Sparck Jones 1972).
    """
    words = [re.compile(word_pattern(word), re.IGNORECASE) for word in slots.get("sought_words") or ()]
    if slots.get("number_sought"):
        rows = [row for row in rows if re.search(r"\d", str(row["text"]))]
    held = [[number for number, word in enumerate(words) if word.search(str(row["text"]))] for row in rows]
    frequency = Counter(number for numbers in held for number in numbers)
    scored = [
        (sum(math.log((len(rows) + 1) / frequency[number]) for number in numbers), row)
        for numbers, row in zip(held, rows, strict=True)
        if len(numbers) >= max(1, len(words) // 2)
    ]
    scored.sort(key=lambda one: -one[0])
    if len(scored) > MOST_LIKELY:
        scored = [one for one in scored if one[0] >= scored[0][0] / 2]
    # Beyond that many, those that tell less go: unless they tell as much as the last one shown.
    shown = [row for score, row in scored if len(scored) <= MOST_LIKELY or score > scored[MOST_LIKELY][0]]
    return shown


PICKS: dict[str, Callable[[list[Row], dict[str, Any]], list[Row]]] = {
    "over_limits": _over_limits,
    "repeated": _repeated,
    "below_root": _below_root,
    "uses": _uses,
    "likeliest": _likeliest,
}
