"""Slots into plans: values come from the goal, never from a model."""

from __future__ import annotations

import re
from typing import Any

from memory.recipes.match import unexplained_name
from memory.recipes.places import Whereabouts
from memory.recipes.reading import Reading
from memory.recipes.recipe import Recipe, RecipeStep
from memory.recipes.sought_words import any_word_pattern

SLOT = re.compile(r"\$\{(\w+)(?::(\w+))?\}")
Values = dict[str, Any]


def slot_values(reading: Reading, whereabouts: Whereabouts) -> Values:
    """Every slot a recipe may use; None means the goal does not state it."""
    q = reading.quantities
    name = (reading.literal or "").removesuffix("()") or None
    return {
        "text": reading.literal,
        "text_sought": reading.literal,
        "name": name,
        "module_path": name.replace(".", "/") if name else None,
        "file": list(whereabouts.files) or None,
        "missing": list(whereabouts.missing) or None,
        "missing_names": [path.rsplit("/", 1)[-1] for path in whereabouts.missing] or None,
        "scope": list(whereabouts.directories) or ["."],
        "below": f"below {', '.join(whereabouts.directories)}" if whereabouts.directories else "here",
        "place": list(whereabouts.directories) or None,
        "excluded": list(whereabouts.excluded) or None,
        "n": q.n or 1,
        "any_word": "|".join(re.escape(word) for word in reading.residue) or None,
        "sought_pattern": any_word_pattern(reading.residue),
        "sought_words": list(reading.residue) or None,
        "number_sought": True if reading.asks & {"count", "when"} else None,
        "words": " or ".join(f'"{word}"' for word in reading.residue) or None,
        "unexplained_name": unexplained_name(reading),
        "head_lines": q.n or (1 if re.search(r"\bline\b", reading.goal) else 10),
        "n_given": q.n,
        "nth": q.nth,
        "ordinal": f"{_ordinal(q.nth)} " if q.nth else "",
        "person": reading.person,
        "revision": reading.revisions.one,
        "revisions": reading.revisions.span,
        "since": q.since,
        "until": q.until,
        "first_line": q.first_line,
        "last_line": q.last_line,
        "ignore_case": True if reading.facets.get("case") else None,
        "min_count": q.min_count,
        "max_count": q.max_count,
        "files": describe_selection(reading, whereabouts),
        "age": f"{q.span.minutes} minutes ago" if q.span else None,
        "of_whom": _commit_limits(reading),
    }


def _commit_limits(reading: Reading) -> str:
    q = reading.quantities
    parts = [
        f" by {reading.person}" if reading.person else "",
        f" since {q.since[:10]}" if q.since else "",
        f" until {q.until[:10]}" if q.until else "",
        f" in the last {q.span.words}" if q.span else "",
    ]
    return "".join(parts)


def describe_selection(reading: Reading, whereabouts: Whereabouts) -> str:
    """The selected files in words: "*.py files under src"."""
    kinds = " or ".join(reading.globs)
    parts = [f"{kinds} files" if kinds else "files"]
    for name, word in (("empty", "empty"), ("nonempty", "non-empty"), ("hidden", "hidden")):
        if name in reading.filters:
            parts.insert(0, word)
    if "top" in reading.things:
        parts.append("directly" if whereabouts.directories else "at the top level")
    if reading.not_globs:
        parts.append(f"other than {' or '.join(reading.not_globs)}")
    words = {"start": "whose name starts with", "end": "whose name ends with", "named": "whose name contains"}
    if (relation := reading.facets.get("relation")) in words:
        negation = "not " if "negated" in reading.facets else ""
        parts.append(f"{negation}{words[relation]} {reading.literal!r}")
    if whereabouts.directories:
        parts.append(f"under {', '.join(whereabouts.directories)}")
    if whereabouts.excluded:
        parts.append(f"outside {', '.join(whereabouts.excluded)}")
    q = reading.quantities
    limits = _size_limits(q.min_bytes, q.max_bytes)
    limits += [f"modified {_days(q.since, q.until)}"] if q.since or q.until else []
    limits += [f"changed in the last {q.span.words}"] if q.span else []
    return " ".join(parts + limits)


def _days(since: str | None, until: str | None) -> str:
    """Instants as the days they lie on: "since 2026-01-01", "on 2026-01-01"."""
    if since and until and since[:10] == until[:10]:
        return f"on {since[:10]}"
    return " ".join(
        [*([f"since {since[:10]}"] if since else []), *([f"until {until[:10]}"] if until else [])]
    )


def _ordinal(number: int) -> str:
    teens = 10 < number % 100 < 20
    return f"{number}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def _size_limits(low: int | None, high: int | None) -> list[str]:
    if low is not None and high is not None:
        inside = (low + 1, high - 1)
        return [f"of {inside[0]} bytes" if inside[0] == inside[1] else f"of {inside[0]} to {inside[1]} bytes"]
    limits = [f"over {low} bytes"] if low is not None else []
    return limits + ([f"under {high} bytes"] if high is not None else [])


def _glob_escape(text: str) -> str:
    return re.sub(r"([*?\[\]\\])", r"\\\1", text)


