"""Names in Chinese text: by the dictionary's tags, by their endings, by what no dictionary holds. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from nodes.research.checking.concepts import concepts_of
from nodes.research.checking.name import Name
from nodes.research.checking.name_words import (
    AGENCIES,
    DESCRIBES,
    FUNCTION_SIGNS,
    GATHERINGS,
    HAN_SUFFIX,
    NAME_TAGS,
    NO_AGENCY,
    ORGANISED,
    ORGANISED_ENDS,
    SURE_ENDS,
    SURNAMES,
    TALKS,
)
from nodes.research.checking.terms import HAN_STOP, dictionary

_NUMERAL = re.compile("[零一二两三四五六七八九十百千万亿兆点]")


@lru_cache(maxsize=16_384)
def tagged(run: str) -> tuple[tuple[str, str], ...]:
    """The words of a run of Han characters, with their tags."""
    return tuple(dictionary().tag(run))


@lru_cache(maxsize=65_536)
def known_word(word: str) -> bool:
    """True if the Chinese dictionary holds the word."""
    return bool(dictionary().has_word(word))


def chinese_names(text: str) -> list[Name]:
    """The names in a folded text, in order."""
    found: list[Name] = []
    for run in re.finditer(r"[\u3400-\u9fff]{2,}", text):
        found += _in_run(run.start(), tagged(run[0]))
    return found


@dataclass(slots=True)
class _Part:
    """A word of a name that is being put together."""

    start: int
    word: str
    tag: str
    strong: bool


def _in_run(at: int, tagged: tuple[tuple[str, str], ...]) -> list[Name]:
    found = _spelled_out(at, tagged)
    parts: list[_Part] = []
    for number, (word, tag) in enumerate(tagged):
        if not parts and (name := _organised(tagged[number : number + 5])):
            found.append(Name(at, at + len(name), name, False))
        bare = word if known_word(word) else word.rstrip(FUNCTION_SIGNS)
        strong = _strong(bare, tag)
        goes_on = strong or (bool(parts) and word in HAN_SUFFIX)
        if not goes_on or _begins_anew(tag, strong, parts):
            found += _closed(parts)
            parts = []
        if goes_on:
            parts.append(_Part(at, bare, tag, strong))
        if bare != word:
            found += _closed(parts)
            parts = []
        at += len(word)
    return found + _closed(parts)


def _begins_anew(tag: str, strong: bool, parts: list[_Part]) -> bool:
    """True where one name ends and a person's begins, or the other way round: 海洋大学 | 林志明."""
    if not strong or not parts:
        return False
    return (tag == "nr" and parts[-1].word.endswith(HAN_SUFFIX)) or (parts[-1].tag == "nr" and tag != "nr")


def _closed(parts: list[_Part]) -> list[Name]:
    """The name the words make, if they make one."""
    kept = list(parts)
    while kept and not kept[-1].strong and kept[-1].word not in HAN_SUFFIX:
        kept.pop()
    text = "".join(part.word for part in kept)
    if len(text) < 2 or text in HAN_SUFFIX or not any(part.strong for part in kept):
        return []
    sure = any(part.tag in NAME_TAGS or part.word in AGENCIES for part in kept) or text.endswith(SURE_ENDS)
    return [Name(kept[0].start, kept[0].start + len(text), text, sure)]


def _spelled_out(at: int, tagged: tuple[tuple[str, str], ...]) -> list[Name]:
    """Names the dictionary cuts into single signs, if they end as names do: 红 | 隼 | 队."""
    found: list[Name] = []
    signs = ""
    for word, _ in tagged:
        alone = len(word) == 1 and word not in HAN_STOP and not _NUMERAL.match(word)
        ends = bool(signs) and word in HAN_SUFFIX
        signs = signs + word if alone and (ends or not concepts_of(word)) else ""
        if len(signs) >= 3 and ends:
            found.append(Name(at - len(signs) + 1, at + 1, signs, True))
            signs = ""
        at += len(word)
    return found


def _organised(tagged: tuple[tuple[str, str], ...]) -> str:
    """A name like 晨星能源, of ordinary words but an organisation's ending; "" if there is none."""
    name = ""
    for word, tag in tagged:
        if len(name) >= 2 and (word in ORGANISED or word.endswith(ORGANISED_ENDS)):
            return name + word
        if not _may_name(word, tag):
            return ""
        name += word
    return ""


def _may_name(word: str, tag: str) -> bool:
    if len(word) == 1:
        return word not in FUNCTION_SIGNS and word not in HAN_STOP and not _NUMERAL.match(word)
    return (
        tag[:1] in "naisjlzv"
        and word not in DESCRIBES
        and word not in HAN_STOP
        and not concepts_of(word)
        and word not in ORGANISED
    )


def _strong(word: str, tag: str) -> bool:
    """True if a word's tag, or that no dictionary holds it, makes it a name."""
    if (
        word in HAN_STOP
        or word in GATHERINGS
        or concepts_of(word)
        or re.search("[零一二三四五六七八九十百千万亿兆]", word)
    ):
        return False
    if word in AGENCIES or (
        len(word) in (3, 4) and word.endswith(("部", "署", "局")) and word not in NO_AGENCY
    ):
        return True
    if tag in NAME_TAGS:
        if (
            tag == "nr"
            and len(word) == 2
            and word[0] not in SURNAMES
            and not known_word(word)
            and set(word) & set(FUNCTION_SIGNS)
        ):
            return False
        return len(word) >= 2 or (tag == "nr" and word in SURNAMES)
    if len(word) == 2 and set(word) & set(FUNCTION_SIGNS):
        return False
    return (
        len(word) >= 2
        and not known_word(word)
        and tag not in ("m", "t")
        and not all(known_word(sign) and concepts_of(sign) for sign in word)
    )


def subject(text: str) -> Name | None:
    """The Chinese noun phrase a folded sentence begins with, when a verb of saying or doing follows at once."""
    run = re.match(r"[\s\"「『\u2400,、在于至]*(?:根据|据|依据|依)?([\u3400-\u9fff]{2,})", text)
    if not run:
        return None
    at = run.start(1)
    words: list[str] = []
    for word, tag in tagged(run[1]):
        if (
            word in HAN_STOP
            or tag in ("p", "c", "d", "t", "uj")
            or (tag in ("v", "vd") and known_word(word) and (words or word in TALKS))
        ):
            break
        words.append(word)
    phrase = "".join(words)
    if len(phrase) < 2 or all(concepts_of(word) for word in words):
        return None
    return Name(at, at + len(phrase), phrase, False)
