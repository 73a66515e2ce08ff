"""What a goal asks for beyond an answer, and the question that is left without it.

"Find the notes about Tesla and e-mail them to anna@example.org" asks for a search, and for a message that no
search sends. Only what is asked for in so many words counts: a question about sending, attaching or writing
asks for none of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from memory.recipes.changes import wants_change
from memory.recipes.ground import Ground
from memory.recipes.lexicon import MARK, load_lexicon
from memory.recipes.mentions import mark_paths
from memory.recipes.promise_wording import (
    ABOUT,
    ADDRESS,
    ASKING,
    ATTACH,
    ATTACHED,
    CHANGES,
    DELIVERIES,
    EMBEDDED,
    MAIL,
    NEW_DIRECTORY,
    PRONOUN,
    RELATIVE,
    SAVE,
    START,
    THEM,
    WHICH,
)


@dataclass(frozen=True)
class Promises:
    """What a goal asks for.

    Attributes:
        commitments: what is to be done beyond an answer, as `memory.commitments` writes it.
        question: the goal without messages and attachments, which are no part of any question about files;
            the goal itself when it asks for none of them, and empty when it asks for nothing else.
    """

    commitments: tuple[str, ...]
    question: str


@lru_cache(maxsize=256)
def read_promises(goal: str) -> Promises:
    """Find what a goal asks for beyond an answer. Pure: touches no file but the packaged lexicon."""
    ground = _ground(goal)
    wording = _Wording(ground.text, wants_change(goal))
    found: list[str] = []
    cuts: list[tuple[int, int, str]] = []
    for start in START.finditer(ground.text):
        if not wording.asks(start):
            continue
        delivery = _delivery(ground, start.end())
        if delivery is not None:
            owed, end, kept = delivery
            found += owed
            cuts.append((start.start(), end, kept))
        found += _changes(ground, start.end(), wording.changes_at(start))
    if cuts and ATTACHED.search(ground.text):
        found.append("attach_documents")
    return Promises(tuple(dict.fromkeys(found)), _without(ground, cuts) if cuts else goal)


def _ground(goal: str) -> Ground:
    """The goal with quotations, addresses and paths as marks; addresses as «@n»."""
    ground = Ground.of(goal)
    ground.replace(ADDRESS, "address", lambda match: match.group(0))
    for index, mark in enumerate(ground.marks):
        if mark.kind == "address" or (mark.kind == "quoted" and ADDRESS.fullmatch(mark.text)):
            ground.text = ground.text.replace(f"«{index}»", f"«@{index}»")
    mark_paths(ground, load_lexicon())
    return ground


class _Wording:
    """Whether what begins at a place is asked for, rather than told of in a question.

    Args:
        text: the goal, with marks.
        changes: True if it begins by asking for a change.
    """

    def __init__(self, text: str, changes: bool) -> None:
        self._text = text
        self._changes = changes
        self._about = ABOUT.match(text) is not None
        self._which = WHICH.match(text) is not None
        self._embedded = _first(EMBEDDED, text)
        self._relative = _first(RELATIVE, text)

    def asks(self, start: re.Match[str]) -> bool:
        """True if words at a start are a request."""
        if start.start() == 0:
            return True
        embedded = self._embedded < start.start()
        if not start["and"]:
            ends_sentence = start["stop"] in ".;!?"
            return ends_sentence or not (self._about or embedded) or bool((start["after"] or "").strip())
        if self._about or embedded:
            return bool(start["filler"]) and not embedded
        return not self._which or bool(start["filler"]) or THEM.match(self._text, start.end()) is not None

    def changes_at(self, start: re.Match[str]) -> bool:
        """True if a change of a file named at a start is a request.

        "List what is in tmp and delete a.txt" asks for it; "find what opens and deletes" or "that open and
        delete a.txt" does not.
        """
        if self._changes or start.start() == 0:
            return self._changes
        return not start["and"] or bool(start["filler"]) or self._relative >= start.start()


def _first(pattern: re.Pattern[str], text: str) -> int:
    """Where the first match ends; behind the text when there is none."""
    match = pattern.search(text)
    return match.end() if match else len(text) + 1


def _delivery(ground: Ground, position: int) -> tuple[list[str], int, str] | None:
    """Commitments of a message asked for at a place, where its words end, and what of them is a question."""
    attach = ATTACH.match(ground.text, position)
    if attach is not None:
        return ["attach_documents"], attach.end(), ""
    for pattern in DELIVERIES:
        match = pattern.match(ground.text, position)
        if match is None:
            continue
        groups = match.groupdict()
        to = groups.get("to")
        if to and not to.startswith("«@") and to.lower() in load_lexicon().file_names:
            continue
        # A name tells nobody whether the right person was written to; an address does.
        target = f":{_shown(ground, to)}" if to and to.startswith("«@") else ""
        told = re.match(r" with (.+)", groups.get("rest") or "")
        kept = groups.get("object") or (told.group(1) if told else "")
        is_question = (
            position == 0 or ground.text[:position].strip(" ,") == "" or _leads(ground.text, position)
        )
        nothing = re.fullmatch(rf"{PRONOUN}|{MARK}|«@\d+»|an? {MAIL}.*|that .*|to .*", kept, re.IGNORECASE)
        return [f"send_email{target}"], match.end(), kept if is_question and not nothing else ""
    return None


def _leads(text: str, position: int) -> bool:
    """True if nothing but a polite beginning stands before a place."""
    return re.fullmatch(ASKING, text[:position], re.IGNORECASE) is not None


def _changes(ground: Ground, position: int, changes: bool) -> list[str]:
    found = []
    for name, pattern in CHANGES:
        match = pattern.match(ground.text, position)
        if match is None or not (changes or pattern is SAVE):
            continue
        mark = ground.mark_of(match["file"])
        target = mark.text if mark is not None else match["file"]
        if name == "write_file" and not _names_a_file(target):
            continue
        if mark is None and target.lower() in load_lexicon().stopwords:
            continue
        if mark is not None and mark.kind == "quoted" and not (pattern is NEW_DIRECTORY or _is_path(target)):
            continue
        found.append(f"{name}:{target}")
    return found[:1]


def _names_a_file(target: str) -> bool:
    """True for a name with an ending, or one that files have without: what is written into is a place."""
    return re.search(r"\.\w{1,8}$", target) is not None or target.lower() in load_lexicon().file_names


def _is_path(text: str) -> bool:
    return re.search(r"\.\w{1,8}$|/", text) is not None


def _shown(ground: Ground, to: str) -> str:
    match = re.fullmatch(r"«@(\d+)»", to)
    return ground.marks[int(match.group(1))].text if match else to


def _without(ground: Ground, cuts: list[tuple[int, int, str]]) -> str:
    """The text without the messages it asks for, its marks spelled out again."""
    parts, position = [], 0
    for start, end, kept in cuts:
        if start < position:
            continue
        parts += [ground.text[position:start], kept]
        position = end
    parts.append(ground.text[position:])
    text = " ".join(" ".join(parts).split())
    text = re.sub(r"«@?(\d+)»", lambda match: _spelled(ground, int(match.group(1))), text)
    text = ATTACHED.sub(" ", text)
    return re.sub(
        r"^[\s,;:.!?]+(?:(?:and|then) )?|(?:[\s,;:]|\b(?:and|then)\b)+$", "", " ".join(text.split())
    )


def _spelled(ground: Ground, index: int) -> str:
    mark = ground.marks[index]
    if mark.kind != "quoted":
        return mark.text
    quote = '"' if '"' not in mark.text else "`"
    return f"{quote}{mark.text}{quote}"
