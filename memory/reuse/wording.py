"""Which words of a goal carry no meaning of their own, and which can only be names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cache

from memory.recipes.ground import QUOTED
from memory.recipes.lexicon import load_lexicon
from memory.recipes.shipped import shipped_yaml


@dataclass(frozen=True)
class Wording:
    """One language's words, as `configs/wording/` lists them."""

    beginning: re.Pattern[str]
    end: re.Pattern[str]
    inside: re.Pattern[str]
    whole_project: re.Pattern[str]
    short_forms: dict[str, str]
    articles: frozenset[str]
    listing: frozenset[str]
    function_words: frozenset[str]
    announcing: frozenset[str]
    time_units: frozenset[str]
    depth_units: frozenset[str]
    comparing: frozenset[str]
    byte_units: frozenset[str]
    other_units: frozenset[str]
    column_words: frozenset[str]
    depth_words: frozenset[str]
    open_words: frozenset[str]
    ordinary: frozenset[str]


@cache
def load_wording(language: str = "en") -> Wording:
    """Compile one language's words; the file is part of the package.

    Raises:
        FileNotFoundError: no words of that language are shipped.
    """
    data = shipped_yaml("wording", f"{language}.yaml")
    patterns = {name: "|".join(data[name]) for name in ("beginning", "end", "inside", "whole_project")}
    sets = {
        field.name: frozenset(data[field.name].split())
        for field in fields(Wording)
        if field.name not in patterns and field.name != "short_forms"
    }
    return Wording(
        beginning=re.compile(f"(?:{patterns['beginning']})+", re.IGNORECASE),
        end=re.compile(f"(?:{patterns['end']})+$", re.IGNORECASE),
        inside=re.compile(patterns["inside"], re.IGNORECASE),
        whole_project=re.compile(patterns["whole_project"], re.IGNORECASE),
        short_forms=data["short_forms"],
        **sets,
    )


_NAME_IN_CODE = re.compile(
    r"_?\w*[^\W_]_\w*|_\w+|[a-z]+[A-Z]\w*|[A-Z]\w*[a-z]\w*[A-Z]\w*|\w+\(\)|\w+(?:\.\w+)+"
)
_PROPER_NAME = re.compile(r"[A-Z][a-z]+")
_ACRONYM = re.compile(r"[A-Z][A-Z0-9]+")
_LETTERS_AND_DIGITS = re.compile(r"(?=\w*\d)(?=\w*[^\W\d])\w+")


def without_courtesies(goal: str) -> str:
    """The goal without greetings, requests, thanks and "in this project", which change nothing.

    What is quoted stays as it is, and so does what ends a phrase: "the word please" is no courtesy.
    """
    wording = load_wording()
    quotes: list[str] = []

    def hide(match: re.Match[str]) -> str:
        quotes.append(match.group(0))
        return f"«{len(quotes) - 1}»"

    plain = QUOTED.sub(hide, goal)
    match = wording.beginning.match(plain)
    text = plain[match.end() :] if match else plain
    for pattern in (wording.end, wording.inside, wording.whole_project):
        text = pattern.sub(_unless_open, text)
    text = text.rstrip("?!., ") if not is_open(text.rstrip("?!., ")) else text
    return re.sub(r"«(\d+)»", lambda mark: quotes[int(mark[1])], text) or goal


def _unless_open(match: re.Match[str]) -> str:
    before = match.string[: match.start()]
    ends_sentence = match.group(0)[:1] in "?!.;" and not before.endswith(" ")
    return match.group(0) if is_open(before) and not ends_sentence else ""


def is_open(text: str) -> bool:
    """True if a text ends in a word that something must follow: "lines that contain", "the word"."""
    words = text.split()
    wording = load_wording()
    return bool(words) and words[-1].lower() in wording.open_words | wording.announcing | wording.articles


def is_english(words: Sequence[str]) -> bool:
    """True if capital letters say something: English with capitals at names only."""
    plain = [word for word in words if is_function_word(word) or load_lexicon("en").knows(word)]
    capitals = sum(word[:1].isupper() for word in words[1:])
    return len(plain) * 3 >= len(words) and capitals * 2 <= len(words)


def is_function_word(word: str) -> bool:
    """True for words that are never names."""
    return word.lower() in load_wording().function_words


def names_itself(word: str, english: bool, first: bool) -> bool:
    """True if a word's spelling says that it is a name.

    Args:
        word: as written.
        english: whether capital letters mark names.
        first: whether it begins the goal, where any word has a capital.
    """
    wording = load_wording()
    if is_function_word(word) or word.lower() in wording.byte_units | wording.other_units:
        return False
    if _NAME_IN_CODE.fullmatch(word) or _LETTERS_AND_DIGITS.fullmatch(word):
        return True
    if not english or first or any(kind.pattern.fullmatch(word) for kind in load_lexicon("en").kinds):
        return False
    return bool(_ACRONYM.fullmatch(word)) or (bool(_PROPER_NAME.fullmatch(word)))


def announces_name(before: str, word: str) -> bool:
    """True if the word in front says that a name follows, and the word means nothing by itself."""
    plain = word.islower() and word.isidentifier()
    return plain and before.lower() in load_wording().announcing and word not in ordinary_words()


def canonical(words: Sequence[str | None]) -> list[str | None]:
    """Words in lower case, short forms written out, articles and verbs of listing left out.

    Args:
        words: the words of a question; None where a value stands.

    Returns:
        One entry for each: the word, None for a value, "" for what is left out.
    """
    wording = load_wording()
    plain: list[str | None] = []
    for number, word in enumerate(words):
        lower = None if word is None else word.lower()
        lower = wording.short_forms.get(lower, lower) if lower else lower
        before = words[number - 1] if number else None
        is_named = before is not None and before.lower() in wording.announcing
        plain.append("" if lower in wording.articles and not is_named else lower)
    _leave_out_listing(plain)
    return plain


def _leave_out_listing(plain: list[str | None]) -> None:
    said = [index for index, word in enumerate(plain) if word != ""]
    if not said or plain[said[0]] not in load_wording().listing:
        return
    follows = said[1:]
    if follows and plain[follows[0]] in ("me", "out"):
        plain[follows[0]] = ""
        follows = follows[1:]
    # "Find the entry point" asks where one thing is, "show the entry point" what it holds.
    places_one = plain[said[0]] == "find" and bool(follows) and "" in plain[said[0] + 1 : follows[0]]
    if follows and plain[follows[0]] is not None and not places_one:
        plain[said[0]] = ""


@cache
def ordinary_words() -> frozenset[str]:
    """Words that mean something in a question, with their usual endings."""
    lexicon, wording = load_lexicon("en"), load_wording()
    known = lexicon.stopwords | lexicon.vocabulary | lexicon.words | lexicon.meanings | lexicon.qualifiers
    known |= wording.ordinary
    forms = {word + ending for word in known for ending in ("s", "es", "ed", "ing")}
    return frozenset(known | forms | wording.function_words)
