"""What a whole pipeline asks: its first stage, what the others leave of it, and what they read themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from nodes.tutor.facts import Entry, Fact, Search
from nodes.tutor.observing.meaning.calls import Call, call_of
from nodes.tutor.observing.meaning.filters import filtered
from nodes.tutor.observing.meaning.finding import found, starts_of
from nodes.tutor.observing.meaning.matching import selected
from nodes.tutor.observing.meaning.reading_tools import asked
from nodes.tutor.observing.places import above_of, place_of
from nodes.tutor.observing.questions.base import Asked, Depends
from nodes.tutor.observing.questions.entries import Kinds, Listing, Walk
from nodes.tutor.observing.questions.matching import Selected
from tools.stages import Vector

# Of these, a stage without files reads what the one before prints.
READS_INPUT = frozenset({"cat", "head", "tail", "grep", "wc", "sort", "nl", "tac", "sha256sum", "sed"})
# These go on with their other operands if there is nothing at one, and say so.
GOES_ON = frozenset({"cat", "head", "tail", "grep", "wc", "ls", "stat", "sha256sum", "nl"})
# More names than xargs gives to one run would be told in several lists.
MOST_LISTED = 4000


@dataclass(frozen=True)
class Meaning:
    """What a pipeline asks.

    Attributes:
        kinds: what stands at the paths it names; certain even if the rest fails.
        questions: what its output answers.
        walked: the directories its searches went through; all of them, those without a hit, too.
        missing: operands at which nothing stands; what else was asked is answered if this alone went wrong.
        over: stages that go on with the files a search finds, the first of them as their operands.
        null_separated: those may have any names; else none with a line end.
    """

    kinds: tuple[Kinds, ...] = ()
    questions: tuple[Asked, ...] = ()
    walked: tuple[Walk, ...] = ()
    missing: tuple[str, ...] = ()
    over: tuple[Call, ...] = ()
    null_separated: bool = False

    @property
    def depends(self) -> list[Depends]:
        """What the answers depend on; the files a search finds are below where it looked."""
        asked = (*self.kinds, *self.questions, *self.walked)
        depends = [question.depends() for question in asked]
        return [replace(each, deep=True, contents=True) for each in depends] if self.over else depends


def meaning_of(vectors: Sequence[Vector], root: Path) -> Meaning:
    """What checked stages ask; nothing where an option or a path is not understood exactly."""
    calls = _folded([call_of(vector) for vector in vectors])
    first, rest = calls[0], calls[1:]
    if first.from_input:
        return Meaning()
    missing = _missing(first, root) if len(calls) == 1 else ()
    first = replace(first, operands=tuple(word for word in first.operands if word not in missing))
    questions = _asked(first, root)
    if questions is None:
        return Meaning()
    kinds, walked = _kinds(calls[0], root), _walked(questions)
    over = [vector for vector in vectors if vector.from_input]
    if len(over) == 1 and rest and rest[0].from_input:
        if over[0].placeholder is not None or over[0].per_run is not None:
            return Meaning(kinds)
        return Meaning(kinds, tuple(questions), walked, (), tuple(rest), over[0].null_separated)
    return Meaning(kinds, tuple(_after(questions, rest) or ()), walked, missing)


def _missing(call: Call, root: Path) -> tuple[str, ...]:
    """Operands of a tool that goes on with the others, at which nothing stands; none if it has no others."""
    if call.tool not in GOES_ON or "q" in call.names:
        return ()
    gone = [word for word in call.operands if (place := place_of(root, word)) and place.standing == "nothing"]
    return tuple(gone) if len(set(gone)) < len(set(call.operands)) else ()


def over_files(meaning: Meaning, facts: Sequence[Fact], root: Path) -> tuple[Asked, ...]:
    """The questions of the stages that go on with what a search found; none unless that is files alone."""
    searches = [fact for fact in facts if isinstance(fact, Search)]
    listings = [question for question in meaning.questions if isinstance(question, Listing)]
    if len(searches) != len(listings) or len(listings) != len(meaning.questions):
        return ()
    entries = [entry for search in searches for entry in search.found]
    if any(isinstance(fact, Entry) for fact in facts) or len(entries) > MOST_LISTED:
        return ()
    unsafe = any("\n" in entry.path for entry in entries) and not meaning.null_separated
    if unsafe or not entries or any(entry.kind != "file" for entry in entries):
        return ()
    named = tuple(sorted(f"./{entry.path}" for entry in entries))
    first, *rest = meaning.over
    # `xargs cat | wc -l` counts in all files together what `xargs wc -l` counts in each.
    if first.tool == "cat" and not first.options and rest and rest[0].tool in ("wc", "grep"):
        first, rest = rest[0], rest[1:]
    questions = _asked(replace(first, operands=(*first.operands, *named), from_input=False), root)
    return tuple(_after(questions, rest) or ()) if questions is not None else ()


def _folded(calls: list[Call]) -> list[Call]:
    """`cat FILE | TOOL` as `TOOL FILE`."""
    while len(calls) > 1 and calls[0].tool == "cat" and not calls[0].options and len(calls[0].operands) == 1:
        reader = calls[1]
        searches_all = reader.tool == "grep" and "r" in reader.names
        if reader.tool not in READS_INPUT or reader.operands or reader.from_input or searches_all:
            break
        calls = [replace(reader, operands=calls[0].operands), *calls[2:]]
    return calls


def _asked(call: Call, root: Path) -> list[Asked] | None:
    if call.tool == "find":
        return found(call.operands, root)
    return selected(call, root) if call.tool == "grep" else asked(call, root)


def _after(questions: list[Asked], rest: Sequence[Call]) -> list[Asked] | None:
    left: list[Asked] | None = questions
    for call in rest:
        left = filtered(left, call) if left else None
    return left


def _walked(questions: Sequence[Asked]) -> tuple[Walk, ...]:
    places: list[str] = []
    for question in questions:
        if isinstance(question, Listing) and question.depth is None and question.hidden:
            places += [question.directory] if question.kind != "directory" else []
        elif isinstance(question, Selected):
            places += question.directories
    return tuple(Walk(directory=place) for place in dict.fromkeys(places))


def _kinds(call: Call, root: Path) -> tuple[Kinds, ...]:
    words = starts_of(call.operands) if call.tool == "find" else call.operands
    places = [place_of(root, word) for word in words]
    paths = tuple(dict.fromkeys(place.path for place in places if place))
    above = tuple(dict.fromkeys(way for path in paths for way in above_of(path) if way not in paths))
    return (Kinds(paths=paths, above=above),) if paths else ()
