"""Goals of a batch: JSON objects, one a line, all of them read and checked before any is begun."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr, ValidationError

from cli.batch.goal import Goal
from cli.batch.graphs import ELSEWHERE, GRAPHS
from configs.errors import ReflectError, UsageError
from configs.redaction import escaped, path_text

MOST_TOLD = 20
LONGEST_LINE = 4_000_000
LONGEST_CONTEXT = 200_000
"""Characters of the material one goal brings along."""

_FORM = (
    'One JSON object a line: {"id": "a1", "goal": "...", "graph": "research", "context": "..."}; '
    'only "goal" is needed.'
)


class _Line(BaseModel):
    """A line as it may be written."""

    model_config = ConfigDict(extra="forbid")

    id: StrictStr | StrictInt | None = None
    goal: StrictStr
    graph: StrictStr | None = None
    context: StrictStr = Field("", max_length=LONGEST_CONTEXT)


def read_goals(path: Path, graph: str) -> list[Goal]:
    """The goals of a file, in its order.

    Args:
        path: of the file; blank lines are passed over.
        graph: who answers where a line does not say.

    Raises:
        UsageError: the file cannot be read, holds no goal, or lines that cannot be used; all of the latter
            are told, the first of them by name.
    """
    goals: dict[str, Goal] = {}
    problems: list[str] = []
    seen: dict[str, int] = {}
    for number, raw in _lines(path):
        try:
            goal = _goal(raw, number, graph)
        except ReflectError as error:
            problems.append(f"  line {number}: {escaped(error.what)}")
            continue
        if goal.id in goals:
            problems.append(f"  line {number}: line {seen[goal.id]} has the id {goal.id!r} already.")
            continue
        goals[goal.id], seen[goal.id] = goal, number
    if problems:
        more = [f"  and {len(problems) - MOST_TOLD} more"] if len(problems) > MOST_TOLD else []
        told = "\n".join([*problems[:MOST_TOLD], *more])
        raise UsageError(
            f"{path_text(path)} has {len(problems)} lines that cannot be used; nothing was run.\n{told}",
            _FORM,
        )
    if not goals:
        raise UsageError(f"{path_text(path)} holds no goal.", _FORM)
    return list(goals.values())


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Lines that are not blank, with their numbers from 1."""
    try:
        with path.open("rb") as stream:
            for number, raw in enumerate(stream, start=1):
                text = raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw
                if text.strip():
                    yield number, text
    except OSError as error:
        raise UsageError(
            f"The goals in {path_text(path)} cannot be read: {error.strerror or error}.",
            "Name a file of goals.",
        ) from error


def _goal(raw: bytes, number: int, graph: str) -> Goal:
    """A line as a goal.

    Raises:
        ReflectError: it cannot be used; says why.
    """
    if len(raw) > LONGEST_LINE:
        raise UsageError(f"it has {len(raw)} bytes, and {LONGEST_LINE} is the most.")
    line = _checked(_object(raw))
    name = line.graph if line.graph is not None else graph
    if name not in GRAPHS:
        raise UsageError(f"{name!r} {ELSEWHERE.get(name, 'is no graph')}; choose among {', '.join(GRAPHS)}.")
    if line.context and not GRAPHS[name].takes_context:
        raise UsageError(f"the graph {name} takes no context: it reads files, or searches.")
    text = _clean(line.goal).strip()
    GRAPHS[name].check(text)
    given = str(number) if line.id is None else _clean(str(line.id))
    if not given.strip():
        raise UsageError("the id is empty.")
    return Goal(given, text, name, _clean(line.context))


def _object(raw: bytes) -> dict[str, Any]:
    try:
        value = json.loads(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise UsageError("it is not UTF-8.") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"it is not JSON: {error}.") from error
    if not isinstance(value, dict):
        raise UsageError(f"it is a JSON {type(value).__name__}, not an object.")
    return value


def _checked(value: dict[str, Any]) -> _Line:
    try:
        return _Line.model_validate(value)
    except ValidationError as error:
        told = {(str(one["loc"][0]), one["msg"]): None for one in error.errors()}
        raise UsageError("; ".join(f"{name!r}: {message}" for name, message in told) + ".") from error


def _clean(text: str) -> str:
    """Text without halves of characters, which JSON can write and no model reads."""
    return text.encode("utf-8", "replace").decode("utf-8")