def name_globs(reading: Reading) -> tuple[list[str], list[str]]:
    """Globs that file names must match, and must not match, for "named", "start" and "end"."""
    relation, literal = reading.facets.get("relation"), reading.literal
    if literal is None or relation not in ("start", "end", "named"):
        return [], []
    text = _glob_escape(literal)
    glob = {"start": f"{text}*", "end": f"*{text}", "named": f"*{text}*"}[relation]
    if relation == "end" and "." not in text:
        glob_list = [glob, f"*{text}.*"]
    else:
        glob_list = [glob]
    return ([], glob_list) if "negated" in reading.facets else (glob_list, [])


def find_arguments(reading: Reading, whereabouts: Whereabouts, kind: str = "f") -> dict[str, Any]:
    """Arguments of the `find` call that selects what the goal is about."""
    q = reading.quantities
    named, not_named = name_globs(reading)
    globs = list(reading.globs) if kind == "f" else []
    hidden = [".*"] if "hidden" in reading.filters else []
    wanted: dict[str, Any] = {
        "paths": list(whereabouts.directories) or ["."],
        "type": kind,
        "print0": True,
        "names": globs,
        "iname": [] if reading.globs else named,
        "also_names": hidden or (named if reading.globs else []),
        "not_names": [*reading.not_globs, *not_named],
        "exclude_paths": list(whereabouts.excluded),
        "empty": "empty" in reading.filters,
        "executable": "executable" in reading.filters,
        "sizes": _sizes(reading),
        "maxdepth": 1 if "top" in reading.things else None,
        "modified_after": q.since,
        "modified_before": q.until,
        "mmin": f"-{q.span.minutes}" if q.span else None,
    }
    return {name: value for name, value in wanted.items() if value}


def _sizes(reading: Reading) -> list[str]:
    low, high = reading.quantities.min_bytes, reading.quantities.max_bytes
    if low is None and "nonempty" in reading.filters:
        low = 0
    limits = [f"+{low}c"] if low is not None else []
    return limits + ([f"-{high}c"] if high is not None else [])


def substitute(template: str, values: Values) -> str | None:
    """Fill `${slot}` and `${slot:re}` (regex-escaped) in a text; None if a slot has no value."""
    missing = False

    def value(match: re.Match[str]) -> str:
        nonlocal missing
        found = values.get(match.group(1))
        if found is None:
            missing = True
            return ""
        text = ", ".join(map(str, found)) if isinstance(found, list) else str(found)
        return re.escape(text) if match.group(2) == "re" else text

    text = SLOT.sub(value, template)
    return None if missing else text


def fill(template: Any, values: Values) -> Any:
    """Fill slots in any JSON value; a member whose slot has no value is left out, lists are spliced."""
    if isinstance(template, str):
        whole = SLOT.fullmatch(template)
        if whole and not whole.group(2):
            return values.get(whole.group(1))
        return substitute(template, values)
    if isinstance(template, dict):
        filled = {key: fill(value, values) for key, value in template.items()}
        return {key: value for key, value in filled.items() if value is not None}
    if isinstance(template, list):
        members: list[Any] = []
        for item in template:
            value = fill(item, values)
            if isinstance(item, str) and isinstance(value, int) and not isinstance(value, bool):
                value = str(value)  # lists of texts are argument vectors
            members.extend(value if isinstance(value, list) and isinstance(item, str) else [value])
        return [member for member in members if member is not None]
    return template


def fill_stages(
    step: RecipeStep, values: Values, selection: dict[str, Any], directories: dict[str, Any]
) -> list[Any]:
    """The step's pipeline stages with every slot filled."""
    stages: list[Any] = []
    for stage in step.stages:
        if stage == "$files":
            stages.append({"tool": "find", "args": selection})
        elif stage == "$directories":
            stages.append({"tool": "find", "args": directories})
        elif "files" in stage:
            stages.append({"tool": "find", "args": _narrowed(selection, stage["files"])})
        else:
            stages.append(fill(stage, values))
    return stages


def _narrowed(selection: dict[str, Any], further: dict[str, Any]) -> dict[str, Any]:
    """The selection with further arguments; lists are joined, an output form replaces the usual one."""
    arguments = dict(selection)
    if "printf" in further:
        arguments.pop("print0")
    for name, value in further.items():
        arguments[name] = [*arguments.get(name, []), *value] if isinstance(value, list) else value
    return arguments


def fill_steps(
    recipe: Recipe, reading: Reading, whereabouts: Whereabouts, ignore: list[str]
) -> list[dict[str, Any]]:
    """Plan steps (description, tool call as JSON, expectations) of a recipe for one goal.

    Args:
        recipe: a recipe that matches the reading.
        reading: the goal, read.
        whereabouts: what its mentions are.
        ignore: directory names that are not searched.
    """
    values = slot_values(reading, whereabouts) | {"ignore": ignore}
    selection = find_arguments(reading, whereabouts) | {"exclude_dirs": ignore}
    directories = find_arguments(reading, whereabouts, kind="d") | {"exclude_dirs": ignore, "mindepth": 1}
    return [
        {
            "num": number,
            "description": substitute(step.do, values) or step.do,
            "tool_call": {
                "tool": "pipeline",
                "args": {"stages": fill_stages(step, values, selection, directories)},
            },
            "input_from": step.input_from,
            "expect_exit": list(step.expect_exit),
            "expect_output": step.expect_output,
        }
        for number, step in enumerate(recipe.steps, start=1)
    ]
