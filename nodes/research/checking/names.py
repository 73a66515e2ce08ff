"""Names of people, organisations, places and products, and whether a text holds them. Pure."""

from __future__ import annotations

import re

from nodes.research.checking.chinese_names import chinese_names
from nodes.research.checking.english_names import english_names
from nodes.research.checking.folding import lowered
from nodes.research.checking.name import Name
from nodes.research.checking.name_words import ALIASES, GENERIC, HAN_SUFFIX, SAME, TITLES
from nodes.research.checking.stems import stem
from nodes.research.checking.terms import STOP

_PEOPLE_OF = re.compile(r"([a-z]{4,}?)(?:ians?|eans?|ans?|ish|ese|ites?|ers?|i|is|ic|'s)$")


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
    return re.search(rf"(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])", text) is not None


def _kindred(word: str, text: str) -> bool:
    """True if a text has the country of a people's name, or the people of a country's: Hungarian, Hungary."""
    if found := _PEOPLE_OF.match(word):
        return re.search(rf"(?<![a-z]){re.escape(found[1])}[a-z]{{0,3}}(?![a-z])", text) is not None
    root = word.rstrip("aeiouy") if len(word) > 4 else word
    return (
        len(root) > 3
        and re.search(rf"(?<![a-z]){re.escape(root)}[a-z]?(?:ians?|ese|ish|eans?)(?![a-z])", text) is not None
    )


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
    # The first character of each part: at most three characters are left out between two.
    return (
        re.search("[\\u3400-\\u9fff]{0,3}?".join(map(re.escape, name)), text) is not None
        and len(name) > 2
        or (
            len(name) == 2
            and re.search(f"{re.escape(name[0])}[\\u3400-\\u9fff]{{1,2}}{re.escape(name[1])}学", text)
            is not None
        )
    )
