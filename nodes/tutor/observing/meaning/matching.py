"""What a `grep` asks."""

from __future__ import annotations

from pathlib import Path

from nodes.tutor.observing.meaning.calls import Call
from nodes.tutor.observing.meaning.literals import Dialect, literal_of
from nodes.tutor.observing.places import Place, above_of, place_of
from nodes.tutor.observing.questions.base import Asked
from nodes.tutor.observing.questions.matching import Selected

DIALECTS: dict[str, Dialect] = {"F": "fixed", "E": "extended", "G": "basic", "P": "perl"}
# These change which lines are selected, and are told by the question.
SELECTING = frozenset("eivwxmr")
# These change how lines are printed, or which part of them.
PRINTING = frozenset("abcHhILlnoqsTUZABC") | {"color", "colour", "line-buffered"}
COUNTING = frozenset("cLloq")
NARROWING = ("include", "exclude", "exclude-dir")


def selected(call: Call, root: Path) -> list[Asked] | None:
    """The question of a grep, none if it fails; None if an option or a path is uncertain."""
    narrowed = [f"--{name}={value}" for name, value in call.options if name in NARROWING]
    known = SELECTING | PRINTING | DIALECTS.keys() | frozenset(NARROWING)
    dialects = {DIALECTS[name] for name in call.names if name in DIALECTS}
    places = [place_of(root, operand) for operand in call.operands]
    recursive = "r" in call.names
    if not {"e"} <= call.names <= known or len(dialects) > 1:
        return None
    if not places and not recursive:
        return []
    places = places or [place_of(root, ".")]
    if not all(places):
        return None
    sure = _apart([place for place in places if place])
    if not all(_is_searched(place, recursive) for place in sure):
        return []
    dialect: Dialect = next(iter(dialects), "basic")
    patterns = tuple(value or "" for name, value in call.options if name == "e")
    literal = literal_of(patterns[0], dialect) if len(patterns) == 1 else None
    flags = {name: letter in call.names for name, letter in FLAGS.items()}
    if literal is not None and not _is_told(literal, flags):
        literal = None
    most = call.value("m")
    beside = {name: _beside(call, letter) for name, letter in (("before", "B"), ("after", "A"))}
    if (most is not None and not most.isdigit()) or None in beside.values():
        return None
    return [
        Selected(
            files=tuple(place.path for place in sure if place.is_file),
            directories=tuple(place.path for place in sure if not place.is_file),
            patterns=patterns, dialect=dialect, literal=literal, counts=bool(COUNTING & call.names),
            most=int(most) if most is not None else None, narrowed=tuple(narrowed),
            **flags, **beside,
        )
    ]  # fmt: skip


FLAGS = {"ignore_case": "i", "word": "w", "line": "x", "inverted": "v"}


def _beside(call: Call, letter: str) -> int | None:
    """Lines shown beside a selected one; an option for one side counts before that for both."""
    given = call.value(letter) or call.value("C") or "0"
    return int(given) if given.isdigit() else None


def _is_searched(place: Place, recursive: bool) -> bool:
    return place.is_file or (recursive and place.is_own_directory)


def _apart(places: list[Place]) -> list[Place]:
    """Each place once, without those a search of another reaches, whose lines would be told twice."""
    directories = {place.path for place in places if place.standing == "directory"}
    once = {place.path: place for place in places}.values()
    return [place for place in once if not directories & {".", *above_of(place.path)} - {place.path}]


def _is_told(literal: str, flags: dict[str, bool]) -> bool:
    """True if a literal and some options are a selection that `Matches` tells."""
    if flags["line"] or (flags["ignore_case"] and not literal.isascii()):
        return False
    return not flags["word"] or (literal != "" and not flags["inverted"])
