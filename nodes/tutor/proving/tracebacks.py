"""Tracebacks of Python in logs: what failed, and the calls that led to it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from nodes.tutor.proving.places import Place
from nodes.tutor.proving.world import World

_HEADER = "Traceback (most recent call last):"
_FRAME = re.compile(r'\s+File "(?P<path>[^"]+)", line (?P<line>[1-9]\d{0,8})(?:, in (?P<function>.+))?')
_EXCEPTION = re.compile(r"(?P<type>[^\W\d]\w*(?:\.\w+)*)(?:: (?P<message>.*))?")
_MARKS = re.compile(r"\s*[~^]+\s*")
_LEVEL = re.compile(r"\b(?:ERROR|CRITICAL|FATAL|EXCEPTION|SEVERE)\b", re.IGNORECASE)
_LIBRARY = re.compile(r"(?:^|/)(?:lib(?:64)?/python3[^/]*/|site-packages/|dist-packages/)|^<")
_MOST_LINES = 400


@dataclass(frozen=True)
class Frame:
    """One call.

    Attributes:
        path: of the source, as the log has it.
        line: of the source, from 1.
        function: that was running, "<module>" at the top level; None if the log does not tell.
        source: the line as the log has it, without indentation; None if it does not show it.
    """

    path: str
    line: int
    function: str | None
    source: str | None

    @property
    def library(self) -> bool:
        """True if it is no part of the program."""
        return _LIBRARY.search(self.path) is not None


@dataclass(frozen=True)
class Failure:
    """One traceback.

    Attributes:
        frames: from the outermost call to the one that failed.
        exception: its type, without its module.
        message: of the exception; None if there is none.
        used: observations that show the lines.
    """

    frames: tuple[Frame, ...]
    exception: str
    message: str | None
    used: frozenset[str]


def failure_at(place: Place, world: World) -> Failure | None:
    """The failure that a line of a log reports.

    The line is the one that names the exception at the end of a traceback; or a line of level error right
    before the traceback's head, as logging writes it; or one right after its end, that repeats it in full.
    """
    here = _line(place, 0, world)
    if here is None:
        return None
    if (_line(place, 1, world) or "").strip() == _HEADER and _LEVEL.search(here):
        end = _end(Place(place.path, place.number + 1), world)
        found = _ending_at(end, world) if end is not None else None
        return _with(found, place, world)
    found = _ending_at(place, world)
    if found is not None:
        return found
    before = _ending_at(Place(place.path, place.number - 1), world)
    if before is not None and before.message and f"{before.exception}: {before.message}" in here:
        return _with(before, place, world)
    return None


def _with(failure: Failure | None, place: Place, world: World) -> Failure | None:
    known = world.line(*place)
    if failure is None or known is None:
        return None
    return Failure(failure.frames, failure.exception, failure.message, failure.used | known.used)


def _line(place: Place, further: int, world: World) -> str | None:
    known = world.line(place.path, place.number + further)
    return known.value.rstrip("\r") if known is not None else None


def _end(head: Place, world: World) -> Place | None:
    """The line of the exception of a traceback that begins on a line."""
    for further in range(1, _MOST_LINES):
        text = _line(head, further, world)
        if text is None:
            return None
        if text[:1].strip():
            return Place(head.path, head.number + further)
    return None


def _ending_at(place: Place, world: World) -> Failure | None:
    known = world.line(*place) if place.number > 0 else None
    exception = _EXCEPTION.fullmatch(known.value.rstrip("\r")) if known is not None else None
    if known is None or exception is None:
        return None
    rows: list[str] = []
    used = known.used
    for back in range(1, _MOST_LINES):
        above = world.line(place.path, place.number - back) if place.number > back else None
        if above is None:
            return None
        used |= above.used
        row = above.value.rstrip("\r")
        if row.endswith(_HEADER) and not row[:1].isspace():
            frames = _frames(rows[::-1])
            kind = exception["type"].rpartition(".")[2]
            return Failure(frames, kind, exception["message"], used) if frames else None
        # Every line inside is indented; a line that is not belongs to something else.
        if row[:1].strip() or not row:
            return None
        rows.append(row)
    return None


def _frames(rows: list[str]) -> tuple[Frame, ...]:
    frames: list[Frame] = []
    for row in rows:
        match = _FRAME.fullmatch(row)
        if match:
            frames.append(Frame(match["path"], int(match["line"]), match["function"], None))
        elif not frames:
            return ()
        elif frames[-1].source is None and not _MARKS.fullmatch(row) and not row.lstrip().startswith("["):
            last = frames[-1]
            frames[-1] = Frame(last.path, last.line, last.function, row.strip())
    return tuple(frames)
