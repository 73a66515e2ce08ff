"""A goal without its values: what is left when names, paths, texts and numbers are taken out.

Two goals with the same skeleton ask the same question about other values. A word becomes a value only when
its shape or its place says that it is one: quotes, a path, an extension, digits, the spelling of a name in
code, a name in front of which the goal says what it names. Every other word stays part of the question.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict

from memory.recipes.ground import QUOTED, written
from memory.recipes.lexicon import load_lexicon
from memory.recipes.mentions import GLOB, PATH
from memory.reuse.wording import (
    announces_name,
    canonical,
    is_english,
    is_function_word,
    is_open,
    names_itself,
    without_courtesies,
)

SlotKind = Literal["text", "path", "name", "extension", "number", "date"]


class Slot(BaseModel):
    """A value a goal states.

    Attributes:
        kind: what it is a value of.
        text: the value as written, without quotes.
        path: where it lies below the root, if it names something that exists.
        before: the word of the question in front of it; empty at the beginning.
        after: the word of the question behind it; empty at the end.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    kind: SlotKind
    text: str
    path: str | None = None
    before: str = ""
    after: str = ""


@dataclass(frozen=True)
class Skeleton:
    """A goal as question and values.

    Attributes:
        key: the question; equal keys are equal questions. Each value stands in it as its kind in brackets.
        slots: the values, in the order of the goal.
    """

    key: str
    slots: tuple[Slot, ...]


_DATE = re.compile(r"(?<![\w-])\d{4}-\d{2}-\d{2}(?![\w-])")
_NUMBER = re.compile(r"(?<![\w.,:/-])\d{1,9}(?![\w:/-]|[.,]\d)")
_FLAG = re.compile(r"(?<!\S)-{1,2}[\w-]+")
_WORD = re.compile(r"[^\W\d]\w*(?:['-]\w+)*(?:\.[^\W\d]\w*)*(?:\(\))?")
_OTHER = re.compile(r"[^\s,;:.?!()]+")
# A version is a name; the order is that of trust: what is quoted is nothing else.
_VERSION = re.compile(r"(?<![\w.])v?\d+(?:\.\d+)+(?![\w.])")
_READ = re.compile(
    "|".join(
        f"(?P<{name}>{pattern.pattern})"
        for name, pattern in (
            ("quoted", re.compile(QUOTED.pattern)),
            ("date", _DATE),
            ("version", _VERSION),
            ("flag", _FLAG),
            ("glob", GLOB),
            ("path", PATH),
            ("extension", re.compile(r"(?<![\w./«-])\.[A-Za-z0-9_]{1,8}(?![\w./-])")),
            ("number", _NUMBER),
            ("word", _WORD),
            ("sign", re.compile(r"(?<!\S)[,;:.?!()]+(?!\S)")),
            ("other", _OTHER),
        )
    )
)
_ONE_EXTENSION = re.compile(r"\*?(\.[A-Za-z0-9_]{1,8})")


_NAMED = ("path", "text", "name")


@dataclass(frozen=True)
class _Token:
    """A word of the question, or a value if it has a kind."""

    text: str
    kind: SlotKind | None = None
    path: str | None = None


def skeleton_of(goal: str, places: Mapping[str, str] | None = None) -> Skeleton:
    """Take the values out of a goal. Pure.

    Args:
        goal: any text.
        places: names of files and directories as the goal writes them, with the path of each below the root.
    """
    known = places or {}
    text = without_courtesies(written(goal))
    words = [match for match in _READ.finditer(text)]
    english = is_english([match["word"] for match in words if match["word"]])
    tokens: list[_Token] = []
    for number, match in enumerate(words):
        before = next((token.text for token in reversed(tokens) if token.kind is None), "")
        adjacent = bool(tokens) and tokens[-1].kind is None
        tokens += _tokens(match, known, english, number == 0, before if adjacent else "")
    tokens = canonical_tokens(tokens)
    return Skeleton(_key(tokens), _slots(tokens))


def canonical_tokens(tokens: list[_Token]) -> list[_Token]:
    """The tokens with words that change nothing left out, and wordings of one meaning written alike."""
    plain = canonical([None if token.kind in _NAMED else token.kind or token.text for token in tokens])
    return [
        _Token(plain[index] or "") if token.kind is None else token
        for index, token in enumerate(tokens)
        if token.kind is not None or plain[index]
    ]


def _tokens(
    match: re.Match[str], known: Mapping[str, str], english: bool, first: bool, before: str
) -> list[_Token]:
    kind, text = match.lastgroup, match.group(0)
    if kind == "quoted" or (kind is None and text[:1] in "\"'`"):
        inner = text[1:-1]
        return [_Token(inner, _kind_of_quoted(inner, known), known.get(inner))]
    if kind == "date":
        return [_Token(text, "date")]
    if kind == "number":
        return [_Token(text, "number")]
    if kind in ("extension", "glob") and (extension := _ONE_EXTENSION.fullmatch(text)):
        return [_Token(extension[1], "extension")]
    if kind == "path" and text not in known and text[1:].lower() in load_lexicon("en").extensions:
        return [_Token(text, "extension")]
    if kind in ("path", "glob"):
        return [_Token(text, "path", known.get(text))]
    if kind == "version":
        return [_Token(text, "name")]
    if kind == "word":
        return _word_tokens(text, known, english, first, before)
    if kind == "sign" and not is_open(match.string[: match.start()]):
        return []
    return [_Token(text)]


def _kind_of_quoted(text: str, known: Mapping[str, str]) -> SlotKind:
    """A quoted name of a file is a path: plans treat it as one."""
    return "path" if text in known or PATH.fullmatch(text) else "text"


def _word_tokens(
    text: str, known: Mapping[str, str], english: bool, first: bool, before: str
) -> list[_Token]:
    if text in known and not is_function_word(text):
        return [_Token(text, "path", known[text])]
    if text.endswith("'s") and names_itself(text[:-2], english, first=False):
        return [_Token(text[:-2], "name"), _Token("'s")]
    if names_itself(text, english, first) or (english and announces_name(before, text)):
        return [_Token(text.removesuffix("()"), "name")]
    return [_Token(text)]


def _key(tokens: list[_Token]) -> str:
    return " ".join(f"<{token.kind}>" if token.kind else token.text for token in tokens)


def _slots(tokens: list[_Token]) -> tuple[Slot, ...]:
    slots = []
    for number, token in enumerate(tokens):
        if token.kind is not None:
            before = tokens[number - 1] if number else None
            after = tokens[number + 1] if number + 1 < len(tokens) else None
            slots.append(
                Slot(
                    kind=token.kind,
                    text=token.text,
                    path=token.path,
                    before=before.text if before and before.kind is None else "",
                    after=after.text if after and after.kind is None else "",
                )
            )
    return tuple(slots)
