"""Names of people, organisations, places and products, and whether a text holds them. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nodes.research.checking.chinese_names import chinese_names
from nodes.research.checking.english_names import english_names
from nodes.research.checking.folding import lowered
from nodes.research.checking.name import Name
from nodes.research.checking.name_words import ALIASES, GENERIC, HAN_SUFFIX, SAME, TITLES
from nodes.research.checking.stems import stem
from nodes.research.checking.terms import STOP

_PEOPLE_OF = re.compile(r"([a-z]{4,}?)(?:ians?|eans?|ans?|ish|ese|ites?|ers?|i|is|ic|'s)$")

_OF_PEOPLE = re.compile("[a-z]?(?:ians?|ese|ish|eans?)")
_LETTERS = re.compile("[a-z]*")


def names(text: str) -> list[Name]:
    """The names in a folded text, in order."""
    found = list(english_names(text))
    if not text.isascii():
        found += chinese_names(text)
    return sorted(found, key=lambda name: name.start)


def tokens(name: str) -> list[str]:
    """The words of a name that tell it from others, in lower case; all of them if none does."""
    every = [word for word in re.split(r"[\s.&,'-]+", lowered(name)) if word and word not in STOP]
    telling = [word for word in every if word not in GENERIC and word not in TITLES and len(word) > 1]
    return telling or every


def held(name: str, text: str) -> bool:
    """True if a folded text in lower case names what the name names, perhaps under an alias.

    Args:
        name: folded, as written.
        text: folded, in lower case.
    """
    low = lowered(name).strip(" .'")
    if _stands(low, text):
        return True
    key = SAME.get(low)
    if key is not None:
        forms = [key.replace("-", " "), *(form.replace("-", " ") for form in ALIASES[key].split())]
        return any(_stands(form, text) for form in forms if len(form) > 1)
    if not name.isascii():
        return _han_held(low, text)
    telling = tokens(name)
    if telling and all(
        _stands(word, text) or _stands(stem(word), text) or _kindred(word, text) for word in telling
    ):
        return True
    if name.isupper() and 2 <= len(name) <= 6:
        return _spelled(low, text)
    initials = "".join(word[0] for word in re.split(r"[\s-]+", lowered(name)) if word and word not in STOP)
    return len(initials) >= 3 and _stands(initials, text)


def _stands(word: str, text: str) -> bool:
    if not word or word not in text:
        return False
    if not word[0].isascii() or not word[-1].isascii():
        return True
    return any(not _in_word(text, at - 1) and not _in_word(text, at + len(word)) for at in places(word, text))


def places(word: str, text: str) -> Iterator[int]:
    """Where a word begins in a text. A pattern of its own for each of thousands of names would cost more to build."""
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)


def _in_word(text: str, at: int) -> bool:
    return 0 <= at < len(text) and text[at].isascii() and text[at].isalnum()


def _kindred(word: str, text: str) -> bool:
    """True if a text has the country of a people's name, or the people of a country's: Hungarian, Hungary."""
    if found := _PEOPLE_OF.match(word):
        return any(len(rest) <= 3 for rest in _rests(found[1], text))
    root = word.rstrip("aeiouy") if len(word) > 4 else word
    return len(root) > 3 and any(_OF_PEOPLE.fullmatch(rest) for rest in _rests(root, text))


def _rests(root: str, text: str) -> Iterator[str]:
    """How the words of a text go on that begin with a root."""
    for at in places(root, text):
        if not _in_word(text, at - 1) and (rest := _LETTERS.match(text, at + len(root))):
            yield rest[0]


def _spelled(acronym: str, text: str) -> bool:
    """True if words that begin with the letters of an acronym stand in a row."""
    gap = r"[a-z]*[\s-]+(?:(?:of|the|for|and|on|to|in)\s+)*"
    return re.search(r"(?<![a-z])" + gap.join(map(re.escape, acronym)) + "[a-z]", text) is not None


def _han_held(name: str, text: str) -> bool:
    """A Chinese name may be shortened: 台大 for 台湾大学, 鸿海 for 鸿海精密."""
    bare = name
    for suffix in sorted(HAN_SUFFIX, key=len, reverse=True):
        if bare.endswith(suffix) and len(bare) - len(suffix) >= 2:
            bare = bare[: -len(suffix)]
            break
    if bare != name and bare in text:
        return True
    if not re.fullmatch(r"[\u3400-\u9fff]{2,4}", name):
        return False
    if len(name) == 2:
        return any(text[at + 1 : at + 4].find(f"{name[1]}学") > 0 for at in places(name[0], text))
    # The first character of each part: at most three characters are left out between two.
    return any(_scattered(name[1:], text, at + 1) for at in places(name[0], text))


def _scattered(signs: str, text: str, at: int) -> bool:
    """True if characters stand in order from an offset on, with at most three Han characters before each."""
    if not signs:
        return True
    for end in range(at, min(at + 4, len(text))):
        if text[end] == signs[0] and _scattered(signs[1:], text, end + 1):
            return True
        if not "\u3400" <= text[end] <= "\u9fff":
            return False
    return False
