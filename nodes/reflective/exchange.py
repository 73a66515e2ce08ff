"""Parts of a question exchanged for others of their kind: "and the second largest?", "and in tests/?"."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import yaml

from memory.recipes.lexicon import load_lexicon
from memory.recipes.mentions import GLOB, PATH
from memory.recipes.reading import read_goal

Leaning = Literal["part", "one", "several"]
# A part of a question is short; what is longer says what it means.
LONGEST_PART = 10
QUOTED = re.compile(r"\"[^\"]+\"|“[^”]+”|«[^»]+»|`[^`]+`|(?<!\w)'[^']+'(?!\w)")
NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.])")
NAME = re.compile(r"(?:[A-Z][\w'’-]+)(?: [A-Z][\w'’-]+)?")
WORD = re.compile(r"[\w./*@+'’-]+")
END = re.compile(r"[\s?!.。？！]*\Z")


@dataclass(frozen=True)
class _Words:
    """`configs/follow_up/words.yaml`, compiled."""

    lead: re.Pattern[str]
    opening: re.Pattern[str]
    complete: re.Pattern[str]
    asking: re.Pattern[str]
    one: re.Pattern[str]
    its: re.Pattern[str]
    several: re.Pattern[str]
    ordinal: re.Pattern[str]
    rank: re.Pattern[str]
    ordinal_alone: re.Pattern[str]
    thing: re.Pattern[str]
    owner: re.Pattern[str]
    fillers: frozenset[str]
    places: frozenset[str]


@cache
def _words() -> _Words:
    read: dict[str, Any] = yaml.safe_load((files("configs") / "follow_up" / "words.yaml").read_text("utf-8"))

    def either(name: str, before: str = "", after: str = "") -> re.Pattern[str]:
        listed = read[name] if isinstance(read[name], list) else [read[name]]
        return re.compile(f"{before}(?:{'|'.join(listed)}){after}", re.IGNORECASE)

    ordinal = f"(?:{read['ordinals']}[ -])"
    return _Words(
        lead=either("leads", r"\A\s*", r"[\s,:]*"),
        opening=either("openings", r"\A\s*"),
        complete=either("complete", r"\A\W*"),
        asking=either("complete", r"(?<!\w)"),
        one=either("one", r"(?<![\w'-])", r"(?![\w'-])"),
        its=either("its", r"(?<![\w'-])", r"(?![\w'-])"),
        several=either("several", r"(?<![\w'-])", r"(?![\w'-])"),
        ordinal=re.compile(ordinal, re.IGNORECASE),
        rank=re.compile(rf"\b{ordinal}?{read['ranks']}\b", re.IGNORECASE),
        ordinal_alone=re.compile(rf"\b{read['ordinals']}\b", re.IGNORECASE),
        thing=either("things"),
        owner=either("owners"),
        fillers=frozenset(read["fillers"]),
        places=frozenset(read["places"]),
    )


@cache
def _kinds() -> re.Pattern[str]:
    """Words for kinds of file: python, markdown, js."""
    return re.compile("|".join(f"(?:{kind.pattern.pattern})" for kind in load_lexicon().kinds), re.IGNORECASE)


def leaning(goal: str) -> Leaning | None:
    """How a goal leans on what was said before: it is a part, or means one thing or several; None if not."""
    words = _words()
    lead = words.lead.match(goal)
    rest = goal[lead.end() :] if lead else goal
    short = len(rest.split()) <= LONGEST_PART
    opened = words.opening.match(goal) and not words.asking.search(goal)
    if short and (lead or opened) and rest.strip() and not _is_whole(rest, words, bool(lead)):
        return "part"
    for pattern, how in ((words.one, "one"), (words.its, "one"), (words.several, "several")):
        found = pattern.search(goal)
        if found is not None and not _names_something(goal[: found.start()]):
            return how  # type: ignore[return-value]  # one of the three
    return None


def _is_whole(text: str, words: _Words, led: bool) -> bool:
    """True if a text says what is asked and of what, so that nothing before is needed."""
    reading = read_goal(text)
    of_something = reading.mentions or reading.globs or reading.literal
    asks = reading.asks or ("rank" in reading.facets and not led)
    return bool(words.complete.match(text)) or bool(asks and of_something)


def _names_something(text: str) -> bool:
    """True if a pronoun after this text may mean what the text itself names."""
    words = _words()
    text = words.owner.sub("", text)
    reading = read_goal(text)
    named = words.thing.search(text) or QUOTED.search(text) or reading.mentions_files
    return bool(named or reading.mentions or reading.globs or reading.literal)


def exchanged(goal: str, before: str, exists: Callable[[str], bool]) -> str | None:
    """The question before with the one part of it that the goal names anew; None if that is not plain.

    Args:
        goal: a part of a question.
        before: the question before it, whole.
        exists: whether a path exists.
    """
    if leaning(goal) != "part":
        return None
    words = _words()
    part = END.sub("", words.lead.sub("", goal, count=1))
    kinds: dict[str, re.Pattern[str]] = {
        "quoted": QUOTED, "glob": GLOB, "path": PATH, "rank": words.rank, "kind": _kinds(), "number": NUMBER,
    }  # fmt: skip
    found = _found(part, kinds)
    if not found:
        return _ordinal(part, before, words) or _person(part, before) or _placed(part, before, words, exists)
    if len(found) != 1 or _left(part, found[0][1], before, words):
        return None
    name, new = found[0]
    old = [match for other, match in _found(before, kinds) if other == name]
    if len(old) == 1 and _exchangeable(name, old[0].group(0), new.group(0)):
        made = before[: old[0].start()] + new.group(0) + before[old[0].end() :]
        return made if _asks_the_same(made, before, name) else None
    placed = part[: new.start()].split()[-1:]
    if not old and name == "path" and placed and placed[0].lower() in words.places:
        return f"{END.sub('', before)} {placed[0].lower()} {new.group(0)}"
    return None


def named_once(goal: str, answer: str, before: str, exists: Callable[[str], bool]) -> str | None:
    """The goal with the one file that was named before in the place of "it"; None if there is not just one.

    Args:
        goal: a question that means one thing it does not name.
        answer: of the question before.
        before: that question.
        exists: whether a path exists.
    """
    if leaning(goal) != "one":
        return None
    words = _words()
    for text in (answer, before):
        named = {match.group(0).removeprefix("./").rstrip(".") for match in PATH.finditer(text)}
        there = {path for path in named if exists(path)}
        if len(there) == 1:
            # No backslash of the name is to be read as a reference to a group.
            path = there.pop().replace("\\", r"\\")
            return words.one.sub(path, words.its.sub(f"{path}'s", goal))
        if there:
            return None
    return None


def words_of(text: str, *, content: bool = False) -> set[str]:
    """The words of a text, without regard to case; only those that lean on nothing, if `content` is asked."""
    words = _words()
    if content:
        for pattern in (words.several, words.its, words.one):
            text = pattern.sub(" ", text)
        text = words.lead.sub("", text, count=1)
    found = {
        word.casefold().removesuffix("'s").removesuffix("’s").strip(".-'’") for word in WORD.findall(text)
    }
    return found - (words.fillers if content else set()) - {""}


def _found(text: str, kinds: dict[str, re.Pattern[str]]) -> list[tuple[str, re.Match[str]]]:
    """Parts of a text by kind; what one kind has taken, the next does not see."""
    found = []
    for name, pattern in kinds.items():
        for match in pattern.finditer(text):
            found.append((name, match))
            text = text[: match.start()] + "\0" * len(match.group(0)) + text[match.end() :]
    return found


def _left(part: str, new: re.Match[str], before: str, words: _Words) -> set[str]:
    """Words of a part that neither its one new thing nor the question before explains."""
    rest = words_of(f"{part[: new.start()]} {part[new.end() :]}")
    return rest - words.fillers - words_of(before)


def _ordinal(part: str, before: str, words: _Words) -> str | None:
    """Read "and the second?" after a question for the largest."""
    new, old = words.ordinal_alone.search(part), list(words.rank.finditer(before))
    if new is None or len(old) != 1 or _left(part, new, before, words):
        return None
    rank = words.ordinal.sub("", old[0].group(0), count=1)
    made = f"{before[: old[0].start()]}{new.group(0)} {rank}{before[old[0].end() :]}"
    return made if _asks_the_same(made, before, "rank") else None


def _placed(part: str, before: str, words: _Words, exists: Callable[[str], bool]) -> str | None:
    """Read "and in tests?" after a question that names no place."""
    first, *rest = part.split() or [""]
    names = [word for word in rest if word.lower() not in words.fillers]
    if first.lower() not in words.places or len(names) != 1 or not exists(names[0]):
        return None
    if PATH.search(before) or read_goal(before).mentions:
        return None
    return f"{END.sub('', before)} {first.lower()} {names[0]}/"


def _person(part: str, before: str) -> str | None:
    """Read "and Bob?" after a question about somebody else."""
    person = read_goal(before).person
    if not person or before.count(person) != 1 or not NAME.fullmatch(part):
        return None
    return before.replace(person, part)


def _exchangeable(kind: str, old: str, new: str) -> bool:
    """True if one part may stand where the other stands: not itself, and no directory for a file."""
    if kind == "path" and old.endswith("/") != new.endswith("/"):
        return False
    return old.casefold() != new.casefold()


def _asks_the_same(made: str, before: str, kind: str) -> bool:
    """True if exchanging a part changed no more of the question than that part."""
    if kind not in ("rank", "kind", "number"):
        return True
    new, old = read_goal(made), read_goal(before)
    same = (new.asks, new.things, new.facets.keys()) == (old.asks, old.things, old.facets.keys())
    return same and (kind != "rank" or new.facets.get("metric") == old.facets.get("metric"))
